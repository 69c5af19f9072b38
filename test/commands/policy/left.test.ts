/** What policy commands leave as it is, name and suggest. */
import {readdirSync} from 'node:fs';
import {expect, test} from 'vitest';
import {everyKind, watchedSandbox} from '../../policy-desk.js';
import {wordsOfShell} from '../../shell-words.js';
import {deskAt} from './desk.js';
import {serverThat} from '../../e2e/server.js';
import {failureIn} from '../../told-failure.js';

const drifting = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';

test.concurrent('prints with ! what pixelctl cannot change, counts it, and exits with 10', async () => {
  await using server = await watchedSandbox({like: '0.12.6'});
  const {run, write} = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example, cf]}\n'});
  const left = /^! domain block cf: not blocked, wanted blocked as a whole; /m;
  const message = /^1 difference left that pixelctl cannot change: domain_blocks\.must cf$/;
  expect(await run('plan', 'p.yml')).toMatchObject({status: 10, stdout: expect.stringMatching(left)});
  const applied = await run('apply', 'p.yml', '--yes');
  expect(applied).toMatchObject({
    status: 10,
    stdout: expect.stringContaining('add domain block bad.example'),
    stderr: expect.stringMatching(left),
  });
  const closing = /^1 difference left that pixelctl cannot change: domain_blocks\.must cf\.\nTo see how to fix it: pixelctl plan p\.yml$/m;
  expect(applied.stderr).toMatch(closing);
  expect(applied.stderr).toContain('Applied: 1 added. To revert: pixelctl undo p.yml\n');
  const again = await run('apply', 'p.yml', '--yes');
  expect(again).toMatchObject({status: 10, stdout: '', stderr: expect.stringMatching(left)});
  expect(again.stderr).not.toContain('Nothing to do');
  const scripts = await run('apply', 'p.yml', '--yes', '--json');
  expect({...scripts, error: failureIn(scripts.stderr)}).toMatchObject({
    status: 10,
    stdout: '[]\n',
    error: {code: 'drift', message: expect.stringMatching(message)},
  });
  const plan = await run('plan', 'p.yml');
  expect(plan).toMatchObject({
    status: 10,
    stderr: expect.stringMatching(
      /^Plan: 0 to add, 0 to change, 0 to remove, 1 that pixelctl cannot change\.\nSee the lines that begin with !\n$/m,
    ),
  });
  expect(plan.stderr).not.toContain('Nothing to do');
  expect(await run('apply', 'p.yml', '--dry-run')).toMatchObject({status: 10, stdout: '', stderr: expect.stringMatching(left)});
  expect((await run('audit', 'p.yml', '--json')).status).toBe(10);
  write('p.yml', drifting);
  expect(await run('audit', 'p.yml')).toMatchObject({status: 0});
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing to do: no differences')});
});

test.concurrent('looks up the accounts of a policy, and fails only for one that does not exist', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {
    'p.yml': "version: 1\nblocks: {must: ['@bob', omar@lens.example.org, nobody@far.example]}\nmutes: {must: [bob]}\n",
  });
  const dry = await run('apply', 'p.yml', '--dry-run', '-o', 'curl');
  expect(dry.stdout).toContain('<id of @bob>');
  const applied = await run('apply', 'p.yml', '--yes', '--json');
  expect(applied.status).toBe(11);
  expect(JSON.parse(applied.stdout)).toMatchObject([
    {target: 'add account block @bob', ok: true},
    {target: 'add account block @omar@lens.example.org', ok: true},
    {target: 'add account block @nobody@far.example', ok: false, error: {code: 'not_found'}},
    {target: 'add account mute @bob', ok: true},
  ]);
  // Each is looked up once, whether blocked, muted or both.
  const asked = server.exchanges.map(({received}) => received.target).filter((target) => /username|lookup/.test(target));
  expect(new Set(asked).size).toBe(asked.length);
  const audit = JSON.parse((await run('audit', 'p.yml', '--json')).stdout);
  expect(audit.findings).toMatchObject([{subject: 'nobody@far.example', fix: `pixelctl blocks add @nobody@far.example`}]);
});

