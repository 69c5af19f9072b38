/** Flags of policy commands: each is taken with every section. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pairwiseSampler} from '../contract/sample.js';
import {baseFlags} from '../../src/lib/cli/flags.js';
import {sectionKeys} from '../../src/lib/policy/sections/index.js';
import {deskAt, watchedSandbox} from './policy-server.js';

type Key = (typeof sectionKeys)[number];

const domains = '{must: [loud.test], must_not: [casino.test]}';

/** Of domains something differs from the account. */
const rules: Readonly<Partial<Record<Key, string>>> = {
  domain_blocks: domains,
  admin_domain_blocks: domains,
};
const rulesOf = (key: Key): string => rules[key] ?? '{must: []}';

const commands = {
  plan: ['plan', 'p.yml'],
  apply: ['apply', 'p.yml', '--yes'],
  audit: ['audit', 'p.yml'],
  explain: ['explain', 'casino.test', '--policy', 'p.yml'],
  adopt: ['state', 'adopt', 'p.yml', '--all'],
  diff: ['diff', 'p.yml'],
} as const;

/** Something that differs, of each section: what the policy says, and what it is about. */
const named: Readonly<Partial<Record<Key, readonly [rules: string, subject: string]>>> = {
  domain_blocks: ['{must: [loud.test]}', 'loud.test'],
  admin_domain_blocks: ['{must: [loud.test]}', 'loud.test'],
  blocks: ['{must: [clara]}', 'clara'],
  mutes: ['{must: [clara]}', 'clara'],
  filters: ['{must: [{title: Loud, context: [home], keywords: [loud]}]}', 'Loud'],
};

const holding = ['domain_blocks', 'admin_domain_blocks', 'blocks', 'mutes', 'filters'] as const;

/** The flags, with a value. */
const taken: Readonly<Record<string, readonly string[]>> = {
  expect: ['0'.repeat(64)],
  report: ['markdown=report.md'],
  state: ['own.state.ndjson'],
  since: ['before.json'],
  'fail-on': ['any'],
  rate: ['100/s'],
  'fail-fast': [],
  'dry-run': [],
  yes: [],
  concurrency: ['2'],
  'allow-removals': ['3'],
  'allow-additions': ['9'],
  'allow-remote-lists': [],
  'allow-outside': [],
  'show-private': [],
};

/** Flags that choose what the run is about: each is tried with what it names below. */
const choosing = ['all', 'all-profiles', 'only', 'policy'];

const common = new Set(Object.keys(baseFlags));
const flagsOf = (id: string): string[] => {
  const {commands: all}: {commands: Record<string, {flags: Record<string, unknown>}>} = JSON.parse(
    readFileSync(new URL('../../oclif.manifest.json', import.meta.url), 'utf8'),
  );
  return Object.keys(all[id]?.flags ?? {}).filter((name) => name === 'yes' || !common.has(name));
};

test.each(Object.keys(commands))('every flag of %s has its row', (name) => {
  const rows = [...Object.keys(taken), ...choosing];
  expect(rows).toEqual(expect.arrayContaining(flagsOf(name === 'adopt' ? 'state:adopt' : name)));
});

async function desk(files: Readonly<Record<string, string>>) {
  const server = await watchedSandbox();
  const env = {...server.env, PIXELCTL_TOKEN: server.tokens.admins['admin'] ?? ''};
  return {server, ...deskAt({env}, {...files, 'list.txt': 'other.test\n'}), [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

const cells = Object.entries(commands).flatMap(([command, words]) =>
  Object.entries(taken).flatMap(([flag, values]) =>
    flagsOf(command === 'adopt' ? 'state:adopt' : command).includes(flag) && !words.some((word) => word === `--${flag}`)
      ? sectionKeys.map((key) => ({command, words, flag, values, key}))
      : [],
  ),
);

describe('a flag is taken with every section', () => {
  const sample = pairwiseSampler<(typeof cells)[number]>(({flag, command, key}) => [`${flag} of ${command}`, `${flag} ${key}`]);
  test.concurrent.each(sample(cells))('--$flag of $command with $key', async ({words, flag, values, key}) => {
    await using place = await desk({'p.yml': `version: 1\n${key}: ${rulesOf(key)}\n`});
    place.write('before.json', (await place.run('audit', 'p.yml', '--json')).stdout);
    const given = flag === 'report' && words[0] === 'audit' ? ['json=report.md'] : values;
    const ended = await place.run(...words, `--${flag}`, ...given);
    expect(ended.status, ended.stderr).not.toBe(2);
    if (flag === 'report') expect(existsSync(join(place.folder, 'report.md'))).toBe(true);
    if (flag === 'dry-run') expect(place.server.writes).toEqual([]);
  });
});

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

test.concurrent.each(holding)('--allow-removals is for what is removed of %s, which may be more than the policy names', async (key) => {
  await using place = await desk({'p.yml': `version: 1\n${key === 'mutes' ? 'blocks' : 'mutes'}: {must: []}\n`});
  const ended = await place.run('apply', 'p.yml', '--yes', '--allow-removals', '3', '--only', key);
  expect(ended.status, ended.stderr).not.toBe(2);
});

test.concurrent('the command that plan suggests runs as printed, whatever flags the plan was made with', async () => {
  await using place = await desk({'p.yml': `version: 1\ndomain_blocks: ${domains}\n`});
  const planned = await place.run('plan', 'p.yml', '--allow-outside');
  const [, words = ''] = /To apply it: pixelctl (.*)$/m.exec(planned.stderr) ?? [];
  expect(await place.run(...words.split(' '), '--yes')).toMatchObject({status: 0});
});

test.concurrent.each([['--allow-remote-lists'], ['--allow-outside']])('export takes %s only with --from', async (...words) => {
  await using place = await desk({'list.txt': 'bad.example\n'});
  expect(await place.run('export', ...words)).toMatchObject({status: 2, stderr: expect.stringContaining(`${words[0]} is for --from`)});
  expect(place.server.exchanges).toEqual([]);
});
