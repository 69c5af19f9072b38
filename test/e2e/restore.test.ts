import {cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import fc from 'fast-check';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {changingSandbox, filesIn} from './archives.js';
import {
  datesOf,
  listsIn,
  listsOf,
  newBackup,
  noLists,
  people,
  policyOf,
  rewrite,
  serverWith,
  someLists,
  type Lists,
  type Place,
} from './backups.js';
import {run} from './in-process.js';
import {hasTerminal, newFolder, startAtTerminal} from './program.js';
import {recordedSandbox} from './server.js';

const likes = ['0.12.6', '2026'] as const;

async function backupOf(lists: Lists, like: (typeof likes)[number] = '2026') {
  await using place = await serverWith(people, lists, {like});
  const to = newBackup();
  expect(await place.run('backup', '--to', to, '--no-messages')).toMatchObject({status: 0});
  return {to, host: place.host};
}

/** The people as another server names them: those of the first one with its name. */
const elsewhere = (host: string): string[] => [
  'zoe',
  ...people.filter((one) => one !== 'ana').map((one) => (one.includes('@') ? one : `${one}@${host}`)),
];

describe.each(likes)('a backup of a server like %s', (from) => {
  test.each(likes)('is restored on another one like %s, backed up there the same, and taken back', async (onto) => {
    const {to, host} = await backupOf(someLists, from);
    await using other = await serverWith(elsewhere(host), noLists, {like: onto});
    const before = await listsOf(other);
    const restored = await other.run('restore', to, '--yes');
    expect(restored).toMatchObject({status: 0});
    expect(restored.stderr).toContain(`+ account block @bob@${host}`);
    expect(await listsOf(other)).toBe(policyOf(to));
    const again = await other.run('restore', to, '--yes');
    expect(again).toMatchObject({status: 0, stdout: ''});
    expect(again.stderr).toMatch(/^Nothing to restore: \S+ has everything that is in \S+\.$/m);
    expect(await other.run('restore', to, '--dry-run')).toMatchObject({status: 0, stdout: '', stderr: again.stderr});
    expect(await other.run('undo', to, '--yes')).toMatchObject({status: 0});
    expect(await listsOf(other)).toBe(before);
  });

  test('is restored on the same server after everything was removed', async () => {
    await using place = await serverWith(people, someLists, {like: from});
    const to = newBackup();
    await place.run('backup', '--to', to, '--no-messages');
    await place.run('blocks', 'remove', '@bob', '@troll@spam.example');
    await place.run('mutes', 'remove', '@eve', '@ads@shop.example');
    await place.run('domain-blocks', 'remove', 'bad.example', 'worse.example');
    const ids = JSON.parse((await place.run('filters', 'list', '--json')).stdout).map(({id}: {id: string}) => id);
    await place.run('filters', 'delete', ...ids, '--yes');
    expect(await listsOf(place)).not.toContain('bob');
    expect(await place.run('restore', to, '--yes')).toMatchObject({status: 0});
    expect(await listsOf(place)).toBe(policyOf(to));
    // The filters have other ids now, the second one of a title has a name of its own, and nothing is lost.
    const {status, stdout, stderr} = await place.run('backup', '--to', to, '--no-messages', '--json');
    expect(status, stderr).toBe(0);
    const rows: {list: string}[] = JSON.parse(stdout);
    expect(rows.find(({list}) => list === 'filters')).toMatchObject({added: 1, removed: 1, changed: 0, shrank: false});
    expect(datesOf(to)).toHaveLength(2);
  });
});

test('any lists are the same after a backup, a restore on another server, and a backup there', async () => {
  const user = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/);
  const domain = fc.stringMatching(/^[a-z]{3,8}\.(?:example|test)$/);
  const names = fc.uniqueArray(
    fc.oneof(
      user,
      fc.tuple(user, domain).map(([name, host]) => `${name}@${host}`),
    ),
    {maxLength: 6},
  );
  const keyword = fc.record({keyword: fc.stringMatching(/^[a-zé蛇]{2,9}(?: [a-z]{2,5})?$/), wholeWord: fc.boolean()});
  const filter = fc.record({
    title: fc.stringMatching(/^[A-Z][a-z]{1,4}$/),
    context: fc.subarray(['home', 'public', 'tags'] as const, {minLength: 1}).map((some) => [...some]),
    action: fc.constantFrom('warn' as const, 'hide' as const, 'blur' as const),
    keywords: fc.uniqueArray(keyword, {minLength: 1, maxLength: 3, selector: (one) => one.keyword}),
  });
  /** Servers take a keyword in one filter only. */
  const filters = fc
    .array(filter, {maxLength: 4})
    .map((all) =>
      all.map((one, index) => ({...one, keywords: one.keywords.map((word) => ({...word, keyword: `${word.keyword} ${'abcd'[index]}`}))})),
    );
  const lists = fc.record({blocks: names, mutes: names, domainBlocks: fc.uniqueArray(domain, {maxLength: 5}), filters});
  await fc.assert(
    fc.asyncProperty(lists, async (all) => {
      const named = [...new Set(['ana', ...all.blocks, ...all.mutes])];
      await using one = await serverWith(named, {
        ...all,
        blocks: all.blocks.filter((name) => name !== 'ana'),
        mutes: all.mutes.filter((name) => name !== 'ana'),
      });
      const to = newBackup();
      await one.run('backup', '--to', to, '--no-messages');
      const known = named.filter((name) => name !== 'ana').map((name) => (name.includes('@') ? name : `${name}@${one.host}`));
      await using two = await serverWith(['zoe', ...known], noLists);
      expect(await two.run('restore', to, '--yes')).toMatchObject({status: 0});
      expect(await listsOf(two)).toBe(policyOf(to));
    }),
    {numRuns: 5},
  );
});

