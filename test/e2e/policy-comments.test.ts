/** Comments of lists in audits and their reports. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';

const secret = 'canary of a report';

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
