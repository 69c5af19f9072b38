/** Whole top-level domains, which Mastodon can block and Pixelfed cannot. */
import {describe, expect, test} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import type {SandboxOptions} from '../sandbox/start.js';
import {adminDesk, deskAt} from './policy-server.js';
import {pass, serverThat} from './server.js';

interface Setting extends Pick<SandboxOptions, 'like' | 'faults'> {
  readonly instances?: SeedState['instances'];
  readonly files?: Readonly<Record<string, string>>;
}

function deskOn({instances = [], files = {}, ...options}: Setting) {
  return adminDesk(files, {limitsRate: false, ...options, seed: {accounts: [{acct: 'ana', admin: true}], instances}});
}

const mastodon = {like: 'mastodon'} as const;
const policy = (rules: string) => `version: 1\nadmin_domain_blocks:\n${rules}`;
const allowed = ['--yes', '--allow-additions', '99', '--allow-removals', '99'];

describe('on Mastodon', () => {
  test('commands block, show, change and unblock them', async () => {
    await using desk = await deskOn(mastodon);
    const blocks = (...args: string[]) => desk.run('admin', 'domain-blocks', ...args);
    expect((await blocks('add', 'CF', 'рф', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['cf suspend', 'xn--p1ai suspend']);
    expect((await blocks('update', 'cf', '--severity', 'silence', '--yes')).status).toBe(0);
    expect(JSON.parse((await blocks('get', 'cf', '--json')).stdout)).toMatchObject({domain: 'cf', severity: 'silence'});
    expect((await blocks('remove', 'cf', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['xn--p1ai suspend']);
  });

  test('a policy and its lists block them, `only` keeps them, and an export of them has no differences', async () => {
    const rules = policy('  must: [cf, {domain: ml, severity: silence}]\n  must_not: [gq]\n  only: true\n  lists: [{file: l.txt}]\n');
    await using desk = await deskOn({...mastodon, files: {'p.yml': rules, 'l.txt': 'a.example\ntk\ngq\n'}});
    expect((await desk.run('admin', 'domain-blocks', 'add', 'gq', 'old', '--yes')).status).toBe(0);
    expect((await desk.run('apply', 'p.yml', ...allowed)).status).toBe(0);
    expect(await desk.blocks()).toEqual(['a.example suspend', 'cf suspend', 'ml silence', 'tk suspend']);
    expect((await desk.run('audit', 'p.yml')).status).toBe(0);
    const exported = await desk.run('export', '--only', 'admin_domain_blocks');
    desk.write('q.yml', exported.stdout);
    expect(await desk.run('audit', 'q.yml')).toMatchObject({status: 0});
    expect((await desk.run('undo', 'p.yml', '--yes')).status).toBe(0);
    expect(await desk.blocks()).toEqual(['gq suspend', 'old suspend']);
  });

  test.each(['mastodon-csv', 'mastodon-admin', 'fediblockhole', 'plain'])('what is exported as %s is read again', async (format) => {
    await using desk = await deskOn(mastodon);
    await desk.run('admin', 'domain-blocks', 'add', 'cf', 'club', 'a.example', '--yes');
    const written = await desk.run('export', '--only', 'admin_domain_blocks', '--as', format);
    desk.write('l.txt', written.stdout);
    desk.write('p.yml', policy('  lists: [{file: l.txt}]\n  only: true\n'));
    expect(await desk.run('audit', 'p.yml')).toMatchObject({status: 0});
    expect((await desk.run('admin', 'domain-blocks', 'add', '--from', 'l.txt', '--yes')).status).toBe(0);
  });

  test('one that covers a domain of must_not is held back', async () => {
    const why = 'good.cf is below it, which must_not names';
    await using desk = await deskOn({...mastodon, files: {'p.yml': policy('  must: [cf, tk]\n  must_not: [good.cf]\n')}});
    const plan = await desk.json('plan', 'p.yml');
    expect(plan.changes).toMatchObject([{subject: 'tk'}]);
    expect(plan.skipped).toMatchObject([{subject: 'cf', why: expect.stringContaining(why)}]);
  });

  test('one that covers this server is held back', async () => {
    await using desk = await deskOn(mastodon);
    await using named = await serverThat(
      (received) =>
        received.target === '/api/v1/instance'
          ? {text: JSON.stringify({uri: 'pix.cf', version: '4.5.0'})}
          : pass(received, desk.server.url),
      desk.server.tokens.admins['ana'],
    );
    const own = deskAt(named, {'p.yml': policy('  must: [cf]\n'), 'q.yml': policy('  lists: [{file: l.txt}]\n'), 'l.txt': 'cf\ntk\n'});
    expect(await own.run('admin', 'domain-blocks', 'add', 'cf', '--yes')).toMatchObject({status: 2});
    expect(await own.run('apply', 'p.yml', '--yes')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Held back: server block cf: it is '),
    });
    expect(desk.server.writes).toEqual([]);
    const planned = await own.run('plan', 'q.yml', '--json');
    expect(JSON.parse(planned.stdout)).toMatchObject({changes: [{subject: 'tk'}], skipped: [{subject: 'cf'}]});
  });
});

describe('on Pixelfed, and for the blocks of an account', () => {
  test.each([
    ['admin_domain_blocks', 'server block'],
    ['domain_blocks', 'domain block'],
  ])('%s leaves those of lists out, and those of must are a difference that stays', async (key, item) => {
    const rules = (must: string) => `version: 1\n${key}:\n  must: [${must}]\n  lists: [{file: l.txt}]\n`;
    await using desk = await deskOn({like: '0.12.6', files: {'p.yml': rules('b.example'), 'l.txt': 'cf\na.example\ntk\nml\nx.cf\n'}});
    const {host} = new URL(desk.server.url);
    const applied = await desk.run('apply', 'p.yml', '--yes');
    expect(applied.status).toBe(0);
    expect(applied.stderr).toContain(`Held back: ${item}s cf, ml, tk: ${host} cannot block whole top-level domains\n`);
    expect((await desk.run('audit', 'p.yml')).status).toBe(0);
    expect(desk.server.writes).toHaveLength(3);
    desk.write('p.yml', rules('b.example, cf'));
    const planned = await desk.run('plan', 'p.yml');
    expect(planned).toMatchObject({status: 10, stdout: expect.stringContaining('cf: not blocked')});
    expect((await desk.run('apply', 'p.yml', '--yes')).status).toBe(10);
    expect(desk.server.writes).toHaveLength(3);
  });

  test('domain-blocks contains reads such a list as well', async () => {
    await using desk = await deskOn({like: '0.12.6', files: {'l.txt': 'cf\n'}});
    expect((await desk.run('domain-blocks', 'contains', '--from', 'l.txt')).status).toBe(10);
    expect((await desk.run('domain-blocks', 'contains', 'cf')).status).toBe(2);
  });
});
