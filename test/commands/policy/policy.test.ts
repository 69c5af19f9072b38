import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {everyKind, watchedSandbox} from '../../policy-desk.js';
import {serverThat, type Answered} from '../../server.js';
import {failureIn} from '../../told-failure.js';
import {deskAt} from './desk.js';

// Some of these are a dozen runs of the program.

const generations = ['0.12.6', '2026'] as const;

const policy = `version: 1
domain_blocks:
  must: [bad.example]
  must_not: [casino.example.com]
  lists: [{file: list.csv}]
filters:
  must: [{title: Politics, context: [home], keywords: [vote]}]
blocks: {must: [grumpy]}
`;
const list = '#domain,#severity\nlisted.example,suspend\nb*d.example,suspend\nmild.example,noop\n';
const files = {'p.yml': policy, 'list.csv': list};

test.concurrent.each(generations)('audits, plans and applies twice on %s', async (like) => {
  await using server = await watchedSandbox({like});
  const {run, folder} = deskAt(server, {...files, 'p.yml': everyKind});
  const audit = await run('audit', 'p.yml', '--json');
  expect(audit.status).toBe(10);
  expect(failureIn(audit.stderr)).toMatchObject({code: 'drift', exit: 10});
  const about = {server: server.url, account: '@ana', policy: 'p.yml'};
  expect(JSON.parse(audit.stdout)).toMatchObject({...about, ok: false, skipped: []});
  expect(JSON.parse(audit.stdout).findings.find(({kind}: {kind: string}) => kind === 'domain_block')).toEqual({
    action: 'add',
    rule: 'domain_blocks.must',
    kind: 'domain_block',
    subject: 'bad.example',
    wanted: 'blocked',
    actual: 'not blocked',
    where: 'p.yml:5',
    fix: `pixelctl domain-blocks add bad.example`,
  });
  const plan = await run('plan', 'p.yml', '--json');
  expect(plan.status).toBe(10);
  expect(JSON.parse(plan.stdout)).toMatchObject({...about, cannot: []});
  expect(JSON.parse(plan.stdout).changes[1]).toEqual({
    action: 'add',
    kind: 'domain_block',
    subject: 'bad.example',
    rule: 'domain_blocks.must',
    where: 'p.yml:5',
    wanted: 'blocked',
    actual: 'not blocked',
    fix: `pixelctl domain-blocks add bad.example`,
  });
  expect([server.writes, readdirSync(folder).some((name) => name.includes('.state.'))]).toEqual([[], false]);

  const applied = await run('apply', 'p.yml', '--yes', '--json');
  expect(applied).toMatchObject({status: 0, stderr: ''});
  expect(JSON.parse(applied.stdout).map(({target, ok}: {target: string; ok: boolean}) => [target, ok])).toEqual([
    ['remove domain block casino.example.com', true],
    ['add domain block bad.example', true],
    ['add domain block xn--bcher-kva.example', true],
    ['remove account block @grumpy', true],
    ['add account block @bob', true],
    ['add account block @omar@lens.example.org', true],
    ['remove account mute @dailydeals@shop.example.com', true],
    ['add account mute @clara', true],
    ['remove filter Crypto', true],
    ['update filter Spoilers', true],
    ['add filter Politics', true],
  ]);
  const done = server.writes.length;
  expect(await run('apply', 'p.yml', '--yes', '--json')).toMatchObject({status: 0, stdout: '[]\n', stderr: ''});
  expect(await run('plan', 'p.yml')).toMatchObject({status: 0, stdout: ''});
  expect(await run('audit', 'p.yml', '--json')).toMatchObject({status: 0, stderr: ''});
  expect(server.writes).toHaveLength(done);
});

test.concurrent.each(generations)('exports a policy without differences on %s, the same twice', async (like) => {
  await using server = await watchedSandbox({like});
  const {run, write} = deskAt(server, {});
  const [one, two] = [await run('export'), await run('export')];
  expect(one).toMatchObject({status: 0, stderr: ''});
  expect(two.stdout).toBe(one.stdout);
  write('all.yml', one.stdout);
  expect(await run('audit', 'all.yml')).toMatchObject({status: 0});
  expect(await run('diff', 'all.yml')).toMatchObject({status: 0});
  write('only.yml', one.stdout.replace('domain_blocks:', 'domain_blocks:\n  only: true').replace('filters:', 'filters:\n  only: true'));
  expect(await run('plan', 'only.yml')).toMatchObject({status: 0, stdout: ''});
  write('domains.csv', (await run('export', '--as', 'mastodon-csv')).stdout);
  expect(await run('diff', 'domains.csv')).toMatchObject({status: 0});
});

