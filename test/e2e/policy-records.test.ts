/** The commands that list, adopt, forget and move what state files record. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import type {Profile} from '../../src/lib/auth/profile.js';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import {startSandbox, type Sandbox, type SandboxOptions} from '../sandbox/start.js';
import {deskAt, type Desk, watchedSandbox} from './policy-server.js';
import {newFolder} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const policyFor = (...domains: readonly string[]): string => `version: 1
domain_blocks: {must: [${domains.join(', ')}]}
filters: {must: [{title: Quiz answers, context: [home], keywords: [ending]}]}
`;

const listed = async ({run}: Desk, ...flags: readonly string[]): Promise<string[]> =>
  JSON.parse((await run('state', 'list', '--json', ...flags)).stdout).map(
    ({kind, subject}: {kind: string; subject: string}) => `${kind} ${subject}`,
  );

test.concurrent('lists what an apply made, and forgets it: then it stays', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example', 'two.example')});
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await listed(desk)).toEqual(['domain_block one.example', 'domain_block two.example', 'filter Quiz answers']);
  const table = await desk.run('state', 'list', 'p.yml');
  expect(table.stdout).toMatch(/^kind +what +since +account +policy +state file\ndomain_block +one\.example +\S+Z +ana@127/);
  const before = server.exchanges.length;

  const dry = await desk.run('state', 'forget', 'p.yml', 'one.example', '--dry-run');
  expect(dry).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing was written: 1 item to forget.')});
  expect(await listed(desk)).toHaveLength(3);
  expect(await desk.run('state', 'forget', 'p.yml', 'one.example', 'Quiz*')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('Forgot 2 items.'),
  });
  expect(await listed(desk)).toEqual(['domain_block two.example']);
  expect(server.exchanges.length).toBe(before);

  desk.write('p.yml', 'version: 1\n');
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(server.writes.filter((write) => write.startsWith('DELETE'))).toEqual([expect.stringContaining('two.example')]);
});

test.concurrent('adopts what exists and the policy wants: then it goes when the policy drops it', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example', 'two.example', 'three.example')});
  await desk.run('domain-blocks', 'add', 'one.example', 'two.example', 'other.example', '--yes');
  const adopt = (...args: readonly string[]) => desk.run('state', 'adopt', 'p.yml', ...args);
  expect(await adopt('three.example')).toMatchObject({status: 4, stderr: expect.stringContaining('three.example: @ana on ')});
  expect(await adopt('other.example')).toMatchObject({status: 4});
  expect(await adopt()).toMatchObject({status: 2, stderr: expect.stringContaining('pass --all')});
  expect(await adopt('--all', 'one.example')).toMatchObject({status: 2});
  expect(await listed(desk)).toEqual([]);

  expect(await adopt('--all')).toMatchObject({status: 0, stderr: expect.stringContaining('Adopted 2 items.')});
  expect(await adopt('one.example')).toMatchObject({
    status: 0,
    stderr: 'Nothing to adopt: 1 item was recorded already.\n',
  });
  expect(await listed(desk)).toEqual(['domain_block one.example', 'domain_block two.example']);
  desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [two.example]}\n');
  expect((await desk.run('plan', 'p.yml')).stdout).toMatch(/^- domain block one\.example .*no longer names it\n$/);
});

test.concurrent('moves the record of a policy that is renamed', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example'), 'q.yml': 'version: 1\ndomain_blocks: {must: [two.example]}\n'});
  await desk.run('apply', 'p.yml', '--yes');
  const move = (...flags: readonly string[]) => desk.run('state', 'move', 'p.yml', ...flags);
  expect(await move()).toMatchObject({status: 2, stderr: expect.stringContaining('--to-policy')});
  expect(await move('--to-policy', 'p.yml')).toMatchObject({status: 2});
  const before = readFileSync(join(desk.folder, 'p.yml.state.json'), 'utf8');
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 0, stderr: expect.stringContaining('Moved 2 items to q.yml of ana@')});
  expect(await listed(desk, 'p.yml')).toEqual([]);
  expect(await listed(desk, 'q.yml')).toEqual(['domain_block one.example', 'filter Quiz answers']);
  expect((await desk.run('plan', 'q.yml')).stdout).toContain('- domain block one.example');
  expect(await desk.run('undo', 'q.yml', '--yes', '--dry-run')).toMatchObject({status: 0, stdout: expect.stringContaining('DELETE')});
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 4});

  // Killed between the two files, both have the record.
  writeFileSync(join(desk.folder, 'p.yml.state.json'), before);
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 0});
  expect(await listed(desk, 'p.yml')).toEqual([]);
  writeFileSync(join(desk.folder, 'p.yml.state.json'), before.replace('one.example', 'three.example'));
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 5, stderr: expect.stringContaining('already: nothing was moved')});
});

test.concurrent('suggestions name the state file in use, and a second forget says once that there is nothing', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example')});
  await desk.run('apply', 'p.yml', '--yes', '--state', 's.json');
  const forget = (policy: string, ...args: readonly string[]) => desk.run('state', 'forget', policy, ...args, '--state', 's.json');
  expect((await forget('p.yml', 'zz')).stderr).toMatch(/^Hint: to list what it made: pixelctl state list p\.yml --state=s\.json/m);
  expect((await forget('other.yml', 'zz')).stderr).toMatch(/^Hint: to see what there is: pixelctl state list --state=s\.json/m);
  expect(await forget('p.yml', '--all')).toMatchObject({status: 0, stderr: 'Forgot 2 items.\n'});
  expect(await forget('p.yml', '--all')).toMatchObject({status: 0, stderr: 'Nothing to forget.\n'});
});

test.concurrent('waits for no other process, and says who uses the state file', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example')});
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.holdFirst = () => {
    begun.resolve();
    return over.promise;
  };
  const apply = desk.start('apply', 'p.yml', '--yes');
  await begun.promise;
  const {status, stderr} = await desk.run('state', 'forget', 'p.yml', '--all');
  expect({status, stderr}).toEqual({
    status: 9,
    stderr: expect.stringMatching(/Another pixelctl \(process \d+\) is using p\.yml\.state\.json/),
  });
  over.resolve();
  expect(await apply.ended).toMatchObject({status: 0});
});

test.concurrent('says which machine uses a state file in a folder that two share', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example')});
  await desk.run('apply', 'p.yml', '--yes');
  const elsewhere = {pid: 7, host: 'runner-2', namespace: null, start: null, since: '2026-01-01T00:00:00.000Z'};
  desk.write('p.yml.state.json.lock', JSON.stringify(elsewhere));
  for (const args of [
    ['apply', 'p.yml', '--yes'],
    ['state', 'forget', 'p.yml', '--all'],
  ]) {
    const {status, stderr} = await desk.run(...args);
    expect(status).toBe(9);
    expect(stderr).toContain('Error: Another pixelctl (process 7 on runner-2) is using p.yml.state.json: nothing was sent');
    expect(stderr).toContain('if runner-2 is gone, remove p.yml.state.json.lock');
  }
});

/** The accounts `old` and `new`, each on a server of its own: a policy is applied to the first one, and the second one blocks the domain, too. */
async function replacedAccount(text: string, {sandbox = {}, account = {id: '1', acct: 'ana'}}: Replacing = {}) {
  const [one, two] = [await startSandbox(), await startSandbox(sandbox)];
  const machine = await machineWith(
    [profileOn(one.url, {name: 'old', account: {id: '1', acct: 'ana'}}), {accessToken: one.tokens.all}],
    [profileOn(two.url, {name: 'new', account}), {accessToken: two.tokens.all}],
  );
  const folder = newFolder();
  const run = (...args: readonly string[]) => machine.run(args, {folder});
  const write = (file: string, content: string) => writeFileSync(join(folder, file), content);
  write('p.yml', text);
  expect(await run('apply', 'p.yml', '--yes', '-p', 'old')).toMatchObject({status: 0});
  await run('domain-blocks', 'add', 'one.example', '--yes', '-p', 'new');
  const anaOn = ({url}: Sandbox) => `ana@${new URL(url).host}`;
  return {
    run,
    write,
    from: anaOn(one),
    onto: anaOn(two),
    two,
    move: (...flags: readonly string[]) => run('state', 'move', 'p.yml', '-p', 'old', ...flags),
    list: async (...flags: readonly string[]) => {
      const items: {subject: string; account: string}[] = JSON.parse((await run('state', 'list', '--json', ...flags)).stdout);
      return items.map(({subject, account: whose}) => `${subject} ${whose}`).sort();
    },
    async [Symbol.asyncDispose]() {
      await one.close();
      await two.close();
    },
  };
}

