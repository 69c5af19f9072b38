/** A policy applied on the embedded server, with what its state file records of runs that end, are cut off, and are refused. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {asFailure, Failure, type FailureDetails} from '../../../../src/lib/client/failure.js';
import {requestFor} from '../../../../src/lib/client/request.js';
import {identifierAt} from '../../../../src/lib/json/path.js';
import {auditAccount} from '../../../../src/lib/policy/audit.js';
import type {Change} from '../../../../src/lib/policy/model/change.js';
import type {Target} from '../../../../src/lib/policy/model/difference.js';
import {applyChanges, planFor, readyFromPlan, readyFromPolicy, type Ready, type Witness} from '../../../../src/lib/policy/plan/apply.js';
import {keptPlanText, readKeptPlans} from '../../../../src/lib/policy/plan/plan-file.js';
import {requestOf} from '../../../../src/lib/policy/plan/requests.js';
import {undoApply, undoFor} from '../../../../src/lib/policy/plan/undo.js';
import {readWanted} from '../../../../src/lib/policy/reading/read-wanted.js';
import {Records} from '../../../../src/lib/policy/state-file/records.js';
import {StateFile} from '../../../../src/lib/policy/state-file/state-file.js';
import {clientOf} from '../../../loopback-server.js';
import {sandboxWith} from '../../sandbox/asking.js';
import {circumstances} from '../model-server.js';

const at = new Date('2026-11-22T10:00:00.000Z');
const text = `
version: 1
domain_blocks: {must: [one.example, two.example]}
filters: {must: [{title: Mine, context: [home], keywords: [finale], expires: never}]}
`;

let folder: string;
let target: Target;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-apply-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const sandbox = await sandboxWith({like: '2026'});
  const client = clientOf(new URL(sandbox.url), {token: async () => sandbox.tokens.all});
  target = {client, server: new URL(sandbox.url), account: '@ana', owner: 'account', advice: circumstances.advice, now: () => new Date()};
  writeFileSync(join(folder, 'p.yml'), text);
});

const wanted = () => readWanted(join(folder, 'p.yml'));
const stateFile = () => join(folder, 's.json');

async function records(): Promise<Records> {
  const file = await StateFile.read(stateFile());
  return new Records([{file, record: file.recordOf({server: target.server.origin, account: '@ana', policy: 'p.yml'})}]);
}

/** What the state file says, with its log. */
async function kept() {
  const [record] = (await records()).all.map((one) => one.record);
  return {
    owned: record?.owned.map(({subject}) => subject).sort(),
    applies: record?.applies.map(({isFinished, items, plan}) => ({
      isFinished,
      items: items.map(({subject, unsent}) => (unsent ? `${subject} unsent` : subject)).sort(),
      ...(plan !== undefined && {plan}),
    })),
  };
}

async function send(change: Change): Promise<string | undefined> {
  const {endpoint, input} = requestOf(change, new Date());
  const {text: answer} = await target.client.send(requestFor(endpoint, input), endpoint.output());
  return change.kind === 'filter' && change.action === 'add' ? identifierAt(answer, ['id']) : undefined;
}

/** Sends changes. @param until what happens instead of a change */
const carryOut =
  (until: (change: Change, witness: Witness) => Promise<boolean> | boolean = () => true) =>
  async (changes: readonly Change[], witness: Witness) => {
    for (const change of changes) {
      await witness.sending?.(change);
      if (await until(change, witness)) await witness.made(change, await send(change));
    }
  };

const apply = async (ready: Ready, until?: Parameters<typeof carryOut>[0]) => applyChanges(ready, {at, carryOut: carryOut(until)});
const ready = async () => readyFromPolicy(await wanted(), await records(), target);
const subjects = (changes: readonly Change[]) => changes.map(({subject}) => subject);

const all = ['one.example', 'two.example', 'Mine'];
const owned = ['Mine', 'one.example', 'two.example'];

