/** What limits hold back: those of servers, and the cap of a policy. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt, type Desk} from './desk.js';

interface Outcome {
  readonly target: string;
  readonly ok: boolean;
  readonly status: number | null;
  readonly held_back?: string;
}

const errorIn = (stderr: string) => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;

/** What an apply made, and what it held back: nothing else may be left. */
async function applyWith(run: Desk['run']) {
  const {stdout, stderr, status} = await run('apply', 'p.yml', '--yes', '--json');
  const results: Outcome[] = JSON.parse(stdout);
  const notMade = results.filter(({ok}) => !ok);
  expect(notMade.map((one) => one.held_back)).toEqual(notMade.map(() => 'server_limit'));
  const held = notMade.map(({target, status: of}) => [target, of]);
  return {status, error: errorIn(stderr), made: results.length - held.length, held, statuses: notMade.map((one) => one.status)};
}

/** More than each server takes. */
const count = 150;
const names = Array.from({length: count}, (_, index) => `s${String(index).padStart(3, '0')}.example`);
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
    const first = await applyWith(run);
    expect(first).toMatchObject({status: 10, made: limit, statuses: [400, ...Array.from({length: count - 1 - limit}, () => null)]});
    expect(first.error).toMatchObject({
      code: 'drift',
      exit: 10,
      message: expect.stringContaining(`${count - limit} domain blocks were held back`),
    });
    expect(sent).toBe(limit + 1);
    expect(await applyWith(run)).toMatchObject({
      status: 10,
      made: 0,
      statuses: [400, ...Array.from({length: count - 1 - limit}, () => null)],
    });
    expect(sent).toBe(limit + 2);
    // What was made is owned, what was held back is not.
    expect((await run('state', 'list', 'p.yml', '-o', 'ndjson')).stdout.trim().split('\n')).toHaveLength(limit);
    const text = await run('apply', 'p.yml', '--yes');
    expect(text.stdout).toMatch(/^add domain block s\d+\.example +held back +400 +/m);
    expect(text.stderr).toMatch(/^The limit of the server is reached/m);
    expect(text.stderr).not.toMatch(/^Error:/m);
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
    const held = ['a.example', 'e.example'].map((subject) => ({kind: 'domain_block', subject, code: 'limit', where: 'p.yml:4'}));
    const plan = JSON.parse((await run('plan', 'p.yml', '--json')).stdout);
    // Named in the policy first, then most agreed, highest severity, by name; what exists counts.
    expect(plan.changes.map(({subject}: {subject: string}) => subject)).toEqual(['zz.example', 'b.example', 'c.example', 'd.example']);
    expect(plan.skipped).toMatchObject(held);
    const audit = JSON.parse((await run('audit', 'p.yml', '--json')).stdout);
    expect(audit.findings).toHaveLength(4);
    expect(audit.skipped).toMatchObject(held);
    expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
    for (const command of ['plan', 'audit', 'apply']) {
      const {status, stderr} = await run(command, 'p.yml', ...(command === 'apply' ? ['--yes'] : []));
      expect(status, command).toBe(0);
      expect(stderr, command).toContain('Held back: domain blocks a.example, e.example: the policy allows 5 blocked domains (p.yml:4)\n');
    }
    for (const [domain, isWanted] of [
      ['a.example', false],
      ['zz.example', true],
    ] as const) {
      const [explained] = JSON.parse((await run('explain', domain, '--policy', 'p.yml', '--json')).stdout);
      expect(explained.wanted, domain).toBe(isWanted);
      const says = {rule: 'domain_blocks.limit', where: 'p.yml:4', says: 'held back: the policy allows 5 blocked domains (p.yml:4)'};
      if (isWanted) expect(JSON.stringify(explained)).not.toContain('held back');
      else expect(explained.because[0]).toEqual(says);
    }
    // Nothing is removed for a lower limit, and a higher one lets more in.
    writeFileSync(join(folder, 'p.yml'), policy(2));
    expect((await run('plan', 'p.yml')).status).toBe(0);
    writeFileSync(join(folder, 'p.yml'), policy(6));
    expect((await run('plan', 'p.yml')).stdout).toMatch(/^\+ domain block a\.example[^\n]*\n$/);
  });
});

const people = Array.from({length: 56}, (_, index) => `p${String(index).padStart(2, '0')}`);
const titles = Array.from({length: 22}, (_, index) => `F${String(index).padStart(2, '0')}`);
const listOf = (accounts: readonly string[]) => `[${accounts.map((name) => `'@${name}'`).join(', ')}]`;

const crowd = {
  me: 'ana',
  accounts: ['ana', ...people].map((acct) => ({acct})),
  blocks: people.slice(0, 48),
  mutes: people.slice(0, 49),
};

