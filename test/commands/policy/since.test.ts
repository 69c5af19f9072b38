/** Audits that are compared with an earlier report. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt} from './desk.js';

const policyFor = (...domains: readonly string[]): string => `version: 1\ndomain_blocks: {must: [${domains.join(', ')}]}\n`;

test.concurrent('fails only on what is new since the last report', async () => {
  await using server = await watchedSandbox();
  const {run, folder} = deskAt(server, {'p.yml': policyFor('one.example', 'two.example'), 'other.yml': policyFor('one.example')});
  const audit = (...flags: readonly string[]) => run('audit', 'p.yml', ...flags);
  expect(await audit('--since', 'first.json', '--fail-on', 'new', '--report', 'json=first.json')).toMatchObject({
    status: 10,
    stderr: expect.stringMatching(/^first\.json is not there yet: nothing is known/m),
  });

  const second = await audit('--since', 'first.json', '--fail-on', 'new', '--report', 'json=second.json');
  expect(second).toMatchObject({status: 0, stderr: expect.stringContaining('ana@127.0.0.1:')});
  expect(second.stderr).toContain('since first.json: 2 still open');
  expect(second.stdout).toMatch(/^since +rule .*\nopen +domain_blocks\.must +one\.example /);
  expect(await audit('--since', 'first.json')).toMatchObject({status: 10});
  expect((await run('audit', 'other.yml', '--since', 'first.json')).stderr).toContain('since first.json: 1 new\n');

  writeFileSync(join(folder, 'p.yml'), policyFor('two.example', 'three.example'));
  await run('domain-blocks', 'add', 'two.example', '--yes');
  const third = await audit('--since', 'second.json', '--fail-on', 'new');
  expect(third.status).toBe(10);
  expect(third.stdout).toMatch(/^new +domain_blocks\.must +three\.example /m);
  expect(third.stdout).toMatch(/^resolved +domain_blocks\.must +one\.example +blocked +no longer a difference /m);
  expect(third.stdout).toMatch(/^resolved +domain_blocks\.must +two\.example /m);
  expect(third.stderr).toMatch(/^1 new difference: 1 domain block\.\nTo see what would change: pixelctl plan p\.yml/m);
  const {findings, resolved} = JSON.parse((await audit('--since', 'second.json', '--json')).stdout);
  expect([findings, resolved].map((list: readonly {subject: string}[]) => list.map(({subject}) => subject))).toEqual([
    ['three.example'],
    ['one.example', 'two.example'],
  ]);
});

test.concurrent('rejects an earlier report that is not one, before any request', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, {'p.yml': policyFor('one.example'), 'x.json': '{"pixelctl_plan": 1}'});
  expect(await run('audit', 'p.yml', '--since', 'x.json')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--report json=FILE'),
  });
  // As where a variable of a job is not set.
  expect(await run('audit', 'p.yml', '--since', '')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('needs the name of a file'),
  });
  expect(await run('audit', 'p.yml', '--fail-on', 'new')).toMatchObject({status: 2, stderr: expect.stringContaining('needs --since')});
  expect(server.exchanges).toEqual([]);
});
