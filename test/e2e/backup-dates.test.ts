/** The lists of a backup over time: when they are written, what is passed over, and what damage does. */
import {cpSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, unlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {changingSandbox, filesIn} from './archives.js';
import {datesOf, latestOf, listsIn, newBackup, people, policyOf, serverWith, someLists} from './backups.js';
import {run} from './in-process.js';

const domains = (count: number, from = 0) => Array.from({length: count}, (_, index) => `d${index + from}.example`);

/** A server whose domain blocks a test chooses, and its backup. */
async function backedUp(first: readonly string[] = domains(6)) {
  const server = await changingSandbox({seed: {accounts: people.map((acct) => ({acct})), ...someLists}});
  onTestFinished(() => server[Symbol.asyncDispose]());
  const to = newBackup();
  const lists = {shown: first, isFailing: false};
  server.change = ({method, target}) => {
    if (method !== 'GET' || !target.startsWith('/api/v1/domain_blocks')) return undefined;
    return lists.isFailing ? {status: 503, text: '{}'} : {text: JSON.stringify(lists.shown)};
  };
  const backUp = (...flags: readonly string[]) =>
    run(['backup', '--to', to, '--no-messages', '--retries', '0', ...flags], {env: server.env});
  expect(await backUp()).toMatchObject({status: 0});
  return {
    server,
    to,
    lists,
    backUp,
    blocked: (name: string): string[] => JSON.parse(readFileSync(join(to, 'lists', name, 'domain_blocks.json'), 'utf8')),
  };
}

describe('a list that is suddenly short', () => {
  test('is written beside the latest ones, and said by each run, until it is accepted', async () => {
    const {to, lists, backUp, blocked} = await backedUp();
    const [first = ''] = datesOf(to);
    lists.shown = [];
    const short = await backUp('--yes');
    const [, shrunk = ''] = datesOf(to);
    expect(shrunk).toMatch(/\.shrunk$/);
    expect(short).toMatchObject({status: 10, stdout: expect.stringContaining('6 removed; lost much')});
    expect(short.stderr).toContain(
      `domain_blocks lost 6 of 6 entries; what was read is in ${join(to, 'lists', shrunk)}, and restore passes it over.\nHint: if that is right, accept it: \`pixelctl backup --to=${to} --no-messages --accept-loss\``,
    );
    expect(short.stderr).not.toContain('Error:');
    const before = filesIn(to);
    expect(await backUp()).toMatchObject({status: 10});
    expect([filesIn(to), latestOf(to)]).toEqual([before, first]);
    expect(await backUp('--accept-loss')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`Accepted: ${shrunk.replace('.shrunk', '')}.`),
    });
    expect([latestOf(to), blocked(latestOf(to))]).toEqual([shrunk.replace('.shrunk', ''), []]);
    expect(await backUp()).toMatchObject({status: 0});
  });

  test('is told by each run, and restored by its name, where no other lists are left', async () => {
    const {server, to, lists, backUp} = await backedUp();
    const [first = ''] = datesOf(to);
    lists.shown = [];
    await backUp();
    const [, shrunk = ''] = datesOf(to);
    rmSync(join(to, 'lists', first), {recursive: true});
    const restored = await run(['restore', to, '--yes'], {env: server.env});
    expect(restored.stderr).toContain(
      `Error: All lists in ${join(to, 'lists')} had lost much, and restore passes them over: nothing was sent\nHint: to restore the newest of them all the same: \`pixelctl restore ${join(to, 'lists', shrunk)}`,
    );
    expect(restored.status).toBe(4);
    expect(await run(['restore', join(to, 'lists', shrunk), '--yes'], {env: server.env})).toMatchObject({status: 0});
    expect(await backUp()).toMatchObject({
      status: 10,
      stderr: expect.stringContaining(
        `The lists had lost much; what was read is in ${join(to, 'lists', shrunk)}, and restore passes it over`,
      ),
    });
    expect(await backUp('--accept-loss')).toMatchObject({status: 0});
    expect(await run(['restore', to, '--yes'], {env: server.env})).toMatchObject({status: 0});
  });

  test('that nobody has seen is not accepted beforehand, nor what went after it', async () => {
    const {to, lists, backUp} = await backedUp(domains(60));
    lists.shown = domains(30);
    expect(await backUp('--accept-loss')).toMatchObject({status: 10});
    lists.shown = [];
    expect(await backUp('--accept-loss')).toMatchObject({
      status: 10,
      stderr: expect.stringContaining('domain_blocks lost 30 of 30 entries'),
    });
    expect(datesOf(to).map((name) => name.endsWith('.shrunk'))).toEqual([false, false, true]);
  });

  test.each([
    [6, 1, 0],
    [100, 80, 0],
    [200, 179, 0],
    [100, 79, 10],
    [21, 0, 10],
    [1, 0, 10],
  ])('is one of which of %i entries %i are left: %i', async (had, left, status) => {
    const {lists, backUp} = await backedUp(domains(had));
    lists.shown = domains(left);
    expect(await backUp()).toMatchObject({status});
  });

  test('is told beside what failed, with the status of a part that failed', async () => {
    const {server, lists, backUp} = await backedUp();
    const {change} = server;
    lists.shown = [];
    server.change = (received, answered) =>
      received.target.startsWith('/api/v1/mutes') ? {status: 503, text: '{}'} : change?.(received, answered);
    const {status, stderr} = await backUp();
    expect({status, stderr}).toMatchObject({status: 11, stderr: expect.stringContaining('Taken over from before: mutes.')});
    expect(stderr).toMatch(/mutes failed: .*; domain_blocks lost 6 of 6 entries/);
  });
});

