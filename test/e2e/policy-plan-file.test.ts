/** Plan files that do something else than they show, or name another policy than they should. */
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {sealedPlan} from '../../src/lib/policy/plan/plan-file.js';
import {run} from './in-process.js';
import {deskAt, everyKind, watchedSandbox, type Desk} from './policy-server.js';
import {failureIn} from './told.js';

interface Change {
  action: string;
  kind: string;
  subject: string;
  details: Record<string, unknown>;
}

interface Plan {
  changes: Change[];
  [key: string]: unknown;
}

/** The change of a plan. */
function found(plan: Plan, action: string, kind: string): Change {
  const change = plan.changes.find((one) => one.action === action && one.kind === kind);
  if (change === undefined) throw new Error(`The plan has no ${action} of a ${kind}`);
  return change;
}

/** Rewrites a plan file as somebody who knows how its digest is made. */
function forge({folder}: Pick<Desk, 'folder'>, edit: (plan: Plan) => void, file = 'plan.json'): void {
  const plan: Plan = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  edit(plan);
  writeFileSync(join(folder, file), sealedPlan(plan));
}

const repeated =
  (action: string, kind: string, changed: Partial<Change> = {}) =>
  (plan: Plan) => {
    plan.changes.push({...found(plan, action, kind), ...changed});
  };

const edits: readonly [string, number, (plan: Plan) => void][] = [
  ['removes another domain than it names', 5, (plan) => (found(plan, 'remove', 'domain_block').details['stored'] = 'spam.example.net')],
  ['names another domain than it removes', 5, (plan) => (found(plan, 'remove', 'domain_block').subject = 'nothing.example')],
  ['blocks a domain that is blocked', 5, (plan) => (found(plan, 'add', 'domain_block').subject = 'spam.example.net')],
  ['blocks what is no domain', 2, (plan) => (found(plan, 'add', 'domain_block').subject = 'https://bad.example/@evil')],
  ['removes the block of another account', 5, (plan) => (found(plan, 'remove', 'block').details['id'] = '4')],
  ['names another account than it removes', 5, (plan) => (found(plan, 'remove', 'block').subject = 'clara')],
  ['removes another mute', 5, (plan) => (found(plan, 'remove', 'mute').details['id'] = '4')],
  ['blocks an account by an id', 5, (plan) => (found(plan, 'add', 'block').details['id'] = '4')],
  ['mutes an account by an id', 5, (plan) => (found(plan, 'add', 'mute').details['id'] = '4')],
  ['blocks what is no account', 5, (plan) => (found(plan, 'add', 'block').subject = '../1')],
  ['deletes another filter', 5, (plan) => (found(plan, 'remove', 'filter').details['id'] = '3')],
  ['names another filter than it deletes', 5, (plan) => (found(plan, 'remove', 'filter').subject = 'Nothing')],
  ['deletes a filter that is not there', 5, (plan) => (found(plan, 'remove', 'filter').details['id'] = '1/../2')],
  ['updates another filter', 5, (plan) => (found(plan, 'update', 'filter').details['id'] = '3')],
  ['names another filter than it updates', 5, (plan) => (found(plan, 'update', 'filter').subject = 'Nothing')],
  ['renames a filter without a word', 5, (plan) => (found(plan, 'update', 'filter').details['title'] = 'Other')],
  [
    'renames another filter than it says',
    5,
    (plan) => {
      const change = found(plan, 'update', 'filter');
      change.subject = 'Other';
      Object.assign(change.details, {title: 'Other', stored: 'Nothing'});
    },
  ],
  [
    'removes another keyword than it names',
    5,
    (plan) => (found(plan, 'update', 'filter').details['remove'] = [{id: 1, keyword: 'nothing', whole_word: true}]),
  ],
  [
    'changes a keyword that is not there',
    5,
    (plan) => (found(plan, 'update', 'filter').details['change'] = [{id: 999, keyword: 'nothing', whole_word: true}]),
  ],
  [
    'leaves out the part that it changes',
    5,
    (plan) => {
      plan['parts'] = [];
      plan.changes = [{...found(plan, 'remove', 'domain_block'), details: {stored: 'spam.example.net'}}];
    },
  ],
  ['ends a filter at no time', 2, (plan) => (found(plan, 'add', 'filter').details['expires'] = 'soon')],
  ['repeats the block of a domain', 2, repeated('add', 'domain_block')],
  ['blocks a domain and removes it', 2, repeated('add', 'domain_block', {action: 'remove', details: {}})],
  ['repeats a block in another spelling', 2, repeated('add', 'block', {subject: 'BOB'})],
  ['repeats a mute', 2, repeated('add', 'mute')],
  ['repeats a new filter', 2, repeated('add', 'filter')],
  ['repeats an update', 2, repeated('update', 'filter')],
  ['repeats a deletion', 2, repeated('remove', 'filter')],
  ['is of no server', 2, (plan) => (plan['server'] = 'pix.example')],
  ['is of no known version', 2, (plan) => (plan['pixelctl_plan'] = 3)],
];

