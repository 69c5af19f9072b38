/** What limits hold back: those of servers, and the cap of a policy. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';

vi.setConfig({testTimeout: 120_000});

interface Outcome {
  readonly target: string;
  readonly ok: boolean;
  readonly status: number | null;
  readonly held_back?: string;
}

const names = Array.from({length: 582}, (_, index) => `s${String(index).padStart(3, '0')}.example`);
const files = {
  'p.yml': 'version: 1\ndomain_blocks:\n  lists: [{file: l.txt}]\n',
  'l.txt': names.join('\n'),
};

describe('over the limit of a server', () => {
  test.concurrent.each([
    ['0.12.6', 50],
    ['2026', 100],
  ] as const)('apply to one like %s sends one write more than fit, and the next apply one', async (like, limit) => {
    await using server = await watchedSandbox({like, seed: 'empty'});
    const {run} = deskAt(server, files);
    let sent = 0;
    server.stepIn = (moment) => {
      if (moment === 'before') sent += 1;
      return undefined;
    };
    const apply = async () => {
      const {stdout, stderr, status} = await run('apply', 'p.yml', '--yes', '--json');
      const results: Outcome[] = JSON.parse(stdout);
      const held = results.filter((one) => one.held_back !== undefined);
      expect(results.filter(({ok}) => !ok)).toEqual(held);
      expect(held.map((one) => one.held_back)).toEqual(held.map(() => 'server_limit'));
      return {status, stderr, made: results.filter(({ok}) => ok).length, held, statuses: held.map((one) => one.status)};
    };
    const first = await apply();
    expect(first).toMatchObject({status: 10, made: limit, statuses: [400, ...Array.from({length: 581 - limit}, () => null)]});
    expect(JSON.parse(first.stderr).error).toMatchObject({
      code: 'drift',
      exit: 10,
      message: expect.stringContaining(`${582 - limit} domain blocks were held back`),
    });
    expect(sent).toBe(limit + 1);
    const second = await apply();
    expect(second).toMatchObject({status: 10, made: 0, statuses: [400, ...Array.from({length: 581 - limit}, () => null)]});
    expect(sent).toBe(limit + 2);
    // What was made is owned, what was held back is not.
    expect((await run('state', 'list', '--policy', 'p.yml', '-o', 'ndjson')).stdout.trim().split('\n')).toHaveLength(limit);
    const text = await run('apply', 'p.yml', '--yes');
    expect(text.stdout).toMatch(/^add domain block s\d+\.example +held back +400 +/m);
    expect(text.stderr).toContain('The limit of the server is reached');
  });
});

describe('over the limit of a policy', () => {
  test.concurrent('domains are held back, and are no difference in plan, audit and apply', async () => {
    await using server = await watchedSandbox({seed: 'empty'});
    const policy = (limit: number) =>
      `version: 1\ndomain_blocks:\n  must: [zz.example]\n  limit: ${limit}\n  lists: [{file: l.csv}, {file: two.txt}]\n`;
    const {run, folder} = deskAt(server, {
      'p.yml': policy(5),
      'l.csv': 'domain,severity\na.example,silence\nb.example,silence\nd.example,suspend\nc.example,suspend\ne.example,silence\n',
      'two.txt': 'b.example\n',
    });
    await run('domain-blocks', 'add', 'other.example', '--yes');
    const held = ['a.example', 'e.example'].map((subject) => ({kind: 'domain_block', subject, why: 'policy_limit'}));
    const plan = JSON.parse((await run('plan', 'p.yml', '--json')).stdout);
    // Named in the policy first, then most agreed, highest severity, by name; what exists counts.
    expect(plan.changes.map(({subject}: {subject: string}) => subject)).toEqual(['zz.example', 'b.example', 'c.example', 'd.example']);
    expect([plan.held_back, plan.skipped]).toEqual([held, []]);
    const audit = JSON.parse((await run('audit', 'p.yml', '--json')).stdout);
    expect([audit.findings.length, audit.held_back]).toEqual([4, held]);
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    for (const command of ['plan', 'audit', 'apply']) {
      const {status, stderr} = await run(command, 'p.yml', ...(command === 'apply' ? ['--yes'] : []));
      expect(status, command).toBe(0);
      expect(stderr, command).toContain(
        'Held back: domain block a.example, e.example (2 in all): the policy allows 5 blocked domains (p.yml:4)\n',
      );
    }
    // Nothing is removed for a lower limit, and a higher one lets more in.
    writeFileSync(join(folder, 'p.yml'), policy(2));
    expect((await run('plan', 'p.yml')).status).toBe(0);
    writeFileSync(join(folder, 'p.yml'), policy(6));
    expect((await run('plan', 'p.yml')).stdout).toMatch(/^\+ domain block a\.example[^\n]*\n$/);
  });
});
