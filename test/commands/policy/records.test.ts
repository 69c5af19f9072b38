/** The commands that list, adopt and forget what states record. */
import {readdirSync, renameSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt, type Desk} from './desk.js';

const policyFor = (...domains: readonly string[]): string => `version: 1
domain_blocks: {must: [${domains.join(', ')}]}
filters: {must: [{title: Quiz answers, context: [home], keywords: [ending]}]}
`;

const listed = async ({run}: Desk, policy = 'p.yml'): Promise<string[]> =>
  JSON.parse((await run('state', 'list', policy, '--json')).stdout).map(
    ({kind, subject}: {kind: string; subject: string}) => `${kind} ${subject}`,
  );

test.concurrent('lists what an apply made, and forgets it: then it stays', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example', 'two.example')});
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await listed(desk)).toEqual(['domain_block one.example', 'domain_block two.example', 'filter Quiz answers']);
  const table = await desk.run('state', 'list', 'p.yml');
  expect(table.stdout).toMatch(/^kind +what +since +account +policy +state\ndomain_block +one\.example +\S+Z +ana@127/);
  const before = server.exchanges.length;

  expect(await desk.run('state', 'forget', 'p.yml', 'one.example', 'Quiz answers')).toMatchObject({
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
  expect(await adopt('three.example')).toMatchObject({
    status: 4,
    stderr: expect.stringContaining('three.example: the account does not have it, or p.yml does not want it'),
  });
  expect(await adopt('other.example')).toMatchObject({status: 4});
  expect(await adopt()).toMatchObject({status: 2, stderr: expect.stringContaining('pass --all')});
  expect(await adopt('--all', 'one.example')).toMatchObject({status: 2});
  expect(await listed(desk)).toEqual([]);

  expect(await adopt('--all')).toMatchObject({status: 0, stderr: expect.stringContaining('Adopted 2 items.')});
  expect(await adopt('one.example')).toMatchObject({
    status: 0,
    stderr: 'Nothing to adopt.\n',
  });
  expect(await listed(desk)).toEqual(['domain_block one.example', 'domain_block two.example']);
  desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [two.example]}\n');
  expect((await desk.run('plan', 'p.yml')).stdout).toMatch(/^- domain block one\.example .*no longer names it\n$/);
});

test.concurrent('goes on under another name when the policy and its state are renamed', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example')});
  await desk.run('apply', 'p.yml', '--yes');
  for (const name of readdirSync(desk.folder)) renameSync(join(desk.folder, name), join(desk.folder, name.replace(/^p\.yml/, 'q.yml')));
  expect(await listed(desk, 'q.yml')).toEqual(['domain_block one.example', 'filter Quiz answers']);
  desk.write('q.yml', 'version: 1\ndomain_blocks: {must: [two.example]}\n');
  expect((await desk.run('plan', 'q.yml')).stdout).toContain('- domain block one.example');
  expect(await desk.run('undo', 'q.yml', '--yes')).toMatchObject({status: 0, stdout: expect.stringContaining('one.example')});
});

test.concurrent('suggestions name the state file in use, and a second forget says once that there is nothing', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policyFor('one.example')});
  await desk.run('apply', 'p.yml', '--yes', '--state', 's.ndjson');
  const forget = (policy: string, ...args: readonly string[]) => desk.run('state', 'forget', policy, ...args, '--state', 's.ndjson');
  expect((await forget('p.yml', 'zz')).stderr).toMatch(/^Hint: to list what it made: pixelctl state list p\.yml --state=s\.ndjson/m);
  expect(await forget('p.yml', '--all')).toMatchObject({status: 0, stderr: 'Forgot 2 items.\n'});
  expect(await forget('p.yml', '--all')).toMatchObject({status: 0, stderr: 'Nothing to forget.\n'});
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

test.each([[['state', 'list', '-']], [['state', 'adopt', '-', '--all']], [['state', 'forget', '-', '--all']]])(
  'of standard input, %j needs --state',
  async (words) => {
    expect(await deskAt({env: {}}, {}).run(...words)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('name it with --state'),
    });
  },
);
