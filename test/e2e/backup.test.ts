import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {changingSandbox, filesIn, itemsOf} from './archives.js';
import {listsIn, newBackup, noLists, people, policyOf, serverWith, someLists} from './backups.js';
import {conversation} from './demo-world.js';
import {run} from './in-process.js';
import {threeAccounts} from './three-accounts.js';

const jsonIn = (...path: readonly string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

const world = {accounts: people.map((acct) => ({acct})), ...someLists};

test.each(['0.12.6', '2026'] as const)('a backup of a server like %s has each list as the server sent it and in a policy', async (like) => {
  await using place = await serverWith(people, someLists, {like});
  const to = newBackup();
  const {status, stdout, stderr} = await place.run('backup', '--to', to, '--json');
  expect({status, stderr}).toEqual({status: 0, stderr: ''});
  const lists = JSON.parse(stdout).map(({list, items, error}: {list: string; items: number; error: unknown}) => [list, items, error]);
  expect(lists.slice(0, 4)).toEqual([
    ['domain_blocks', 2, null],
    ['filters', 3, null],
    ['blocks', 2, null],
    ['mutes', 2, null],
  ]);
  expect(jsonIn(listsIn(to), 'domain_blocks.json').toSorted()).toEqual(['bad.example', 'worse.example']);
  expect(jsonIn(listsIn(to), 'filters.json')).toHaveLength(3);
  expect(policyOf(to)).toContain(`blocks:\n  must:\n    - bob@${place.host}\n    - troll@spam.example\n`);
  const readme = readFileSync(join(to, 'README.md'), 'utf8');
  expect(readme).toContain(`# Backup of @ana on ${place.host}`);
  expect(readme).toContain('What no restore brings back');
  expect(readme).toContain('Both are in the JSON of the server.');
  for (const name of [...filesIn(listsIn(to)), 'lists/DATE/', 'lists/DATE.shrunk/', 'backup.json']) expect(readme).toContain(`\`${name}\``);
});

test('the JSON of lists is what the server sent, on all pages', async () => {
  await using server = await changingSandbox({seed: world});
  const odd = '{"id":"77","acct":"zoe@b.example","n":12345678901234567890,"x":2.50}';
  server.change = ({target}, answered) => {
    if (target.startsWith('/api/v1/mutes') && !target.includes('page=2'))
      return {...answered, text: `[${odd}]`, headers: {link: `<${server.url}/api/v1/mutes?page=2>; rel="next"`}};
    return undefined;
  };
  const to = newBackup();
  expect(await run(['backup', '--to', to, '--no-messages'], {env: server.env})).toMatchObject({status: 0});
  const text = readFileSync(join(listsIn(to), 'mutes.json'), 'utf8');
  expect(text.startsWith(`[\n${odd},\n{`) || text === `[\n${odd}\n]\n`).toBe(true);
  expect(policyOf(to)).toContain('zoe@b.example');
});

test('nobody else can read a backup, the token is not in it, and its messages are an archive', async () => {
  await using server = await changingSandbox();
  const to = newBackup();
  const {status, stderr} = await run(['backup', '--to', to], {env: server.env});
  expect(status).toBe(0);
  expect(stderr).toContain('README.md');
  for (const name of filesIn(to)) {
    expect(readFileSync(join(to, name), 'utf8')).not.toContain(server.sandbox.tokens.all);
    expect(statSync(join(to, name)).mode & 0o777, name).toBe(0o600);
  }
  expect(statSync(to).mode & 0o777).toBe(0o700);
  expect(itemsOf(to, 'messages', 'conversations.ndjson').length).toBeGreaterThan(0);
  expect(await run(['dm', 'export', '--to', join(to, 'messages'), '--verify'], {env: server.env})).toMatchObject({status: 0});
});

test('a second run replaces lists and keeps messages that are gone', async () => {
  await using server = await changingSandbox();
  const to = newBackup();
  const again = () => run(['backup', '--to', to], {env: server.env});
  await again();
  const before = policyOf(to);
  const [{id}] = itemsOf(to, 'messages', 'conversations.ndjson').filter(({messages}) => messages > 2);
  const [{id: first}, ...others] = itemsOf(to, 'messages', id, 'messages.ndjson');
  await run(['blocks', 'remove', '@grumpy'], {env: server.env});
  server.change = ({target}, answered) => {
    if (!target.includes(`/conversations/${id}/messages`)) return undefined;
    const page = JSON.parse(answered.text);
    return {...answered, text: JSON.stringify({...page, data: page.data.filter((one: {id: string}) => one.id !== first)})};
  };
  expect(await again()).toMatchObject({status: 0});
  expect(policyOf(to)).toBe(before.replace(/ *- grumpy@.*\n/, ''));
  expect(itemsOf(to, 'messages', id, 'messages.ndjson')).toHaveLength(others.length + 1);
});

test('a list that cannot be read stays as it was, and the rest is kept', async () => {
  await using server = await changingSandbox({seed: world});
  const to = newBackup();
  const backUp = () => run(['backup', '--to', to, '--no-messages', '--retries', '0', '--json'], {env: server.env});
  await backUp();
  const [before, file] = [policyOf(to), readFileSync(join(listsIn(to), 'mutes.json'), 'utf8')];
  await run(['domain-blocks', 'add', 'new.example', '--yes'], {env: server.env});
  server.change = ({target}) => (target.startsWith('/api/v1/mutes') ? {status: 503, text: '{}'} : undefined);
  const {status, stdout, stderr} = await backUp();
  expect(status).toBe(11);
  expect(stderr).toContain('mutes failed');
  expect(JSON.parse(stdout).at(-1)).toMatchObject({list: 'mutes', items: null, folder: null, error: {code: 'unavailable'}});
  expect(readFileSync(join(listsIn(to), 'mutes.json'), 'utf8')).toBe(file);
  expect(policyOf(to)).toBe(before.replace('    - worse.example', '    - new.example\n    - worse.example'));
});

test('a list that the server does not have is left out, and no failure', async () => {
  await using server = await changingSandbox({seed: world});
  server.change = ({target}) => (target.startsWith('/api/v2/filters') ? {status: 404, text: '{"error":"Not found"}'} : undefined);
  const to = newBackup();
  const {status, stdout, stderr} = await run(['backup', '--to', to, '--no-messages'], {env: server.env});
  expect(status).toBe(0);
  expect(stderr).toMatch(/^left out: filters: /m);
  expect(stdout).not.toContain('filters');
  expect(filesIn(listsIn(to))).toContain('mutes.json');
  expect(filesIn(listsIn(to))).not.toContain('filters.json');
});

test('a conversation that cannot be read is named with its people, and the others are kept', async () => {
  await using server = await changingSandbox();
  const {id} = conversation('bob');
  server.change = ({target}) => (target.includes(`/${id}/messages`) ? {status: 404, text: '{"error":"Not found"}'} : undefined);
  const to = newBackup();
  const {status, stderr} = await run(['backup', '--to', to], {env: server.env});
  expect(status).toBe(11);
  expect(stderr).toMatch(new RegExp(`^Warning: conversation ${id} \\(@bob\\): .*Not found`, 'm'));
  expect(filesIn(to)).toContain(join('messages', conversation('sly').id, 'messages.ndjson'));
});

test('a token that is not accepted ends a backup with its own status', async () => {
  await using server = await changingSandbox({seed: world});
  const env = {...server.env, PIXELCTL_TOKEN: 'wrong'};
  expect(await run(['backup', '--to', newBackup()], {env})).toMatchObject({status: 3, stdout: ''});
});

describe('the folder of a backup', () => {
  test('several accounts have a folder each, and those of a server are read by an admin', async () => {
    await using place = await threeAccounts({areAdmins: true});
    const {status, stdout} = await place.run(['backup', '--to', 'all', '--admin', '--json', '-p', 'ana,bob,clara', '--yes']);
    expect(status).toBe(0);
    const accounts = new Set(JSON.parse(stdout).map(({account}: {account: string}) => account));
    expect(accounts).toEqual(new Set([place.ana, place.bob, place.clara]));
    const folder = join(place.folder, 'all', place.clara.replace(':', '%3A'));
    expect(jsonIn(folder, 'backup.json')).toMatchObject({account: {acct: 'clara'}});
    expect(readFileSync(join(listsIn(folder), 'server.yml'), 'utf8')).toMatch(/^version: 1\nserver: http:\/\/127/);
  });
});

test('the blocks of a server are read by the first named profile that is not known to lack the scope', async () => {
  const names = ['ana', 'bob', 'clara'];
  await using place = await serverWith(['bob', 'ana', 'clara'], noLists);
  const tokens: Readonly<Record<string, string>> = {...place.sandbox.tokens.users, ...place.sandbox.tokens.admins};
  const ofEach = names.flatMap((name) => [
    [`PIXELCTL_SERVER_${name.toUpperCase()}`, place.sandbox.url],
    [`PIXELCTL_TOKEN_${name.toUpperCase()}`, tokens[name] ?? ''],
  ]);
  const env = {PIXELCTL_PROFILES: names.join(','), ...Object.fromEntries(ofEach)};
  const itemsWith = async (profiles: string) => {
    const {stdout} = await run(['backup', '--to', newBackup(), '--admin', '--no-messages', '--json', '-p', profiles], {env});
    const ofServer = JSON.parse(stdout).filter(({item}: {item: {list: string}}) => item.list === 'admin_domain_blocks');
    return ofServer.map(({item}: {item: {items: number | null}}) => item.items);
  };
  expect(await itemsWith('ana,bob,clara')).toEqual([null, null, null]);
  expect(await itemsWith('bob,ana,clara')).toEqual([0, 0, 0]);
});

test('with --admin, the blocks of a server that refuses them fail alone', async () => {
  await using server = await changingSandbox();
  const to = newBackup();
  const {status, stderr, stdout} = await run(['backup', '--to', to, '--admin', '--no-messages', '--json'], {env: server.env});
  expect(status).toBe(11);
  expect(stderr).toContain('admin_domain_blocks failed');
  expect(JSON.parse(stdout).at(-1)).toMatchObject({list: 'admin_domain_blocks', error: {code: 'auth'}});
  expect(filesIn(listsIn(to))).not.toContain('server.yml');
});

test('with --admin and no profile of an admin, the blocks of the server fail alone', async () => {
  await using place = await threeAccounts();
  const {status, stdout} = await place.run(['backup', '--to', newBackup(), '--admin', '--no-messages', '--json', '-p', 'ana,bob']);
  expect(status).toBe(11);
  const failed = JSON.parse(stdout).filter(({item}: {item: {error: unknown}}) => item.error !== null);
  expect(failed).toMatchObject(
    [place.ana, place.bob].map((account) => ({account, item: {list: 'admin_domain_blocks', error: {code: 'auth'}}})),
  );
});

test.each([
  ['--no-messages', '--hidden'],
  ['--no-messages', '--no-media'],
  ['--no-media', '--max-size=1M'],
  ['--verify', '--accept-loss'],
])('%s and %s contradict each other, and nothing is sent', async (...flags) => {
  await using server = await changingSandbox();
  expect(await run(['backup', '--to', newBackup(), ...flags], {env: server.env})).toMatchObject({status: 2});
  expect(server.asked).toEqual([]);
});
