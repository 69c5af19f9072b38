/** What a policy says of a whole server, on test servers like Pixelfed and like Mastodon. */
import {describe, expect, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {pairwiseSampler} from '../contract/sample.js';
import {run} from './in-process.js';
import {adminDesk, killAt, type WatchedSandbox, ownedIn} from './policy-server.js';
import {pass} from './server.js';

const generations = ['0.12.6', 'mastodon'] as const;
type Like = (typeof generations)[number];

const accounts: SeedState['accounts'] = [{acct: 'ana', admin: true}, {acct: 'bob', admin: true}, {acct: 'clara'}];

/** Servers that are known; of the first two the server's admins have something to say. */
const instances: NonNullable<SeedState['instances']> = [
  {domain: 'noted.example', notes: ['Their admin answers mail']},
  {domain: 'quiet.example', unlisted: true, notes: ['Advertising']},
  {domain: 'gone.example', banned: true, notes: ['Sells followers']},
  {domain: 'known.example'},
];

const list =
  'domain,severity,public_comment,private_comment,reject_media\nlisted.example,silence,spam,,true\nnoop.example,noop,,,true\nquiet.example,suspend,ads,,false\n';

const policy = `version: 1
admin_domain_blocks:
  must:
    - bad.example
    - known.example
    - {domain: noted.example, private_comment: see 2026-04}
    - {domain: gone.example, severity: silence}
  lists: [{file: list.csv}]
`;

async function deskOn(like: Like, files: Readonly<Record<string, string>> = {'p.yml': policy, 'list.csv': list}) {
  const desk = await adminDesk(files, {like, seed: {accounts, instances}});
  return {
    ...desk,
    async seen() {
      const blocks: Record<string, unknown>[] = await desk.json('admin', 'domain-blocks', 'list', '--all');
      const known = like === 'mastodon' ? [] : await desk.json('instances', 'list', '--all');
      const notesOf = ({domain, notes: said}: Record<string, readonly (string | null)[] | null>) =>
        (said ?? []).filter((note) => note !== null).map((note) => `${String(domain)}: ${note}`);
      const notes: string[] = known.flatMap(notesOf);
      const plain = blocks.map(({id: _, digest: _digest, created_at: _at, ...block}) => JSON.stringify(block));
      return {blocks: plain.sort(), notes: notes.sort()};
    },
  };
}

describe.each(generations)('on a server like %s', (like) => {
  test('a policy is planned, applied, audited and reverted', async () => {
    await using desk = await deskOn(like);
    const before = await desk.seen();
    const suspend = {severity: 'suspend'};
    expect(await desk.json('plan', 'p.yml', '--show-private')).toMatchObject({
      changes: [
        ...['bad', 'known', 'noted'].map((name) => ({action: 'add', subject: `${name}.example`, details: suspend})),
        {action: 'update', subject: 'quiet.example', wanted: 'suspended'},
        {action: 'add', subject: 'listed.example', details: {severity: 'silence'}},
      ],
      skipped: [{kind: 'admin_domain_block', subject: 'gone.example', rule: 'admin_domain_blocks.must'}],
    });
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0, stderr: expect.not.stringContaining('Warning')});
    expect(await desk.run('audit', 'p.yml')).toMatchObject({status: 0});
    expect(await desk.run('plan', 'p.yml')).toMatchObject({status: 0});
    expect(await desk.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await desk.seen()).toEqual(before);
  });

  test('what the policy drops goes, or back to what it was', async () => {
    await using desk = await deskOn(like);
    const before = await desk.seen();
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    desk.write('p.yml', 'version: 1\nadmin_domain_blocks: {}\n');
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 5, stderr: expect.stringContaining('--allow-removals')});
    expect(await desk.run('apply', 'p.yml', '--yes', '--allow-removals', '9')).toMatchObject({status: 0});
    expect(await desk.seen()).toEqual(before);
  });

  test('an export is a policy without differences, and a list with everything', async () => {
    await using desk = await deskOn(like);
    for (const more of [[], ['--show-private']]) {
      const exported = await desk.run('export', '--only', 'admin_domain_blocks', '--json', ...more);
      desk.write('q.json', exported.stdout);
      expect(await desk.run('plan', 'q.json')).toMatchObject({status: 0});
    }
    const csv = await desk.run('export', '--only', 'admin_domain_blocks', '--as', 'fediblockhole', '--show-private');
    expect(csv.stdout).toBe(
      'domain,severity,public_comment,private_comment,reject_media,reject_reports,obfuscate\n' +
        'gone.example,suspend,,Sells followers,false,false,false\nquiet.example,silence,,Advertising,false,false,false\n',
    );
    expect((await desk.run('export')).stdout).not.toContain('admin_domain_blocks');
  });

  test('what an apply made is not adopted, and keeps what the admins noted', async () => {
    const text = 'version: 1\nadmin_domain_blocks: {must: [noted.example, gone.example]}\n';
    await using desk = await deskOn(like, {'p.yml': text});
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(0);
    const applied = await desk.seen();
    const adopted = await desk.run('state', 'adopt', 'p.yml', '--all', '--json');
    expect(JSON.parse(adopted.stdout).map(({subject}: Record<string, unknown>) => subject)).toEqual(['gone.example']);
    await desk.run('apply', 'p.yml', '--yes');
    expect(await desk.seen()).toEqual(applied);
  });

  test('what somebody else blocks the same way during an apply stays theirs', async () => {
    await using desk = await deskOn(like, {'p.yml': 'version: 1\nadmin_domain_blocks: {must: [one.example, two.example]}\n'});
    const headers = {authorization: `Bearer ${desk.server.tokens.admins['bob'] ?? ''}`, 'content-type': 'application/json'};
    desk.server.holdFirst = async () => {
      const body = JSON.stringify({domain: 'two.example', severity: 'suspend'});
      expect(
        (await pass({method: 'POST', target: '/api/v1/admin/domain_blocks', headers, body: Buffer.from(body)}, desk.server.url)).status,
      ).toBe(200);
    };
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(0);
    const owned = await desk.run('state', 'list', 'p.yml', '--jq', '.[].subject');
    expect(owned.stdout).toBe('one.example\n');
    expect((await desk.run('undo', 'p.yml', '--yes')).status).toBe(0);
    expect((await desk.seen()).blocks.join('\n')).toContain('two.example');
  });

  test('two admins who use the same file do not undo each other', async () => {
    await using desk = await deskOn(like);
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    const applied = await desk.seen();
    const writes = desk.server.writes.length;
    const bob = (...args: string[]) => runAs(desk, desk.server.tokens.admins['bob'], args);
    expect(await bob('plan', 'p.yml')).toMatchObject({status: 0});
    expect(await bob('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(desk.server.writes).toHaveLength(writes);
    desk.write('p.yml', policy.replace('    - bad.example\n', ''));
    expect(await bob('apply', 'p.yml', '--yes', '--allow-removals', '1')).toMatchObject({status: 0});
    const left = await desk.seen();
    expect(left.blocks).toHaveLength(applied.blocks.length - 1);
    expect(await desk.run('plan', 'p.yml')).toMatchObject({status: 0});
  });

  test('a person who is no admin, or who asks nothing of the server, reads nothing of it', async () => {
    await using desk = await deskOn(like);
    const clara = desk.server.env['PIXELCTL_TOKEN'];
    desk.write('own.yml', 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
    desk.write('l.txt', 'bad.example\n');
    const asked = () => desk.server.exchanges.filter(({received}) => received.target.startsWith('/api/v1/admin')).length;
    for (const args of [
      ['explain', 'bad.example', '--policy', 'own.yml'],
      ['diff', 'l.txt'],
      ['plan', 'own.yml'],
    ])
      await runAs(desk, clara, args);
    expect(asked()).toBe(0);
    expect(await runAs(desk, clara, ['plan', 'p.yml'])).toMatchObject({status: 3});
  });
});

function runAs(desk: {readonly folder: string; readonly server: WatchedSandbox}, token = '', args: readonly string[] = []) {
  return run(args, {env: {...desk.server.env, PIXELCTL_TOKEN: token}, folder: desk.folder});
}

/** What an uninterrupted apply sends, and what it leaves. */
async function undisturbed(like: Like) {
  await using desk = await deskOn(like);
  const before = await desk.seen();
  await desk.run('apply', 'p.yml', '--yes');
  return {before, after: await desk.seen(), writes: desk.server.writes.length, owned: ownedIn(desk.folder)};
}

const whole = {'0.12.6': await undisturbed('0.12.6'), mastodon: await undisturbed('mastodon')};
const steps = generations.flatMap((like) => Array.from({length: whole[like].writes}, (_, index) => ({like, step: index + 1})));

const kills = steps.flatMap((one) => [
  {...one, moment: 'before' as const, what: 'p.yml'},
  {...one, moment: 'after' as const, what: 'p.yml'},
  {...one, moment: 'after' as const, what: 'a plan'},
]);

/** Each server and each step with what is killed where. */
const sampled = pairwiseSampler<(typeof kills)[number]>(({like, step, moment, what}) => [
  `${like} ${what}`,
  `${what} ${moment}`,
  `step ${step}`,
]);

test.concurrent.each(sampled(kills))(
  'an apply of $what to a server like $like that is killed $moment write $step is continued by the next one, and reverted as one',
  async ({like, step, moment, what}) => {
    await using desk = await deskOn(like);
    const {digest} = JSON.parse((await desk.run('plan', 'p.yml', '--json')).stdout);
    const words = ['apply', 'p.yml', ...(what === 'a plan' ? ['--expect', digest] : ['--yes'])];
    await killAt(desk.server, desk.start(...words), {moment, step});
    expect(await desk.run(...words)).toMatchObject({status: 0});
    expect(await desk.seen()).toEqual(whole[like].after);
    expect(desk.server.writes).toHaveLength(whole[like].writes);
    expect(ownedIn(desk.folder)).toEqual(whole[like].owned);
    expect(await desk.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await desk.seen()).toEqual(whole[like].before);
  },
);

test.each(steps)('an answer to write $step that is lost on a server like $like is found out', async ({like, step}) => {
  await using desk = await deskOn(like);
  desk.server.stepIn = (when, count) => (when === 'after' && count === step ? {text: '', lost: 'before'} : undefined);
  await desk.run('apply', 'p.yml', '--yes');
  desk.server.stepIn = () => undefined;
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await desk.seen()).toEqual(whole[like].after);
  expect(ownedIn(desk.folder)).toEqual(whole[like].owned);
  expect(await desk.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await desk.seen()).toEqual(whole[like].before);
});

test.each(generations)('blocks of a server like %s on several pages are read back whole', async (like) => {
  const count = 350;
  const many = Array.from({length: count}, (_, index) => ({
    domain: `d${index}.example`,
    ...(index % 2 === 0 ? {banned: true} : {unlisted: true}),
  }));
  await using desk = await adminDesk({}, {like, seed: {accounts, instances: many}});
  const {stdout} = await desk.run('export', '--only', 'admin_domain_blocks');
  expect(stdout.match(/d\d+\.example/g)).toHaveLength(count);
  desk.write('p.yml', stdout);
  expect(await desk.run('plan', 'p.yml')).toMatchObject({status: 0});
});
