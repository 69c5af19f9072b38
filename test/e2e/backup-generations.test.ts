/** Backups that run again and again: what of their lists is kept, what counts, and what is told. */
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {wordsOfShell} from '../shell-words.js';
import {changingSandbox, filesIn} from './archives.js';
import {generationsOf, latestOf, listsIn, newBackup, people, policyOf, serverWith, someLists} from './backups.js';
import {run} from './in-process.js';
import {newFolder, type Ended} from './program.js';
import {recordedSandbox} from './server.js';

const many = Array.from({length: 30}, (_, index) => `d${index}.example`).sort();

/** A server on which lists can be lost, or fail, and a backup of it. */
async function place(lists: Parameters<typeof serverWith>[1] = {...someLists, domainBlocks: many}) {
  const server = await changingSandbox({seed: {accounts: people.map((acct, index) => ({acct, admin: index === 0})), ...lists}});
  onTestFinished(() => server[Symbol.asyncDispose]());
  const to = newBackup();
  const token = server.sandbox.tokens.admins['ana'] ?? '';
  const env = {...server.env, PIXELCTL_TOKEN: token};
  let gone: readonly string[] = [];
  let failing: readonly string[] = [];
  const isIn = (paths: readonly string[], target: string) =>
    paths.some((path) => target.startsWith(`/api/v1/${path}`) || target.startsWith(`/api/v2/${path}`));
  server.change = ({method, target}) => {
    if (method !== 'GET') return undefined;
    if (isIn(failing, target)) return {status: 503, text: '{}'};
    return isIn(gone, target) ? {text: '[]'} : undefined;
  };
  return {
    server,
    to,
    env,
    lose: (...paths: readonly string[]) => void (gone = paths),
    fail: (...paths: readonly string[]) => void (failing = paths),
    run: (...args: readonly string[]) => run(args, {env}),
    backUp: (...args: readonly string[]) => run(['backup', '--to', to, '--no-messages', '--retries', '0', ...args], {env}),
  };
}

const rowsIn = ({stdout}: Ended) => JSON.parse(stdout);
const errorIn = ({stderr}: Ended) => JSON.parse(stderr).error;

/** The command that a hint suggests. */
function suggestedIn({stderr}: Ended, first = 0): string[] {
  const [, line = ''] = [...stderr.matchAll(/`pixelctl (.*?)`/g)][first] ?? [];
  return wordsOfShell(line);
}

