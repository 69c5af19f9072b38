import {beforeAll, expect, test} from 'vitest';
import {commands} from '../../../../src/commands.js';
import {completionTable} from '../../../../src/completion-table.js';
import type {Flag, Node} from '../../../../src/lib/cli/completion/model.js';
import {formatNames} from '../../../../src/lib/print/print.js';

let nodes: ReadonlyMap<string, Node>;
beforeAll(async () => {
  const {flags, nodes: indexed} = await completionTable();
  const full = Object.entries(indexed).map(
    ([words, node]) => [words, {...node, flags: node.flags.flatMap((index) => flags[index] ?? [])}] as const,
  );
  nodes = new Map(full);
});

const flag = (words: string, name: string): Flag | undefined => nodes.get(words)?.flags.find(({names}) => names.includes(name));
const argument = (words: string, index = 0) => nodes.get(words)?.arguments[index];

test.each(Object.keys(commands))('%s can be reached word by word', (id) => {
  const words = id.split(':');
  for (const [index, word] of words.entries()) expect(Object.keys(nodes.get(words.slice(0, index).join(' '))?.next ?? {})).toContain(word);
  expect(nodes.get(words.join(' '))?.flags.flatMap(({names}) => names)).toEqual(expect.arrayContaining(['--output', '-o', '--help']));
});

test('every candidate is one line', () => {
  const texts = [...nodes.values()].flatMap(({next, flags, arguments: args}) => [
    ...Object.entries(next).flat(),
    ...flags.flatMap(({names, about}) => [...names, about]),
    ...args.map(({about}) => about),
  ]);
  expect(texts.filter((text) => text.includes('\n'))).toEqual([]);
});

test('topics and commands have descriptions', () => {
  expect(nodes.get('')?.next).toMatchObject({
    admin: 'Moderate the server as an admin',
    dm: 'Conversations and direct messages',
    help: 'Show help',
  });
  expect(nodes.get('dm')?.next).toMatchObject({list: 'List conversations'});
});

test('known values come from records, commands and global flags', () => {
  expect(flag('dm list', '--filter')).toMatchObject({value: {known: ['primary', 'requests', 'hidden']}});
  expect(argument('report')).toMatchObject({known: expect.arrayContaining(['post'])});
  expect(argument('completion')).toMatchObject({known: ['bash', 'zsh', 'fish', 'powershell']});
  expect(flag('config', '-o')?.value?.known).toEqual(formatNames);
});

test.each([
  ['report', '--input'],
  ['dm send', '--media'],
  ['explain', '--policy'],
  ['audit', '--report'],
])('%s %s takes a file', (words, name) => {
  expect(flag(words, name)?.value).toMatchObject({files: true});
});

test.each(['audit', 'plan', 'apply', 'undo'])('%s takes a policy', (words) => {
  expect(argument(words)).toMatchObject({files: true});
});

test('data to start a sandbox with is no file', () => {
  expect(flag('sandbox', '--seed')?.value).toEqual({known: ['demo', 'empty']});
});

test('saved profiles are offered for --profile', () => {
  expect(flag('config', '--profile')?.value).toEqual({profiles: true});
  expect(flag('config', '--server')?.value).toEqual({});
});

test.each(['auth switch', 'auth logout', 'auth refresh', 'diff'])('saved profiles are offered after %s', (words) => {
  expect(argument(words)).toMatchObject({profiles: true});
});

test('negated flags, lists with commas and repeated arguments are recognized', () => {
  expect(flag('filters create', '--no-whole-word')?.names).toEqual(['--whole-word', '--no-whole-word']);
  expect(flag('filters create', '--context')?.value).toMatchObject({isList: true});
  expect(argument('dm read')).toMatchObject({repeats: true});
});

test('hidden flags are not offered', () => {
  expect(flag('config', '--yes')).toBeUndefined();
});