test.concurrent('an invalid id is never used or suggested', async () => {
  const filter = {id: '3; touch pwned #', title: 'Other', context: ['home'], filter_action: 'warn', expires_at: null, keywords: []};
  await using server = await serverThat(({target}) => ({
    text: target.startsWith('/api/v2/filters') ? JSON.stringify([filter]) : '{"id":"1","acct":"ana"}',
  }));
  const {run} = deskAt(server, {'p.yml': 'version: 1\nfilters: {only: true}\n'});
  for (const command of ['audit', 'plan']) {
    const {status, stdout, stderr} = await run(command, 'p.yml', '--json');
    expect({status, stdout, message: failureIn(stderr).message}).toEqual({
      status: 8,
      stdout: '',
      message: expect.stringContaining('0.id: expected an id'),
    });
    expect(stderr).not.toContain('pwned');
  }
});

test.concurrent('leaves no differences when the suggested fixes are run as a shell reads them', async () => {
  await using server = await watchedSandbox();
  const hostile = "it's; touch pwned #";
  const {folder, run, write} = deskAt(server, {});
  const keywords = [{keyword: 'word', whole_word: true}];
  await server.meanwhile('POST', '/api/v2/filters', {title: '$(touch pwned)', context: ['home'], keywords_attributes: keywords});
  const only = '\n  only: true';
  write(`${hostile}.yml`, everyKind.replace('filters:', `$&${only}`).replace('must_not: [casino.example.com]', `$&${only}`));
  const {findings}: {findings: {fix: string}[]} = JSON.parse((await run('audit', `${hostile}.yml`, '--json')).stdout);
  expect(findings.length).toBeGreaterThan(8);
  for (const {fix} of findings) {
    const [command = ''] = fix.split(', or name it');
    expect(command).toMatch(/^pixelctl /);
    const [, ...words] = wordsOfShell(command);
    const ended = await run(...words, '--yes');
    expect([0, 2, 4, 5, 11], `${command}: ${ended.stderr}`).toContain(ended.status);
  }
  expect(await run('audit', `${hostile}.yml`)).toMatchObject({status: 0});
  expect(readdirSync(folder).toSorted()).toEqual([`${hostile}.yml`, expect.stringMatching(/\.yml\.ana@\S+\.state\.ndjson$/)]);
});

test.concurrent('adds what must names first at the limit of a server', async () => {
  await using server = await watchedSandbox({like: '0.12.6'});
  const listed = Array.from({length: 60}, (_, index) => `a${String(index).padStart(2, '0')}.example`);
  const {run} = deskAt(server, {
    'p.yml': 'version: 1\ndomain_blocks: {must: [z.example], lists: [{file: list.txt}]}\n',
    'list.txt': listed.join('\n'),
  });
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 10});
  const blocked = server.writes.map((write) => /https:\/\/([^"]+)/.exec(write)?.[1]);
  expect([blocked.length, blocked[0], blocked.at(-1)]).toEqual([47, 'z.example', 'a45.example']);
});

test.concurrent('blocks are removed before others are added, because a server may allow no more', async () => {
  await using server = await watchedSandbox({like: '0.12.6', seed: 'empty'});
  const policy = (names: readonly string[]) => `version: 1\ndomain_blocks: {must: [${names.join(', ')}]}\n`;
  const names = (letter: string, count: number) => Array.from({length: count}, (_, index) => `${letter}${index}.example`);
  const {run, write} = deskAt(server, {'p.yml': policy([...names('old', 3), ...names('kept', 46)])});
  await run('apply', 'p.yml', '--yes');
  const before = server.writes.length;
  write('p.yml', policy([...names('kept', 46), ...names('new', 4)]));
  const order = ['old0', 'old1', 'old2', 'new0', 'new1', 'new2', 'new3'];
  expect((await run('plan', 'p.yml')).stdout.match(/(?<=^[+-] domain block )\w+/gm)).toEqual(order);
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(server.writes.slice(before).map((line) => /(?:new|old)\d/.exec(line)?.[0])).toEqual(order);
});
