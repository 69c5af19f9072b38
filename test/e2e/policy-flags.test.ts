/** Flags of policy commands: they are taken with every section. */
import {describe, expect, test} from 'vitest';
import {deskAt, watchedSandbox} from './policy-server.js';

/** Something that differs, of each section: what the policy says, and what it is about. */
const named: Readonly<Record<string, readonly [rules: string, subject: string]>> = {
  domain_blocks: ['{must: [loud.test]}', 'loud.test'],
  admin_domain_blocks: ['{must: [loud.test]}', 'loud.test'],
  blocks: ['{must: [clara]}', 'clara'],
  mutes: ['{must: [clara]}', 'clara'],
  filters: ['{must: [{title: Loud, context: [home], keywords: [loud]}]}', 'Loud'],
};

async function desk(files: Readonly<Record<string, string>>) {
  const server = await watchedSandbox();
  const env = {...server.env, PIXELCTL_TOKEN: server.tokens.admins['admin'] ?? ''};
  return {server, ...deskAt({env}, {...files, 'list.txt': 'other.test\n'}), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

describe('a part of a policy', () => {
  test.concurrent.each(Object.entries(named))('--only chooses %s', async (key, [rule, subject] = ['', '']) => {
    const other = key === 'filters' ? 'mutes: {must: []}' : 'filters: {must: [{title: F, context: [home], keywords: [k]}]}';
    await using place = await desk({'p.yml': `version: 1\n${other}\n${key}: ${rule}\n`});
    const all = async (...words: readonly string[]) => {
      const {changes, cannot} = JSON.parse((await place.run('plan', 'p.yml', '--json', ...words)).stdout);
      return [...changes, ...cannot].map((one: {readonly subject: string}) => one.subject);
    };
    expect(await all('--only', key)).toEqual([subject]);
  });
});

test.concurrent('the command that plan suggests runs as printed, whatever flags the plan was made with', async () => {
  await using place = await desk({'p.yml': 'version: 1\ndomain_blocks: {must: [loud.test], must_not: [casino.test]}\n'});
  const planned = await place.run('plan', 'p.yml', '--allow-outside');
  const [, words = ''] = /To apply it: pixelctl (.*)$/m.exec(planned.stderr) ?? [];
  expect(await place.run(...words.split(' '), '--yes')).toMatchObject({status: 0});
});

test.concurrent.each([['--allow-remote-lists'], ['--allow-outside']])('export takes %s only with --from', async (...words) => {
  await using place = await desk({'list.txt': 'bad.example\n'});
  expect(await place.run('export', ...words)).toMatchObject({status: 2, stderr: expect.stringContaining(`${words[0]} is for --from`)});
  expect(place.server.exchanges).toEqual([]);
});