interface Replacing {
  readonly sandbox?: SandboxOptions;
  /** As it is known of the new profile. */
  readonly account?: Profile['account'];
}

test.concurrent('moves a record to the account that replaces this one, with the filters that it has', async () => {
  await using place = await replacedAccount(policyFor('one.example', 'two.example'));
  const {run, write, from, onto, two, list, move} = place;
  const before = await list();
  expect(await move('--to-profile', 'new', '--dry-run')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`Nothing was written: 1 item to move to p.yml of ${onto} in p.yml.state.json.\n`),
  });
  expect(await list()).toEqual(before);
  const moved = await move('--to-profile', 'new', '--json');
  const stays = `two.example, Quiz answers: left with ${from}, because ${onto} has nothing like it`;
  expect(moved).toMatchObject({status: 0, stderr: expect.stringContaining(stays)});
  expect(JSON.parse(moved.stdout)).toMatchObject([{subject: 'one.example', server: two.url}]);
  expect(await list()).toEqual([`Quiz answers ${from}`, `one.example ${onto}`, `two.example ${from}`]);
  expect(await list('--account', onto)).toEqual([`one.example ${onto}`]);
  expect(await list('--account', '@ana')).toHaveLength(3);
  expect(await run('state', 'forget', 'p.yml', '--all')).toMatchObject({
    status: 2,
    stderr: `Error: Several accounts have a record under p.yml: ${[from, onto].sort().join(', ')}\nHint: name one of them with --account\n`,
  });
  expect(await move('--to-profile', 'new')).toMatchObject({
    status: 4,
    stderr: `Error: ${onto} has nothing of what ${from} has: nothing was moved\nHint: apply the policy to the new account instead\n`,
  });
  expect(await list()).toHaveLength(3);
  write('p.yml', 'version: 1\n');
  expect((await run('plan', 'p.yml', '-p', 'new')).stdout).toMatch(/^- domain block one\.example/);
  expect((await run('plan', 'p.yml', '-p', 'old')).stdout).toMatch(/^- domain block two\.example.*\n- filter Quiz answers/);
  expect(await run('undo', 'p.yml', '-p', 'old', '--yes')).toMatchObject({status: 0});
});