test('a run that finds the lists as they were writes nothing', async () => {
  const {to, lists, backUp} = await backedUp();
  const before = filesIn(to).map((name) => [name, readFileSync(join(to, name), 'utf8')]);
  lists.shown = lists.shown.toReversed();
  expect(await backUp()).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`The lists are unchanged: ${join('lists', latestOf(to))}.`),
  });
  expect(filesIn(to).map((name) => [name, readFileSync(join(to, name), 'utf8')])).toEqual(before);
});

test('a run without --admin keeps the blocks of the server that an earlier one read', async () => {
  await using place = await serverWith(people, someLists);
  const to = newBackup();
  const admin = place.sandbox.tokens.admins['ana'];
  expect(await place.runAs(admin, 'backup', '--to', to, '--no-messages', '--admin')).toMatchObject({status: 0});
  await place.run('blocks', 'remove', '@bob');
  expect(await place.run('backup', '--to', to, '--no-messages')).toMatchObject({status: 0});
  expect(datesOf(to).length).toBe(2);
  expect(filesIn(listsIn(to))).toContain('server.yml');
});

const cut = (path: string) => truncateSync(path, 9);
const damages: readonly (readonly [what: string, file: string, damage: (path: string) => void])[] = [
  ['cut', 'policy.yml', cut],
  ['empty', 'policy.yml', (path) => truncateSync(path)],
  ['missing', 'policy.yml', unlinkSync],
  ['a folder', 'policy.yml', (path) => (unlinkSync(path), mkdirSync(path))],
  ['cut', 'domain_blocks.json', cut],
  ['missing', 'mutes.json', unlinkSync],
  ['cut', 'SHA256SUMS', cut],
  ['cut in its last line', 'SHA256SUMS', (path) => truncateSync(path, statSync(path).size - 9)],
  ['without its last line', 'SHA256SUMS', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/\n.*\n$/, '\n'))],
  ['empty', 'SHA256SUMS', (path) => truncateSync(path)],
  ['missing', 'SHA256SUMS', unlinkSync],
  ['with another byte', 'SHA256SUMS', (path) => writeFileSync(path, readFileSync(path, 'utf8').replace(/^./, 'x'))],
];

