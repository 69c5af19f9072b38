import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {Config} from '@oclif/core';
import {beforeAll, expect, test} from 'vitest';
import {nodesOf, type Node} from '../../../../src/lib/cli/completion/model.js';
import {formatNames} from '../../../../src/lib/print/print.js';

const root = join(import.meta.dirname, '../../../..');

let config: Config;
let nodes: ReadonlyMap<string, Node>;
beforeAll(async () => {
  config = await Config.load(root);
  nodes = new Map((await nodesOf(config)).map((node) => [node.words, node]));
});

const flag = (words: string, name: string) => nodes.get(words)?.flags.find(({names}) => names.includes(name));

test('every command can be reached word by word', () => {
  expect(config.commands.length).toBeGreaterThan(0);
  for (const {id} of config.commands) {
    const words = id.split(':');
    for (const [index, word] of words.entries()) {
      expect(nodes.get(words.slice(0, index).join(' '))?.next.map((next) => next.word)).toContain(word);
    }
    expect(nodes.get(words.join(' '))?.flags.flatMap(({names}) => names)).toEqual(expect.arrayContaining(['--output', '-o', '--help']));
  }
});

test('topics and commands have descriptions', () => {
  expect(nodes.get('')?.next).toContainEqual({word: 'dm', about: 'Conversations and direct messages'});
  expect(nodes.get('dm')?.next).toContainEqual({word: 'list', about: 'List conversations'});
});

test('known values come from records, commands and global flags, and are not repeated in descriptions', () => {
  expect(flag('dm list', '--filter')).toMatchObject({about: 'which inbox', value: {known: ['primary', 'requests', 'hidden']}});
  expect(nodes.get('report')?.arguments[0]).toMatchObject({
    name: 'OBJECT_TYPE',
    about: 'kind of object to report',
    known: expect.arrayContaining(['post']),
  });
  expect(nodes.get('completion')?.arguments[0]).toMatchObject({known: ['bash', 'zsh', 'fish']});
  expect(flag('config', '-o')?.value?.known).toEqual(formatNames);
});

test('file arguments are recognized by their names', () => {
  for (const [words, name] of [
    ['report', '--input'],
    ['dm send', '--media'],
    ['sandbox', '--seed'],
  ] as const) {
    expect(flag(words, name)?.value?.isFile).toBe(true);
  }
  expect(nodes.get('thread send-media')?.arguments.map(({isFile}) => isFile)).toEqual([false, true]);
  expect(flag('api', '--file')?.value?.isFile).toBe(false);
});

test('negated and repeated flags are recognized', () => {
  expect(flag('filters create', '--no-whole-word')).toMatchObject({names: ['--whole-word', '--no-whole-word'], repeats: false});
  expect(flag('filters create', '--keyword')?.repeats).toBe(true);
  expect(nodes.get('dm read')?.arguments).toMatchObject([{name: 'ID', repeats: true}]);
});

function completion(...words: string[]) {
  return spawnSync(process.execPath, [join(root, 'bin/run.js'), 'completion', ...words], {
    encoding: 'utf8',
    env: {...process.env, PIXELCTL_SERVER: 'https://secret.example', PIXELCTL_TOKEN: 'SECRET-TOKEN', PIXELCTL_OUTPUT: 'json'},
  });
}

test.each(['bash', 'zsh', 'fish'])('`completion %s` prints a script in any environment', (shell) => {
  const {stdout, stderr, status} = completion(shell);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  expect(stdout).toContain(`${shell} completion for pixelctl`);
  expect(stdout).not.toMatch(/SECRET-TOKEN|secret\.example/);
  expect(stdout).not.toContain(root);
});

test.each([
  [[], 'Which shell?'],
  [['csh'], 'There is no completion for \\"csh\\"'],
])('`completion` of %j is a usage error that names the shells', (words, message) => {
  const {stdout, stderr, status} = completion(...words);
  expect({stdout, status}).toEqual({stdout: '', status: 2});
  expect(stderr).toContain(message);
  expect(stderr).toContain('one of bash, zsh, fish');
});
