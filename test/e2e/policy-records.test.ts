/** The commands that list, adopt, forget and move what state files record. */
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startSandbox} from '../../src/lib/sandbox/server.js';
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
  const table = await desk.run('state', 'list', '--policy', 'p.yml');
  expect(table.stdout).toMatch(/^kind +what +since +account +policy +state file\ndomain_block +one\.example +\S+Z +ana@127/);
  const before = server.exchanges.length;

  const dry = await desk.run('state', 'forget', 'one.example', '--policy', 'p.yml', '--dry-run');
  expect(dry).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing was written: 1 item to forget.')});
  expect(await listed(desk)).toHaveLength(3);
  expect(await desk.run('state', 'forget', 'one.example', 'Quiz*', '--policy', 'p.yml')).toMatchObject({
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
  const adopt = (...args: readonly string[]) => desk.run('state', 'adopt', '--policy', 'p.yml', ...args);
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
  const move = (...flags: readonly string[]) => desk.run('state', 'move', '--policy', 'p.yml', ...flags);
  expect(await move()).toMatchObject({status: 2, stderr: expect.stringContaining('--to-policy')});
  expect(await move('--to-policy', 'p.yml')).toMatchObject({status: 2});
  const before = readFileSync(join(desk.folder, 'p.yml.state.json'), 'utf8');
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 0, stderr: expect.stringContaining('Moved 2 items to q.yml of ana@')});
  expect(await listed(desk, '--policy', 'p.yml')).toEqual([]);
  expect(await listed(desk, '--policy', 'q.yml')).toEqual(['domain_block one.example', 'filter Quiz answers']);
  expect((await desk.run('plan', 'q.yml')).stdout).toContain('- domain block one.example');
  expect(await desk.run('undo', 'q.yml', '--yes', '--dry-run')).toMatchObject({status: 0, stdout: expect.stringContaining('DELETE')});
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 4});

  // Killed between the two files, both have the record.
  writeFileSync(join(desk.folder, 'p.yml.state.json'), before);
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 0});
  expect(await listed(desk, '--policy', 'p.yml')).toEqual([]);
  writeFileSync(join(desk.folder, 'p.yml.state.json'), before.replace('one.example', 'three.example'));
  expect(await move('--to-policy', 'q.yml')).toMatchObject({status: 5, stderr: expect.stringContaining('already: nothing was moved')});
});

test.concurrent('suggestions name the state file in use, and a second forget says once that there is nothing', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example')});
  await desk.run('apply', 'p.yml', '--yes', '--state', 's.json');
  const forget = (policy: string, ...args: readonly string[]) =>
    desk.run('state', 'forget', ...args, '--policy', policy, '--state', 's.json');
  expect((await forget('p.yml', 'zz')).stderr).toMatch(/^Hint: to see what it made: pixelctl state list --policy=p\.yml --state=s\.json/m);
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
  const {status, stderr} = await desk.run('state', 'forget', '--all', '--policy', 'p.yml');
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
    ['state', 'forget', '--all', '--policy', 'p.yml'],
  ]) {
    const {status, stderr} = await desk.run(...args);
    expect(status).toBe(9);
    expect(stderr).toContain('Error: Another pixelctl (process 7 on runner-2) is using p.yml.state.json: nothing was sent');
    expect(stderr).toContain('if runner-2 is gone, remove p.yml.state.json.lock');
  }
});

test.concurrent('moves a record to the account that replaces this one, with the filters that it has', async () => {
  await using one = await startedSandbox();
  await using two = await startedSandbox();
  const account = {id: '1', acct: 'ana'};
  const machine = await machineWith(
    [profileOn(one.url, {name: 'old', account}), {accessToken: one.tokens.all}],
    [profileOn(two.url, {name: 'new', account}), {accessToken: two.tokens.all}],
  );
  const folder = newFolder();
  const run = (...args: readonly string[]) => machine.run(args, {folder});
  writeFileSync(join(folder, 'p.yml'), policyFor('one.example', 'two.example'));
  expect(await run('apply', 'p.yml', '--yes', '-p', 'old')).toMatchObject({status: 0});
  await run('domain-blocks', 'add', 'one.example', '--yes', '-p', 'new');
  const moved = await run('state', 'move', '--policy', 'p.yml', '-p', 'old', '--to-profile', 'new', '--json');
  const [from, onto] = [one, two].map(({url}) => `ana@${new URL(url).host}`);
  const stays = `two.example, Quiz answers: left with ${from}, because ${onto} has nothing like it`;
  expect(moved).toMatchObject({status: 0, stderr: expect.stringContaining(stays)});
  expect(JSON.parse(moved.stdout)).toMatchObject([{subject: 'one.example', server: two.url}]);
  const list = async () => {
    const items: {subject: string; account: string}[] = JSON.parse((await run('state', 'list', '--json')).stdout);
    return items.map(({subject, account: whose}) => `${subject} ${whose}`).sort();
  };
  expect(await list()).toEqual([`Quiz answers ${from}`, `one.example ${onto}`, `two.example ${from}`]);
  expect(await run('state', 'move', '--policy', 'p.yml', '-p', 'old', '--to-profile', 'new')).toMatchObject({
    status: 4,
    stderr: `Error: ${onto} has nothing of what ${from} has: nothing was moved\nHint: apply the policy to the new account instead\n`,
  });
  expect(await list()).toHaveLength(3);
  writeFileSync(join(folder, 'p.yml'), 'version: 1\n');
  expect((await run('plan', 'p.yml', '-p', 'new')).stdout).toMatch(/^- domain block one\.example/);
  expect((await run('plan', 'p.yml', '-p', 'old')).stdout).toMatch(/^- domain block two\.example.*\n- filter Quiz answers/);
  expect(await run('undo', 'p.yml', '-p', 'old', '--yes')).toMatchObject({status: 0});
});

async function startedSandbox() {
  const sandbox = await startSandbox();
  return {...sandbox, [Symbol.asyncDispose]: () => sandbox.close()};
}

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
