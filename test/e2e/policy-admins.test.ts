/** Policies on the domains that a server blocks for all of its accounts, by its admins. */
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {parseFault} from '../../src/lib/sandbox/fault.js';
import type {SeedState} from '../sandbox/seed.js';
import type {SandboxOptions} from '../sandbox/start.js';
import {adminDesk, deskAt, watchedSandbox, ownedIn, stateLines} from './policy-server.js';
import {hasTerminal, startAtTerminal} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const names = (count: number, from = 0) => Array.from({length: count}, (_, index) => `bad${String(from + index).padStart(4, '0')}.example`);
const policy = (domains: readonly (object | string)[], more = '') =>
  `version: 1\nadmin_domain_blocks:\n  must: ${JSON.stringify(domains)}\n${more}`;

type Known = NonNullable<SeedState['instances']>[number];

/** A server with two admins, and a folder of each. */
async function adminDesks(files: Readonly<Record<string, string>>, instances: readonly Known[] = [], options: SandboxOptions = {}) {
  const seed = {accounts: [{acct: 'ana', admin: true}, {acct: 'bob', admin: true}, {acct: 'carl'}], instances: [...instances]};
  const desk = await adminDesk(files, {like: '0.12.6', seed, limitsRate: false, ...options});
  const other = deskAt({env: {...desk.env, PIXELCTL_TOKEN: desk.server.tokens.admins['bob'] ?? ''}}, {});
  /** Bob works in the folder of ana. */
  const shared = (...args: string[]) => other.run(...args.map((one) => one.replace(/^(?=p\.yml)/, `${desk.folder}/`)));
  return {...desk, shared, owned: () => ownedIn(desk.folder)};
}

const suspended = (domains: readonly string[]) => domains.map((domain) => `${domain} suspend`);

describe('many new suspensions', () => {
  test.each([{like: '0.12.6'}, {like: 'mastodon'}] as const)(
    'have to be allowed on $like, and nothing is read for that',
    async ({like}) => {
      await using all = await adminDesks({'p.yml': policy(names(30))}, [], {like});
      const {json, run, server} = all;
      const plan = await run('plan', 'p.yml');
      expect(plan.stderr).toContain('it suspends 30 domains (limit 25): apply needs --allow-additions 30');
      expect(plan.stderr).toContain('To apply it: pixelctl apply p.yml --allow-additions=30');
      expect(await json('plan', 'p.yml')).toMatchObject({guards: [{flag: 'allow-additions', count: 30}]});
      const asked = server.exchanges.map(({received: {target}}) => target.split('?')[0]);
      for (const path of ['/api/admin/instances/list', '/api/v1/admin/measures', '/api/v1/instance/peers'])
        expect(asked).not.toContain(path);
      expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 5, stderr: expect.stringContaining('pass --allow-additions 30')});
      expect(await run('apply', 'p.yml', '--yes', '--allow-additions', '29')).toMatchObject({status: 5});
      expect(server.writes).toEqual([]);
      for (const count of [25, 30]) {
        all.write('p.yml', policy(names(count)));
        expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
      }
      expect(await all.blocks()).toEqual(suspended(names(30)));
    },
  );
});

describe.runIf(hasTerminal)('the question', () => {
  test.each([
    ['0.12.6', false],
    ['mastodon', true],
  ] as const)('before suspensions on a server like %s says whether follows end: %s', async (like, doEnd) => {
    const known = names(3).map((domain, index) => ({domain, user_count: index + 1}));
    await using all = await adminDesks({'p.yml': policy(names(3))}, known, {like});
    const running = startAtTerminal('pixelctl apply p.yml', 400, all);
    const asked = await running.seen(/Apply p\.yml .*\?.*\(y\/N\)/);
    expect(asked.includes('Blocking ends follows in both directions permanently.')).toBe(doEnd);
    running.child.stdin?.write('n\r');
    expect((await running.ended).status).toBe(2);
    expect(all.server.writes).toEqual([]);
  });
});

