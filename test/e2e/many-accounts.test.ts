/** A dozen accounts at once. Whatever Node warns of fails every test. */
import {expect, test} from 'vitest';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {watchedSandbox} from './policy-server.js';
import {newFolder} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const names = Array.from({length: 12}, (_, index) => `user${index}`);

async function machineWithAccounts(folder: string) {
  const sandbox = await watchedSandbox({seed: {accounts: names.map((acct) => ({acct}))}});
  const profiles = names.map((name) => {
    const token = {accessToken: sandbox.tokens.users[name] ?? ''};
    return [profileOn(sandbox.url, {name, account: {id: name, acct: name}}), token] as const;
  });
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
  return {sandbox, machine: await machineWith(...profiles)};
}

test('apply asks once about all accounts, and sends nothing after n', async () => {
  const folder = newFolder();
  const {sandbox, machine} = await machineWithAccounts(folder);
  await using _sandbox = sandbox;
  const {stderr, status} = await machine.run(['apply', 'p.yml', '--profile', 'user0', '--profile', 'user1'], {folder, typing: ['n\r']});
  const {host} = new URL(sandbox.url);
  expect(stderr).toContain(`Apply p.yml to user0@${host}, user1@${host}. 2 accounts: 2 to add?`);
  expect(status).toBe(2);
  const {stdout} = await machine.run(['domain-blocks', 'list', '--json', '--profile', 'user0']);
  expect(JSON.parse(stdout)).toEqual([]);
});

test.each([
  ['plan p.yml', 10],
  ['audit p.yml', 10],
  ['apply p.yml --yes', 0],
  ['notifications list --all', 0],
])('%s of twelve accounts prints no warning of Node', async (line, status) => {
  const folder = newFolder();
  const {sandbox, machine} = await machineWithAccounts(folder);
  await using _sandbox = sandbox;
  const ended = await machine.run([...line.split(' '), '--all-profiles', '--json'], {folder});
  expect(ended.status, ended.stderr).toBe(status);
});
