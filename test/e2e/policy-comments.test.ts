/** Comments of lists in audits and their reports. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';

const secret = 'canary of a report';

test.concurrent('an audit names all lists that name a domain, and explain says what each says', async () => {
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
  const [both, other] = ['p.yml:2, a.csv:2, b.csv:2', 'a.csv:3, b.csv:3'];
  for (const where of [both, other, 'b.csv:4']) expect(stdout).toContain(`  ${where}  `);
  const written = (name: string) => readFileSync(join(at.folder, name), 'utf8');
  // Markdown has references in place of its own marks.
  const plain = (text: string) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  for (const format of ['html', 'junit', 'markdown']) expect(plain(written(`audit.${format}`)), format).toContain(other);
  const sarif = JSON.parse(written('audit.sarif'));
  expect(sarif.runs[0].results[1].relatedLocations).toMatchObject([
    {physicalLocation: {artifactLocation: {uri: 'b.csv'}, region: {startLine: 3}}},
  ]);
  const lists = JSON.parse((await at.run('audit', 'p.yml', '--json')).stdout).findings.map((one: {lists?: unknown}) => one.lists);
  expect(lists).toContainEqual(['p.yml:2', 'a.csv:2', 'b.csv:2']);
  const explained = await at.run('explain', 'both.example', '--policy', 'p.yml', '--json');
  expect(JSON.parse(explained.stdout)[0].because).toMatchObject([
    {where: 'p.yml:2'},
    {where: 'a.csv:2', details: {severity: 'suspend', public_comment: 'spam'}},
    {where: 'b.csv:2', details: {severity: 'silence', public_comment: 'harassment'}},
  ]);
  for (const words of [
    ['audit', 'p.yml'],
    ['explain', 'both.example', '--policy', 'p.yml'],
  ]) {
    expect((await at.run(...words, '--json')).stdout).not.toContain(secret);
    expect((await at.run(...words, '--json', '--show-private')).stdout).toContain(secret);
  }
});
