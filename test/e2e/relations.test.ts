/** `--save-relations`: whom one follows on domains that are blocked, and who follows from there. */
import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {pass, recordedSandbox, serverThat, type Answered, type Received} from './server.js';
import {failureIn} from './told.js';

const many = Array.from({length: 170}, (_, index) => `p${index}@big.example`);
const seed = {
  me: 'ana',
  accounts: ['ana', 'bob', ...many, 'eve@sub.bad.example', 'mia@bad.example', 'zoe@other.example'].map((acct) => ({acct})),
  following: [...many, 'mia@bad.example', 'zoe@other.example', 'bob'],
  followers: ['mia@bad.example', 'eve@sub.bad.example', 'bob'],
};

/** A server with a folder. @param instead answers in place of the sandbox; it is told what the file contains at that moment */
async function place(
  instead: (received: Received, file: string | undefined) => Answered | Promise<undefined> | undefined = () => undefined,
) {
  const sandbox = await startSandbox({seed});
  const folder = newFolder();
  const file = join(folder, 'relations.ndjson');
  const content = () => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
  const server = await serverThat(
    async (received) => (await instead(received, content())) ?? pass(received, sandbox.url),
    sandbox.tokens.all,
  );
  return {
    folder,
    file,
    content,
    host: new URL(server.url).host,
    writes: () => server.exchanges.filter(({received: {method}}) => method !== 'GET').length,
    add: (...words: readonly string[]) =>
      run(['domain-blocks', 'add', ...words, '--yes', ...(words.includes('--save-relations') ? [] : ['--save-relations', file])], {
        env: server.env,
      }),
    run: (args: readonly string[], stdin = '') => run(args, {env: server.env, stdin}),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

const items = (text = '') =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({account, item}) => ({account, acct: item.acct, following: item.following, followed_by: item.followed_by}));

test.concurrent('relations with domains and their subdomains are on disk before the first block is sent', async () => {
  const seen: (string | undefined)[] = [];
  await using made = await place(({method}, text) => {
    if (method === 'POST') seen.push(text);
    return undefined;
  });
  const {status, stderr} = await made.add('bad.example', 'big.example', '--concurrency', '1');
  expect({status, stderr}).toEqual({
    status: 0,
    stderr: `Saved to ${made.file}: 171 accounts that you follow there, 2 followers from there.\n`,
  });
  expect(seen).toEqual([made.content(), made.content()]);
  expect(statSync(made.file).mode & 0o777).toBe(0o600);
  const saved = items(made.content());
  const account = `ana@${made.host}`;
  expect(saved).toHaveLength(172);
  expect(saved.filter(({acct}) => !acct.endsWith('@big.example'))).toEqual([
    {account, acct: 'mia@bad.example', following: true, followed_by: true},
    {account, acct: 'eve@sub.bad.example', following: false, followed_by: true},
  ]);
});

test.concurrent('a second run keeps what the file has, although the server has it no more', async () => {
  await using made = await place();
  await made.add('bad.example');
  const before = made.content();
  expect(await made.add('bad.example')).toMatchObject({status: 0});
  expect(made.content()).toBe(before);
  expect(await made.add('other.example')).toMatchObject({status: 0});
  expect(made.content()?.startsWith(before ?? '-')).toBe(true);
  expect(items(made.content()).map(({acct}) => acct)).toEqual(['mia@bad.example', 'eve@sub.bad.example', 'zoe@other.example']);
});

test.concurrent('two runs at once that save to the same file both keep what they ended', async () => {
  const both = Promise.withResolvers<undefined>();
  let asking = 0;
  await using made = await place(({target}) => {
    if (!target.includes('/followers')) return undefined;
    asking += 1;
    // Each has read the file by now.
    if (asking === 2) both.resolve(undefined);
    return both.promise;
  });
  const ended = await Promise.all([made.add('bad.example'), made.add('other.example')]);
  expect(ended.map(({status}) => status)).toEqual([0, 0]);
  expect(
    items(made.content())
      .map(({acct}) => acct)
      .toSorted(),
  ).toEqual(['eve@sub.bad.example', 'mia@bad.example', 'zoe@other.example']);
});

test.concurrent('a line of the file is the target of a command', async () => {
  await using made = await place();
  await made.add('bad.example');
  expect((await made.run(['mutes', 'add', '-', '-o', 'ndjson'], made.content())).status).toBe(0);
  const {stdout} = await made.run(['mutes', 'list', '--jq', '.[].acct']);
  expect(stdout.trim().split('\n').toSorted()).toEqual(['eve@sub.bad.example', 'mia@bad.example']);
});

test.concurrent('nobody there leaves an empty file, which says that both lists were read', async () => {
  await using made = await place();
  expect(await made.add('nobody.example')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('0 accounts that you follow there, 0 followers'),
  });
  expect(made.content()).toBe('');
});

test.concurrent.each([
  ['fails', {status: 503, text: '{"error": "Away"}'}, 7],
  ['is refused', {status: 403, text: '{"error": ""}'}, 3],
  ['names nobody', {text: '[{"id": "5"}]'}, 8],
])('where a list of relations %s, nothing is sent', async (_, answered, status) => {
  await using made = await place(({target}) => (target.includes('/followers') ? answered : undefined));
  const ended = await made.add('bad.example', '--json', '--retries', '0');
  expect({status: ended.status, told: failureIn(ended.stderr).exit, writes: made.writes()}).toEqual({status, told: status, writes: 0});
  expect(made.content()).toBeUndefined();
});

