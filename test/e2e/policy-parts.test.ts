/** Plans and applies of a part of a policy. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';
import {failureIn} from './told.js';

const policy = `version: 1
domain_blocks: {must: [one.example, sub.one.example, two.example]}
filters: {must: [{title: Quiz answers, context: [home], keywords: [answer]}]}
blocks: {must: ['@bob'], must_not: [grumpy, nobody]}
`;

const subjects = (plan: string): string[] => JSON.parse(plan).changes.map(({subject}: {subject: string}) => subject);

test.concurrent.each<[flags: readonly string[], planned: readonly string[]]>([
  [
    ['--only', 'domain_blocks'],
    ['one.example', 'sub.one.example', 'two.example'],
  ],
  [
    ['--only', 'filters,blocks'],
    ['bob', 'grumpy', 'Quiz answers'],
  ],
])('plans with %j only what is meant', async (flags, planned) => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {'p.yml': policy});
  const {stdout, stderr, status} = await run('plan', 'p.yml', '--json', ...flags);
  expect([subjects(stdout), status]).toEqual([planned, planned.length === 0 ? 0 : 10]);
  expect(JSON.parse(stdout).part).toBeDefined();
  if (planned.length > 0) expect(failureIn(stderr).hint).toContain(flags[0]);
});

test.concurrent('reads only the sections that are meant', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {'p.yml': policy});
  await run('plan', 'p.yml', '--only', 'filters');
  expect(server.exchanges.map(({received}) => received.target).filter((target) => /blocks|filters/.test(target))).toEqual([
    expect.stringContaining('/filters'),
  ]);
});

test.concurrent('applies a part, and leaves alone what another part made', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policy});
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  desk.write('p.yml', 'version: 1\n');
  server.writes.length = 0;
  const applied = await desk.run('apply', 'p.yml', '--yes', '--only', 'blocks');
  expect(applied).toMatchObject({status: 0, stderr: expect.stringContaining('Only a part: --only blocks')});
  expect(server.writes).toEqual([expect.stringMatching(/unblock/)]);
  expect(await desk.run('apply', 'p.yml', '--yes', '--only', 'filters')).toMatchObject({status: 0});
  const left = JSON.parse((await desk.run('state', 'list', '--json')).stdout);
  expect(left.map(({subject}: {subject: string}) => subject)).toEqual(['one.example', 'sub.one.example', 'two.example']);
});

test.concurrent('saves in a plan that it is a part, and says so when it is applied', async () => {
  await using server = await watchedSandbox();
  const {run, folder} = deskAt(server, {'p.yml': policy});
  const planned = await run('plan', 'p.yml', '--only', 'domain_blocks', '--out', 'plan.json');
  expect(planned.stderr).toMatch(/To apply it: pixelctl apply plan\.json --server=\S+\n$/);
  expect(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')).part).toEqual({only: ['domain_blocks']});
  const applied = await run('apply', 'plan.json', '--yes');
  expect(applied).toMatchObject({status: 0, stderr: expect.stringContaining('Only a part: --only domain_blocks')});
  expect(server.writes).toHaveLength(3);
  expect(await run('apply', 'plan.json', '--yes', '--only', 'filters')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is a plan'),
  });
});

test.concurrent('writes the plan, or the mistakes of its policy, as Markdown', async () => {
  await using server = await watchedSandbox();
  const {run, folder} = deskAt(server, {'p.yml': policy, 'wrong.yml': 'version: 1\nfilter: {}\n'});
  const report = () => readFileSync(join(folder, 'plan.md'), 'utf8');
  expect(await run('plan', 'p.yml', '--only', 'domain_blocks', '--report', 'markdown=plan.md')).toMatchObject({status: 10});
  expect(report()).toMatch(/^## Plan for p\.yml\n\nana.*3 to add\n\nOnly a part: --only domain&#95;blocks/);
  expect(report()).toContain('+ domain block one.example  # domain_blocks.must: p.yml:2');
  expect(await run('plan', 'wrong.yml', '--report', 'markdown=plan.md')).toMatchObject({status: 2});
  expect(report()).toMatch(/^## ❌ 1 mistake in the policy\n\n.*\n.*\n\| wrong\.yml&#58;2&#58;1 \| unknown key/);
  expect(await run('plan', 'none.yml', '--report', 'markdown=plan.md')).toMatchObject({status: 9});
  expect(report()).toMatch(/^## ❌ 1 mistake in the policy\n\n.*\n.*\n\| none\.yml&#58;1 \| Cannot read .*no such file/);
  expect(await run('plan', 'p.yml', '--report', 'html=plan.html')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('the format is markdown'),
  });
  expect(await run('plan', 'p.yml', '--report', 'markdown=p.yml/plan.md')).toMatchObject({
    status: 9,
    stderr: expect.stringMatching(/^Error: Cannot write the plan to p\.yml\/plan\.md: part of the path is not a folder$/m),
  });
});

test.concurrent.each([
  ['plan', ['p.yml', '--out', 'p.yml']],
  ['plan', ['p.yml', '--report', 'markdown=./p.yml']],
  ['plan', ['p.yml', '--out', 'list.csv']],
  ['plan', ['p.yml', '--out', 'x', '--report', 'markdown=x']],
  ['plan', ['wrong.yml', '--report', 'markdown=wrong.yml']],
  ['audit', ['p.yml', '--report', 'json=list.csv']],
  ['audit', ['p.yml', '--report', 'json=x', '--report', 'html=./x']],
  ['audit', ['wrong.yml', '--report', 'json=wrong.yml']],
])('%s %j does not overwrite what it reads, nor write a file twice', async (command, args) => {
  await using server = await watchedSandbox();
  const files = {
    'p.yml': 'version: 1\ndomain_blocks: {must: [one.example], lists: [{file: list.csv}]}\n',
    'list.csv': '#domain\ntwo.example\n',
    'wrong.yml': 'filter: 1\n',
  };
  const {run, folder} = deskAt(server, files);
  const ended = await run(command, ...args);
  expect(ended).toMatchObject({status: 2, stderr: expect.stringMatching(/is an input of this command|would be written twice/)});
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  expect(server.exchanges).toEqual([]);
});