describe('a forged plan that', () => {
  test.each(edits)('%s', async (_, status, edit) => {
    await using server = await watchedSandbox({like: '2026'});
    await server.meanwhile('POST', '/api/v2/filters', {
      title: 'Other',
      context: ['home'],
      keywords_attributes: [{keyword: 'x', whole_word: true}],
    });
    const desk = deskAt(server, {'p.yml': everyKind});
    expect(await desk.run('plan', 'p.yml', '--out', 'plan.json')).toMatchObject({status: 10});
    forge(desk, edit);
    for (const more of [['--yes'], ['--dry-run']]) {
      const applied = await desk.run('apply', 'plan.json', ...more, '--json');
      expect({status: applied.status, stdout: applied.stdout}, applied.stderr).toEqual({status, stdout: ''});
    }
    expect(server.writes).toEqual([]);
    expect(readdirSync(desk.folder).filter((name) => name.includes('state'))).toEqual([]);
  });
});

test('says what does not fit, and how to go on', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': everyKind});
  await desk.run('plan', 'p.yml', '--out', 'plan.json');
  forge(desk, (plan) => (found(plan, 'remove', 'domain_block').details['stored'] = 'spam.example.net'));
  const {stderr} = await desk.run('apply', 'plan.json', '--yes', '--json');
  expect(failureIn(stderr)).toMatchObject({
    code: 'refused',
    reason: 'guard',
    message: expect.stringMatching(
      /^The plan does not fit @ana on 127\.0\.0\.1:\d+: remove domain block casino\.example\.com: the server calls it casino\.example\.com, and the plan spam\.example\.net; nothing was sent$/,
    ),
    hint: `make a new plan: pixelctl plan p.yml --server=${server.url}`,
  });
});

test('a plan that renames a filter shows the old title, and is applied', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': "version: 1\nfilters: {must: [{id: '1', title: Endings, context: [home], keywords: [ending]}]}\n"});
  const {stdout} = await desk.run('plan', 'p.yml', '--out', 'plan.json');
  expect(stdout).toContain('~ filter Endings: called “Endings”, was “Spoilers”');
  expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
  expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
});

const lasting = (until: string) => `version: 1
domain_blocks: {must: [{domain: bad.example, until: ${until}}]}
blocks: {must: [{account: '@bob', until: ${until}}]}
mutes: {must: [{account: '@clara', until: ${until}}]}
filters: {must: [{title: Own, context: [home], keywords: [own], until: ${until}}]}
`;

test.each(['domain_block', 'block', 'mute', 'filter'])(
  'a saved plan with a %s whose last day is over is refused, and nothing is sent',
  async (kind) => {
    await using server = await watchedSandbox();
    const desk = deskAt(server, {'p.yml': lasting('2999-12-31')});
    await desk.run('plan', 'p.yml', '--out', 'plan.json');
    forge(desk, (plan) => Object.assign(found(plan, 'add', kind), {until: '2020-01-31'}));
    const {status, stdout, stderr} = await desk.run('apply', 'plan.json', '--yes', '--json');
    expect({status, stdout, writes: server.writes}, stderr).toEqual({status: 5, stdout: '', writes: []});
    expect(failureIn(stderr)).toMatchObject({
      message: expect.stringMatching(
        /^The plan does not fit @ana on \S+: add .+: the policy asks for it only until 2020-01-31, which has passed: the entry has no effect; nothing was sent$/,
      ),
      hint: `make a new plan: pixelctl plan p.yml --server=${server.url}`,
    });
  },
);

