/** Servers of accounts that an account follows or that follow it are not blocked. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {startSandbox} from '../../sandbox/start.js';
import {deskAt} from './desk.js';
import {pass, serverThat, type Answered, type Received} from '../../e2e/server.js';

/** 200 on big.example, 100 of whom follow as well; 2 on a subdomain of split.example and 1 on it; 2 on few.example; 1 on this server. */
const big = Array.from({length: 200}, (_, index) => `p${index}@big.example`);
const few = ['one@few.example', 'two@few.example'];
const split = ['one@a.split.example', 'two@b.split.example', 'three@split.example'];
const seed = {
  accounts: ['ana', 'bob', ...big, ...few, ...split].map((acct) => ({acct})),
  me: 'ana',
  following: [...big, ...split.slice(0, 2), 'bob'],
  followers: [...big.slice(100), ...few, ...split.slice(2)],
};

const policy = `version: 1
domain_blocks:
  must: [big.example]
  protect_followed: 3
  lists: [{file: blocks.txt}]
`;
const files = {'p.yml': policy, 'blocks.txt': 'bad.example\nfew.example\nsplit.example\nc.split.example\n'};

const around = /^\/api\/v1\/accounts\/\d+\/(followers|following)/;

/** @param instead answers in place of the sandbox */
async function serverWith(instead: (received: Received) => Answered | undefined = () => undefined) {
  const sandbox = await startSandbox({seed});
  const server = await serverThat((received) => instead(received) ?? pass(received, sandbox.url), sandbox.tokens.all);
  const count = (pattern: RegExp | string) =>
    server.exchanges.filter(({received: {method, target}}) => `${method} ${target}`.match(pattern)).length;
  return {
    ...deskAt(server, files),
    url: server.url,
    reads: () => server.exchanges.filter(({received}) => around.test(received.target)).length,
    writes: () => count(/^(POST|DELETE|PUT) \/api\/v1\/domain_blocks/),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

const way = '`domain-blocks add` blocks it anyway';
const held = [
  ['big.example', `200 accounts there follow this account or are followed by it; ${way}`],
  ['split.example', `3 accounts there follow this account or are followed by it; ${way}`],
].map(([subject, why]) => ({kind: 'domain_block', subject, why, rule: 'domain_blocks.protect_followed', where: 'p.yml:4'}));

test.concurrent('the domains of enough accounts are held back, on every page of both lists, unless they are allowed', async () => {
  await using server = await serverWith();
  const {run, folder} = server;
  const plan = await run('plan', 'p.yml');
  expect(plan.stdout.split('\n').map((line) => line.split(':')[0])).toEqual([
    '+ domain block bad.example',
    '+ domain block c.split.example',
    '+ domain block few.example',
    '',
  ]);
  expect(plan.stderr).toContain(`Held back: domain block big.example: ${held[0]?.why}\n`);
  // 202 and 103 accounts, 80 on a page.
  expect(server.reads()).toBe(5);
  for (const command of ['plan', 'audit']) expect(JSON.parse((await run(command, 'p.yml', '--json')).stdout).skipped).toEqual(held);
  const formats = ['html', 'json', 'junit', 'markdown', 'sarif'];
  await run('audit', 'p.yml', ...formats.flatMap((format) => ['--report', `${format}=report.${format}`]));
  for (const format of formats) expect(readFileSync(join(folder, `report.${format}`), 'utf8')).toContain('200 accounts there follow');
  const [explained] = JSON.parse((await run('explain', 'split.example', '--policy', 'p.yml', '--json')).stdout);
  expect(explained).toMatchObject({
    wanted: false,
    because: [{rule: 'domain_blocks.protect_followed', where: 'p.yml:4'}, {rule: 'domain_blocks.lists'}],
  });
  const readsBefore = server.reads();
  await run('apply', 'p.yml', '--yes');
  expect(server.writes()).toBe(3);
  // Read for the plan, and again before the first block is sent.
  expect(server.reads()).toBe(readsBefore + 10);
});

test.concurrent('nothing is sent where what it blocks is followed by the time it is sent', async () => {
  let reads = 0;
  await using server = await serverWith(({target}) => (around.test(target) && (reads += 1) <= 2 ? {text: '[]'} : undefined));
  const {status, stdout, stderr} = await server.run('apply', 'p.yml', '--yes');
  expect({status, stdout}).toEqual({status: 5, stdout: ''});
  expect(stderr).toMatch(
    /^Error: The plan was not applied: big\.example is protected by now \(p\.yml:4\): 200 accounts there follow .*, and 1 more$/m,
  );
  expect([server.reads(), server.writes()]).toEqual([7, 0]);
});

test.concurrent('reads nobody that is followed where it blocks no domain', async () => {
  await using server = await serverWith();
  server.write('empty.yml', 'version: 1\ndomain_blocks: {must_not: [fine.example]}\n');
  expect(await server.run('apply', 'empty.yml', '--yes')).toMatchObject({status: 0});
  expect(server.reads()).toBe(0);
});

describe('blocks nothing, and says why, where who is followed cannot be read:', () => {
  const account = {id: '1', username: 'a', acct: 'a@b.example'};
  const answers: readonly (readonly [string, Answered])[] = [
    ['not found', {status: 404, text: '{"error":"Record not found"}'}],
    ['a refusal', {status: 403, text: ''}],
    ['a page', {text: '<!doctype html>', headers: {'content-type': 'text/html'}}],
    ['an object', {text: '{}'}],
    ['null', {text: 'null'}],
    ['nothing', {text: ''}],
    ['an account of another type', {text: '[1]'}],
    ['no account', {text: '[null]'}],
    ...[undefined, null, 1, '', 'a b', '@', {}].map((acct): [string, Answered] => [
      `an account whose acct is ${JSON.stringify(acct)}`,
      {text: JSON.stringify([account, {...account, id: '2', acct}])},
    ]),
    ['a later page that fails', {status: 404, text: '{}'}],
  ];

  test.concurrent.each(answers)('%s', async (name, answer) => {
    await using server = await serverWith(({target}) =>
      around.test(target) && (!name.startsWith('a later') || target.includes('cursor')) ? answer : undefined,
    );
    const {run, folder} = server;
    const why = expect.stringMatching(/^Error: Cannot read the domain blocks of [^ ]*: protect_followed \(p\.yml:4\) cannot be checked: /);
    const formats = ['html', 'json', 'junit', 'markdown', 'sarif'];
    for (const words of [
      ['plan'],
      ['audit', ...formats.flatMap((format) => ['--report', `${format}=report.${format}`])],
      ['apply', '--yes'],
    ]) {
      const ended = await run(...words, 'p.yml');
      expect(ended, words[0]).toMatchObject({stdout: '', stderr: why});
      expect([0, 10], words[0]).not.toContain(ended.status);
    }
    for (const format of formats) {
      const report = readFileSync(join(folder, `report.${format}`), 'utf8');
      expect(report, format).toContain('cannot be checked');
      expect(report, format).not.toContain('domain-blocks add');
    }
    expect(server.writes()).toBe(0);
    expect((await run('explain', 'bad.example', '--policy', 'p.yml')).stderr).toContain('protect_followed (p.yml:4) cannot be checked: ');
  });
});

test.concurrent('where who is followed cannot be read, other parts can be applied, and blocked domains are no question', async () => {
  await using server = await serverWith(({target}) => (around.test(target) ? {status: 404, text: '{}'} : undefined));
  const {run, write} = server;
  write('p.yml', `${policy}mutes: {must: [bob]}\n`);
  await run('audit', 'p.yml', '--report', 'json=audit.json');
  const audit = JSON.parse(readFileSync(join(server.folder, 'audit.json'), 'utf8'));
  expect(audit).toMatchObject({findings: [{subject: 'bob'}], skipped: [{kind: 'domain_block'}]});
  expect(await run('apply', 'p.yml', '--yes', '--only', 'mutes')).toMatchObject({status: 0});
  write('q.yml', 'version: 1\ndomain_blocks: {must: [bad.example], protect_followed: 1}\n');
  await run('domain-blocks', 'add', 'bad.example', '--yes');
  for (const command of ['plan', 'audit']) expect(await run(command, 'q.yml'), command).toMatchObject({status: 0});
});

test.concurrent('a finding of an earlier report is not resolved because nobody knows now', async () => {
  let isClosed = false;
  await using server = await serverWith(({target}) => (isClosed && around.test(target) ? {status: 404, text: '{}'} : undefined));
  const {run} = server;
  const earlier = await run('audit', 'p.yml', '--report', 'json=before.json', '--json');
  const subjects = (findings: readonly {subject: string}[]) => findings.map(({subject}) => subject);
  const before = subjects(JSON.parse(earlier.stdout).findings);
  isClosed = true;
  await run('audit', 'p.yml', '--since', 'before.json', '--report', 'json=after.json');
  const {resolved, unread} = JSON.parse(readFileSync(join(server.folder, 'after.json'), 'utf8'));
  expect([subjects(resolved), subjects(unread)]).toEqual([[], before]);
});
