/** Blocks that a policy made and a person made stricter: neither an apply nor an undo takes that back. */
import {join} from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {startSandbox} from '../../src/lib/sandbox/server.js';
import {deskAt} from './policy-server.js';
import {runShell} from './program.js';

const policyOf = (...domains: readonly string[]) =>
  `version: 1\nadmin_domain_blocks: {must: [${domains.map((domain) => `{domain: ${domain}, severity: silence}`).join(', ')}]}\n`;

const subject = 'bad.example';
const policy = policyOf(subject, 'shop.example');
const without = policyOf('shop.example');

interface Block {
  readonly id: string;
  readonly domain: string;
  readonly severity: string;
}

/** An admin whose policy has silenced two servers, one of which another admin then suspended. */
async function raised(like: '0.12.6' | 'mastodon') {
  const sandbox = await startSandbox({like, seed: {accounts: [{acct: 'ana', admin: true}]}});
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.admins['ana'] ?? ''};
  const desk = deskAt({env}, {'p.yml': policy});
  const severities = async (): Promise<Record<string, string>> => {
    const blocks: Block[] = JSON.parse((await desk.run('admin', 'domain-blocks', 'list', '--all', '--json')).stdout);
    return Object.fromEntries(blocks.map(({domain, severity}) => [domain, severity]));
  };
  const byHand = (severity: string) => desk.run('admin', 'domain-blocks', 'update', subject, '--severity', severity, '--yes');
  expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(await byHand('suspend')).toMatchObject({status: 0});
  return {...desk, env, severities, byHand, [Symbol.asyncDispose]: () => sandbox.close()};
}

const said = `made stricter by hand (silenced → suspended)`;
const both = {[subject]: 'suspend', 'shop.example': 'silence'};

describe.each(['0.12.6', 'mastodon'] as const)('on a server like %s', (like) => {
  test.each([
    ['the policy still names', policy],
    ['the policy drops', without],
  ])('one that %s is neither a difference nor changed, and plan and audit say so', async (_, text) => {
    await using desk = await raised(like);
    desk.write('p.yml', text);
    const planned = JSON.parse((await desk.run('plan', 'p.yml', '--json')).stdout);
    expect(planned.changes).toEqual([]);
    expect(planned.skipped).toEqual([expect.objectContaining({subject, why: expect.stringContaining(said)})]);
    const audited = await desk.run('audit', 'p.yml', '--json');
    expect(audited.status).toBe(0);
    expect(JSON.parse(audited.stdout).skipped).toEqual([expect.objectContaining({subject, why: expect.stringContaining(said)})]);
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await desk.severities()).toEqual(both);
  });

  test('one that was lowered again is the policy’s', async () => {
    await using desk = await raised(like);
    desk.write('p.yml', without);
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await desk.byHand('silence')).toMatchObject({status: 0});
    expect(await desk.run('apply', 'p.yml', '--yes', '--allow-removals', '1')).toMatchObject({status: 0});
    expect(await desk.severities()).toEqual({'shop.example': 'silence'});
  });

  test('a comment that was changed by hand stays, unless must names one, and the block remains the policy’s', async () => {
    await using desk = await raised(like);
    const note = ['admin', 'domain-blocks', 'update', subject, '--severity', 'silence', '--private-comment', 'ticket 91, keep', '--yes'];
    expect(await desk.run(...note)).toMatchObject({status: 0});
    const {changes, skipped} = JSON.parse((await desk.run('plan', 'p.yml', '--json')).stdout);
    expect([changes, skipped]).toEqual([[], [expect.objectContaining({subject, why: 'comment changed by hand'})]]);
    desk.write('p.yml', policy.replace(`domain: ${subject},`, `domain: ${subject}, private_comment: ours,`));
    expect(JSON.parse((await desk.run('plan', 'p.yml', '--json')).stdout).changes).toMatchObject([{action: 'update', subject}]);
    desk.write('p.yml', without);
    expect(await desk.run('apply', 'p.yml', '--yes', '--allow-removals', '1')).toMatchObject({status: 0});
    expect(await desk.severities()).toEqual({'shop.example': 'silence'});
  });

  test('an undo leaves it, and says so', async () => {
    await using desk = await raised(like);
    expect(await desk.run('undo', '--yes')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`${subject}: ${said}, and stays so`),
    });
    expect(await desk.severities()).toEqual({[subject]: 'suspend'});
  });

  test('the command that the plan names hands it over for good', async () => {
    await using desk = await raised(like);
    const {skipped} = JSON.parse((await desk.run('plan', 'p.yml', '--json')).stdout);
    const command = String(skipped[0].why).split('to leave it for good: ')[1] ?? 'exit 99';
    expect(await runShell(command, {env: desk.env, folder: desk.folder})).toMatchObject({status: 0});
    expect(readFileSync(join(desk.folder, 'p.yml.state.json'), 'utf8').split('"applies"')[0]).not.toContain(subject);
    expect(await desk.byHand('silence')).toMatchObject({status: 0});
    desk.write('p.yml', without);
    expect(await desk.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await desk.severities()).toEqual({[subject]: 'silence', 'shop.example': 'silence'});
  });
});