test('a saved plan without last days, as older versions wrote it, is applied', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': lasting('2999-12-31')});
  await desk.run('plan', 'p.yml', '--out', 'plan.json');
  forge(desk, (plan) => (plan.changes = plan.changes.map((change) => ({...change, until: undefined}))));
  expect(readFileSync(join(desk.folder, 'plan.json'), 'utf8')).not.toContain('"until":');
  expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
  expect(server.writes).toHaveLength(4);
});

test('a saved plan removes what the policy asked for until a day that is over', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': lasting('2999-12-31')});
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  desk.write('p.yml', lasting('2020-01-31'));
  const {stdout} = await desk.run('plan', 'p.yml', '--out', 'plan.json');
  expect(stdout.match(/^- .*\(until 2020-01-31\)$/gm)).toHaveLength(4);
  const {changes}: Plan = JSON.parse(readFileSync(join(desk.folder, 'plan.json'), 'utf8'));
  expect(changes.map(({action, ...change}) => [action, 'reason' in change && change.reason])).toEqual(
    Array.from({length: 4}, () => ['remove', 'until']),
  );
  expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
  expect(await desk.run('plan', 'p.yml')).toMatchObject({status: 0, stdout: ''});
});

test('the guard of a plan file is computed anew', async () => {
  await using server = await watchedSandbox();
  for (let index = 0; index < 21; index++) await server.meanwhile('POST', '/api/v1/domain_blocks', {domain: `https://d${index}.example`});
  const desk = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [spam.example.net], only: true}\n'});
  await desk.run('plan', 'p.yml', '--out', 'plan.json');
  forge(desk, (plan) => (plan['guard'] = {removals: 0}));
  expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({
    status: 5,
    stdout: '',
    stderr: expect.stringContaining('--allow-removals 23'),
  });
  expect(server.writes).toEqual([]);
  expect(await desk.run('apply', 'plan.json', '--yes', '--allow-removals', '23')).toMatchObject({status: 0});
});

test('every removal of a plan file is guarded, whatever its reason, and plan says so', async () => {
  await using server = await watchedSandbox();
  const names = Array.from({length: 25}, (_, index) => `d${index}.example`);
  for (const name of names) await server.meanwhile('POST', '/api/v1/domain_blocks', {domain: `https://${name}`});
  const desk = deskAt(server, {
    'only.yml': 'version: 1\ndomain_blocks: {must: [spam.example.net, casino.example.com, brand.example.org], only: true}\n',
    'p.yml': `version: 1\ndomain_blocks: {must_not: [${names.join(', ')}]}\n`,
  });
  await desk.run('plan', 'only.yml', '--out', 'plan.json');
  for (const reason of ['forbidden', 'must', 'undo']) {
    forge(desk, (plan) => (plan.changes = plan.changes.map((change) => ({...change, reason}))));
    expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({
      status: 5,
      stderr: expect.stringMatching(/it removes \d+ items from a plan file \(limit 20\)/),
    });
  }
  expect(server.writes).toEqual([]);
  // Applied at once, the policy says which removals it asks for.
  expect((await desk.run('plan', 'p.yml')).stderr).not.toContain('--allow-removals');
  const plan = await desk.run('plan', 'p.yml', '--out', 'plan.json');
  expect(plan.stderr).toMatch(/^To apply it: pixelctl apply plan\.json --allow-removals=25\b/m);
  expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 5});
  expect(await desk.run('apply', 'plan.json', '--yes', '--allow-removals=25')).toMatchObject({status: 0});
});

