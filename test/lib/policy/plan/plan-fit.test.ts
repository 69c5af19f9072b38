/** Plan files: which policy they may name, whether their changes do what they show, and the plans of several accounts in one. */
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {asFailure} from '../../../../src/lib/client/failure.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import {keptPlanOf, keptPlansText, leftToDo, keptPlanText, readKeptPlans, sealedPlan} from '../../../../src/lib/policy/plan/plan-file.js';
import {partsChanged, refuseRepeated, refuseUnfit} from '../../../../src/lib/policy/plan/plan-fit.js';
import {chosenPolicy, needsPolicy, policyFrom} from '../../../../src/lib/policy/plan/plan-policy.js';
import {withPlan} from '../../../../src/lib/policy/state-file/ownership.js';
import {Records} from '../../../../src/lib/policy/state-file/records.js';
import {StateFile} from '../../../../src/lib/policy/state-file/state-file.js';
import {makePlan} from '../../../../src/lib/policy/plan/plan.js';
import {aFilter, circumstances, emptyModel, now, stateOf} from '../model-server.js';
import {apply, type Desk, madeAgain, nobody, planOf, server, stateOf as blocksOf} from '../sections/server-blocks.js';
import {wantedBy} from '../wanted.js';

const why = {reason: 'must', because: 'p.yml:1'} as const;
const domain = (action: 'add' | 'remove', subject: string): Change => ({action, kind: 'domain_block', subject, details: {}, ...why});
const account = (action: 'add' | 'remove', subject: string, kind: 'block' | 'mute' = 'block'): Change => ({
  action,
  kind,
  subject,
  details: {},
  ...why,
});
const filterRemoval = (id: string): Change => ({action: 'remove', kind: 'filter', subject: 'A', details: {id}, ...why});
const filterUpdate = (id: string): Change => ({
  action: 'update',
  kind: 'filter',
  subject: 'A',
  details: {id, add: [], remove: [], change: []},
  ...why,
});

describe('the policy of a plan file', () => {
  test.each([
    ['plans/plan.json', 'plans/p.yml', 'p.yml', false],
    ['plan.json', 'policies/p.yml', 'policies/p.yml', false],
    ['plans/plan.json', 'p.yml', '../p.yml', true],
    ['/x/plan.json', '/x/y/p.yml', 'y/p.yml', false],
  ])('in %s is named from there: %s as %s, needs to be told: %j', (file, policy, stored, isTold) => {
    expect(policyFrom(file, policy)).toBe(stored);
    expect(needsPolicy(file, policy)).toBe(isTold);
  });

  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'pixelctl-plans-'));
    onTestFinished(() => rmSync(made, {recursive: true}));
    mkdirSync(join(made, 'sub'));
    return made;
  };

  test.each(['p.yml', 'sub/p.yml', './p.yml'])('is below its folder: %s', (stored) => {
    const at = folder();
    expect(chosenPolicy(stored, join(at, 'plan.json'), {})).toBe(join(at, stored));
  });

  test.each([
    '../p.yml',
    'sub/../../p.yml',
    '/etc/p.yml',
    'C:\\p.yml',
    'c:p.yml',
    '\\\\host\\p.yml',
    'http://x/p.yml',
    'a\u0000b',
    '.',
    'a\\..\\p.yml',
  ])('is refused outside of its folder: %j', (stored) => {
    expect(() => chosenPolicy(stored, join(folder(), 'plan.json'), {})).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringContaining('is not below its folder'),
        details: {hint: 'name its state file with --state'},
      }),
    );
  });

  test.each(['/dev/stdin', '/proc/self/fd/0'])('cannot be named by a plan from a stream: %s', (file) => {
    expect(() => chosenPolicy('p.yml', file, {})).toThrow(`The policy of ${file} is not below its folder: p.yml`);
  });

  test.runIf(process.platform === 'linux')('is named by a plan in memory', () => {
    expect(chosenPolicy('p.yml', '/dev/shm/plan.json', {})).toBe('/dev/shm/p.yml');
  });

  test('may be anywhere where the state file is told', () => {
    const file = join(folder(), 'plan.json');
    expect(chosenPolicy('../p.yml', file, {state: 's.json'})).toBe(join(file, '../../p.yml'));
    expect(chosenPolicy('/etc/p.yml', file, {state: 's.json'})).toBe('/etc/p.yml');
  });

  test('is refused in a folder that is not there', () => {
    const at = folder();
    expect(() => chosenPolicy('nowhere/p.yml', join(at, 'plan.json'), {})).toThrow(
      `The folder of the policy that ${join(at, 'plan.json')} names does not exist: ${join(at, 'nowhere/p.yml')}`,
    );
    expect(chosenPolicy('nowhere/p.yml', join(at, 'plan.json'), {state: 's.json'})).toBe(join(at, 'nowhere/p.yml'));
  });
});