describe('a server that shows no entries for a night', () => {
  test('takes nothing from a backup, however often it runs, until the loss is accepted', async () => {
    const {to, lose, backUp, run: own} = await place();
    expect(await backUp()).toMatchObject({status: 0});
    const [latest, policy] = [latestOf(to), policyOf(to)];
    lose('domain_blocks');
    const first = await backUp('--yes');
    expect(first.status).toBe(10);
    expect(first.stderr).not.toContain('Error:');
    expect(first.stderr).toContain('domain_blocks lost 30 of 30 entries');
    const after = generationsOf(to);
    expect(after).toHaveLength(2);
    for (let night = 0; night < 3; night += 1) {
      const again = await backUp('--json', '--yes');
      expect(again.status).toBe(10);
      expect(errorIn(again)).toMatchObject({code: 'drift', message: expect.stringContaining(`still names ${latest}`)});
      expect(rowsIn(again)[0]).toMatchObject({
        list: 'domain_blocks',
        items: 0,
        removed: 30,
        shrank: true,
        accepted: false,
        generation: after[1],
      });
      expect(generationsOf(to)).toEqual(after);
      expect(latestOf(to)).toBe(latest);
    }
    const accepted = await own(...suggestedIn(first));
    expect(accepted.status, accepted.stderr).toBe(0);
    expect(accepted.stderr).toContain('Accepted: domain_blocks lost 30 of 30 entries.');
    expect(generationsOf(to)).toEqual(after);
    expect(latestOf(to)).toBe(after[1]);
    expect(await backUp()).toMatchObject({status: 0});
    expect(generationsOf(to)).toEqual(after);
    expect(policyOf(to)).not.toBe(policy);
  });

  test('is over with the next night: what is there again counts at once', async () => {
    const {to, lose, backUp} = await place();
    await backUp();
    const policy = policyOf(to);
    lose('domain_blocks', 'filters', 'blocks', 'mutes');
    const lost = await backUp();
    expect(lost.status).toBe(10);
    expect(lost.stderr).toMatch(/^domain_blocks lost 30 of 30 entries, filters lost 3 of 3 entries, blocks lost 2 of 2 entries, mutes/m);
    lose();
    expect(await backUp()).toMatchObject({status: 0});
    expect(latestOf(to)).toBe(generationsOf(to).at(-1));
    expect(generationsOf(to)).toHaveLength(3);
    expect(policyOf(to)).toBe(policy);
  });

  test('does not count where it could not be read at all, and what it had is carried along', async () => {
    const {to, lose, fail, backUp, run: own} = await place();
    await backUp();
    const [policy, json] = [policyOf(to), readFileSync(join(listsIn(to), 'domain_blocks.json'), 'utf8')];
    lose('domain_blocks');
    expect(await backUp()).toMatchObject({status: 10});
    fail('domain_blocks');
    await own('mutes', 'remove', '@eve');
    const ended = await backUp('--json');
    expect(ended.status).toBe(11);
    expect(rowsIn(ended).find(({list}: {list: string}) => list === 'domain_blocks')).toMatchObject({
      items: null,
      error: {code: 'unavailable'},
    });
    expect(errorIn(ended).message).not.toContain('lost');
    expect(latestOf(to)).toBe(generationsOf(to).at(-1));
    expect(readFileSync(join(listsIn(to), 'domain_blocks.json'), 'utf8')).toBe(json);
    expect(policyOf(to)).toBe(policy.replace(/ *- eve@.*\n/, ''));
    fail();
    expect(await backUp()).toMatchObject({status: 10});
  });

  test('is told beside what failed, with the status of a part that failed', async () => {
    const {to, lose, fail, backUp} = await place();
    await backUp();
    const latest = latestOf(to);
    lose('domain_blocks');
    fail('mutes');
    const {status, stderr} = await backUp();
    expect(status).toBe(11);
    expect(stderr).toMatch(
      /^Error: mutes failed: .*; domain_blocks lost 30 of 30 entries: .*--accept-loss|^Error: mutes failed: .*; domain_blocks lost 30 of 30/m,
    );
    expect(latestOf(to)).toBe(latest);
  });

  test('of some entries it is none', async () => {
    const {to, backUp, run: own} = await place();
    await backUp();
    await own('domain-blocks', 'remove', ...many.slice(0, 20));
    const ended = await backUp('--json');
    expect(ended).toMatchObject({status: 0, stderr: ''});
    expect(rowsIn(ended)[0]).toMatchObject({items: 10, added: 0, removed: 20, shrank: false, accepted: true});
    expect(latestOf(to)).toBe(generationsOf(to).at(-1));
  });

  test('of more than twenty and a fifth it is one, also where others are new', async () => {
    const {to, backUp, run: own} = await place();
    await backUp();
    await own('domain-blocks', 'remove', ...many.slice(0, 21));
    await own('domain-blocks', 'add', ...Array.from({length: 20}, (_, index) => `new${index}.example`), '--yes');
    const latest = latestOf(to);
    expect(await backUp()).toMatchObject({status: 10, stderr: expect.stringContaining('domain_blocks lost 21 of 30 entries')});
    expect(latestOf(to)).toBe(latest);
  });
});

