/** Plans and applies of a part of a policy. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt} from './desk.js';
import {failureIn} from '../../told-failure.js';

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
    ['grumpy', 'bob', 'Quiz answers'],
  ],
])('plans with %j only what is meant', async (flags, planned) => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {'p.yml': policy});
  const {stdout, stderr, status} = await run('plan', 'p.yml', '--json', ...flags);
  expect([subjects(stdout), status]).toEqual([planned, planned.length === 0 ? 0 : 10]);
  expect(JSON.parse(stdout).only).toEqual(flags[1]?.split(',').toSorted());
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

test.concurrent('the command that plan suggests runs as printed, whatever flags the plan was made with', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {'p.yml': policy});
  const {stderr} = await run('plan', 'p.yml', '--allow-outside', '--only', 'domain_blocks');
  const [, words = ''] = /To apply it: pixelctl (.*)$/m.exec(stderr) ?? [];
  expect(await run(...words.split(' '), '--yes')).toMatchObject({status: 0});
});

test.concurrent('applies a part, and leaves alone what another part made', async () => {
  await using server = await watchedSandbox();
  const desk = deskAt(server, {'p.yml': policy});
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  desk.write('p.yml', 'version: 1\n');
  server.writes.length = 0;
  expect(await desk.run('apply', 'p.yml', '--yes', '--only', 'blocks')).toMatchObject({status: 0});
  expect(server.writes).toEqual([expect.stringMatching(/unblock/)]);
  expect(await desk.run('apply', 'p.yml', '--yes', '--only', 'filters')).toMatchObject({status: 0});
  const left = JSON.parse((await desk.run('state', 'list', 'p.yml', '--json')).stdout);
  expect(left.map(({subject}: {subject: string}) => subject)).toEqual(['one.example', 'sub.one.example', 'two.example']);
});

test.concurrent.each([
  ['plan', ['p.yml', '--report', 'markdown=./p.yml']],
  ['plan', ['p.yml', '--report', 'markdown=list.csv']],
  ['plan', ['p.yml', '--report', 'markdown=x', '--report', 'markdown=./x']],
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
  expect(ended).toMatchObject({status: 2, stderr: expect.stringMatching(/is an input of this command|would be written twice|wrong\.yml/)});
  for (const [name, text] of Object.entries(files)) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  expect(server.exchanges).toEqual([]);
});
