/** What a policy says of lists that leave a comment, and what an apply reports. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {adminDesk, deskAt} from './desk.js';

describe.each(['0.12.6', 'mastodon'] as const)('on a server like %s', (like) => {
  const policy = (list: string) => `version: 1\nadmin_domain_blocks: {must: [own.example], lists: [{file: tier0.csv${list}}]}\n`;
  const commented = policy(', private_comment: "from {list}, {date}"');
  const instances = [{domain: 'noted.example', notes: ['Their admin answers mail']}];

  async function desk() {
    const seed = {accounts: [{acct: 'ana', admin: true}], instances};
    const tier0 = 'domain,severity,private_comment\nplain.example,suspend,\nsaid.example,suspend,spam\nnoted.example,suspend,\n';
    const at = await adminDesk({'p.yml': commented, 'tier0.csv': tier0}, {like, seed});
    return {
      ...at,
      async comments(): Promise<Record<string, unknown>> {
        const all: Record<string, string>[] = await at.json('admin', 'domain-blocks', 'list', '--all');
        return Object.fromEntries(all.map(({domain = '', private_comment}) => [domain, private_comment || null]));
      },
    };
  }

  const from = expect.stringMatching(/^from tier0\.csv, \d{4}-\d\d-\d\d$/);

  test('a list leaves its comment where there is no other one', async () => {
    await using at = await desk();
    expect(await at.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    const noted = like === 'mastodon' ? from : 'Their admin answers mail';
    expect(await at.comments()).toEqual({'own.example': null, 'plain.example': from, 'said.example': 'spam', 'noted.example': noted});
    expect(await at.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0, stderr: expect.stringContaining('Nothing to do')});
    for (const command of ['audit', 'plan']) expect(await at.run(command, 'p.yml')).toMatchObject({status: 0});
    expect(await at.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect(await at.comments()).toEqual({});
  });

  test('the comment of a list is not compared', async () => {
    await using at = await desk();
    at.write('p.yml', policy(''));
    expect(await at.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    at.write('p.yml', commented);
    expect(await at.run('plan', 'p.yml')).toMatchObject({status: 0});
    expect((await at.comments())['plain.example']).toBe(null);
    await at.done('admin', 'domain-blocks', 'update', 'plain.example', '--private-comment', 'mine', '--yes');
    expect(await at.run('audit', 'p.yml')).toMatchObject({status: 0});
    expect(await at.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    expect((await at.comments())['plain.example']).toBe('mine');
  });

  test.each([
    ['the list leaves none any more', policy('')],
    [
      'the policy names the domains itself',
      'version: 1\nadmin_domain_blocks: {must: [own.example, plain.example, said.example, noted.example]}\n',
    ],
  ])('the comment that a list left stays where %s, and goes with the block', async (_, text) => {
    await using at = await desk();
    expect(await at.run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    at.write('p.yml', text);
    expect((await at.run('plan', 'p.yml')).stdout).not.toContain('plain.example: ');
    at.write('p.yml', 'version: 1\nadmin_domain_blocks: {must: [own.example]}\n');
    expect(await at.run('apply', 'p.yml', '--yes', '--allow-removals', '3')).toMatchObject({status: 0});
    expect(await at.comments()).toEqual({'own.example': null});
  });
});

describe('apply --report', () => {
  const policy = 'version: 1\ndomain_blocks: {must: [one.example, two.example]}\n';

  test.each([
    ['of what it changes', ['--yes'], 0],
    ['of what nobody agreed to', [], 2],
    ['in a dry run', ['--dry-run'], 0],
  ] as const)('writes the plan %s', async (_, words, status) => {
    await using server = await watchedSandbox();
    const {run, folder} = deskAt(server, {'p.yml': policy});
    const report = () => readFileSync(join(folder, 'plan.md'), 'utf8');
    await run('plan', 'p.yml', '--report', 'markdown=same.md');
    const ended = await run('apply', 'p.yml', ...words, '--report', 'markdown=plan.md');
    expect(ended).toMatchObject({status});
    const [same] = readFileSync(join(folder, 'same.md'), 'utf8').split('\nTo apply exactly this plan:');
    if (words.length > 0) expect(report()).toBe(same);
  });

  test('of what a guard refuses is written, and nothing is sent', async () => {
    await using server = await watchedSandbox();
    const names = Array.from({length: 25}, (_, index) => `d${index}.example`).join(', ');
    const {run, folder, write} = deskAt(server, {'p.yml': `version: 1\ndomain_blocks: {must: [${names}]}\n`});
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    write('p.yml', 'version: 1\ndomain_blocks: {must: []}\n');
    expect(await run('apply', 'p.yml', '--yes', '--report', 'markdown=plan.md')).toMatchObject({status: 5});
    expect(readFileSync(join(folder, 'plan.md'), 'utf8')).toContain('- domain block d0.example');
  });

  test('that cannot be written ends the run before anything is sent', async () => {
    await using server = await watchedSandbox();
    const {run} = deskAt(server, {'p.yml': policy});
    expect(await run('apply', 'p.yml', '--yes', '--report', 'markdown=p.yml/plan.md')).toMatchObject({
      status: 9,
      stderr: expect.stringContaining('Cannot write the markdown report p.yml/plan.md: part of the path is not a folder'),
    });
    expect(server.writes).toEqual([]);
  });
});