describe('the digest of a plan file', () => {
  const planned = async (desk: Desk) => {
    await desk.run('plan', 'p.yml', '--out', 'plan.json');
    return readFileSync(join(desk.folder, 'plan.json'), 'utf8');
  };
  const files = {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example]}\n'};

  test.each<[string, (text: string) => string, RegExp]>([
    ['another subject', (text) => text.replace('bad.example', 'sad.example'), /has been edited since it was made: plan again/],
    ['another digest', (text) => text.replace(/"digest": ".{4}/, '"digest": "0000'), /has been edited since it was made: plan again/],
    ['no digest', (text) => text.replace(/,\s*"digest": "[^"]*"/, ''), /has been edited since it was made: plan again/],
    ['the end cut off', (text) => text.slice(0, -4), /is not a complete plan file/],
  ])('tells %s', async (_, edit, message) => {
    await using server = await watchedSandbox();
    const desk = deskAt(server, files);
    desk.write('plan.json', edit(await planned(desk)));
    expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 2, stdout: '', stderr: expect.stringMatching(message)});
    expect(server.writes).toEqual([]);
  });

  test('the digest of a plan file does not depend on white space', async () => {
    await using server = await watchedSandbox();
    const desk = deskAt(server, files);
    desk.write('plan.json', JSON.stringify(JSON.parse(await planned(desk)), null, '\t').replaceAll('\n', '\r\n'));
    expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 0});
  });
});

describe('the policy of a plan file', () => {
  const text = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';

  test('the policy of a plan file is relative to the plan file', async () => {
    await using server = await watchedSandbox();
    const desk = deskAt(server, {});
    mkdirSync(join(desk.folder, 'repo/rules'), {recursive: true});
    desk.write('repo/rules/p.yml', text);
    await desk.run('plan', 'repo/rules/p.yml', '--out', 'repo/plan.json');
    expect(JSON.parse(readFileSync(join(desk.folder, 'repo/plan.json'), 'utf8')).policy).toBe('rules/p.yml');
    const elsewhere = join(desk.folder, 'repo/rules');
    expect(await run(['apply', '../plan.json', '--yes'], {env: server.env, folder: elsewhere})).toMatchObject({status: 0});
    expect(existsSync(join(elsewhere, 'p.yml.state.json'))).toBe(true);
  });

  test('the policy of a plan file has to be named where it is not below the plan file, which plan says at once', async () => {
    await using server = await watchedSandbox();
    const desk = deskAt(server, {'p.yml': text});
    mkdirSync(join(desk.folder, 'out'));
    const plan = await desk.run('plan', 'p.yml', '--out', 'out/plan.json');
    expect(plan.stderr).toContain('p.yml is not below the folder of out/plan.json: to apply it, name its state file with --state');
    expect(plan.stderr).toContain(`To apply it: pixelctl apply out/plan.json --state=p.yml.state.json --server=${server.url}`);
    const withState = await desk.run('plan', 'p.yml', '--out', 'out/plan.json', '--state', 's.json');
    expect(withState.stderr).toContain(`To apply it: pixelctl apply out/plan.json --state=s.json --server=${server.url}`);
    expect(await desk.run('apply', 'out/plan.json', '--yes', '--json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The policy of out/plan.json is not below its folder: ../p.yml'),
    });
    expect(server.writes).toEqual([]);
    expect(await desk.run('apply', 'out/plan.json', '--yes', '--state', 'p.yml.state.json')).toMatchObject({status: 0});
    expect(readdirSync(desk.folder).sort()).toEqual(['out', 'p.yml', 'p.yml.state.json']);
    expect(await desk.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
  });

  test.each([
    '../p.yml',
    'a/../../p.yml',
    '/dev/null',
    'C:\\p.yml',
    '..\\p.yml',
    '',
    '.',
    'a\u0000b',
    'a/b/c.yml',
    'plan.json/p.yml',
    'https://pix.example/p.yml',
  ])('the policy of a plan file is not taken from %j', async (stored) => {
    await using server = await watchedSandbox();
    const desk = deskAt(server, {'p.yml': text});
    await desk.run('plan', 'p.yml', '--out', 'plan.json');
    forge(desk, (plan) => (plan['policy'] = stored));
    expect(await desk.run('apply', 'plan.json', '--yes')).toMatchObject({status: 2, stdout: ''});
    expect(server.writes).toEqual([]);
    expect(await desk.run('apply', 'plan.json', '--yes', '--state', 's.json')).toMatchObject({status: 0});
    expect(readdirSync(desk.folder).sort()).toEqual(['p.yml', 'plan.json', 's.json']);
  });
});