describe('a run', () => {
  test('that finds the lists as they were writes none', async () => {
    const {to, backUp} = await place();
    const first = await backUp('--json');
    expect(rowsIn(first).map(({added, removed}: {added: null; removed: null}) => [added, removed])).toEqual(Array(4).fill([null, null]));
    const before = filesIn(to).map((name) => [name, statSync(join(to, name)).mtimeMs]);
    const again = await backUp();
    expect(again.stderr).toContain(`The lists are unchanged: lists/${latestOf(to)}.`);
    const now = filesIn(to).map((name) => [name, statSync(join(to, name)).mtimeMs]);
    expect(now.filter(([name]) => name !== 'README.md')).toEqual(before.filter(([name]) => name !== 'README.md'));
  });

  test('that was killed before it named the latest lists loses nothing: what it accepted counts', async () => {
    const {to, lose, backUp} = await place();
    await backUp();
    const [name] = generationsOf(to);
    rmSync(join(to, 'lists', 'latest'));
    lose('domain_blocks');
    expect(await backUp()).toMatchObject({status: 10});
    expect(latestOf(to)).toBe(name);
    lose();
    rmSync(join(to, 'lists', generationsOf(to).at(-1) ?? ''), {recursive: true});
    expect(await backUp()).toMatchObject({status: 0});
    expect(latestOf(to)).toBe(name);
    expect(generationsOf(to)).toEqual([name]);
  });

  test('without --admin keeps the blocks of the server that an earlier one read', async () => {
    const {to, backUp, run: own} = await place();
    await own('admin', 'domain-blocks', 'add', 'bad.example', '--severity', 'silence', '--private-comment', 'Spam', '--yes');
    expect(await backUp('--admin')).toMatchObject({status: 0});
    const server = policyOf(to, 'server.yml');
    expect(server).toContain('private_comment: Spam');
    await own('mutes', 'remove', '@eve');
    expect(await backUp()).toMatchObject({status: 0});
    expect(generationsOf(to)).toHaveLength(2);
    expect(policyOf(to, 'server.yml')).toBe(server);
    await own('admin', 'domain-blocks', 'remove', 'bad.example', '--yes');
    const lost = await backUp('--admin');
    expect(lost).toMatchObject({status: 10, stderr: expect.stringContaining('admin_domain_blocks lost 1 of 1 entry')});
    expect(await own(...suggestedIn(lost))).toMatchObject({status: 0});
    expect(policyOf(to, 'server.yml')).toContain('must: []');
    const [oldest = ''] = generationsOf(to);
    const restored = await own('restore', to, '--at', oldest, '--only', 'admin_domain_blocks', '--yes');
    expect(restored.status, restored.stderr).toBe(0);
    expect((await own('admin', 'domain-blocks', 'list', '--json')).stdout).toContain('bad.example');
  });

  test('keeps lists that a newer pixelctl made', async () => {
    const {to, backUp, run: own} = await place();
    await backUp();
    const [kept, text] = [join(listsIn(to), 'kept.json'), '["cats"]\n'];
    const {lists, files, ...about} = JSON.parse(readFileSync(kept, 'utf8'));
    const digest = createHash('sha256').update(text).digest('hex');
    const tags = {items: 1, read: latestOf(to)};
    writeFileSync(
      kept,
      JSON.stringify({...about, lists: {...lists, followed_tags: tags}, files: {...files, 'followed_tags.json': digest}}),
    );
    writeFileSync(join(listsIn(to), 'followed_tags.json'), text);
    expect(await backUp()).toMatchObject({status: 0});
    expect(generationsOf(to)).toHaveLength(1);
    await own('mutes', 'remove', '@eve');
    expect(await backUp()).toMatchObject({status: 0});
    expect(generationsOf(to)).toHaveLength(2);
    expect(readFileSync(join(listsIn(to), 'followed_tags.json'), 'utf8')).toBe(text);
    expect(JSON.parse(readFileSync(join(listsIn(to), 'kept.json'), 'utf8')).lists.followed_tags).toEqual(tags);
  });

  test('removes what is not kept, says so, and never what is mine', async () => {
    const {to, backUp, run: own} = await place();
    await backUp();
    const [name = ''] = generationsOf(to);
    const lists = join(to, 'lists');
    const old = ['2020-01-03T000000Z', '2020-01-20T000000Z', '2020-02-01T000000Z'];
    for (const one of old) cpSync(join(lists, name), join(lists, one), {recursive: true});
    mkdirSync(join(lists, '2020-01-04T000000Z'));
    writeFileSync(join(lists, '2020-01-04T000000Z', 'notes.txt'), 'mine');
    await own('mutes', 'remove', '@eve');
    const ended = await backUp();
    expect(ended.status).toBe(0);
    expect(ended.stderr).toContain('Removed 1 older generation.');
    expect(ended.stderr).toContain(`Warning: ${join(lists, '2020-01-04T000000Z')} is not removed: kept.json: no such file`);
    expect(generationsOf(to)).toEqual(['2020-01-04T000000Z', '2020-01-20T000000Z', '2020-02-01T000000Z', name, latestOf(to)]);
    cpSync(join(lists, name), join(lists, '2020-02-02T000000Z'), {recursive: true});
    await backUp('--keep', 'all');
    expect(generationsOf(to)).toContain('2020-02-01T000000Z');
    await backUp('--keep', '1w');
    expect(generationsOf(to)).not.toContain('2020-02-01T000000Z');
    expect(generationsOf(to)).toContain(name);
  });

  test.each(['', '-1', '1.5', '30m', 'none', '9999999'])('takes no --keep %j, and sends nothing', async (keep) => {
    const {server, backUp} = await place();
    expect(await backUp(`--keep=${keep}`)).toMatchObject({status: 2, stderr: expect.stringContaining('--keep takes a number of days')});
    expect(server.asked).toEqual([]);
  });
});