describe('takes no unusable answer for an empty list', () => {
  const stubs: readonly (readonly [string, Answered, number])[] = [
    ['a web page', {text: '<!doctype html><p>Sign in</p>', headers: {'content-type': 'text/html'}}, 8],
    ['an object', {text: '{}'}, 8],
    ['filters of another shape', {text: '[{"id":"1","title":"Spoilers"}]'}, 8],
    ['an error', {status: 503, text: '{"error":"down"}'}, 7],
    ['no such thing', {status: 404, text: '{"error":"Not found"}'}, 4],
  ];
  test.concurrent.each(stubs)('%s', async (_, answered, status) => {
    const writes: string[] = [];
    await using server = await serverThat(({method, target}) => {
      if (method !== 'GET') writes.push(target);
      if (target.startsWith('/api/v2/filters')) return answered;
      if (target.includes('verify_credentials')) return {text: '{"id":"1","acct":"ana"}'};
      // The stub that real servers have in the old place.
      return {text: '[]'};
    });
    const {run, folder} = deskAt(server, {'p.yml': 'version: 1\nfilters: {must_not: [Spoilers]}\n'});
    const flags = ['--retries', '0'];
    const audit = await run('audit', 'p.yml', '--report', 'json=audit.json', ...flags);
    expect(audit).toMatchObject({status, stdout: '', stderr: expect.stringMatching(/^Error: Cannot read the filters of \S+: /)});
    expect(JSON.parse(readFileSync(join(folder, 'audit.json'), 'utf8'))).toMatchObject({
      ok: false,
      findings: [],
      skipped: [{kind: 'filter'}],
    });
    expect(await run('apply', 'p.yml', '--yes', ...flags)).toMatchObject({status, stdout: ''});
    expect(writes).toEqual([]);
  });

  test.concurrent.each(['plan p.yml', 'export --only filters', 'explain Spoilers --policy p.yml', 'diff p.yml'])('%s', async (line) => {
    await using server = await serverThat(({target}) => ({text: target.startsWith('/api/v2/filters') ? '{}' : '{"id":"1","acct":"ana"}'}));
    const {run} = deskAt(server, {'p.yml': 'version: 1\nfilters: {must_not: [Spoilers]}\n'});
    expect(await run(...line.split(' '))).toMatchObject({status: 8, stdout: ''});
  });
});

test.concurrent('applies exactly the plan that was read, and refuses another one', async () => {
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, files);
  const planned = await run('plan', 'p.yml', '--json');
  expect(planned.status).toBe(10);
  const {digest} = JSON.parse(planned.stdout);
  expect((await run('plan', 'p.yml')).stderr).toContain(`To apply exactly this plan: pixelctl apply p.yml --expect=${digest}\n`);
  const apply = ['apply', 'p.yml', '--expect', digest];
  await server.meanwhile('POST', '/api/v1/domain_blocks', {domain: 'https://bad.example'});
  const refused = await run(...apply, '--json');
  expect(failureIn(refused.stderr)).toMatchObject({
    code: 'refused',
    exit: 5,
    reason: 'guard',
    hint: `read the plan again, and pass its digest: pixelctl plan p.yml`,
  });
  expect([refused.stdout, server.writes]).toEqual(['', []]);
  await server.meanwhile('DELETE', '/api/v1/domain_blocks', {domain: 'bad.example'});
  write('q.yml', 'version: 1\n');
  expect(await run('apply', 'q.yml', '--expect', digest)).toMatchObject({status: 5});
  expect(await run('apply', 'p.yml', '--expect', 'abc')).toMatchObject({status: 5});
  expect(await run(...apply)).toMatchObject({status: 0});
  expect(server.writes).toHaveLength(4);
  expect(await run(...apply, '--json')).toMatchObject({status: 0, stdout: '[]\n'});
  // What is done and undone is no plan that somebody has read.
  await run('undo', 'p.yml', '--yes');
  await server.meanwhile('POST', '/api/v1/domain_blocks', {domain: 'https://bad.example'});
  expect(await run(...apply)).toMatchObject({status: 5});
  expect(server.writes).toHaveLength(8);
});

test.concurrent('requires --allow-removals for many removals that no rule asks for by name', async () => {
  const domains = Array.from({length: 21}, (_, index) => `d${index}.example`);
  await using server = await watchedSandbox();
  const {run, write} = deskAt(server, {});
  for (const domain of domains) await server.meanwhile('POST', '/api/v1/domain_blocks', {domain: `https://${domain}`});
  write('p.yml', 'version: 1\ndomain_blocks: {must: [spam.example.net], only: true}\n');
  expect((await run('plan', 'p.yml')).stderr).toMatch(/^To apply it: pixelctl apply p\.yml --allow-removals=23\b/m);
  expect(failureIn((await run('plan', 'p.yml', '--json')).stderr).hint).toMatch(/^to apply it: .* --allow-removals=23\b/);
  const refused = await run('apply', 'p.yml', '--yes', '--json');
  const {message, hint, reason} = failureIn(refused.stderr);
  const count = Number(/--allow-removals (\d+)$/.exec(hint ?? '')?.[1]);
  expect({status: refused.status, reason, message, count, writes: server.writes}).toEqual({
    status: 5,
    reason: 'guard',
    message: `The plan was not applied: it removes ${count} items that no rule names (limit 20)`,
    count: 23,
    writes: [],
  });
  expect(await run('apply', 'p.yml', '--yes', '--allow-removals', '22')).toMatchObject({status: 5});
  expect(await run('apply', 'p.yml', '--yes', '--allow-removals', '23')).toMatchObject({status: 0});
  expect(server.writes).toHaveLength(23);
});

