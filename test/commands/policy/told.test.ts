/** What people are told when they apply, take back and compare: what was done, and the next command, which works as printed. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt, run as runAt} from './desk.js';

const policy = 'version: 1\ndomain_blocks: {must: [a.example, b.example]}\n';
const full = {status: 422, text: '{"error": "You cannot block more than 1 domain"}'};
const refused = {status: 422, text: '{"error": "no"}'};

/** The words of the command behind a text, as a shell reads them. */
const commandAfter = (text: string, stderr: string): string[] =>
  new RegExp(`${text} pixelctl (.*)$`, 'm').exec(stderr)?.[1]?.split(' ') ?? [];

describe('an apply says what it did and how to revert it', () => {
  test.each([
    ['its end is 0', undefined, 0, '2 added'],
    ['one request was refused', refused, 11, '1 added'],
    ['the server has a limit', full, 10, '1 added'],
  ])('where %s', async (_, answer, status, done) => {
    await using server = await watchedSandbox();
    const {run} = deskAt(server, {'p.yml': policy});
    server.stepIn = (when, count) => (when === 'before' && count === 2 ? answer : undefined);
    const ended = await run('apply', 'p.yml', '--yes');
    expect(ended).toMatchObject({status, stderr: expect.stringContaining(`Applied: ${done}. To revert: pixelctl undo p.yml\n`)});
    server.stepIn = () => undefined;
    const undone = await run(...commandAfter('To revert:', ended.stderr), '--yes');
    expect(undone).toMatchObject({status: 0});
    expect(undone.stderr).toContain(`Reverted: ${done.replace('added', 'removed')}.\n`);
  });

  test('from standard input, with a state', async () => {
    await using server = await watchedSandbox();
    const {folder, run} = deskAt(server, {});
    const ended = await runAt(['apply', '-', '--state', 's.ndjson', '--yes'], {env: server.env, folder, stdin: policy});
    expect(ended).toMatchObject({status: 0, stderr: expect.stringContaining('To revert: pixelctl undo - --state=s.ndjson\n')});
    const owned = await run('state', 'list', '-', '--state', 's.ndjson', '--jq', '.[].subject');
    expect(owned).toMatchObject({stdout: 'a.example\nb.example\n'});
    const adopted = await runAt(['state', 'adopt', '-', '--all', '--state', 's.ndjson'], {env: server.env, folder, stdin: policy});
    expect(adopted).toMatchObject({status: 0, stderr: 'Nothing to adopt.\n'});
    const undone = await run(...commandAfter('To revert:', ended.stderr), '--yes');
    expect(undone).toMatchObject({status: 0, stderr: expect.stringContaining('Reverted: 2 removed.\n')});
    expect((await run('state', 'forget', '-', '--all', '--state', 's.ndjson')).stderr).toBe('Nothing to forget.\n');
    expect(await run('undo', '-')).toMatchObject({status: 2, stderr: expect.stringContaining('name it with --state')});
  });
});

test('an apply of which every request was refused leaves the one before to be undone', async () => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {'p.yml': policy});
  await run('apply', 'p.yml', '--yes');
  write('p.yml', 'version: 1\ndomain_blocks: {must: [a.example, b.example, c.example]}\n');
  server.stepIn = (when) => (when === 'before' ? refused : undefined);
  for (let again = 0; again < 2; again += 1) expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 11});
  server.stepIn = () => undefined;
  expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0, stderr: expect.stringContaining('Reverted: 2 removed.')});
  expect((await run('state', 'list', 'p.yml', '--json')).stdout).toBe('[]\n');
});

test('an undo of a restore speaks of the restore', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {});
  await run('backup', '--to', 'kept', '--no-messages');
  await run('mutes', 'remove', '@dailydeals@shop.example.com');
  expect((await run('restore', 'kept', '--yes')).stderr).toContain('Restored: 1 added. To revert: pixelctl undo kept\n');
  const {status, stderr} = await run('undo', 'kept', '--yes');
  expect({status, stderr}).toEqual({status: 0, stderr: expect.stringContaining('as it was before the last restore')});
  expect(stderr).toContain('Reverted: 1 removed.\n');
  expect((await run('undo', 'kept', '--yes')).stderr).toContain(
    'Nothing to undo: kept has no restore left to take back. Only its last one can be.',
  );
});

describe('a filter whose date in the policy has passed', () => {
  const policyUntil = (expires: string) =>
    `version: 1\nfilters: {only: true, must: [{title: Old, context: [home], keywords: [leaf], expires: ${expires}}]}\n`;
  const said = 'Held back: filter Old: its date has passed (2025-01-01T00:00:00.000Z): the rule has no effect\n';

  test('is not made', async () => {
    await using server = await watchedSandbox({seed: {accounts: [{acct: 'ana'}]}});
    const {run} = deskAt(server, {'p.yml': policyUntil('2025-01-01')});
    for (const words of [['plan'], ['audit'], ['apply', '--yes']]) {
      const {status, stdout, stderr} = await run(...words, 'p.yml');
      expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: expect.stringContaining(said)});
    }
    expect(server.writes).toEqual([]);
  });

  test.each([
    ['made', []],
    ['forgot', [['state', 'forget', 'p.yml', 'Old']]],
  ])('stays where it is there, as one that the state %s', async (_, commands) => {
    await using server = await watchedSandbox({seed: {accounts: [{acct: 'ana'}]}});
    const {run, write} = deskAt(server, {'p.yml': policyUntil('90d')});
    await run('apply', 'p.yml', '--yes');
    for (const words of commands) await run(...words);
    write('p.yml', policyUntil('2025-01-01'));
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(server.writes).toHaveLength(1);
  });
});

describe('diff', () => {
  test('takes a server', async () => {
    await using server = await watchedSandbox();
    const {run} = deskAt(server, {'p.yml': policy});
    const [named, inUse] = [await run('diff', 'p.yml', server.url, '--json'), await run('diff', 'p.yml', '--json')];
    expect(named).toMatchObject({status: 10});
    expect(JSON.parse(named.stdout).differences).toEqual(JSON.parse(inUse.stdout).differences);
    expect(await run('diff', 'p.yml', 'http://127.0.0.1:1')).toMatchObject({status: 3});
  });
});

describe('plan --report', () => {
  test('json is what plan --json prints, and an unknown ending is named', async () => {
    await using server = await watchedSandbox();
    const {folder, run} = deskAt(server, {'p.yml': policy});
    const {stdout} = await run('plan', 'p.yml', '--json', '--report', 'o.json');
    expect(JSON.parse(readFileSync(join(folder, 'o.json'), 'utf8'))).toEqual(JSON.parse(stdout));
    expect(await run('plan', 'p.yml', '--report', 'o.txt.old')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Error: --report o\.txt\.old: its ending names no format\nHint: write FORMAT=FILE; the formats are /m),
    });
    expect(existsSync(join(folder, 'o.txt.old'))).toBe(false);
  });
});

test('mistakes name standard input, and many of them are counted with commas', async () => {
  await using server = await watchedSandbox();
  const {folder} = deskAt(server, {});
  const plan = (stdin: string) => runAt(['plan', '-'], {env: server.env, folder, stdin});
  expect((await plan('')).stderr).toContain('Error: Standard input is empty\n');
  expect((await plan(`version: 1\nmutes: {must: [${'x y, '.repeat(1500)}]}\n`)).stderr).toMatch(/ has 1,500 mistakes/);
});