type Damage = readonly [what: string, (to: string) => void, says: RegExp];

const cut = (path: string, part = 0.5) => truncateSync(path, Math.floor(statSync(path).size * part));
const inLatest = (file: string, change: (path: string) => void) => (to: string) => change(join(listsIn(to), file));
const latestFile = (to: string) => join(to, 'lists', 'latest');

/** What no restore can be made of. */
const deadly: readonly Damage[] = [
  ['the policy is cut', inLatest('policy.yml', cut), /policy\.yml: it differs from what was written/],
  [
    'the policy is cut at a line',
    inLatest('policy.yml', (path) => writeFileSync(path, readFileSync(path, 'utf8').split('\n').slice(0, 9).join('\n'))),
    /policy\.yml/,
  ],
  ['the policy is empty', inLatest('policy.yml', (path) => truncateSync(path)), /policy\.yml: it differs from what was written/],
  ['the policy is missing', inLatest('policy.yml', unlinkSync), /policy\.yml: no such file/],
  ['the policy is a folder', inLatest('policy.yml', (path) => (unlinkSync(path), mkdirSync(path))), /policy\.yml: it is a folder/],
  ['what a generation says of itself is cut', inLatest('kept.json', cut), /kept\.json: it differs from what was written/],
  [
    'what a generation says of itself is empty',
    inLatest('kept.json', (path) => truncateSync(path)),
    /kept\.json: it differs from what was written/,
  ],
  ['what a generation says of itself is missing', inLatest('kept.json', unlinkSync), /kept\.json: no such file/],
  ['the name of the latest lists is empty', (to) => truncateSync(latestFile(to)), /latest is damaged: it does not name a generation/],
  ['the name of the latest lists is cut', (to) => cut(latestFile(to)), /latest is damaged: it does not name a generation/],
  ['the name of the latest lists is a path', (to) => writeFileSync(latestFile(to), '../../etc\n'), /latest is damaged/],
  ['the latest lists are missing', (to) => rmSync(listsIn(to), {recursive: true}), /latest names .*, which is not in/],
  [
    'the latest lists are a file',
    (to) => (rmSync(listsIn(to), {recursive: true}), writeFileSync(listsIn(to), '')),
    /latest names .*, which is not in/,
  ],
];

const others: readonly Damage[] = [
  ['a list is cut', inLatest('domain_blocks.json', cut), /domain_blocks\.json: it differs from what was written/],
  [
    'a list is empty',
    inLatest('domain_blocks.json', (path) => truncateSync(path)),
    /domain_blocks\.json: it differs from what was written/,
  ],
  ['a list is missing', inLatest('mutes.csv', unlinkSync), /mutes\.csv: no such file/],
];