describe('changes about the same', () => {
  test.each<[string, Change[]]>([
    ['a domain twice', [domain('add', 'a.example'), domain('remove', 'A.example')]],
    ['an account twice', [account('add', 'bo'), account('remove', '@bo@pix.example')]],
    ['a filter that is removed and changed', [filterUpdate('4'), filterRemoval('4')]],
    ['a filter that is removed twice', [filterRemoval('4'), filterRemoval('4')]],
  ])('are refused: %s', (_, changes) => {
    expect(() => refuseRepeated(changes, 'pix.example', 'plan.json')).toThrow(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(/^plan\.json has two changes of the same item: \w+ /),
        details: {hint: 'make a new one with `pixelctl plan --out`'},
      }),
    );
  });

  test.each<[string, Change[]]>([
    ['two domains', [domain('add', 'a.example'), domain('add', 'b.example')]],
    ['an account on two lists', [account('add', 'bo'), account('add', 'bo', 'mute')]],
    ['accounts of two servers', [account('add', 'bo'), account('add', 'bo@other.example')]],
    ['two filters of one title', [filterRemoval('4'), filterRemoval('5'), filterUpdate('6')]],
  ])('are not: %s', (_, changes) => {
    refuseRepeated(changes, 'pix.example', 'plan.json');
  });
});

describe('a change that does something else than it shows', () => {
  const state = stateOf({...emptyModel, domains: ['there.example'], blocks: ['bo'], filters: [aFilter('A', {id: '4'})]});
  const about = {account: '@ana', policy: 'p.yml', now};

  test.each<[Change, string]>([
    [domain('add', 'there.example'), 'add domain block there.example: it is blocked already'],
    [domain('remove', 'gone.example'), 'remove domain block gone.example: it is not blocked'],
    [account('add', 'bo'), 'add account block @bo: it is blocked already'],
    [account('remove', 'bo', 'mute'), 'remove account mute @bo: it is not muted'],
    [filterRemoval('5'), 'remove filter A: there is no filter 5'],
    [{...domain('add', 'new.example'), until: '2026-11-19'}, 'add domain block new.example: the policy asks for it only'],
  ])('is refused: %j', (change, text) => {
    const failure = (() => {
      try {
        refuseUnfit([domain('add', 'fits.example'), change], state, about);
      } catch (error) {
        return asFailure(error);
      }
      return expect.unreachable('it is refused');
    })();
    expect(failure.code).toBe('refused');
    expect(failure.message).toContain(`The plan does not fit @ana on pix.example: ${text}`);
    expect(failure.message).toMatch(/; nothing was sent$/);
    expect(failure.details.hint).toBe('make a new plan: pixelctl plan p.yml');
  });

  test('is none that does what it shows', () => {
    const changes = [domain('add', 'new.example'), domain('remove', 'there.example'), account('remove', 'bo'), filterRemoval('4')];
    refuseUnfit([...changes, {...domain('add', 'today.example'), until: '2026-11-20'}], state, about);
    expect([...partsChanged(changes)]).toEqual(['domain_blocks', 'blocks', 'filters']);
  });
});

describe('a plan file that an apply began, on a server with severities', () => {
  const policy = 'version: 1\nadmin_domain_blocks: {must: [a.example, b.example]}';
  const before = {server: server('mastodon', {'a.example': {severity: 'silence'}, 'b.example': {severity: 'silence'}}), record: nobody};
  const content = {server: 'https://pix.example', account: '@ana', policy: 'p.yml', made_at: now.toISOString()};
  const text = keptPlanText(planOf(policy, before), {...content, parts: ['admin_domain_blocks']}, 'plan.json');
  const left = async ({server: found, record}: Desk) => {
    const [kept] = readKeptPlans(text, 'plan.json');
    if (kept === undefined) return expect.unreachable('it has a plan');
    const records = new Records([{file: await StateFile.readIfThere('no-state.json'), record: withPlan(record, kept.digest)}]);
    return leftToDo(kept, records, blocksOf(found)).map(({subject}) => subject);
  };
  const killed = apply(policy, before, {}, {after: 1, isLost: false});

  test('has the changes left that it did not make', async () => {
    expect(await left(killed)).toEqual(['b.example']);
    expect(await left(apply(policy, before))).toEqual([]);
  });

  test('is refused where somebody changed or removed what it did not reach', async () => {
    const refused = {code: 'refused', message: expect.stringContaining('pix.example has changed since the plan was made')};
    const changed = madeAgain(killed, 'b.example', {severity: 'silence', public_comment: 'theirs'});
    await expect(left(changed)).rejects.toMatchObject(refused);
    await expect(left(madeAgain(killed, 'c.example', {severity: 'suspend'}))).rejects.toMatchObject(refused);
  });
});

