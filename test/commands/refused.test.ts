/** What is refused before anything is read or sent, and what to do instead. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runCommand} from '../run-command.js';
import {newFolder} from '../new-folder.js';

const folder = newFolder();

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const both = file('both.yml', 'version: 1\ndomain_blocks:\n  must: [bad.example]\nadmin_domain_blocks:\n  must: [low.example]\n');
const none = file('none.yml', 'version: 1\nmutes:\n  must: ["@eve@pix.example"]\n');
const list = file('list.txt', 'bad.example\n');

test.each<[what: string, words: readonly string[], message: string]>([
  ['a backup without a folder', ['backup', '--to', ''], '--to needs the name of a folder'],
  [
    'a backup of hidden messages without messages',
    ['backup', '--to', folder, '--no-messages', '--hidden'],
    '--no-messages and --hidden cannot be used together',
  ],
  [
    'a backup of files of a size without messages',
    ['backup', '--to', folder, '--no-messages', '--max-size', '5MB'],
    '--no-messages and --max-size cannot be used together',
  ],
  [
    'an export of two kinds of domains',
    ['export', '--as', 'plain', '--from', both],
    `${both} has rules about domain_blocks and admin_domain_blocks`,
  ],
  ['an export of a policy without domains', ['export', '--as', 'plain', '--from', none], `${none} has no rules about domains`],
  [
    'an export of a section that a policy lacks',
    ['export', '--as', 'plain', '--from', none, '--only', 'domain_blocks'],
    `${none} has no rules about domain_blocks`,
  ],
  ['a comparison of accounts with domains', ['diff', none, list], `${none} and ${list} have no part in common`],
])('%s is refused with the reason', async (_, words, message) => {
  const {status, stderr} = await runCommand(words);
  expect(stderr).toContain(message);
  expect(status).toBe(2);
});

test('a policy about two kinds of domains is exported as one list with --only', async () => {
  const {stdout, status} = await runCommand(['export', '--as', 'plain', '--from', both, '--only', 'admin_domain_blocks']);
  expect({stdout, status}).toEqual({stdout: 'low.example\n', status: 0});
});

test('doctor fails where certificates are not checked', async () => {
  const {stdout} = await runCommand(['doctor', '--json', '--server', 'http://127.0.0.1:9', '--allow-http'], {
    environment: {NODE_TLS_REJECT_UNAUTHORIZED: '0', PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined},
  });
  const {checks} = JSON.parse(stdout);
  expect(checks.find(({name}: {readonly name: string}) => name === 'proxy and TLS')).toMatchObject({
    ok: false,
    detail: 'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks',
  });
});