test('notes of servers that cannot be read before blocks erase them are one warning', async () => {
  const faults = [parseFault('status=500,at="GET /api/admin/*"')];
  await using desk = await adminDesks({'p.yml': policy(['a.example', 'b.example'])}, [], {faults});
  const {status, stderr} = await desk.run('apply', 'p.yml', '--yes', '--retries', '0', '--allow-additions', '2');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Warning: the notes of servers could not be read, and blocking erases them: /m);
  expect(await desk.blocks()).toEqual(suspended(['a.example', 'b.example']));
});

describe('a private comment', () => {
  const secret = 'see report 12';
  const files = {
    'p.yml': policy([
      {domain: 'new.example', private_comment: secret},
      {domain: 'old.example', private_comment: secret},
    ]),
  };
  const before = [{domain: 'old.example', unlisted: true, notes: ['ours']}];

  test('is printed only with --show-private, and kept in the state, which is private', async () => {
    await using all = await adminDesks(files, before);
    const {run, folder} = all;
    for (const format of [[], ['-o', 'yaml'], ['-o', 'table'], ['--json'], ['-o', 'csv'], ['--report', 'markdown=plan.md']]) {
      const {stdout, stderr} = await run('plan', 'p.yml', ...format);
      expect(stdout + stderr, format.join(' ')).not.toContain(secret);
      expect(stdout + stderr, format.join(' ')).not.toContain('ours');
    }
    expect(readFileSync(join(folder, 'plan.md'), 'utf8')).not.toContain(secret);
    for (const format of [[], ['-o', 'yaml'], ['--json'], ['-o', 'csv']])
      expect((await run('plan', 'p.yml', '--show-private', ...format)).stdout, format.join(' ')).toContain(secret);
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await all.blocks()).toEqual([`new.example suspend ${secret}`, 'old.example suspend ours']);
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.state.ndjson'));
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    const was = expect.objectContaining({severity: 'silence', private_comment: 'ours'});
    expect(all.owned()).toContainEqual(expect.objectContaining({key: 'admin_domain_block old.example', was}));
    for (const format of [[], ['--json'], ['--as', 'fediblockhole']]) {
      const args = ['export', '--only', 'admin_domain_blocks', ...format];
      const exported = await run(...args);
      expect(exported.stderr, args.join(' ')).toContain('--show-private includes it');
      expect(exported.stdout, args.join(' ')).not.toContain(secret);
      expect((await run(...args, '--show-private')).stdout, args.join(' ')).toContain(secret);
    }
    for (const format of [[], ['--json']]) {
      const args = ['explain', 'new.example', '--policy', 'p.yml', ...format];
      expect((await run(...args)).stdout, args.join(' ')).not.toContain(secret);
      expect((await run(...args, '--show-private')).stdout, args.join(' ')).toContain(secret);
    }
    all.write('q.yml', policy([{domain: 'new.example', private_comment: 'see report 13'}, 'old.example']));
    const changed = ['plan', 'q.yml', '--state', file];
    expect((await run(...changed)).stdout).toContain('~ server block new.example: suspended -> suspended, another private comment  #');
    expect((await run(...changed, '--show-private')).stdout).toContain('private: “see report 12” -> suspended, private: “see report 13”');
    const listed = await run('state', 'list', 'p.yml');
    expect(listed.stdout).not.toContain('ours');
    expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await all.blocks()).toEqual(['old.example silence ours']);
  });
});