describe.each(damages)('where there is a file that is %s: %s', (what, file, damage) => {
  test('a check, a restore and a backup end with 9 and name it, what can be proven is restored, and what is read is written', async () => {
    const {server, to, backUp} = await backedUp();
    const old = latestOf(to);
    damage(join(to, 'lists', old, file));
    // Whether the policy itself cannot be proven.
    const isDeadly = file === 'policy.yml' || (['cut', 'empty', 'missing'].includes(what) && file === 'SHA256SUMS');
    const says = expect.stringMatching(new RegExp(`${old} is damaged: .*${file}: `));
    expect(await run(['backup', '--to', to, '--verify'])).toMatchObject({status: 9, stderr: says});
    await run(['mutes', 'remove', '@eve'], {env: server.env});
    expect(await run(['restore', to, '--yes'], {env: server.env})).toMatchObject({status: 9, stderr: says});
    expect((await run(['mutes', 'list', '--json'], {env: server.env})).stdout.includes('"eve"')).toBe(!isDeadly);
    await run(['mutes', 'add', '@eve'], {env: server.env});
    expect(await backUp()).toMatchObject({status: 9, stderr: says});
    expect(datesOf(to).length).toBe(2);
    const moved = join(to, 'lists', old);
    renameSync(moved, `${moved}.damaged`);
    expect(await run(['backup', '--to', to, '--verify'])).toMatchObject({status: 0});
    expect(await backUp()).toMatchObject({status: 0});
  });
});

test('a check of a backup reads its messages, too, without a server', async () => {
  await using server = await changingSandbox();
  const to = newBackup();
  await run(['backup', '--to', to], {env: server.env});
  expect(await run(['backup', '--to', to, '--verify'])).toMatchObject({status: 0, stderr: 'Nothing is damaged: 5 folders.\n'});
  const log = filesIn(to).find((name) => name.endsWith('log.ndjson')) ?? '';
  truncateSync(join(to, log), 99);
  const ended = await run(['backup', '--to', to, '--verify', '--json']);
  expect(ended).toMatchObject({status: 9, stderr: expect.stringContaining(join(to, log))});
  expect(JSON.parse(ended.stdout).filter(({error}: {error: unknown}) => error !== null)).toMatchObject([{folder: join(log, '..')}]);
});

describe('a restore of the lists of a date', () => {
  async function older() {
    const {to, server, lists, backUp} = await backedUp();
    lists.shown = [];
    await backUp();
    return {to, server, names: datesOf(to)};
  }

  test('takes those, also where they had lost much; without a date it passes them over', async () => {
    const {to, server, names} = await older();
    const notes = async (path: string) => (await run(['restore', path, '--dry-run'], {env: server.env})).stderr;
    expect(await notes(to)).toContain(
      `The lists are those of ${names[0]}.\nThose of ${names[1]} had lost much: \`pixelctl restore ${join(to, 'lists', names[1] ?? '')}`,
    );
    for (const name of names) expect(await notes(join(to, 'lists', name))).toContain(`The lists are those of ${name}.\n`);
  });

  test('that is not there is refused', async () => {
    const {to, server} = await older();
    const path = join(to, 'lists', '2020-01-01T000000Z');
    expect(await run(['restore', path, '--yes'], {env: server.env})).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('has no lists of 2020-01-01T000000Z'),
    });
    expect(await run(['restore', join(to, 'lists'), '--yes'], {env: server.env})).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is no backup'),
    });
  });

  test('records what it made beside the lists: the next backup goes on, and undo takes it back', async () => {
    await using place = await serverWith(people, someLists);
    const to = newBackup();
    await place.run('backup', '--to', to, '--no-messages');
    const [first = ''] = datesOf(to);
    await place.run('blocks', 'remove', '@bob');
    await place.run('backup', '--to', to, '--no-messages');
    expect(await place.run('restore', join(to, 'lists', first), '--yes')).toMatchObject({status: 0});
    expect(await place.run('backup', '--to', to, '--no-messages')).toMatchObject({status: 0});
    expect(policyOf(to)).toContain('- bob@');
    expect(await place.run('undo', to, '--yes')).toMatchObject({status: 0});
    expect((await place.run('blocks', 'list', '--json')).stdout).not.toContain('"bob"');
  });
});

test('lists are later than all before, whatever the clock says', async () => {
  const {to, lists, backUp} = await backedUp();
  cpSync(listsIn(to), join(to, 'lists', '2999-12-31T235959Z'), {recursive: true});
  lists.shown = domains(7);
  expect(await backUp()).toMatchObject({status: 0});
  expect(latestOf(to)).toBe('3000-01-01T000000Z');
});