test('a policy is planned, applied, audited and reverted', async () => {
  const planned = await planFor(await wanted(), await records(), target);
  expect(subjects(planned.plan.changes)).toEqual(all);
  expect([...planned.parts].sort()).toEqual(['domain_blocks', 'filters']);
  expect(planned.about).toEqual({server: target.server.origin, account: '@ana', policy: join(folder, 'p.yml')});

  const [before] = await auditAccount([{wanted: await wanted(), records: await records()}], target);
  expect(before?.ok).toBe(false);
  expect(before?.findings.map(({subject}) => subject).sort()).toEqual([...all].sort());

  await apply(await ready());
  expect(await kept()).toEqual({owned, applies: [{isFinished: true, items: owned}]});
  expect((await ready()).changes).toEqual([]);
  const [after] = await auditAccount([{wanted: await wanted(), records: await records()}], target);
  expect([after?.ok, after?.findings]).toEqual([true, []]);

  const undo = await undoFor(await records(), target);
  expect(undo.at).toBe(at.toISOString());
  await undoApply(undo, async (changes, made) => {
    for (const change of changes) await made(change, await send(change));
  });
  expect(subjects((await ready()).changes)).toEqual(all);
  expect(await kept()).toEqual({owned: [], applies: []});
});

test('a policy that cannot be compared does not keep others from being audited', async () => {
  const filter = {action: 'add', kind: 'filter', subject: 'Mine', reason: 'must', because: 'p.yml:1'} as const;
  for (const word of ['one', 'two']) await send({...filter, details: {context: ['home'], keywords: [{keyword: word, whole_word: true}]}});
  writeFileSync(join(folder, 'other.yml'), 'version: 1\ndomain_blocks: {must: [one.example]}\n');
  const policies = [await wanted(), await readWanted(join(folder, 'other.yml'))];
  const none = new Records([]);
  const audits = await auditAccount(
    policies.map((one) => ({wanted: one, records: none})),
    target,
  );
  expect(audits.map(({failure, findings}) => [failure?.code, findings.length])).toEqual([
    ['usage', 0],
    [undefined, 1],
  ]);
  expect(audits[0]?.failure?.message).toContain('"Mine"');
});

test('nothing is planned where what the account has cannot be read', async () => {
  const stranger = {...target, client: clientOf(target.server, {token: async () => 'unknown', retries: 0})};
  await expect(planFor(await wanted(), await records(), stranger)).rejects.toMatchObject({code: 'auth'});
});

test('what the policy no longer names is removed, and counts as removed by no rule', async () => {
  await apply(await ready());
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [one.example]}\n');
  const left = await ready();
  expect(left.changes.map(({action, subject, reason}) => [action, subject, reason])).toEqual([
    ['remove', 'two.example', 'no_longer_named'],
    ['remove', 'Mine', 'no_longer_named'],
  ]);
  expect(left.guard).toEqual({removals: 2});
  const [audit] = await auditAccount([{wanted: await wanted(), records: await records()}], target);
  expect(audit?.findings.map(({subject}) => subject).sort()).toEqual(['Mine', 'two.example']);
});

test('what an apply made and a list of exceptions allows by now is removed, and says why', async () => {
  await apply(await ready());
  writeFileSync(join(folder, 'allow.csv'), 'two.example\n');
  writeFileSync(
    join(folder, 'p.yml'),
    `${text.replace(', two.example', '')}`.replace('one.example]}', 'one.example], must_not: {lists: [{file: allow.csv}]}}'),
  );
  const {changes} = await ready();
  expect(changes.map(({action, subject}) => [action, subject])).toEqual([['remove', 'two.example']]);
  expect(changes[0]?.because).toMatch(/^managed by this policy, and domain_blocks\.must_not allows it: .*allow\.csv:1$/);
});

test('a filter that an undo makes again is owned by its new id', async () => {
  await apply(await ready());
  const filterIds = () => JSON.parse(readFileSync(stateFile(), 'utf8')).records[0].owned.flatMap(({id}: {id?: string}) => id ?? []);
  const [first] = filterIds();
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [one.example, two.example]}\n');
  await apply(await ready());
  expect(filterIds()).toEqual([]);
  const undo = await undoFor(await records(), target);
  expect(undo.changes.map(({action, subject}) => [action, subject])).toEqual([['add', 'Mine']]);
  await undoApply(undo, async (changes, made) => {
    for (const change of changes) await made(change, await send(change));
  });
  const [second] = filterIds();
  expect([first, second, first === second]).toEqual([expect.any(String), expect.any(String), false]);
  writeFileSync(join(folder, 'p.yml'), text);
  expect((await ready()).changes).toEqual([]);
});