describe('where', () => {
  test.each([...deadly, ...others])(
    '%s, a backup keeps what it reads, and does not take it for the latest lists',
    async (_, damage, says) => {
      const {to, lose, backUp, run: own} = await place();
      await backUp();
      const policy = policyOf(to);
      damage(to);
      const before = [readFileSync(latestFile(to), 'utf8'), filesIn(join(to, 'lists'))] as const;
      for (const lost of [['domain_blocks'], []]) {
        lose(...lost);
        const {status, stderr} = await backUp();
        expect({status, stderr}).toEqual({status: 9, stderr: expect.stringMatching(says)});
        expect(readFileSync(latestFile(to), 'utf8')).toBe(before[0]);
        expect(filesIn(join(to, 'lists'))).toEqual(expect.arrayContaining([...before[1]]));
      }
      const names = generationsOf(to);
      const newest = names.at(-1) ?? '';
      expect(readFileSync(join(to, 'lists', newest, 'policy.yml'), 'utf8')).toContain('d29.example');
      const told = await backUp();
      expect(generationsOf(to)).toEqual(names);
      expect(await own(...suggestedIn(told, 1))).toMatchObject({status: 9, stdout: expect.stringContaining(newest)});
      expect(await own(...suggestedIn(told))).toMatchObject({status: 0, stderr: expect.stringMatching(says)});
      expect(latestOf(to)).toBe(newest);
      expect(policyOf(to)).toBe(policy);
      expect(await backUp()).toMatchObject({status: 0});
    },
  );

  test.each(deadly)('%s, a restore sends nothing, and names lists that are whole', async (_, damage, says) => {
    const {to, backUp, run: own} = await place();
    await backUp();
    const [oldest = ''] = generationsOf(to);
    await own('mutes', 'remove', '@eve');
    await backUp();
    const newest = latestOf(to);
    damage(to);
    await using other = await recordedSandbox({seed: 'empty'});
    const env = {env: other.env};
    const {status, stderr} = await run(['restore', to, '--yes'], env);
    expect({status, stderr}).toEqual({status: 9, stderr: expect.stringMatching(says)});
    expect(other.exchanges).toEqual([]);
    const words = suggestedIn({stdout: '', stderr, status, signal: null});
    expect([oldest, newest].map((name) => `--at=${name}`)).toContain(words[2]);
    expect(await run([...words, '--only', 'domain_blocks', '--yes'], env)).toMatchObject({status: 0});
  });

  test.each(others)('%s, a restore goes on with the policy, and says so', async (_, damage, says) => {
    const {to, backUp} = await place();
    await backUp();
    damage(to);
    await using other = await recordedSandbox({seed: 'empty'});
    const {status, stderr} = await run(['restore', to, '--only', 'domain_blocks', '--yes'], {env: other.env});
    expect({status, stderr}).toEqual({status: 0, stderr: expect.stringMatching(says)});
  });

  test('the newest lists are damaged and were not accepted, a backup writes them again', async () => {
    const {to, lose, backUp} = await place();
    await backUp();
    lose('domain_blocks');
    await backUp();
    const newest = generationsOf(to).at(-1) ?? '';
    truncateSync(join(to, 'lists', newest, 'policy.yml'));
    expect(await backUp()).toMatchObject({status: 10});
    expect(generationsOf(to)).toHaveLength(3);
    expect(generationsOf(to)).toContain(newest);
  });
});

describe('backup --list', () => {
  test('shows generations with counts and differences, and asks no server', async () => {
    const {to, lose, server, backUp, run: own} = await place();
    await backUp();
    await own('mutes', 'remove', '@eve');
    await backUp();
    lose('domain_blocks');
    await backUp();
    const asked = server.asked.length;
    const names = generationsOf(to);
    const {status, stdout} = await run(['backup', '--to', to, '--list']);
    expect(status).toBe(0);
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['generation', 'status', 'domain_blocks', 'filters', 'blocks', 'mutes'],
      [names[0], '30', '3', '2', '2'],
      [names[1], 'latest', '30', '3', '2', '1 (-1)'],
      [names[2], 'not accepted', '0 (-30)', '3', '2', '1'],
      [''],
    ]);
    const items = rowsIn(await run(['backup', '--to', to, '--list', '--json']));
    expect(items[1]).toEqual({
      generation: names[1],
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      latest: true,
      accepted: true,
      lists: expect.arrayContaining([{list: 'mutes', items: 1, added: 0, removed: 1, changed: 0}]),
      damage: [],
    });
    expect(server.asked).toHaveLength(asked);
  });

  test('names what is damaged, and ends with 9', async () => {
    const {to, backUp} = await place();
    await backUp();
    cut(join(listsIn(to), 'blocks.json'));
    const ended = await run(['backup', '--to', to, '--list', '--json']);
    expect(ended.status).toBe(9);
    expect(rowsIn(ended)[0].damage).toEqual(['blocks.json: it differs from what was written']);
    expect(errorIn(ended).message).toContain('is damaged: blocks.json');
  });

  test('is refused for what is no backup, and beside flags that it leaves nothing to do', async () => {
    expect(await run(['backup', '--to', newFolder(), '--list'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is no backup'),
    });
    for (const flag of ['--accept-loss', '--keep=3', '--admin', '--no-messages', '--hidden'])
      expect(await run(['backup', '--to', 'any', '--list', flag])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('cannot be used together'),
      });
  });
});