describe('plans of several accounts in one file', () => {
  const text = 'version: 1\ndomain_blocks: {must: [a.example, b.example]}\n';
  const planFor = (domains: readonly string[]) => makePlan(wantedBy(text), stateOf({...emptyModel, domains}), [], circumstances);
  const about = (name: string) => ({server: 'https://pix.example', account: name, parts: ['domain_blocks' as const]});
  const head = {policy: 'p.yml', made_at: now.toISOString()};
  const [both, one] = [planFor([]), planFor(['a.example'])];
  const file = [
    ...keptPlansText(
      [
        {plan: both, about: about('@ana')},
        {plan: one, about: about('@bo')},
        {plan: planFor(['a.example', 'b.example']), about: about('@cy')},
      ],
      head,
      'plan.json',
    ),
  ].join('');
  const refusal = (given: string) => {
    try {
      readKeptPlans(given, 'plan.json');
    } catch (error) {
      return asFailure(error);
    }
    return expect.unreachable('it is refused');
  };

  test('have each change once, and are read as they were made', () => {
    expect(JSON.parse(file).changes).toHaveLength(2);
    const plans = readKeptPlans(file, 'plan.json');
    expect(plans.map(({account: name, changes}) => [name, changes.map(({subject}) => subject)])).toEqual([
      ['@ana', ['a.example', 'b.example']],
      ['@bo', ['b.example']],
      ['@cy', []],
    ]);
    expect(plans[0]?.changes).toEqual(both.changes);
    expect(new Set(plans.map(({digest}) => digest)).size).toBe(3);
    const bo = {account: '@bo', server: new URL('https://pix.example')};
    expect(keptPlanOf(plans, bo).account).toBe('@bo');
    expect(() => keptPlanOf(plans, {...bo, account: '@eve'})).toThrow(
      'The plan is for 3 other accounts, not for @eve on https://pix.example: nothing was sent',
    );
    expect(() => keptPlanOf(plans.slice(0, 1), bo)).toThrow(
      'The plan is for @ana on https://pix.example, not for @bo on https://pix.example: nothing was sent',
    );
    const ofServer = plans.slice(0, 1).map((plan) => ({...plan, account: 'pix.example'}));
    expect(() => keptPlanOf(ofServer, bo)).toThrow(
      'The plan is for https://pix.example, not for @bo on https://pix.example: nothing was sent',
    );
    expect(() => keptPlanOf(plans, {...bo, server: new URL('https://other.example')})).toThrow('not for @bo on https://other.example');
  });

  test('one account has the same digest in every file of the same plan', () => {
    const single = keptPlanText(one, {...about('@bo'), ...head}, 'plan.json');
    const [read] = readKeptPlans(single, 'plan.json');
    expect(readKeptPlans(single.replaceAll(/\n */g, ' '), 'plan.json')[0]?.digest).toBe(read?.digest);
  });

  test.each<[string, string, RegExp]>([
    ['no plan', '5', /^plan\.json is not a plan file$/],
    ['a list', '[]', /^plan\.json is not a plan file$/],
    ['no digest', '{"pixelctl_plan": 1}', /^plan\.json has been edited since it was made: plan again/],
    ['another digest', file.replace('a.example', 'x.example'), /^plan\.json has been edited since it was made: plan again$/],
    ['half of it', file.slice(0, 200), /^plan\.json is not a complete plan file$/],
  ])('are refused with %s', (_, given, message) => {
    const failure = refusal(given);
    expect([failure.code, failure.details.hint]).toEqual(['usage', 'make a new one with `pixelctl plan --out`']);
    expect(failure.message).toMatch(message);
  });

  test('are refused with two for one account, and with a change that is not there', () => {
    const {digest: _, ...content} = JSON.parse(file);
    const [first, ...others] = content.accounts;
    expect(refusal(sealedPlan({...content, accounts: [first, first]})).message).toBe('plan.json has two plans for @ana on pix.example');
    expect(refusal(sealedPlan({...content, accounts: [{...first, changes: [0, 2]}, ...others]})).message).toBe('plan.json has no change 2');
  });
});