test('accounts that cannot be found are listed, and the rest is restored', async () => {
  const {to, host} = await backupOf(someLists);
  await using other = await serverWith(['zoe', `bob@${host}`], noLists);
  const {status, stdout} = await other.run('restore', to, '--yes', '--json');
  expect(status).toBe(11);
  const failed = JSON.parse(stdout).filter(({ok}: {ok: boolean}) => !ok);
  expect(failed.map(({target, error}: {target: string; error: {code: string}}) => [target, error.code])).toEqual([
    ['add account block @troll@spam.example', 'not_found'],
    ['add account mute @ads@shop.example', 'not_found'],
    [`add account mute @eve@${host}`, 'not_found'],
  ]);
  expect(await listsOf(other)).toContain(`bob@${host}`);
});

test('a filter with the same title and other keywords is left, and told', async () => {
  const {to} = await backupOf({filters: someLists.filters});
  const mine = {title: 'Snakes', context: ['home' as const], keywords: [{keyword: 'viper'}]};
  await using other = await serverWith(['zoe'], {filters: [mine]});
  const {status, stderr} = await other.run('restore', to, '--yes');
  expect(status).toBe(0);
  expect(stderr).toContain('Kept: filter Snakes: it is there with other contents, and a restore changes nothing\n');
  // In the policy, ids of filters are those of the server that was backed up.
  expect(stderr).not.toMatch(/pixelctl (apply|plan)/);
  const filters = JSON.parse((await other.run('filters', 'list', '--json')).stdout);
  expect(filters.map(({title}: {title: string}) => title).toSorted()).toEqual(['Ads', 'Ads (2)', 'Snakes']);
  expect(JSON.stringify(filters)).toContain('viper');
});

test.runIf(hasTerminal)('a restore says before it asks what it leaves as it is and that follows end, and n sends nothing', async () => {
  const {to} = await backupOf(someLists);
  await using other = await changingSandbox({
    seed: {accounts: [{acct: 'zoe'}], filters: [{title: 'Snakes', context: ['tags'], keywords: []}]},
  });
  const running = startAtTerminal(`pixelctl restore ${to}`, 400, {env: other.env});
  const seen = await running.seen(/Restore \S+ as .*\?.*follow.*\(y\/N\)/);
  expect(seen).toMatch(/Kept: filter Snakes: it is there with other contents/);
  expect(seen).toContain('Blocking ends follows in both directions permanently.');
  running.child.stdin?.write('n\r');
  expect(await running.ended).toMatchObject({status: 2});
  expect(other.asked.filter((line) => !line.startsWith('GET '))).toEqual([]);
});

