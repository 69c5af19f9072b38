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

test.each<[words: string, name: string, value: object]>([
  ['dm list', '--filter', {known: ['primary', 'requests', 'hidden']}],
  ['config', '-o', {known: formatNames}],
  ['sandbox', '--seed', {known: ['demo', 'empty']}],
  ['filters create', '--context', expect.objectContaining({isList: true})],
  ['report', '--input', {files: true}],
  ['dm send', '--media', {files: true}],
  ['explain', '--policy', {files: true}],
  ['audit', '--report', {files: true}],
  ['config', '--profile', {profiles: true}],
])('the values of %s %s are known: %j', (words, name, value) => {
  expect(flag(words, name)?.value).toEqual(value);
});

test.each<readonly [words: string, value: object]>([
  ['report', {known: expect.arrayContaining(['post'])}],
  ['completion', {known: ['bash', 'zsh', 'fish', 'powershell']}],
  ['dm read', {repeats: true}],
  ...['audit', 'plan', 'apply', 'undo'].map((words) => [words, {files: true}] as const),
  ...['auth switch', 'auth logout', 'auth refresh', 'diff'].map((words) => [words, {profiles: true}] as const),
])('what %s takes is known: %j', (words, value) => {
  expect(argument(words)).toMatchObject(value);
});

test('the value of --server is anything, both names of a flag are offered, and hidden ones are not', () => {
  expect(flag('config', '--server')?.value).toEqual({});
  expect(flag('filters create', '--no-whole-word')?.names).toEqual(['--whole-word', '--no-whole-word']);
  expect(flag('config', '--yes')).toBeUndefined();
});
