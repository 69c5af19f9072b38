/** Comments of lists in audits and their reports. */
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
  const {stdout} = await at.run('audit', 'p.yml');
  for (const where of ['p.yml:2, a.csv:2, b.csv:2', 'a.csv:3, b.csv:3', 'b.csv:4']) expect(stdout).toContain(`  ${where}  `);
  const lists = JSON.parse((await at.run('audit', 'p.yml', '--json')).stdout).findings.map((one: {lists?: unknown}) => one.lists);
  expect(lists).toContainEqual(['p.yml:2', 'a.csv:2', 'b.csv:2']);
  const explained = await at.run('explain', 'both.example', '--policy', 'p.yml', '--json');
  expect(JSON.parse(explained.stdout)[0].because).toMatchObject([
    {where: 'p.yml:2'},
    {where: 'a.csv:2', says: expect.stringMatching(/^suspend, “spam”/)},
    {where: 'b.csv:2', says: expect.stringMatching(/^silence, “harassment”/)},
  ]);
  for (const words of [
    ['audit', 'p.yml'],
    ['explain', 'both.example', '--policy', 'p.yml'],
  ]) {
    expect((await at.run(...words, '--json')).stdout).not.toContain(secret);
    expect((await at.run(...words, '--json', '--show-private')).stdout).toContain(secret);
  }
});