test.concurrent('where the server does not say whose token it is (4), nothing is sent', async () => {
  await using made = await place(({target}) =>
    target.includes('verify_credentials') ? {status: 404, text: '{"error": "Record not found"}'} : undefined,
  );
  const {status, stderr} = await made.add('bad.example');
  expect({status, writes: made.writes(), content: made.content()}).toEqual({status: 4, writes: 0, content: undefined});
  expect(stderr).toContain(`${made.host} did not return the account of this token`);
});

test.concurrent('a file that cannot be written (9), or has something else (2), sends nothing', async () => {
  await using made = await place();
  const taken = join(made.folder, 'taken');
  mkdirSync(taken);
  expect((await made.add('bad.example', '--save-relations', taken)).status).toBe(9);
  const other = join(made.folder, 'domains.txt');
  writeFileSync(other, 'bad.example\n');
  const {status, stderr} = await made.add('bad.example', '--save-relations', other);
  expect({status, stderr}).toMatchObject({status: 2, stderr: expect.stringContaining('its line 1 is no saved relation: nothing was sent')});
  expect((await made.add('bad.example', '--save-relations', '-')).status).toBe(2);
  expect({text: readFileSync(other, 'utf8'), writes: made.writes()}).toEqual({text: 'bad.example\n', writes: 0});
});

const policies = {
  'p.yml': 'version: 1\ndomain_blocks: {must: [bad.example, sub.bad.example]}\nmutes: {must: [zoe@other.example]}\n',
  'q.yml': 'version: 1\ndomain_blocks: {must_not: [good.example]}\nmutes: {must: [bob]}\n',
};

test.concurrent('apply keeps the relations with the domains that it blocks before its first change, of a policy and of a saved plan', async () => {
  for (const applied of ['p.yml', 'plan.json']) {
    const seen: (string | undefined)[] = [];
    await using made = await place(({method}, text) => {
      if (method === 'POST') seen.push(text);
      return undefined;
    });
    for (const [name, text] of Object.entries(policies)) writeFileSync(join(made.folder, name), text);
    const [policy, plan] = [join(made.folder, 'p.yml'), join(made.folder, 'plan.json')];
    await made.run(['plan', policy, '--out', plan]);
    const {status, stderr} = await made.run(['apply', join(made.folder, applied), '--yes', '--save-relations', made.file]);
    expect({status, stderr}).toEqual({
      status: 0,
      stderr: expect.stringContaining(`Saved to ${made.file}: 1 account that you follow there, 2 followers from there.\n`),
    });
    expect(seen.length).toBe(3);
    expect(new Set(seen).size).toBe(1);
    expect(items(made.content())).toEqual([
      {account: `ana@${made.host}`, acct: 'mia@bad.example', following: true, followed_by: true},
      {account: `ana@${made.host}`, acct: 'eve@sub.bad.example', following: false, followed_by: true},
    ]);
  }
});

test.concurrent('apply keeps the relations of several accounts in one file', async () => {
  await using one = await recordedSandbox();
  const other = 'ana@photos.example.jp';
  await using two = await recordedSandbox({seed: {me: 'mia', accounts: [{acct: 'mia'}, {acct: other}], followers: [other]}});
  const folder = newFolder();
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [photos.example.jp]}\n');
  const env = {
    PIXELCTL_PROFILES: 'ana,mia',
    PIXELCTL_SERVER_ANA: one.url,
    PIXELCTL_TOKEN_ANA: one.sandbox.tokens.all,
    PIXELCTL_SERVER_MIA: two.url,
    PIXELCTL_TOKEN_MIA: two.sandbox.tokens.all,
  };
  const applied = await run(['apply', 'p.yml', '--all-profiles', '--yes', '--save-relations', 'relations.ndjson'], {env, folder});
  const [ana, mia] = [`ana@${new URL(one.url).host}`, `mia@${new URL(two.url).host}`];
  expect(applied.status).toBe(0);
  expect(applied.stderr).toContain(': Saved to relations.ndjson: 1 account that you follow there, 1 follower from there.\n');
  expect(applied.stderr).toContain(': Saved to relations.ndjson: 0 accounts that you follow there, 1 follower from there.\n');
  expect(items(readFileSync(join(folder, 'relations.ndjson'), 'utf8'))).toEqual([
    {account: ana, acct: 'kenji@photos.example.jp', following: true, followed_by: true},
    {account: mia, acct: other, following: false, followed_by: true},
  ]);
});

test.concurrent('apply sends nothing when the relations cannot be kept, and reads none where it blocks no domain or only tries', async () => {
  await using made = await place(({target}) => (target.includes('/followers') ? {status: 404, text: '{}'} : undefined));
  for (const [name, text] of Object.entries(policies)) writeFileSync(join(made.folder, name), text);
  const apply = (name: string, ...words: readonly string[]) =>
    made.run(['apply', join(made.folder, name), '--yes', '--save-relations', made.file, ...words]);
  expect((await apply('p.yml')).status).toBe(4);
  expect((await apply('p.yml', '--save-relations', '-')).status).toBe(2);
  expect({text: made.content(), writes: made.writes()}).toEqual({text: undefined, writes: 0});
  expect((await apply('p.yml', '--dry-run')).status).toBe(0);
  expect((await apply('q.yml')).status).toBe(0);
  expect({text: made.content(), writes: made.writes()}).toEqual({text: undefined, writes: 1});
});

test.concurrent('a dry run writes no file, and a batch takes no file', async () => {
  await using made = await place();
  expect((await made.add('bad.example', '--dry-run')).status).toBe(0);
  const line = `domain-blocks add bad.example --save-relations ${made.file}`;
  const {status, stderr} = await made.run(['batch', '--yes'], line);
  expect({status, stderr}).toMatchObject({status: 2, stderr: expect.stringContaining('--save-relations cannot be used in a batch')});
  expect({text: made.content(), writes: made.writes()}).toEqual({text: undefined, writes: 0});
});
