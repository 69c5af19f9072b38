/** Flags of policy commands and the sections that they are about: each has an effect, or is refused. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {sectionKeys} from '../../src/lib/policy/sections/index.js';
import {deskAt, watchedSandbox} from './policy-server.js';

type Key = (typeof sectionKeys)[number];

const domains = '{must: [casino.test, loud.test], protect: [casino.test]}';

/** Of domains something differs from the account. */
const rules: Readonly<Partial<Record<Key, string>>> = {
  domain_blocks: domains,
  admin_domain_blocks: domains,
  push: '{notify_enabled: true}',
  config: '{version: {is: "9"}}',
};
const rulesOf = (key: Key): string => rules[key] ?? '{must: []}';

const commands = {
  plan: ['plan', 'p.yml'],
  apply: ['apply', 'p.yml', '--yes'],
  audit: ['audit', 'p.yml'],
  explain: ['explain', 'casino.test', '--policy', 'p.yml'],
} as const;

type Command = keyof typeof commands;

/** What a flag is about: in these sections it has an effect, in all others it is refused. */
const flags: readonly {
  readonly words: readonly string[];
  readonly of: readonly Command[];
  readonly acts: readonly Key[];
}[] = [
  {words: ['--block-protected', 'casino.test'], of: ['plan', 'apply', 'audit', 'explain'], acts: ['domain_blocks', 'admin_domain_blocks']},
  {words: ['--save-relations', 'relations.ndjson'], of: ['apply'], acts: ['domain_blocks']},
];

const cells = flags.flatMap(({words, of, acts}) =>
  of.flatMap((command) => sectionKeys.map((key) => ({flag: words.join(' '), words, command, key, acts: acts.includes(key)}))),
);

async function desk(files: Readonly<Record<string, string>>) {
  const server = await watchedSandbox();
  const env = {...server.env, PIXELCTL_TOKEN: server.tokens.admins['admin'] ?? ''};
  return {server, ...deskAt({env}, files), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

describe('a flag that only some sections have is refused with the others', () => {
  test.concurrent.each(cells)('$flag of $command with $key', async ({words, command, key, acts}) => {
    await using place = await desk({'p.yml': `version: 1\n${key}: ${rulesOf(key)}\n`});
    const plain = await place.run(...commands[command], '--json');
    await place.run('undo', '--yes');
    const before = place.server.exchanges.length;
    const ended = await place.run(...commands[command], '--json', ...words);
    if (acts) {
      expect(ended.status, ended.stderr).not.toBe(2);
      expect([ended.stdout !== plain.stdout, existsSync(join(place.folder, 'relations.ndjson'))]).toContain(true);
    } else {
      expect(ended).toMatchObject({status: 2, stdout: '', stderr: expect.stringContaining(`${words[0]} `)});
      expect(place.server.exchanges).toHaveLength(before);
      expect(existsSync(join(place.folder, 'relations.ndjson'))).toBe(false);
    }
  });
});

const both = `version: 1\ndomain_blocks: {must: [casino.test]}\nadmin_domain_blocks: {must: [worse.test]}\n`;

test.concurrent.each(['p.yml', 'plan.json'])(
  '--save-relations is refused for %s with blocks for everybody, and works for the rest',
  async (name) => {
    await using place = await desk({'p.yml': both});
    await place.run('plan', 'p.yml', '--out', 'plan.json');
    const refused = await place.run('apply', name, '--yes', '--save-relations', 'relations.ndjson');
    expect(refused).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^Error: --save-relations cannot be used with admin_domain_blocks.*\nHint: .*--only domain_blocks/),
    });
    expect(place.server.writes).toEqual([]);
    if (name === 'plan.json') await place.run('plan', 'p.yml', '--out', name, '--only', 'domain_blocks');
    const words = name === 'p.yml' ? ['--only', 'domain_blocks'] : [];
    expect(await place.run('apply', name, '--yes', '--save-relations', 'relations.ndjson', ...words)).toMatchObject({status: 0});
    expect(place.server.writes).toHaveLength(1);
  },
);

test.concurrent('a flag that only a part of the policy has is refused for the other part', async () => {
  await using place = await desk({'p.yml': `version: 1\ndomain_blocks: ${domains}\nfilters: {must: []}\n`});
  const words = ['plan', 'p.yml', '--block-protected', 'casino.test', '--only'];
  expect(await place.run(...words, 'filters')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--block-protected has no effect: --only filters of p.yml has no rules about domains'),
  });
  expect(await place.run(...words, 'filters,domain_blocks')).toMatchObject({status: 10});
});

test.concurrent.each([
  ['--block-protected', 'casino.test'],
  ['--allow-remote-lists'],
  ['--allow-outside'],
  ['--allow-profile-list', 'bob'],
])('export takes %s only with --from', async (...words) => {
  await using place = await desk({'list.txt': 'bad.example\n'});
  expect(await place.run('export', ...words)).toMatchObject({status: 2, stderr: expect.stringContaining(`${words[0]} is for --from`)});
  expect(place.server.exchanges).toEqual([]);
});

test.concurrent('export refuses --block-protected for a list, which protects nothing', async () => {
  await using place = await desk({'list.txt': 'bad.example\n'});
  const ended = await place.run('export', '--from', 'list.txt', '--block-protected', 'bad.example');
  expect(ended).toMatchObject({status: 2, stderr: expect.stringContaining('list.txt is a list, and protects nothing')});
});
