/** People see accounts with their `@`, as commands take them; programs get them as policies name them. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt} from './desk.js';

const policy = `version: 1
blocks: {must: [bob, '123456'], must_not: [grumpy]}
mutes: {must: [omar@lens.example.org]}
`;

/** A folder with the policy, beside the demo. */
async function desk() {
  const server = await watchedSandbox();
  return {...deskAt(server, {'p.yml': policy}), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

const plan = [
  '- account block @grumpy  # blocks.must_not: p.yml:2',
  '+ account block @bob  # blocks.must: p.yml:2',
  '+ account block 123456  # blocks.must: p.yml:2',
  '+ account mute @omar@lens.example.org  # mutes.must: p.yml:3',
  '',
].join('\n');

test('a plan names accounts with their @, and ids without', async () => {
  await using place = await desk();
  const {stdout} = await place.run('plan', 'p.yml', '--report', 'markdown=plan.md');
  expect(stdout).toBe(plan);
  expect(readFileSync(join(place.folder, 'plan.md'), 'utf8')).toContain(stdout);
});

test.each([
  ['audit', ['audit', 'p.yml', '-o', 'table'], ['  123456  ', '  @bob  ', '  @grumpy  ', '  @omar@lens.example.org  ']],
  ['explain', ['explain', '@grumpy', '--policy', 'p.yml', '-o', 'table'], [' @grumpy ']],
  ['diff', ['diff', 'p.yml', 'empty.yml', '-o', 'table'], ['@bob', '@omar@lens.example.org']],
  ['state adopt', ['state', 'adopt', 'there.yml', '--all', '-o', 'table'], ['@grumpy']],
  ['apply', ['apply', 'p.yml', '--yes', '-o', 'table'], ['add account block @bob', 'remove account block @grumpy']],
])('the table of %s names accounts with their @', async (_, args, shown) => {
  await using place = await desk();
  place.write('empty.yml', 'version: 1\nblocks: {must: []}\nmutes: {must: []}\n');
  place.write('there.yml', 'version: 1\nblocks: {must: [grumpy]}\n');
  const {stdout} = await place.run(...args);
  for (const one of shown) expect(stdout).toContain(one);
});

test('reports for people, and notes, name accounts with their @', async () => {
  await using place = await desk();
  const formats = ['html', 'markdown', 'github', 'sarif'];
  await place.run('audit', 'p.yml', ...formats.flatMap((format) => ['--report', `${format}=${format}.out`]));
  const textOf = (format: string) => readFileSync(join(place.folder, `${format}.out`), 'utf8');
  expect(textOf('html')).toContain('<bdi>@bob</bdi>');
  expect(textOf('markdown')).toContain('&#64;bob');
  expect(textOf('github')).toContain('blocks.must%3A @bob');
  expect(textOf('sarif')).toContain('"@bob on ');
  place.write('own.yml', 'version: 1\nblocks: {must: [ana]}\n');
  expect((await place.run('audit', 'own.yml')).stderr).toContain('Held back: account block @ana: it is the account itself');
  expect((await place.run('explain', '@clara', '--policy', 'own.yml')).stderr).toContain('No rule names the account block @clara.');
  await place.run('apply', 'p.yml', '--yes');
  expect((await place.run('undo', 'p.yml', '--yes')).stderr).toContain('@bob: follows ended in both directions');
});