test('before the first change, the state file says how everything was', async () => {
  const seen: unknown[] = [];
  await apply(await ready(), async (change) => {
    const [last] = (await kept()).applies ?? [];
    seen.push([change.subject, last?.isFinished, last?.items]);
    return true;
  });
  expect(seen[0]).toEqual(['one.example', false, ['Mine unsent', 'one.example', 'two.example unsent']]);
  expect(seen[1]).toEqual(['two.example', false, ['Mine unsent', 'one.example', 'two.example']]);
});

describe('an apply that ends early', () => {
  const failsAt =
    (subject: string, error: Error, told?: FailureDetails): Parameters<typeof carryOut>[0] =>
    (change, witness) => {
      if (change.subject !== subject) return true;
      if (told !== undefined) witness.failed?.(change, new Failure('refused', 'No', told));
      throw error;
    };

  test.each(['interrupted', 'local', 'rate_limited', 'terminated'] as const)(
    'is continued after a failure of the kind %s',
    async (code) => {
      const failure = new Failure(code, 'Cut off');
      await expect(apply(await ready(), failsAt('two.example', failure))).rejects.toBe(failure);
      expect((await kept()).applies?.map(({isFinished}) => isFinished)).toEqual([false]);
      const rest = await ready();
      expect(subjects(rest.changes)).toEqual(all.slice(1));
      await apply(rest);
      expect((await kept()).owned).toEqual(owned);
      expect((await kept()).applies).toHaveLength(1);
    },
  );

  test.each(['auth', 'unavailable', 'refused'] as const)('is over after a failure of the kind %s, with what it made', async (code) => {
    await expect(apply(await ready(), failsAt('two.example', new Failure(code, 'No'), {}))).rejects.toMatchObject({code});
    expect((await kept()).owned).toEqual(['one.example']);
    expect((await kept()).applies).toMatchObject([{isFinished: true}]);
  });

  test('is not recorded where it made nothing', async () => {
    await expect(apply(await ready(), failsAt('one.example', new Failure('refused', 'No'), {}))).rejects.toMatchObject({code: 'refused'});
    expect(await kept()).toEqual({owned: [], applies: []});
  });

  test('is continued where it is not known whether a change was made', async () => {
    await expect(apply(await ready(), failsAt('one.example', new Failure('refused', 'No'), {fate: 'unknown'}))).rejects.toMatchObject({
      code: 'refused',
    });
    expect((await kept()).applies).toMatchObject([{isFinished: false}]);
  });

  test('an error that is no failure ends it as a failure does', async () => {
    const error = new Error('A mistake');
    await expect(apply(await ready(), failsAt('two.example', error))).rejects.toBe(error);
    expect((await kept()).applies).toMatchObject([{isFinished: true}]);
  });
});

test('a change that somebody else made meanwhile is not owned', async () => {
  await apply(await ready(), async (change, witness) => {
    if (change.subject !== 'two.example') return true;
    await send(change);
    await witness.stood?.(change);
    return false;
  });
  expect((await kept()).owned).toEqual(['Mine', 'one.example']);
});

describe('a plan file', () => {
  async function planFile() {
    const {plan, about, parts} = await planFor(await wanted(), await records(), target);
    const made = {...about, parts: [...parts], made_at: at.toISOString()};
    const file = join(folder, 'plan.json');
    const [read] = readKeptPlans(keptPlanText(plan, made, file), file);
    if (read === undefined) throw new Error('There is no plan');
    return read;
  }

  test('is applied, knows by its digest that it was begun, and goes on', async () => {
    const plan = await planFile();
    const stopped = new Failure('interrupted', 'Stop');
    const first = await readyFromPlan(plan, await records(), target);
    expect(subjects(first.changes)).toEqual(all);
    await expect(
      apply(first, (change) => {
        if (change.subject === 'Mine') throw stopped;
        return true;
      }),
    ).rejects.toBe(stopped);
    expect((await kept()).applies).toMatchObject([{isFinished: false, plan: plan.digest}]);
    const rest = await readyFromPlan(plan, await records(), target);
    expect(subjects(rest.changes)).toEqual(['Mine']);
    await apply(rest);
    expect(await kept()).toMatchObject({owned, applies: [{isFinished: true, plan: plan.digest}]});
    expect((await readyFromPlan(plan, await records(), target)).changes).toEqual([]);
  });

  test('needs every removal in it to be allowed, whatever reason it gives', async () => {
    const names = Array.from({length: 21}, (_, index) => `d${index}.example`);
    writeFileSync(join(folder, 'p.yml'), `version: 1\ndomain_blocks: {must_not: [${names.join(', ')}]}\n`);
    for (const subject of names) await send({action: 'add', kind: 'domain_block', subject, details: {}, reason: 'must', because: ''});
    const plan = await planFile();
    expect(plan.changes).toHaveLength(21);
    expect((await ready()).guard.why).toBeUndefined();
    expect((await readyFromPlan(plan, await records(), target)).guard).toMatchObject({
      removals: 21,
      why: 'it removes 21 items from a plan file (limit 20)',
    });
  });

  test('is refused once the server has changed', async () => {
    const plan = await planFile();
    await send({action: 'add', kind: 'domain_block', subject: 'three.example', details: {}, reason: 'must', because: ''});
    await expect(readyFromPlan(plan, await records(), target)).rejects.toMatchObject({
      code: 'refused',
      message: `${target.client.host} has changed since the plan was made (${at.toISOString()}); nothing was sent`,
    });
  });
});