describe('restore --at', () => {
  async function twoGenerations() {
    const all = await place({...someLists, domainBlocks: ['old.example']});
    const {to, backUp, run: own} = all;
    await backUp();
    await own('domain-blocks', 'add', 'new.example', '--yes');
    await backUp();
    const [first = ''] = generationsOf(to);
    renameSync(join(to, 'lists', first), join(to, 'lists', '2026-01-10T120000Z'));
    return all;
  }

  test.each([
    ['2026-01-10', 'old.example'],
    ['2026-01-10T12:00:00Z', 'old.example'],
    ['2026-01-10T120000Z', 'old.example'],
    ['2026-01-10T14:00+02:00', 'old.example'],
    ['2026-02-01', 'old.example'],
    ['9999-01-01', 'new.example'],
  ])('%s restores the lists of that time', async (at, last) => {
    const {to} = await twoGenerations();
    await using other = await recordedSandbox({seed: 'empty'});
    const {status, stderr} = await run(['restore', to, '--at', at, '--only', 'domain_blocks', '--yes'], {env: other.env});
    expect(status, stderr).toBe(0);
    const blocked = JSON.parse((await run(['domain-blocks', 'list', '--json'], {env: other.env})).stdout);
    expect(blocked.sort()[0]).toBe(last === 'old.example' ? last : 'new.example');
    expect(blocked).toHaveLength(last === 'old.example' ? 1 : 2);
  });

  test.each([
    ['2026-01-09', 4, /has no lists of 2026-01-09: nothing was sent\nHint: the oldest are of 2026-01-10T120000Z/],
    ['2026-01-11T000000Z', 4, /has no lists of 2026-01-11T000000Z/],
    ['yesterday', 2, /--at takes a date/],
    ['../../etc', 2, /--at takes a date/],
    ['', 2, /--at takes a date/],
  ])('%j is told (%i)', async (at, status, says) => {
    const {to} = await twoGenerations();
    await using other = await recordedSandbox({seed: 'empty'});
    expect(await run(['restore', to, `--at=${at}`, '--yes'], {env: other.env})).toMatchObject({
      status,
      stderr: expect.stringMatching(says),
    });
    expect(other.exchanges).toEqual([]);
  });

  test('passes over lists that were not accepted, unless they are named', async () => {
    const {to, lose, backUp} = await place();
    await backUp();
    lose('domain_blocks');
    await backUp();
    const [, newest = ''] = generationsOf(to);
    await using other = await recordedSandbox({seed: 'empty'});
    const only = ['--only', 'domain_blocks', '--yes', '--dry-run'];
    const plain = await run(['restore', to, ...only], {env: other.env});
    expect(plain.stderr).toContain(`Those of ${newest} are newer, and were not accepted: --at ${newest} restores them.`);
    expect(plain.stdout).toContain('d29.example');
    expect((await run(['restore', to, '--at', '9999-12-31', ...only], {env: other.env})).stdout).toContain('d29.example');
    expect((await run(['restore', to, '--at', newest, ...only], {env: other.env})).stdout).not.toContain('d29.example');
  });
});

describe('what a restore made', () => {
  test('is kept beside the lists, whichever they were: the next backup goes on, and undo reverts it', async () => {
    const {to, backUp, run: own} = await place({domainBlocks: ['a.example', 'b.example']});
    await backUp();
    await own('domain-blocks', 'remove', 'a.example');
    expect(await own('restore', to, '--yes')).toMatchObject({status: 0});
    const state = join(to, 'restore.state.json');
    const kept = readFileSync(state, 'utf8');
    await own('domain-blocks', 'add', 'c.example', '--yes');
    await backUp();
    await backUp('--keep', '0');
    expect(readFileSync(state, 'utf8')).toBe(kept);
    expect(await own('restore', to, '--yes')).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing to restore')});
    expect(JSON.parse(readFileSync(state, 'utf8')).records).toHaveLength(1);
    expect(await own('undo', '--state', state, '--yes')).toMatchObject({status: 0});
    expect(JSON.parse((await own('domain-blocks', 'list', '--json')).stdout).sort()).toEqual(['b.example', 'c.example']);
  });

  test('is kept where --state says, for a folder that cannot be written', async () => {
    const {to, backUp, run: own} = await place({domainBlocks: ['a.example']});
    await backUp();
    await own('domain-blocks', 'remove', 'a.example');
    const before = filesIn(to);
    const state = join(newFolder(), 'mine.json');
    expect(await own('restore', to, '--yes', '--state', state)).toMatchObject({status: 0});
    expect(filesIn(to)).toEqual(before);
    expect(await own('undo', '--state', state, '--yes')).toMatchObject({status: 0});
    expect(JSON.parse((await own('domain-blocks', 'list', '--json')).stdout)).toEqual([]);
  });
});
