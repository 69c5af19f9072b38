/** Comments on people whom a policy blocks or mutes: shown as those of domains are. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';

const [open, secret] = ['writes to strangers', 'canary of a report'];
const policy = `version: 1
blocks:
  must: [{account: '@omar@lens.example.org', public_comment: ${open}, private_comment: ${secret}}]
mutes:
  must: [{account: clara, private_comment: ${secret}}]
`;

async function desk() {
  const server = await watchedSandbox();
  return {server, ...deskAt(server, {'p.yml': policy}), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

test.concurrent('public comments on people are in plans, audits and reports, and private ones only with --show-private', async () => {
  await using at = await desk();
  const formats = ['html', 'json', 'junit', 'markdown', 'sarif'];
  const reports = formats.flatMap((format) => ['--report', `${format}=audit.${format}`]);
  for (const shows of [false, true]) {
    const more = shows ? ['--show-private'] : [];
    const plan = await at.run('plan', 'p.yml', '--out', 'plan.json', '--report', 'markdown=plan.md', ...more);
    const text = shows ? `“${open}”, private: “${secret}”` : `“${open}”`;
    expect(plan.stdout).toContain(`+ account block @omar@lens.example.org: ${text}  # blocks.must: p.yml:3\n`);
    expect(plan.stdout).toContain(`+ account mute @clara${shows ? `: private: “${secret}”` : ''}  # mutes.must: p.yml:5\n`);
    await at.run('audit', 'p.yml', ...reports, ...more);
    const files = ['plan.json', 'plan.md', ...formats.map((format) => `audit.${format}`)];
    const texts = [plan.stdout, ...files.map((name) => readFileSync(join(at.folder, name), 'utf8'))];
    for (const [index, one] of texts.entries()) {
      expect(one, String(index)).toContain(open);
      expect(one.includes(secret), String(index)).toBe(shows);
    }
  }
});

test.concurrent('JSON and explain have private comments on people only with --show-private', async () => {
  await using at = await desk();
  const runs = [
    ['plan', 'p.yml', '--json'],
    ['audit', 'p.yml', '--json'],
    ['explain', '@omar@lens.example.org', '--policy', 'p.yml', '--json'],
    ['explain', '@clara', '--policy', 'p.yml'],
  ];
  for (const args of runs) {
    const {stdout, stderr} = await at.run(...args);
    expect(stdout + stderr, args.join(' ')).not.toContain(secret);
  }
  const [plan = '', audit = '', explained = ''] = await Promise.all(
    runs.map(async (args) => (await at.run(...args, '--show-private')).stdout),
  );
  const omar = {kind: 'block', subject: 'omar@lens.example.org', details: {public_comment: open, private_comment: secret}};
  const clara = {kind: 'mute', subject: 'clara', details: {private_comment: secret}};
  expect(JSON.parse(plan).changes).toMatchObject([omar, clara]);
  expect(JSON.parse(audit).findings).toMatchObject([omar, clara]);
  expect(JSON.parse(explained)).toMatchObject([
    {
      kind: 'block',
      wanted: true,
      details: omar.details,
      because: [{says: `must be blocked: “${open}”, private: “${secret}”`, details: omar.details}],
    },
    {kind: 'mute', wanted: null},
  ]);
});

test.concurrent('people with comments are blocked and muted by a policy and by its saved plan, and nothing of the comments is sent', async () => {
  for (const name of ['p.yml', 'plan.json']) {
    await using at = await desk();
    await at.run('plan', 'p.yml', '--out', 'plan.json', '--show-private');
    const {status, stdout, stderr} = await at.run('apply', name, '--yes');
    expect({status, isShown: (stdout + stderr).includes(secret)}).toEqual({status: 0, isShown: false});
    expect(at.server.writes.length).toBe(2);
    expect(at.server.writes.join()).not.toContain(secret);
    expect(await at.run('audit', 'p.yml')).toMatchObject({status: 0});
    expect(await at.run('undo', 'p.yml', '--yes')).toMatchObject({status: 0});
  }
});

test.concurrent('an audit names all lists that name a domain, each with its own words', async () => {
  await using server = await watchedSandbox();
  const header = 'domain,severity,public_comment,private_comment\n';
  const at = deskAt(server, {
    'a.csv': `${header}both.example,suspend,spam,\nother.example,suspend,,\n`,
    'b.csv': `${header}both.example,silence,harassment,${secret}\nother.example,suspend,hate,\nsingle.example,suspend,alone,\n`,
    'p.yml': 'version: 1\ndomain_blocks: {must: [both.example], lists: [{file: a.csv}, {file: b.csv}]}\n',
  });
  const formats = ['html', 'junit', 'markdown', 'sarif'];
  const reports = formats.flatMap((format) => ['--report', `${format}=audit.${format}`]);
  const {stdout} = await at.run('audit', 'p.yml', ...reports);
  const [both, other] = ['p.yml:2 (suspend), a.csv:2 (suspend, “spam”), b.csv:2 (silence, “harassment”)', 'a.csv:3, b.csv:3 (“hate”)'];
  for (const where of [both, other, 'b.csv:4 (“alone”)']) expect(stdout).toContain(`  ${where}  `);
  const written = (name: string) => readFileSync(join(at.folder, name), 'utf8');
  // Markdown has references in place of its own marks.
  const plain = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  for (const format of ['html', 'junit', 'markdown']) expect(plain(written(`audit.${format}`)), format).toContain(other);
  const sarif = JSON.parse(written('audit.sarif'));
  expect(sarif.runs[0].results[0].relatedLocations).toMatchObject([
    {physicalLocation: {artifactLocation: {uri: 'a.csv'}, region: {startLine: 3}}, message: {text: 'suspend'}},
    {physicalLocation: {artifactLocation: {uri: 'b.csv'}, region: {startLine: 3}}, message: {text: 'suspend, “hate”'}},
  ]);
  const named = JSON.parse((await at.run('audit', 'p.yml', '--json')).stdout).findings.map((one: {named_by?: unknown}) => one.named_by);
  expect(named).toContainEqual([
    {source: 'p.yml:2'},
    {source: 'a.csv:2', severity: 'suspend', public_comment: 'spam'},
    {source: 'b.csv:2', severity: 'silence', public_comment: 'harassment'},
  ]);
  expect((await at.run('audit', 'p.yml', '--json')).stdout).not.toContain(secret);
  expect((await at.run('audit', 'p.yml', '--json', '--show-private')).stdout).toContain(`"private_comment":"${secret}"}]`);
});