test.concurrent('an account whose items have all moved can still undo its apply, and other commands pass it over', async () => {
  await using place = await replacedAccount('version: 1\ndomain_blocks: {must: [one.example]}\n');
  const {run, onto, list, move} = place;
  expect(await move('--to-profile', 'new')).toMatchObject({status: 0, stderr: expect.not.stringContaining('left with')});
  expect(await list()).toEqual([`one.example ${onto}`]);
  expect(await run('state', 'forget', 'p.yml', '--all')).toMatchObject({status: 0, stderr: 'Forgot 1 item.\n'});
  expect(await run('undo', 'p.yml', '-p', 'old', '--yes')).toMatchObject({status: 0, stdout: expect.stringContaining('one.example')});
  expect((await run('domain-blocks', 'list', '-p', 'old', '--json')).stdout).not.toContain('one.example');
});

test.concurrent('a record that stays with its account keeps its applies under another policy', async () => {
  await using place = await replacedAccount(policyFor('one.example'));
  const {run, from, list, move} = place;
  expect(await move('--to-profile', 'old', '--to-policy', 'q.yml')).toMatchObject({
    status: 0,
    stderr: `Moved 2 items to q.yml of ${from} in q.yml.state.json.\n`,
  });
  expect(await list('p.yml')).toEqual([]);
  expect((await run('undo', 'q.yml', '-p', 'old', '--dry-run')).stdout).toMatch(/^DELETE [^]*\nDELETE /);
});

test.concurrent('a record moves to no account that the server does not name', async () => {
  const faults = [parseFault('status=404,at=GET /api/v1/accounts/verify_credentials')];
  await using place = await replacedAccount(policyFor('one.example'), {sandbox: {faults}, account: null});
  const {two, list, move} = place;
  const before = await list();
  expect(await move('--to-profile', 'new')).toMatchObject({
    status: 8,
    stderr: expect.stringContaining(`Error: ${new URL(two.url).host} does not name the account of new\n`),
  });
  expect(await list()).toEqual(before);
});

test.concurrent('what all accounts of a server share moves to another policy, but to no account', async () => {
  await using server = await watchedSandbox({like: '0.12.6', seed: {accounts: [{acct: 'ana', admin: true}]}});
  const env = {...server.env, PIXELCTL_TOKEN: server.tokens.admins['ana'] ?? ''};
  const desk = deskAt({env}, {'p.yml': 'version: 1\nadmin_domain_blocks: {must: [one.example]}\n'});
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  const move = (...flags: readonly string[]) => desk.run('state', 'move', 'p.yml', ...flags);
  const {host} = new URL(server.url);
  expect(await move('--account', host, '--to-profile', 'new')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`All accounts of ${host} share what this record has: it stays with the server`),
  });
  expect(await listed(desk, 'p.yml')).toEqual(['admin_domain_block one.example']);
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 0, stderr: expect.stringContaining('Moved 1 item to q.yml of ')});
});

test.concurrent('leaves alone what somebody removed and made again', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example', 'two.example')});
  await desk.run('apply', 'p.yml', '--yes');
  await desk.run('domain-blocks', 'remove', 'one.example', '--yes');
  desk.write('p.yml', policyFor('two.example'));
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing to do')});
  expect(await listed(desk)).toEqual(['domain_block two.example', 'filter Quiz answers']);
  await desk.run('domain-blocks', 'add', 'one.example', '--yes');
  expect(await desk.run('plan', 'p.yml')).toMatchObject({status: 0});
});
