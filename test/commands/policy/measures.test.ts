/** What policies make of the follows that a suspension ends, which Mastodon counts. */
import {describe, expect, test} from 'vitest';
import type {SeedState} from '../../sandbox/seed.js';
import type {SandboxOptions} from '../../sandbox/start.js';
import {newFolder} from '../../new-folder.js';
import {deskAt} from './desk.js';
import {recordedSandbox} from '../../e2e/server.js';

const path = '/api/v1/admin/measures';
const narrow = ['read', 'admin:read:domain_blocks', 'admin:write:domain_blocks'];
const accounts = [
  {acct: 'ana', admin: true},
  {acct: 'a@x.example'},
  {acct: 'b@x.example'},
  {acct: 'c@sub.x.example'},
  {acct: 'd@y.example'},
];
const following = ['a@x.example', 'c@sub.x.example'];
const followers = ['b@x.example', 'd@y.example'];

interface Setting extends Pick<SandboxOptions, 'like'> {
  readonly files: Readonly<Record<string, string>>;
  readonly scopes?: readonly string[];
  readonly instances?: SeedState['instances'];
}

async function deskOn({files, scopes, instances = [], like = 'mastodon'}: Setting) {
  const server = await recordedSandbox({like, limitsRate: false, seed: {accounts, following, followers, instances}});
  const {sandbox} = server;
  const token = scopes === undefined ? (sandbox.tokens.admins['ana'] ?? '') : sandbox.grant('ana', scopes);
  const cache = newFolder();
  const env = {PIXELCTL_SERVER: server.url, PIXELCTL_TOKEN: token, XDG_CACHE_HOME: cache};
  const desk = deskAt({env}, files);
  return {
    ...desk,
    env,
    server,
    measured: () =>
      server.exchanges.flatMap(({received: {target, body}}) =>
        target === path ? [JSON.parse(body.toString()).instance_follows.domain] : [],
      ),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const policy = (rules: string) => `version: 1\nadmin_domain_blocks:\n${rules}`;
const note = /This token cannot count follows: `pixelctl auth login --admin --scope=admin:read/;

describe('max_followed_severity', () => {
  const capped = (more = '') => policy(`  must: [x.example, y.example]\n  max_followed_severity: silence\n${more}`);

  test('caps what people here follow, which is said, and no difference is left', async () => {
    await using desk = await deskOn({files: {'p.yml': capped()}});
    const planned = await desk.run('plan', 'p.yml');
    expect(planned.stderr).toMatch(/Held back: server block x\.example: people of \S+ follow accounts there: silenced at most/);
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['x.example silence', 'y.example suspend']);
    expect((await desk.run('audit', 'p.yml')).status).toBe(0);
    expect(await desk.json('audit', 'p.yml')).toMatchObject({
      skipped: [{subject: 'x.example', rule: 'admin_domain_blocks.max_followed_severity', where: 'p.yml:4'}],
    });
    const [explained] = await desk.json('explain', 'x.example', '--policy', 'p.yml');
    expect(explained).toMatchObject({actual: 'silenced'});
  });

  test('counts from followed_limit on', async () => {
    await using desk = await deskOn({files: {'p.yml': capped('  followed_limit: 3\n')}});
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['x.example suspend', 'y.example suspend']);
  });

  test('noop leaves such domains unblocked, and what is blocked already is not made weaker', async () => {
    const rules = policy('  must: [x.example, sub.x.example, y.example]\n  max_followed_severity: noop\n');
    await using desk = await deskOn({files: {'p.yml': rules}, instances: [{domain: 'sub.x.example', unlisted: true}]});
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['sub.x.example silence', 'y.example suspend']);
    expect((await desk.run('audit', 'p.yml')).status).toBe(0);
  });

  test('leaves what is suspended as it is, without asking', async () => {
    await using desk = await deskOn({
      files: {'p.yml': capped()},
      instances: [
        {domain: 'x.example', banned: true},
        {domain: 'y.example', banned: true},
      ],
    });
    expect((await desk.run('audit', 'p.yml')).status).toBe(0);
    expect(desk.measured()).toEqual([]);
  });

  test('suspends nothing new where the server does not tell', async () => {
    await using desk = await deskOn({files: {'p.yml': capped()}, scopes: narrow});
    const applied = await desk.run('apply', 'p.yml', '--yes');
    expect(applied.status).toBe(0);
    expect(applied.stderr).toMatch(/it is unknown whether people of \S+ follow accounts there: silenced at most/);
    expect(applied.stderr).toMatch(note);
    expect(await desk.blocks()).toEqual(['x.example silence', 'y.example silence']);
  });

  test('has no effect on Pixelfed, where follows stay', async () => {
    await using desk = await deskOn({files: {'p.yml': capped()}, like: '0.12.6'});
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['x.example suspend', 'y.example suspend']);
  });
});
