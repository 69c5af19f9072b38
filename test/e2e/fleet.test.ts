/** Several accounts in one command. */
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {wordsOfShell} from '../shell-words.js';
import {expect, test} from 'vitest';
import {commandIds, hasFlag} from './every-command.js';
import {threeAccounts} from './three-accounts.js';
import {lists, rowOf} from '../endpoints/table.js';
import {recordedSandbox, serverThat, type Answered} from './server.js';
import {anaAndBobOn, machineWith, profileOn} from './signing-in.js';
import {failureIn} from './told.js';
import {jsonLines} from '../json-documents.js';

const commandsOfSeveral = commandIds
  .filter((id) => hasFlag(id, 'all-profiles') && id.includes(':') && !hasFlag(id, 'policy'))
  .map((id) => id.replaceAll(':', ' '));

/** What each list of two accounts prints in each format: account-items.test.ts. */
const some = ['notifications list', 'domain-blocks list', 'reports list'];

test('lists of every kind take several profiles', () => {
  expect(lists.filter((list) => !commandsOfSeveral.includes(list))).toEqual([]);
});

interface Named {
  readonly account: string;
  readonly item: unknown;
}

const parsed = (text: string): Named[] => JSON.parse(text);
const lines = (text: string): Named[] => jsonLines(text);

test.each([...some, 'dm export', 'backup'])('%s goes on with the others when one account fails', async (command) => {
  const isKept = !some.includes(command);
  await using desk = await threeAccounts({areAdmins: !isKept && rowOf(command).scope?.startsWith('admin:') === true});
  await desk.two[Symbol.asyncDispose]();
  const args = [...command.split(' '), ...(isKept ? ['--to', 'kept'] : []), '--all-profiles', '-o', 'ndjson', '--retries', '0'];
  const {status, stdout, stderr} = await desk.run(args);
  expect({status, failure: failureIn(stderr)}).toMatchObject({
    status: 11,
    failure: {
      code: 'partial',
      message: expect.stringContaining(`1 of 3 accounts failed: ${desk.clara}: `),
      accounts: [{account: desk.clara, error: {code: 'unavailable', exit: 7}}],
    },
  });
  const both = [desk.ana, desk.bob];
  expect(lines(stdout).every(({account}) => both.includes(account))).toBe(true);
  if (isKept) for (const name of both) expect(readdirSync(join(desk.folder, 'kept', name.replace(':', '%3A')))).not.toEqual([]);
});

test('a list of several accounts refuses a server, a token of the environment, and unknown profiles', async () => {
  await using desk = await threeAccounts();
  const both = ['blocks', 'list', '-p', 'ana', '-p', 'bob'];
  for (const [words, env, says] of [
    [['--server', desk.one.url], {}, '--server cannot be used with several profiles'],
    [[], {PIXELCTL_TOKEN: 'x'}, 'PIXELCTL_TOKEN cannot be used'],
    [['-p', 'gone'], {}, 'No profile named gone'],
    [['--all-profiles'], {}, '--profile and --all-profiles cannot be used together'],
  ] as const)
    expect(await desk.run([...both, ...words], env)).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining(says)});
  const {run} = await machineWith();
  expect(await run(['filters', 'list', '--all-profiles'])).toMatchObject({status: 2, stderr: expect.stringContaining('No saved profiles')});
});

test.each([
  [['blocks', 'list'], false],
  [['reports', 'list'], true],
])('of two profiles of one account the first named is used: %j', async (words, areAdmins) => {
  await using desk = await threeAccounts({areAdmins});
  const {store} = desk.machine;
  await store.save(profileOn(desk.one.url, {name: 'ana+admin', account: {id: 'ana', acct: 'ana'}, isAdmin: true}), {
    accessToken: 'canary-of-an-unused-token',
  });
  // A server that did not name the account when the profile was made does so now.
  const {all} = desk.one.tokens;
  await store.save(profileOn(desk.one.url, {name: 'nameless', account: null}), {accessToken: all});
  const once = await desk.run([...words, '-p', 'ana,nameless', '--json']);
  expect(once).toMatchObject({status: 0, stderr: expect.stringContaining('The profiles ana and nameless are the same account')});
  for (const flags of [['--all-profiles'], ['-p', 'ana', '-p', 'ana+admin']]) {
    const {status, stderr} = await desk.run([...words, ...flags, '--json']);
    expect(status).toBe(0);
    expect(stderr).toContain(`The profiles ana and ana+admin are the same account, ${desk.ana}: only ana is used.\n`);
  }
  const {stderr} = await desk.run([...words, '-p', 'ana+admin,ana', '--json']);
  expect(stderr).toContain(`The profiles ana+admin and ana are the same account, ${desk.ana}: only ana+admin is used.\n`);
  expect(stderr).toContain('token not accepted');
});

test('a command of admins tells each account that none of them is one', async () => {
  await using desk = await threeAccounts();
  const {status, stdout, stderr} = await desk.run(['reports', 'list', '--all-profiles', '--json']);
  expect({status, stdout}).toEqual({status: 11, stdout: '[]\n'});
  expect(failureIn(stderr).accounts?.map(({account}) => account)).toEqual([desk.ana, desk.bob, desk.clara]);
});