describe('several servers in one run', () => {
  /** Ana is an admin of a server like Pixelfed, with two profiles; bob of one like Mastodon; carl of none. */
  async function desks() {
    const seed = {accounts: [{acct: 'carl'}, {acct: 'ana', admin: true}, {acct: 'bob', admin: true}]};
    const instances = [{domain: 'bad.example', user_count: 3}];
    const one = await watchedSandbox({like: '0.12.6', seed: {...seed, instances}});
    const two = await watchedSandbox({like: 'mastodon', seed});
    const profile = (server: typeof one, acct: string, isAdmin: boolean) => {
      const name = isAdmin ? `${acct}+admin` : acct;
      const scopes = ['read', 'write', ...(isAdmin ? ['admin:read', 'admin:write'] : [])];
      const accessToken = (isAdmin ? server.tokens.admins : server.tokens.users)[acct] ?? '';
      return [profileOn(server.url, {name, account: {id: acct, acct}, scopes, isAdmin}), {accessToken}] as const;
    };
    const machine = await machineWith(
      profile(one, 'carl', false),
      profile(one, 'ana', false),
      profile(one, 'ana', true),
      profile(two, 'bob', true),
    );
    const desk = deskAt({env: machine.env}, {'p.yml': `${policy(['bad.example'])}domain_blocks: {must: [own.example]}\n`});
    return {
      ...desk,
      one: new URL(one.url).host,
      two: new URL(two.url).host,
      saveReader: () => {
        const scopes = ['read', 'admin:read'];
        const reader = profileOn(two.url, {name: 'reader', account: {id: 'bob', acct: 'bob'}, scopes});
        return machine.store.save(reader, {accessToken: two.tokens.admins['bob'] ?? ''});
      },
      writes: () => [...one.writes, ...two.writes],
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]();
        await two[Symbol.asyncDispose]();
      },
    };
  }

  test('where a policy is about servers alone, accounts are no part of the run', async () => {
    await using desk = await desks();
    writeFileSync(join(desk.folder, 'p.yml'), policy(['bad.example']));
    const {stderr} = await desk.run('apply', 'p.yml', '--all-profiles', '--yes', '--allow-additions', '1');
    expect(stderr).toContain('2 servers: 2 to add');
    const states = readdirSync(desk.folder).filter((name) => name.endsWith('.state.ndjson'));
    expect(states.sort()).toEqual([desk.one, desk.two].map((host) => `p.yml.@${host.replace(':', '%3A')}.state.ndjson`).sort());
    expect((await desk.done('audit', 'p.yml', '--all-profiles')).stderr).toContain('No differences.');
  });

  test('are moderated once each, and accounts by their ordinary profiles', async () => {
    await using all = await desks();
    const {one, run, two} = all;
    const plan = await run('plan', 'p.yml', '--all-profiles', '--report', 'markdown=plan.md');
    for (const host of [one, two]) expect(plan.stdout).toContain(`\n${host}: 1 to add\n+ server block bad.example: suspend`);
    expect(plan.stderr).toContain('(admin_domain_blocks) is done once, with the profile ana+admin; not with carl, ana.');
    expect(await all.json('plan', 'p.yml', '--all-profiles')).toMatchObject([
      ...['@carl', '@ana', '@bob'].map((account) => ({account, changes: [{subject: 'own.example'}]})),
      ...[one, two].map((account) => ({account, changes: [{subject: 'bad.example'}]})),
    ]);
    expect(await run('apply', 'p.yml', '--all-profiles', '--yes')).toMatchObject({status: 0});
    const reports = ['html', 'markdown', 'junit', 'sarif', 'json', 'github'];
    const audit = await run('audit', 'p.yml', '--all-profiles', ...reports.flatMap((format) => ['--report', `${format}=${format}`]));
    expect(audit).toMatchObject({status: 0});
    for (const format of reports)
      expect(readFileSync(join(all.folder, format), 'utf8'), format).not.toMatch(new RegExp(`${one}( on |@)${one}`));
    expect((await run('undo', 'p.yml', '--all-profiles', '--yes', '--json')).status).toBe(0);
    expect(await all.json('admin', 'domain-blocks', 'list', '-p', 'bob+admin')).toEqual([]);
    expect(await all.json('state', 'list', 'p.yml')).toEqual([]);
  });

  test.each([
    ['plan', 'reader; not with bob+admin'],
    ['apply', 'bob+admin; not with reader'],
  ])('the first named profile that is not known to lack the scope is used: %s', async (command, used) => {
    await using all = await desks();
    await all.saveReader();
    all.write('p.yml', policy(['bad.example']));
    const {stderr} = await all.run(command, 'p.yml', '-p', 'reader,bob+admin', ...(command === 'apply' ? ['--yes'] : []));
    expect(stderr).toContain(`(admin_domain_blocks) is done once, with the profile ${used}.`);
  });

  test('what an earlier apply blocked there goes when the policy asks for nothing there, also as the only part', async () => {
    await using all = await desks();
    const {one, run, two} = all;
    await run('plan', 'p.yml', '--all-profiles');
    expect(await run('apply', 'p.yml', '--all-profiles', '--yes', '--allow-additions', '2')).toMatchObject({status: 0});
    expect(all.writes()).toHaveLength(5);
    all.write('p.yml', 'version: 1\ndomain_blocks: {must: [own.example]}\n');
    for (const only of [[], ['--only', 'admin_domain_blocks']]) {
      const documents = JSON.parse((await run('plan', 'p.yml', '--all-profiles', '--json', ...only)).stdout);
      const changed = documents.filter(({changes}: {changes: unknown[]}) => changes.length > 0);
      expect(documents, only.join(' ')).toHaveLength(only.length === 0 ? 5 : 2);
      expect(changed, only.join(' ')).toMatchObject(
        [one, two].map((account) => ({account, changes: [{action: 'remove', subject: 'bad.example'}]})),
      );
    }
  });

  test('are an error where none of the profiles may moderate them, and private comments are in rows of no format', async () => {
    await using all = await desks();
    const {one, run, two} = all;
    all.write('p.yml', policy([{domain: 'bad.example', private_comment: 'see report 12'}]));
    const plan = await run('plan', 'p.yml', '-p', 'carl,ana,bob+admin', '--json');
    expect(plan.status).toBe(11);
    const why = `None of the profiles in use may read admin_domain_blocks of ${one}: their tokens lack admin scopes`;
    expect(JSON.parse(plan.stdout)).toMatchObject([
      {account: one, error: {code: 'auth', message: why}},
      {account: two, changes: [{subject: 'bad.example'}]},
    ]);
    const rows = async (...format: string[]) => (await run('plan', 'p.yml', '--all-profiles', '-o', ...format)).stdout;
    for (const format of ['csv', 'yaml', 'json', 'ndjson']) {
      expect(await rows(format), format).not.toContain('see report 12');
      expect(await rows(format, '--show-private'), format).toContain('see report 12');
    }
    const {stdout} = await run('plan', 'p.yml', '--all-profiles', '-o', 'table', '--fields', 'account,subject,details');
    expect(stdout).toContain(two);
    expect(stdout).not.toContain('see report 12');
  });
});

