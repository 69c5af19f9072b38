import {describe, expect, test} from 'vitest';
import {bashScript} from '../../src/lib/cli/completion/bash.js';
import {fishScript} from '../../src/lib/cli/completion/fish.js';
import type {Flag, Node} from '../../src/lib/cli/completion/model.js';
import {shells} from '../../src/lib/cli/completion/script.js';
import {zshScript} from '../../src/lib/cli/completion/zsh.js';
import {ask, isInstalled, type Shell} from './completion-asking.js';

const hostile = String.raw`it's "so" [here]: $HOME \`touch pwned\` $(touch pwned) back\slash \'quoted\\ 100%d (a) {b} ~ * # !! x`;

const help: Flag = {names: ['--help'], about: 'show help', repeats: false};
const text = {known: [], isFile: false};
const file = {name: 'FILE', known: [], isFile: true};

const nodes: readonly Node[] = [
  {
    words: '',
    next: [
      {word: 'album', about: 'Albums'},
      {word: 'report', about: hostile},
    ],
    flags: [help, {names: ['--version'], about: 'show the version', repeats: false}],
    arguments: [],
  },
  {
    words: 'album',
    next: [
      {word: 'drop', about: 'Drop albums'},
      {word: 'list', about: 'List albums'},
    ],
    flags: [help],
    arguments: [],
  },
  {
    words: 'album drop',
    next: [],
    flags: [help],
    arguments: [
      {name: 'HOW', about: '', known: ['all', 'some'], isFile: false, repeats: false},
      {name: 'ID', about: 'ids', known: ['last'], isFile: false, repeats: true},
    ],
  },
  {
    words: 'album list',
    next: [],
    flags: [
      {names: ['-s', '--server'], about: 'address', repeats: false, value: {name: 'URL', ...text}},
      {names: ['-o', '--output'], about: 'how to print', repeats: false, value: {name: 'FORMAT', known: ['table', 'json'], isFile: false}},
      {names: ['--filter'], about: hostile, repeats: false, value: {name: 'TEXT', known: ['primary', 'requests'], isFile: false}},
      {names: ['--tag'], about: 'tag', repeats: true, value: {name: 'TEXT', ...text}},
      {names: ['--whole', '--no-whole'], about: 'whole words', repeats: false},
      {names: ['--seed'], about: 'seed', repeats: false, value: {name: 'SEED', known: ['demo'], isFile: true}},
      {names: ['--input'], about: 'input', repeats: false, value: file},
      help,
    ],
    arguments: [],
  },
  {
    words: 'report',
    next: [],
    flags: [{names: ['--json'], about: 'raw JSON', repeats: false}, help],
    arguments: [
      {name: 'KIND', about: hostile, known: ['post', 'user'], isFile: false, repeats: false},
      {name: 'ID', about: 'id', ...text, repeats: false},
      {...file, about: 'file', repeats: false},
    ],
  },
];

const scripts: Readonly<Record<Shell, string>> = {bash: bashScript(nodes), zsh: zshScript(nodes), fish: fishScript(nodes)};
const files = ['notes.json', 'with space.json'];
const words = (shell: Shell, line: string) => [...ask(shell, scripts[shell], line, files).keys()].toSorted();

describe.each(shells)('in %s', (shell) => {
  test.beforeEach(({skip}) => skip(!isInstalled(shell), `${shell} is not installed`));

  test.each([
    ['', ['album', 'report']],
    ['al', ['album']],
    ['--v', ['--version']],
    ['album ', ['drop', 'list']],
    ['album l', ['list']],
    ['album x', []],
  ])('`pixelctl %s` leads to topics and commands', (line, expected) => {
    expect(words(shell, `pixelctl ${line}`)).toEqual(expected);
  });

  test.each([
    ['--', ['--filter', '--help', '--input', '--no-whole', '--output', '--seed', '--server', '--tag', '--whole']],
    ['-', ['--filter', '--help', '--input', '--no-whole', '--output', '--seed', '--server', '--tag', '--whole', '-o', '-s']],
    ['--no', ['--no-whole']],
    ['--no-whole --w', []],
    ['--filter primary --f', []],
    ['--filter=primary --f', []],
    ['-s https://x:80 --se', ['--seed']],
    ['--server=https://x:80 --se', ['--seed']],
    ['--tag a --t', ['--tag']],
  ])('`album list %s` leads to flags that are not given yet', (line, expected) => {
    expect(words(shell, `pixelctl album list ${line}`)).toEqual(expected);
  });

  test.each([
    ['--filter ', ['primary', 'requests']],
    ['--filter r', ['requests']],
    ['--filter=', ['primary', 'requests']],
    ['--filter=r', ['requests']],
    ['--output j', ['json']],
    ['-o j', ['json']],
    ['--tag ', []],
    ['--server=https://x:80 --filter=r', ['requests']],
    ['--seed d', ['demo']],
    ['--seed no', ['notes.json']],
    ['--input no', ['notes.json']],
    ['--input=no', ['notes.json']],
  ])('`album list %s` leads to values', (line, expected) => {
    expect(words(shell, `pixelctl album list ${line}`)).toEqual(expected);
  });

  test.each([
    ['report ', ['post', 'user']],
    ['report p', ['post']],
    ['report --json p', ['post']],
    ['report -- p', ['post']],
    ['report post ', []],
    ['report post 5 no', ['notes.json']],
    ['album drop ', ['all', 'some']],
    ['album drop all ', ['last']],
    ['album drop all 1 2 ', ['last']],
  ])('`pixelctl %s` leads to arguments', (line, expected) => {
    expect(words(shell, `pixelctl ${line}`)).toEqual(expected);
  });
});

test.for(['zsh', 'fish'] as const)('%s says descriptions as they are, and runs nothing in them', (shell, {skip}) => {
  skip(!isInstalled(shell), `${shell} is not installed`);
  expect(ask(shell, scripts[shell], 'pixelctl r').get('report')).toBe(hostile);
  expect(ask(shell, scripts[shell], 'pixelctl album list --f').get('--filter')).toBe(hostile);
});
