/** A policy that one account exports, applied to an account of another server. */
import {expect, test} from 'vitest';
import {watchedSandbox} from '../../policy-desk.js';
import {deskAt, run} from './desk.js';
import {newFolder} from '../../new-folder.js';

/** Two servers, and what the account of the first one exports. */
async function twoServers(...sections: readonly string[]) {
  const [one, other] = [await watchedSandbox(), await watchedSandbox()];
  const [from, to] = [deskAt(one, {}), newFolder()];
  return {
    from,
    other,
    exported: async () => (await from.run('export', '--only', sections.join(','))).stdout,
    toOther: (stdin: string, ...args: readonly string[]) => run(args, {env: other.env, folder: to, stdin}),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
}

test.concurrent('a policy that export prints names whole handles and no server', async () => {
  await using place = await twoServers('blocks', 'mutes');
  await place.from.run('blocks', 'add', '@bob', '--yes');
  const text = await place.exported();
  expect(text).toMatch(/- bob@127\.0\.0\.1:\d+/);
  expect(text).not.toContain('server:');
  expect((await place.toOther(text, 'plan', '-')).stdout).toMatch(/account block @bob@127\.0\.0\.1:\d+/);
});

test.concurrent('filters of another account are made, those of the same title only gain, and the others are held', async () => {
  await using place = await twoServers('filters');
  const create = (title: string, ...keywords: readonly string[]) => [
    'filters',
    'create',
    '--title',
    title,
    '--context',
    'home',
    ...keywords,
  ];
  for (const [title, word] of [
    ['New', 'new'],
    ['Grows', 'more'],
    ['Shrinks', 'less'],
  ] as const)
    await place.from.run(...create(title, '--keyword', word));
  const text = await place.exported();
  await place.toOther('', ...create('Grows'), '--keyword', 'more', '--action', 'warn');
  await place.toOther('', ...create('Shrinks', '--keyword', 'less', '--keyword', 'own'));
  const widened = text.replace(/(title: Grows[\s\S]*?keywords:\n\s+- )more/, '$1more\n        - most');
  const ended = await place.toOther(widened, 'apply', '-', '--yes');
  expect(ended, ended.stderr).toMatchObject({status: 0});
  expect(ended.stderr).toMatch(/filter Shrinks: .*takes nothing away/);
  const filters: {title: string; keywords: {keyword: string}[]}[] = JSON.parse(
    (await place.toOther('', 'filters', 'list', '--json')).stdout,
  );
  const words = new Map(filters.map(({title, keywords}) => [title, keywords.map(({keyword}) => keyword).sort()]));
  expect([words.get('New'), words.get('Grows'), words.get('Shrinks')]).toEqual([['new'], ['more', 'most'], ['less', 'own']]);
  const again = await place.toOther(widened, 'apply', '-', '--yes');
  expect(again, again.stderr).toMatchObject({status: 0, stdout: ''});
});