describe('a change whose answer is lost', () => {
  const rules = [{domain: 'old.example', severity: 'suspend'}];
  const before = [{domain: 'old.example', unlisted: true, notes: ['ours']}];
  const dropped = async (all: Awaited<ReturnType<typeof adminDesks>>) => {
    all.write('p.yml', policy([]));
    expect(await all.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    return all.blocks();
  };

  test('is of the policy when it was made: it goes back to what it was', async () => {
    await using all = await adminDesks({'p.yml': policy(rules)}, before);
    all.server.stepIn = (moment) => (moment === 'after' ? {text: '', lost: 'before'} : undefined);
    await all.run('apply', 'p.yml', '--yes', '--retries', '0');
    all.server.stepIn = () => undefined;
    expect(await all.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await all.blocks()).toEqual(['old.example suspend ours']);
    expect(await dropped(all)).toEqual(['old.example silence ours']);
  });

  const update = ['update', 'old.example', '--severity', 'suspend'];
  test.each([
    ['a change', rules, before, ['old.example silence ours'], update, ['old.example suspend ours']],
    ['an addition', ['new.example'], [], [], ['add', 'new.example'], ['new.example suspend']],
  ])('is not of the policy when it was %s that was not made, is refused later, and somebody else makes it', async (...row) => {
    const [, wanted, known, was, words, left] = row;
    await using all = await adminDesks({'p.yml': policy(wanted)}, known);
    all.server.stepIn = (moment) => (moment === 'before' ? {text: '', lost: 'before'} : undefined);
    expect(await all.run('apply', 'p.yml', '--yes', '--retries', '0')).not.toMatchObject({status: 0});
    expect(await all.blocks()).toEqual(was);
    all.server.stepIn = (moment) => (moment === 'before' ? {status: 422, text: '{"error": "Validation failed: no"}'} : undefined);
    expect(await all.run('apply', 'p.yml', '--yes')).toMatchObject({status: 11});
    all.server.stepIn = () => undefined;
    expect(await all.run('admin', 'domain-blocks', ...words, '--yes')).toMatchObject({status: 0});
    expect(await dropped(all)).toEqual(left);
  });
});

describe('blocks on more than one page', () => {
  const count = 120;
  const domains = names(count);
  const rest = ['--yes', '--allow-additions', String(count), '--json'];

  test.each(['before', 'after'] as const)('are made once each when an apply is killed %s any write, and run again', async (moment) => {
    await using all = await adminDesks({'p.yml': policy(domains)}, [{domain: 'bad0050.example', unlisted: true, notes: ['ours']}]);
    const {server} = all;
    // A part of them at each step: what is killed is a process.
    for (const step of [1, 41]) {
      const {child, ended} = all.start('apply', 'p.yml', ...rest);
      const first = server.writes.length;
      server.stepIn = (when) => {
        if (when !== moment || server.writes.length < first + step) return undefined;
        child.kill('SIGKILL');
        return 'swallow';
      };
      expect(await ended).toMatchObject({signal: 'SIGKILL'});
    }
    server.stepIn = () => undefined;
    const {status, stdout} = await all.run('apply', 'p.yml', ...rest);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).length).toBeLessThan(count);
    expect(server.writes).toHaveLength(count);
    expect(await all.blocks()).toEqual(suspended(domains).map((one) => (one === 'bad0050.example suspend' ? `${one} ours` : one)));
    expect(await all.run('plan', 'p.yml')).toMatchObject({status: 0});
    expect(all.owned()).toHaveLength(count);
    expect(stateLines(all.folder).at(-1)).toHaveProperty('end');
    expect(await all.shared('undo', `p.yml`, '--yes')).toMatchObject({status: 0});
    expect(await all.blocks()).toEqual(['bad0050.example silence ours']);
  });
});