test.concurrent('stops at the hourly quota of filters, and continues later', async () => {
  await using server = await watchedSandbox();
  const filters = ['a1', 'b2', 'c3'].map((word) => `{title: ${word}, context: [home], keywords: [${word}]}`);
  const {run} = deskAt(server, {'p.yml': `version: 1\nfilters: {must: [${filters.join(', ')}]}\n`});
  server.stepIn = (moment, count) =>
    moment === 'before' && count > 1 ? {status: 429, text: '{"error":"Rate limit exceeded"}'} : undefined;
  const ended = await run('apply', 'p.yml', '--yes', '--json');
  expect(ended.status).toBe(6);
  expect(failureIn(ended.stderr)).toMatchObject({code: 'rate_limited', hint: expect.stringContaining('the next run does the rest')});
  server.stepIn = () => undefined;
  expect(await run('apply', 'p.yml', '--yes')).toMatchObject({status: 0});
  expect(server.writes.map((write) => /"title":"(\w+)"/.exec(write)?.[1])).toEqual(['a1', 'b2', 'c3']);
  expect(await run('undo', 'p.yml', '--yes', '--json')).toMatchObject({status: 0});
  expect(server.writes.filter((write) => write.startsWith('DELETE'))).toHaveLength(3);
});

test.concurrent('reports what undo cannot restore, and sends nothing in a dry run', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, files);
  await run('apply', 'p.yml', '--yes');
  const done = server.writes.length;
  const dry = await run('undo', 'p.yml', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout).requests.map(({method, path}: {method: string; path: string}) => `${method} ${path}`)).toEqual([
    'DELETE /api/v1/domain_blocks',
    'DELETE /api/v1/domain_blocks',
    'POST /api/v1/domain_blocks',
    'DELETE /api/v2/filters/4',
  ]);
  expect(JSON.parse((await run('apply', 'p.yml', '--dry-run', '--json')).stdout)).toEqual({dry_run: true, requests: []});
  expect((await run('apply', 'p.yml', '--dry-run', '-o', 'csv')).stdout).toBe('method,path,query,headers,body\r\n');
  expect(server.writes).toHaveLength(done);
  const undone = await run('undo', 'p.yml', '--yes');
  expect(undone).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('bad.example, listed.example: follows ended in both directions'),
  });
  expect(await run('undo', 'p.yml', '--yes')).toMatchObject({status: 0, stdout: '', stderr: expect.stringContaining('Nothing to undo')});
});

test.concurrent('escapes text of the server in plans and audits', async () => {
  await using server = await watchedSandbox();
  await server.meanwhile('POST', '/api/v2/filters', {
    title: 'red \u001B[31m \u202E',
    context: ['home'],
    keywords_attributes: [{keyword: 'word', whole_word: true}],
  });
  const {run} = deskAt(server, {'p.yml': 'version: 1\nfilters: {only: true}\n'});
  for (const args of [
    ['plan', 'p.yml'],
    ['audit', 'p.yml'],
    ['export', '--only', 'filters'],
  ]) {
    const {stdout, stderr} = await run(...args);
    for (const steering of ['\u001B', '\u202E']) expect(stdout + stderr, args.join(' ')).not.toContain(steering);
    expect(stdout, args.join(' ')).toContain('red');
  }
});

test.concurrent('the table of explain names rule and line, and a name without a rule is told to people alone', async () => {
  await using server = await watchedSandbox();
  const {run} = deskAt(server, files);
  expect((await run('explain', 'Politics', '--policy', 'p.yml')).stdout).toMatch(/Politics +yes +not there +filters\.must +p\.yml:7 /);
  const unnamed = ['explain', 'unnamed.example', '--policy', 'p.yml'];
  expect((await run(...unnamed)).stderr).toContain('No rule names the domain block unnamed.example.');
  expect((await run(...unnamed, '--jq', '.[].kind')).stderr).not.toContain('No rule');
  expect(await run('explain', 'no domain', '--policy', 'p.yml')).toMatchObject({status: 2});
});
