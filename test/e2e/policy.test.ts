/** What a policy is applied with, apart from its rules: a terminal, a state that can be written, and little memory. */
import {expect, test} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';
import {hasTerminal, startAtTerminal} from './program.js';
import {failing} from './told.js';

const files = {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example, listed.example], must_not: [casino.example.com]}\n'};

test.concurrent('sends nothing when the state file cannot be written', async () => {
  await using server = await watchedSandbox();
  const {folder} = deskAt(server, files);
  const {failure} = await failing(['apply', 'p.yml', '--yes', '--state', 'p.yml/state.ndjson', '--quiet'], {env: server.env, folder});
  expect(failure).toMatchObject({code: 'local', exit: 9});
  expect(server.writes).toEqual([]);
});

test.concurrent('asks before apply, and refuses without a terminal', async () => {
  await using server = await watchedSandbox();
  const {folder} = deskAt(server, files);
  const {failure} = await failing(['apply', 'p.yml'], {env: server.env, folder});
  expect(failure).toMatchObject({code: 'usage', exit: 2, hint: 'pass --yes to confirm'});
  expect(server.exchanges).toEqual([]);
});

test.runIf(hasTerminal)('colours the plan at a terminal, asks with server and counts, and sends nothing on no', async () => {
  await using server = await watchedSandbox();
  const {folder} = deskAt(server, files);
  const running = startAtTerminal('pixelctl apply p.yml', 200, {env: server.env, folder});
  const said = await running.seen(/\?.*both directions permanently/);
  expect(said).toContain('\u001B[32m+ domain block bad.example\u001B[39m');
  expect(said).toMatch(/Apply p\.yml as @ana on 127\.0\.0\.1:\d+: 2 to add, 1 to remove\?/);
  running.child.stdin?.write('n\r');
  expect(await running.ended).toMatchObject({status: 2});
  expect(server.writes).toEqual([]);
});

test.concurrent('merges three lists of 10,000 domains with comments of their own with a heap of 40 MB', async () => {
  const count = 10_000;
  const lists = ['a.csv', 'b.csv', 'c.csv'].map((name): [string, string] => {
    const rows = Array.from(
      {length: count},
      (_, row) => `s${row}.example,suspend,"spam, see report ${row} of the moderators in ${name}",x`,
    );
    return [name, `domain,severity,public_comment,private_comment\n${rows.join('\n')}\n`];
  });
  const args = ['export', ...lists.flatMap(([name]) => ['--from', name]), '--as', 'fediblockhole'];
  // The lists are 2.6 MB, and the program alone has some 15.
  const desk = deskAt({env: {NODE_OPTIONS: '--max-old-space-size=40'}}, Object.fromEntries(lists));
  const {stdout} = await desk.start(...args).ended;
  const lines = stdout.split('\n');
  expect(lines).toHaveLength(count + 2);
  const parts = ['a.csv', 'b.csv', 'c.csv'].map((name) => `see report 0 of the moderators in ${name}`);
  expect(lines[1]).toBe(`s0.example,suspend,"spam, ${parts.join(', ')}",,false,false,false`);
});