test('protected profiles without a terminal are named together, and nothing is sent', async () => {
  await using desk = await threeAccounts();
  desk.write('p.yml', 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
  expect((await desk.run(['apply', 'p.yml', '--all-profiles', '--yes'])).status).toBe(0);
  const {store} = desk.machine;
  for (const name of ['ana', 'bob']) await store.save({...(await store.get(name)), isProtected: true}, (await store.current(name)).secret);
  const {status, stderr} = await desk.run(['undo', 'p.yml', '--all-profiles']);
  expect({status, blocked: await desk.blocked('clara')}).toEqual({status: 2, blocked: ['bad.example']});
  expect(stderr).toContain('The profiles ana, bob are protected, and confirmation needs a terminal: nothing was sent');
});

test('keeps the form of several accounts when there is only one profile', async () => {
  await using server = await recordedSandbox();
  const {run} = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  const {stdout} = await run(['filters', 'list', '--all-profiles', '--json']);
  expect(parsed(stdout).map(({account}) => account)).toEqual(Array(3).fill(`ana@${new URL(server.url).host}`));
  const alone = await run(['filters', 'list', '-p', 'ana', '-p', 'ana', '--json']);
  expect(JSON.parse(alone.stdout)[0]).toMatchObject({id: expect.any(String), title: expect.any(String)});
});

test.each([
  ['blocks', '@grumpy', 'blocked'],
  ['mutes', '@sly', 'muted'],
  ['domain-blocks', 'spam.example.net', 'blocked'],
])('%s contains looks in the list of each account, and says in whose list something is missing', async (topic, target, state) => {
  await using desk = await threeAccounts();
  const {status, stdout, stderr} = await desk.run([topic, 'contains', target, '-p', 'ana,bob', '--json']);
  expect({status, results: parsed(stdout), message: failureIn(stderr).message}).toEqual({
    status: 10,
    results: [
      {account: desk.ana, item: {target, contained: true}},
      {account: desk.bob, item: {target, contained: false}},
    ],
    message: `${desk.bob}: Not ${state}: ${target}`,
  });
  const {stdout: table} = await desk.run([topic, 'contains', target, '-p', 'ana,bob', '-o', 'csv']);
  expect(table).toBe(`account,target,contained\r\n${desk.ana},${target},true\r\n${desk.bob},${target},false\r\n`);
  expect(await desk.run([topic, 'contains', target, '-p', 'ana', '--json'])).toMatchObject({
    status: 0,
    stdout: `{"target":"${target}","contained":true}\n`,
  });
});

test('a GET of api is sent as each account, page by page with --all, and a write is refused', async () => {
  await using desk = await threeAccounts();
  const path = '/api/v1/accounts/verify_credentials';
  const {status, stdout} = await desk.run(['api', path, '--all-profiles', '-o', 'ndjson', '--fields', 'acct']);
  const names = ['ana', 'bob', 'clara'] as const;
  expect({status, items: lines(stdout)}).toEqual({status: 0, items: names.map((acct) => ({account: desk[acct], item: {acct}}))});
  const paged = await desk.run(['api', '/api/v1/domain_blocks?limit=1', '--all', '-p', 'ana,clara', '--json']);
  expect(parsed(paged.stdout).map(({account}) => account)).toEqual([desk.ana, desk.ana, desk.ana]);
  for (const more of [['POST'], ['DELETE'], ['--dry-run']])
    expect(await desk.run(['api', ...more, path, '-p', 'ana,bob'])).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining(`${more[0]} takes one profile, not several: ana,bob`),
    });
  expect(desk.one.writes).toEqual([]);
});

test('lists every page of each account, and tells which accounts have more', async () => {
  // More than a page of the server.
  const count = 120;
  const domains = (name: string) => Array.from({length: count}, (_, index) => `${name}${index}.example`);
  await using desk = await threeAccounts({domainLimit: 1000});
  for (const name of ['ana', 'bob']) {
    const added = await desk.run(['domain-blocks', 'add', ...domains(name), '-p', name, '--yes', '--concurrency', '1', '-o', 'ndjson']);
    expect(added.status).toBe(0);
  }
  const both = ['domain-blocks', 'list', '-p', 'ana,bob'];
  const all = await desk.run([...both, '--all', '-o', 'ndjson']);
  const found = lines(all.stdout);
  expect(found.filter(({account}) => account === desk.bob).map(({item}) => item)).toEqual(domains('bob').reverse());
  expect(found.findIndex(({account}) => account === desk.bob)).toBe(found.length - count);
  const some = await desk.run([...both, '--max', '3', '-o', 'csv']);
  const rows = (['ana', 'bob'] as const).flatMap((name) => [119, 118, 117].map((index) => `${desk[name]},${name}${index}.example`));
  expect(some.stdout).toBe(['account,domain', ...rows, ''].join('\r\n'));
  const {stderr} = await desk.run(both);
  expect(stderr).toBe(
    [desk.ana, desk.bob].map((account) => `${account}: Showing 100; there are more. --all lists all of them.\n`).join(''),
  );
});

