/** Names of files where domains are meant: they would be blocked as domains. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {recordedSandbox} from './server.js';

const folderWith = (...names: readonly string[]): string => {
  const folder = newFolder();
  mkdirSync(join(folder, 'lists.d'));
  for (const name of names) writeFileSync(join(folder, name), 'bad.example\n');
  return folder;
};

/** The commands that take a domain, and those that take many. */
const single = [['admin', 'domain-blocks', 'get']];
const many = [
  ['domain-blocks', 'add', '--yes'],
  ['domain-blocks', 'remove'],
  ['domain-blocks', 'contains'],
  ['admin', 'domain-blocks', 'add', '--yes'],
  ['admin', 'domain-blocks', 'update', '--severity', 'silence', '--yes'],
  ['admin', 'domain-blocks', 'remove', '--yes'],
  ['instances', 'get'],
  ['instances', 'moderate', '--banned', '--yes'],
  ['instances', 'refresh', '--yes'],
];

const server = await recordedSandbox({limitsRate: false});
afterAll(() => server[Symbol.asyncDispose]());

async function asked(words: readonly string[], {folder, stdin = ''}: {readonly folder: string; readonly stdin?: string}) {
  const env = {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.admins['admin'] ?? ''};
  const before = server.exchanges.length;
  return {...(await run(words, {env, folder, stdin})), sent: server.exchanges.length - before};
}

describe.each([...single, ...many].map((words) => [words.join(' '), words] as const))('%s', (_, words) => {
  const takesLists = !single.some((one) => one.join() === words.join());

  test('refuses files that are there, whatever they are called', async () => {
    const names = ['bom.csv', 'bad.example', 'lists.d/blocked', 'plain', './bom.csv', 'a file.txt'];
    const folder = folderWith('bom.csv', 'bad.example', 'lists.d/blocked', 'plain', 'a file.txt');
    // Which names are files is the same for all commands: one of them tries all names.
    for (const name of takesLists ? names.slice(-3) : [...names, join(folder, 'bom.csv')]) {
      const {status, sent, stderr, stdout} = await asked([...words, name], {folder});
      expect({status, sent, stdout}, name).toEqual({status: 2, sent: 0, stdout: ''});
      expect(stderr).toContain(' is a file: nothing was sent\n');
      if (takesLists) expect(stderr).toContain(`--from ${name.includes(' ') ? `'${name}'` : name}`);
    }
  });

  test('refuses names of files that are not there', async () => {
    const folder = newFolder();
    const names = 'bom.csv Policy.YML a.b.yaml list.txt x.json x.ndjson https://bom.csv bom.csv. lists.d/bom.csv ｂom．csv'.split(' ');
    for (const name of takesLists ? names.slice(-2) : names) {
      const {status, sent, stdout, stderr} = await asked([...words, name], {folder});
      expect({status, sent, stdout}, name).toEqual({status: 2, sent: 0, stdout: ''});
      expect(stderr).toContain('is the name of a file, not a domain');
    }
  });

  test('takes a domain that no file is called like, and a folder is no file', async () => {
    const folder = folderWith();
    for (const name of ['lists.d', 'csv.example', 'https://bad.example']) {
      const {sent, stderr} = await asked([...words, name], {folder});
      expect(sent, stderr).toBeGreaterThan(0);
    }
  });
});

test.each(many.map((words) => [words]))('a list may have them: %j', async (words) => {
  const folder = folderWith('bom.csv');
  writeFileSync(join(folder, 'list'), 'bom.csv\n');
  const {sent: fromFile, stderr} = await asked([...words, '--from', 'list'], {folder});
  expect(fromFile, stderr).toBeGreaterThan(0);
  expect((await asked([...words, '-'], {folder, stdin: 'bom.csv\n'})).sent).toBeGreaterThan(0);
});

test.each([['domain-blocks'], ['admin', 'domain-blocks']])('--input cannot name one: %s', async (...topic) => {
  const ended = await asked([...topic, 'add', '--yes', '--input', '-'], {folder: newFolder(), stdin: '{"domain": "bom.csv"}'});
  expect(ended).toMatchObject({status: 2, sent: 0});
});

describe('in policies', () => {
  const check = async (policy: string, files: Readonly<Record<string, string>> = {}) => {
    const folder = newFolder();
    for (const [name, text] of Object.entries({'p.yml': `version: 1\n${policy}\n`, ...files})) writeFileSync(join(folder, name), text);
    return asked(['plan', 'p.yml'], {folder});
  };

  test.each([
    'domain_blocks: {must: [ok.example, policy.yml]}',
    'domain_blocks: {must_not: {domains: [allow.json]}}',
    'admin_domain_blocks: {must: [{domain: bom.ndjson, severity: silence}]}',
  ])('%s is refused with its place', async (policy) => {
    const {status, sent, stderr} = await check(policy);
    expect({status, sent}).toEqual({status: 2, sent: 0});
    expect(stderr).toMatch(/p\.yml:2:\d+: .* is the name of a file, not a domain/);
    expect(stderr).toContain('lists');
  });

  test('a list may have them', async () => {
    const {status, stdout} = await check('domain_blocks: {lists: [{file: list.txt}]}', {'list.txt': 'listed.csv\n'});
    expect({status, stdout}).toEqual({status: 10, stdout: expect.stringContaining('listed.csv')});
  });

  test('export leaves one that is blocked already out, and says so', async () => {
    await using server = await recordedSandbox({limitsRate: false});
    const {env} = server;
    expect(await run(['domain-blocks', 'add', '-', '--yes'], {env, stdin: 'bom.csv\n'})).toMatchObject({status: 0});
    const {stdout, stderr} = await run(['export'], {env});
    expect(stdout).not.toContain('bom.csv');
    expect(stderr).toContain('domain block "bom.csv"');
    const folder = newFolder();
    writeFileSync(join(folder, 'p.yml'), stdout);
    expect(await run(['plan', 'p.yml'], {env, folder})).toMatchObject({status: 0});
  });
});