test.concurrent('blocks, mutes and filters over the limits of a server are held back, each kind by itself', async () => {
  await using server = await watchedSandbox({like: '0.12.6', seed: crowd});
  const {run} = deskAt(server, {
    'p.yml': `version: 1
blocks: {must: ${listOf(people.slice(48, 52))}, must_not: ['@p00']}
mutes: {must: ${listOf(people.slice(48, 53))}}
filters:
  must:
${titles.map((title) => `    - {title: ${title}, context: [home], keywords: [word${title}]}`).join('\n')}
`,
  });
  const held = [
    ['add account block @p51', 422],
    ['add account mute @p50', 422],
    ['add account mute @p51', null],
    ['add account mute @p52', null],
    ['add filter F20', 422],
    ['add filter F21', null],
  ];
  const first = await applyWith(run);
  expect(first).toMatchObject({status: 10, held, error: {code: 'drift'}});
  expect(first.error.message).toContain('1 account block, 3 account mutes and 2 filters were held back');
  const sent = server.writes.length;
  expect(await applyWith(run)).toMatchObject({status: 10, held});
  expect(server.writes).toHaveLength(sent);
});

test.concurrent('undo into a full server holds back what does not fit, and a later undo brings it back', async () => {
  await using server = await watchedSandbox({like: '0.12.6', seed: 'empty'});
  const {run} = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must_not: [a.example, b.example, c.example]}\n'});
  const add = (...domains: string[]) => run('domain-blocks', 'add', ...domains, '--yes');
  await add('a.example', 'b.example', 'c.example');
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  await add(...names.slice(0, 49));
  const undo = await run('undo', 'p.yml', '--yes', '--json');
  const results: Outcome[] = JSON.parse(undo.stdout);
  expect([undo.status, results.filter(({ok}) => ok).length, results.filter((one) => one.held_back === 'server_limit').length]).toEqual([
    10, 1, 2,
  ]);
  await run('domain-blocks', 'remove', ...names.slice(0, 2), '--yes');
  expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
  const blocked: string[] = JSON.parse((await run('domain-blocks', 'list', '--all', '--json')).stdout);
  expect(blocked).toEqual(expect.arrayContaining(['a.example', 'b.example', 'c.example']));
});

test.concurrent('where something else failed or cannot be changed, the end says that and what is held back', async () => {
  await using server = await watchedSandbox({like: '0.12.6', seed: {...crowd, domainBlocks: names.slice(0, 50)}});
  const {run, write} = deskAt(server, {
    'p.yml': 'version: 1\ndomain_blocks: {must: [new.example, other.example, cf]}\nblocks: {must_not: ["@p00"]}\n',
  });
  const left = await run('apply', 'p.yml', '--yes');
  expect(left.status).toBe(10);
  expect(left.stderr).toContain('The limit of the server is reached, and 2 domain blocks were held back');
  expect(left.stderr).toContain('1 difference left that pixelctl cannot change: domain_blocks.must cf.');
  const json = await run('apply', 'p.yml', '--yes', '--json');
  const {message} = errorIn(json.stderr);
  expect(message).toContain('2 domain blocks were held back');
  expect(message).toContain('that pixelctl cannot change: domain_blocks.must cf');
  write('p.yml', 'version: 1\ndomain_blocks: {must: [new.example, other.example]}\nmutes: {must_not: ["@p01"]}\n');
  server.stepIn = (moment, _count, {target}) => (moment === 'before' && target.endsWith('/unmute') ? {status: 403, text: '{}'} : undefined);
  const mixed = await run('apply', 'p.yml', '--yes', '--json');
  const results: Outcome[] = JSON.parse(mixed.stdout);
  expect(mixed.status).toBe(11);
  expect(results.map(({ok, status, held_back}) => [ok, status, held_back])).toEqual([
    [false, 400, 'server_limit'],
    [false, null, 'server_limit'],
    [false, 403, undefined],
  ]);
  expect(errorIn(mixed.stderr).message).toMatch(/^1 of 1 failed; The limit of the server is reached, and 2 domain blocks were held back/);
});

test.concurrent('an addition that may have filled the list is in doubt, and those after it are held back', async () => {
  await using server = await watchedSandbox({like: '0.12.6', seed: {...crowd, domainBlocks: names.slice(0, 50)}});
  const {run} = deskAt(server, {'p.yml': 'version: 1\ndomain_blocks: {must: [new.example, other.example]}\n'});
  // Nothing answers the first attempt.
  server.stepIn = (moment, count) => (moment === 'before' && count === 1 ? {text: '', lost: 'before'} : undefined);
  const {status, stdout, stderr} = await run('apply', 'p.yml', '--yes', '--json');
  const results: Outcome[] = JSON.parse(stdout);
  expect(results.map(({ok, status: answered, held_back}) => [ok, answered, held_back])).toEqual([
    [false, 400, undefined],
    [false, null, 'server_limit'],
  ]);
  expect(status).toBe(11);
  expect(errorIn(stderr).message).toContain('1 domain block was held back');
});