test('a policy is narrowed to sections', async () => {
  const general = await wanted();
  const only = await planFor({...general, part: {only: ['filters']}}, await records(), target);
  expect(subjects(only.plan.changes)).toEqual(['Mine']);
  const ofServer = await planFor(general, await records(), {...target, owner: 'server'});
  expect(ofServer.plan.changes).toEqual([]);
});

describe('servers of those who are followed', () => {
  const followed = (count: number): Pick<Target, 'followed'> => ({
    followed: async () => ({value: {counts: new Map([['one.example', count]]), readAt: at}}),
  });

  test('are protected from a policy that says so', async () => {
    writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [one.example, two.example], protect_followed: 2}\n');
    const held = await planFor(await wanted(), await records(), {...target, ...followed(2)});
    expect(subjects(held.plan.changes)).toEqual(['two.example']);
    expect(held.plan.skipped.map(({subject}) => subject)).toEqual(['one.example']);
    const few = await planFor(await wanted(), await records(), {...target, ...followed(1)});
    expect(subjects(few.plan.changes)).toEqual(['one.example', 'two.example']);
    expect(few.plan.followedAt).toEqual(at);
    const unknown = await planFor(await wanted(), await records(), target);
    expect(unknown.plan.changes).toEqual([]);
    expect(unknown.plan.guard.unprotected).toMatch(/^protect_followed \(.*p\.yml:2\) cannot be checked: followed accounts were not read$/);
  });

  test('are protected from a plan file that was made before, and unknown where they cannot be read', async () => {
    const file = join(folder, 'p.yml');
    writeFileSync(file, 'version: 1\ndomain_blocks: {must: [one.example], protect_followed: 2}\n');
    const {plan, about, parts} = await planFor(await wanted(), await records(), {...target, ...followed(1)});
    const text = keptPlanText(plan, {...about, parts: [...parts], made_at: at.toISOString()}, file);
    const [kept] = readKeptPlans(text, file);
    if (kept === undefined) throw new Error('There is no plan');
    const readyFor = async (more: Partial<Target>) => readyFromPlan(kept, await records(), {...target, ...more});
    const few = await readyFor(followed(1));
    expect([subjects(few.changes), few.guard.unprotected]).toEqual([['one.example'], undefined]);
    const refused = await readyFor(followed(2)).catch(asFailure);
    expect(refused).toMatchObject({
      code: 'refused',
      details: {reason: 'guard'},
      message: expect.stringContaining('one.example is protected by now'),
    });
    expect(refused instanceof Failure && refused.details.hint).toMatch(/^make a new plan: pixelctl plan \S+p\.yml$/);
    expect((await readyFor({})).guard.unprotected).toMatch(/^protect_followed \(.*p\.yml:2\) cannot be checked: /);
    await apply(few);
    expect((await readyFor({})).guard.unprotected).toBeUndefined();
  });

  test('are not read where no policy protects them', async () => {
    const never = async () => expect.unreachable('nobody protects them');
    expect((await planFor(await wanted(), await records(), {...target, followed: never})).plan.followedAt).toBeUndefined();
  });
});