test('nothing is removed that an earlier restore made and a later backup no longer names', async () => {
  const {to, host} = await backupOf(someLists);
  await using other = await serverWith(elsewhere(host), noLists);
  await other.run('restore', to, '--yes');
  rewrite(to, 'policy.yml', 'version: 1\ndomain_blocks: {must: [new.example]}\n');
  expect(await other.run('restore', to, '--yes')).toMatchObject({status: 0});
  const now = await listsOf(other);
  expect(now).toContain('bad.example');
  expect(now).toContain('new.example');
});

test('only the lists that are named are restored', async () => {
  const {to, host} = await backupOf(someLists);
  await using other = await serverWith(elsewhere(host), noLists);
  expect(await other.run('restore', to, '--only', 'mutes,filters', '--yes')).toMatchObject({status: 0});
  const now = await listsOf(other);
  expect(now).toContain('Snakes');
  expect(now).not.toContain('bad.example');
  expect(now).toMatch(/mutes:\n +must:\n +- ads@shop/);
});

test('a dry run shows the requests and sends nothing but reads', async () => {
  const {to} = await backupOf(someLists);
  await using other = await recordedSandbox({seed: 'empty'});
  const {status, stdout} = await run(['restore', to, '--dry-run'], {env: other.env});
  expect(status).toBe(0);
  expect(stdout).toContain('POST ');
  expect(other.exchanges.filter(({received: {method}}) => method !== 'GET')).toEqual([]);
  expect(readdirSync(to).filter((name) => name.startsWith('restore.'))).toEqual([]);
});

test('without a terminal it is not restored until --yes confirms it', async () => {
  const {to} = await backupOf(someLists);
  await using other = await recordedSandbox({seed: 'empty'});
  expect(await run(['restore', to], {env: other.env})).toMatchObject({status: 2, stdout: ''});
  expect(other.exchanges).toEqual([]);
});