/** Two accounts of a server whose second page of blocks does not come. */
async function twoAccountsWith(secondPage: () => Promise<Answered> | Answered) {
  const server = await serverThat(({target}) => {
    if (target.includes('page=2')) return secondPage();
    return {text: '[{"id": "3"}]', headers: {link: `<${new URL('/api/v1/blocks?page=2', 'http://server.invalid').href}>; rel="next"`}};
  });
  return {server, ...(await anaAndBobOn(server))};
}

test('names the cursor and the profile to go on with, for each account whose page fails', async () => {
  const {server, run} = await twoAccountsWith(() => ({status: 500, text: '{"error": "Out of order"}'}));
  await using _server = server;
  const {status, stdout, stderr} = await run(['blocks', 'list', '--all-profiles', '--all', '--retries', '0', '--json']);
  expect({status, items: parsed(stdout).map(({account}) => account.replace(/@.*/, ''))}).toEqual({status: 11, items: ['ana', 'bob']});
  const {accounts = []} = failureIn(stderr);
  expect(accounts.map(({error}) => Object(error).hint)).toEqual(
    ['ana', 'bob'].map((name) => expect.stringMatching(`continue with --profile=${name} --resume-from '/api/v1/blocks\\?page=2'$`)),
  );
});

test('a signal completes the document of several accounts', async () => {
  const {server, begin} = await twoAccountsWith(() => new Promise(() => {}));
  await using _server = server;
  const running = begin(['blocks', 'list', '--all-profiles', '--all', '--json']);
  await running.seen(/"id": ?"3"/);
  running.signal('SIGINT');
  const {status, stdout, stderr} = await running.ended;
  expect({status, code: failureIn(stderr).code}).toEqual({status: 130, code: 'interrupted'});
  // The first page of the second account may have come before the signal.
  expect(['ana', 'ana,bob']).toContain(
    parsed(stdout)
      .map(({account}) => account.replace(/@.*/, ''))
      .join(),
  );
});

test.each([
  ['notifications', 'list', '--follow', '-o', 'ndjson'],
  ['blocks', 'list', '--resume-from', '/api/v1/blocks?page=2'],
  ['api', '/api/v1/blocks', '--resume-from', '/api/v1/blocks?page=2'],
  ['domain-blocks', 'contains', '--from', 'listed'],
])('refuses %s %s %s with several profiles, and sends nothing', async (...words) => {
  await using desk = await threeAccounts();
  desk.write('listed', `[{"account": "${desk.ana}", "item": "bad.example"}]`);
  expect(await desk.run([...words, '--all-profiles'])).toMatchObject({status: 2, stdout: ''});
  expect(desk.one.exchanges).toEqual([]);
});

test('a backup of several accounts of which one lost its lists ends with 10, and names the account', async () => {
  await using desk = await threeAccounts();
  const backUp = (...flags: readonly string[]) => desk.run(['backup', '--to', 'kept', '--all-profiles', '--no-messages', ...flags]);
  expect(await backUp()).toMatchObject({status: 0});
  await desk.run(['domain-blocks', 'remove', ...(await desk.blocked('ana')), '-p', 'ana']);
  const {status, stdout, stderr} = await backUp('-o', 'ndjson');
  const {message, hint} = failureIn(stderr);
  expect({status, message}).toEqual({status: 10, message: expect.stringContaining(`${desk.ana}: domain_blocks lost `)});
  expect(lines(stdout)).toContainEqual({account: desk.ana, item: expect.objectContaining({list: 'domain_blocks', shrank: true})});
  const verified = await desk.run(['backup', '--to', 'kept', '--verify', '-o', 'ndjson']);
  expect(lines(verified.stdout)).toEqual(
    (['ana', 'ana', 'bob', 'clara'] as const).map((name) => ({account: desk[name], item: expect.objectContaining({error: null})})),
  );
  const [, command = ''] = /`pixelctl (.*?)`/.exec(hint ?? '') ?? [];
  expect(await desk.run(wordsOfShell(command))).toMatchObject({status: 0});
  expect(await backUp()).toMatchObject({status: 0});
});

test('restore restores a folder for several accounts only where it is that of one', async () => {
  await using desk = await threeAccounts();
  expect(await desk.run(['backup', '--to', 'kept', '-p', 'ana,bob', '--no-messages'])).toMatchObject({status: 0});
  const [all, one] = ['kept', join('kept', desk.ana.replace(':', '%3A'))];
  expect(await desk.run(['restore', all, '-p', 'bob,clara', '--yes'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`it has folders of accounts: name one of ${one}`),
  });
  const restored = await desk.run(['restore', one, '--only', 'domain_blocks', '-p', 'bob,clara', '--yes']);
  expect(restored.status, restored.stderr).toBe(0);
  const wanted = await desk.blocked('ana');
  for (const name of ['bob', 'clara']) expect(await desk.blocked(name)).toEqual(expect.arrayContaining(wanted));
});