describe('must_not below a block that stays', () => {
  const rules = (more: string) => `version: 1\nadmin_domain_blocks:\n  must_not: [good.bad.example]\n${more}`;
  const parent = [{domain: 'bad.example', banned: true}];
  const said = 'good.bad.example: suspended with its parent bad.example';

  test('is a difference that no apply ends on Mastodon, where it is blocked by its parent', async () => {
    await using all = await adminDesks({'p.yml': rules('')}, parent, {like: 'mastodon'});
    const planned = await all.run('plan', 'p.yml');
    expect(planned).toMatchObject({status: 10, stdout: expect.stringContaining(`! server block ${said}`)});
    const audited = await all.run('audit', 'p.yml', '--json');
    expect(audited.status).toBe(10);
    const fix = 'unblock bad.example, or drop good.bad.example from must_not';
    expect(JSON.parse(audited.stdout).findings).toMatchObject([{action: 'cannot', subject: 'good.bad.example', where: 'p.yml:3', fix}]);
    expect((await all.run('apply', 'p.yml', '--yes')).status).toBe(10);
    expect(all.server.writes).toEqual([]);
    expect(await all.json('explain', '--policy', 'p.yml', 'good.bad.example')).toMatchObject([
      {actual: 'suspended with its parent bad.example', wanted: false},
    ]);
  });

  test('is none on Pixelfed, where a block is one of exactly that host', async () => {
    await using all = await adminDesks({'p.yml': rules('')}, parent);
    expect((await all.run('audit', 'p.yml')).status).toBe(0);
  });

  test('is none where a list of must_not only holds back', async () => {
    const policy = 'version: 1\nadmin_domain_blocks:\n  must_not: {lists: [{file: good.txt}]}\n';
    await using all = await adminDesks({'p.yml': policy, 'good.txt': 'good.bad.example\n'}, parent, {like: 'mastodon'});
    expect((await all.run('audit', 'p.yml')).status).toBe(0);
  });
});