describe('the domains that a server blocks', () => {
  async function ofAdmin(): Promise<Place> {
    const own = await serverWith(people, someLists);
    const env = {PIXELCTL_SERVER: own.sandbox.url, PIXELCTL_TOKEN: own.sandbox.tokens.admins['ana'] ?? ''};
    return {...own, run: (...args) => run(args, {env}), [Symbol.asyncDispose]: () => own.sandbox.close()};
  }
  let place: Place;
  const to = newBackup();
  const blocked = async () => JSON.parse((await place.run('admin', 'domain-blocks', 'list', '--json', '--all')).stdout).length;
  beforeAll(async () => {
    place = await ofAdmin();
    await place.run('admin', 'domain-blocks', 'add', 'bad.example', '--severity', 'silence', '--private-comment', 'Spam', '--yes');
    await place.run('backup', '--to', to, '--admin', '--no-messages');
    expect(await place.run('admin', 'domain-blocks', 'remove', 'bad.example', '--yes')).toMatchObject({status: 0});
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test('are not restored unless they are named, and then as they were', async () => {
    expect(await blocked()).toBe(0);
    for (const flags of [['--yes'], ['--dry-run']]) {
      const {status, stdout, stderr} = await place.run('restore', to, ...flags);
      expect({status, stdout}).toEqual({status: 10, stdout: ''});
      expect(stderr).toContain(' has all lists of the account that are in ');
      expect(stderr).not.toContain('everything');
      expect(stderr).toContain(`Not looked at: 1 server block of ${to}.\n`);
      expect(stderr).toContain(`\`pixelctl restore ${to} --only=admin_domain_blocks\``);
    }
    const {status, stderr} = await place.run('restore', to, '--yes', '--json');
    expect({status, error: JSON.parse(stderr).error}).toMatchObject({
      status: 10,
      error: {code: 'drift', hint: expect.stringContaining('--only')},
    });
    // Who names lists knows that others are left.
    expect(await place.run('restore', to, '--only', 'filters', '--yes')).toMatchObject({status: 0});
    expect(await blocked()).toBe(0);
    expect(await place.run('restore', to, '--only', 'admin_domain_blocks', '--yes')).toMatchObject({status: 0});
    const again = newBackup();
    await place.run('backup', '--to', again, '--admin', '--no-messages');
    expect(policyOf(again, 'server.yml')).toBe(policyOf(to, 'server.yml'));
    expect(policyOf(again, 'server.yml')).toContain('private_comment: Spam');
  });

  test('are named beside what is restored and what stays as it is', async () => {
    await using own = await ofAdmin();
    const {run: go} = own;
    const backup = newBackup();
    await go('admin', 'domain-blocks', 'add', 'worse.example', '--yes');
    await go('backup', '--to', backup, '--admin', '--no-messages');
    await go('domain-blocks', 'remove', 'bad.example');
    const made = await go('restore', backup, '--yes');
    expect(made.status).toBe(10);
    expect(made.stderr).toContain('+ domain block bad.example');
    expect(made.stderr).toContain('Not looked at: 1 server block');
    const [{id}] = JSON.parse((await go('filters', 'list', '--json')).stdout);
    await go('filters', 'update', id, '--context', 'public');
    const left = await go('restore', backup, '--yes');
    expect(left.status).toBe(10);
    expect(left.stderr).toMatch(/Kept: filter .* a restore changes nothing/);
    expect(left.stderr).toContain('Not looked at: 1 server block');
  });

  test('are restored by themselves', async () => {
    const {status, stderr} = await place.run('restore', to, '--only', 'blocks,admin_domain_blocks', '--yes');
    expect(status).toBe(2);
    expect(stderr).toContain('admin_domain_blocks is restored by itself');
  });

  test('are restored on no other server', async () => {
    await using other = await recordedSandbox();
    const {status, stderr} = await run(['restore', to, '--only', 'admin_domain_blocks', '--yes'], {env: other.env});
    expect(status).toBe(2);
    expect(stderr).toContain(`is for ${place.host}`);
    expect(other.exchanges).toEqual([]);
  });
});

describe('a folder that somebody else edited', () => {
  const policy = (text: string) => (folder: string) => rewrite(folder, 'policy.yml', `version: 1\n${text}\n`);
  const linked = (pathIn: (folder: string) => string) => (folder: string) => {
    const [outside, path] = [join(newFolder(), 'outside'), pathIn(folder)];
    writeFileSync(outside, existsSync(path) ? readFileSync(path) : '');
    if (existsSync(path)) unlinkSync(path);
    symlinkSync(outside, path);
  };
  const policyIn = (folder: string) => join(listsIn(folder), 'policy.yml');
  const edits: readonly (readonly [what: string, edit: (folder: string) => void, says: RegExp])[] = [
    [
      'a list',
      policy('domain_blocks: {must: [a.example], lists: [{file: /etc/passwd}]}'),
      /policy\.yml:2:\d+: unknown key "lists"; allowed: must/,
    ],
    ['must_not', policy('blocks: {must_not: ["ana@a.example"]}'), /unknown key "must_not"/],
    ['other accounts', policy('accounts: ["ana@a.example"]'), /unknown key "accounts"; allowed: version/],
    ['an account without its server', policy('blocks: {must: [bob]}'), /expected an account with its server, .* got "bob"/],
    ['the URL of an account', policy('blocks: {must: ["https://a.example/@bob"]}'), /expected an account with its server/],
    ['a reference to a rule', policy('mutes: &a {must_not: ["b@a.example"]}\nblocks: *a'), /YAML reads \*a as an alias/],
    ['a merge key', policy('blocks: {"<<": {must_not: [bob]}}'), /unknown key "<<"/],
    ['an empty policy', (folder) => rewrite(folder, 'policy.yml', ''), /policy\.yml:1:1: keys \(version, .* are expected, got nothing/],
    ['what is no policy', (folder) => rewrite(folder, 'policy.yml', '[]'), /policy\.yml/],
    ['a link to the policy', linked(policyIn), /is a symbolic link/],
    ['a link to another file of the lists', linked((folder) => join(listsIn(folder), 'blocks.json')), /is a symbolic link/],
    ['a link to the file that says whose it is', linked((folder) => join(folder, 'backup.json')), /is a symbolic link/],
    ['a folder in place of the policy', (folder) => (unlinkSync(policyIn(folder)), mkdirSync(policyIn(folder))), /it is a folder/],
    [
      'another kind of file that says whose it is',
      (folder) => writeFileSync(join(folder, 'backup.json'), '[]'),
      /backup\.json is damaged, or a later pixelctl wrote it: this file names the owner of the backup/,
    ],
    [
      'no file that says whose it is',
      (folder) => unlinkSync(join(folder, 'backup.json')),
      /backup\.json is missing: this file names the owner of the backup/,
    ],
    [
      'no backup',
      (folder) => {
        unlinkSync(join(folder, 'backup.json'));
        rmSync(join(folder, 'lists'), {recursive: true});
      },
      /is no backup/,
    ],
  ];
  const unreachable = {PIXELCTL_SERVER: 'http://127.0.0.1:1', PIXELCTL_TOKEN: 'x'};
  let backup = '';
  beforeAll(async () => {
    backup = (await backupOf(someLists)).to;
  });

  test.each(edits)('with %s is refused, and nothing is sent', async (_, edit, says) => {
    await using other = await recordedSandbox();
    const folder = join(newFolder(), 'backup');
    cpSync(backup, folder, {recursive: true});
    edit(folder);
    const before = filesIn(folder);
    const {status, stderr, stdout} = await run(['restore', folder, '--yes'], {env: other.env});
    expect({stdout, requests: other.exchanges.length, stderr}).toEqual({stdout: '', requests: 0, stderr: expect.stringMatching(says)});
    expect(status).toBe(/it is a folder|names the owner/.test(stderr) ? 9 : 2);
    expect(filesIn(folder)).toEqual(before);
  });

  test('that holds several backups names them', async () => {
    const folder = newFolder();
    cpSync(backup, join(folder, 'ana@a.example'), {recursive: true});
    const {status, stderr} = await run(['restore', folder, '--yes'], {env: unreachable});
    expect(status).toBe(2);
    expect(stderr).toContain(join(folder, 'ana@a.example'));
  });

  test('a list that the backup has not is named', async () => {
    const folder = join(newFolder(), 'backup');
    cpSync(backup, folder, {recursive: true});
    policy('blocks: {must: []}')(folder);
    const {status, stderr} = await run(['restore', folder, '--only', 'mutes'], {env: unreachable});
    expect(status).toBe(2);
    expect(stderr).toContain('has no mutes');
  });

  test('that was not made for an admin says how to back up what is restored for one', async () => {
    const {status, stderr} = await run(['restore', backup, '--only', 'admin_domain_blocks'], {env: unreachable});
    expect(status).toBe(2);
    const again = `pixelctl backup --to=${backup} --admin`;
    expect(stderr).toBe(`Error: ${listsIn(backup)} has no server.yml: nothing was sent\nHint: back up what the server has: \`${again}\`\n`);
  });
});

test('a folder that is not there is named', async () => {
  const folder = join(dirname(newBackup()), 'nowhere');
  expect(await run(['restore', folder, '--yes'])).toMatchObject({status: 9, stderr: expect.stringContaining(folder)});
});

test('where a server looks up few accounts a day, those that were not found come last', async () => {
  const names = Array.from({length: 8}, (_, index) => `user${index}@far${index}.example`);
  await using source = await serverWith(['ana', ...names], {mutes: names});
  const to = newBackup();
  await source.run('backup', '--to', to, '--no-messages');
  await using other = await changingSandbox({seed: {accounts: [{acct: 'zoe'}, ...names.slice(4).map((acct) => ({acct}))]}});
  const {env} = other;
  const perDay = 4;
  let left = perDay;
  other.change = ({target}) => {
    if (target.startsWith('/api/v1.1/direct/compose/lookup') || target.startsWith('/api/v1.1/direct/lookup')) return {text: '[]'};
    if (!target.startsWith('/api/v1/accounts/lookup')) return undefined;
    left -= 1;
    return left >= 0 ? undefined : {status: 429, headers: {'retry-after': '86000'}, text: '{"message":"Too Many Attempts."}'};
  };
  const restore = () => run(['restore', to, '--yes', '--json'], {env});
  const first = await restore();
  expect(first.status).toBe(6);
  expect(JSON.parse(first.stdout).filter(({ok}: {ok: boolean}) => ok)).toEqual([]);
  left = perDay;
  const second = await restore();
  expect(second.status).toBe(6);
  expect(JSON.parse(second.stdout).filter(({ok}: {ok: boolean}) => ok)).toHaveLength(4);
  left = perDay;
  expect(await restore()).toMatchObject({status: 11});
  expect(await run(['undo', to, '--yes'], {env})).toMatchObject({status: 0});
  expect(JSON.parse((await run(['mutes', 'list', '--json'], {env})).stdout)).toEqual([]);
});
