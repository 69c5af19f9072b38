/** How a command reads its flags, and what it says of what nobody expected. */
import {join} from 'node:path';
import {Flags} from '@oclif/core';
import {expect, test} from 'vitest';
import {command} from '../../../src/lib/cli/command.js';
import {numberFlag, repeatable} from '../../../src/lib/cli/flags.js';
import {Io} from '../../../src/lib/cli/io.js';
import {runWith} from '../../../src/lib/cli/shell/main.js';
import {testSystem} from '../../system.js';

const root = join(import.meta.dirname, '../../..');

const words = {summary: '', description: '', examples: []};

/** The flags of a command that has one of each kind, as they are read. */
async function readFlags(...typed: readonly string[]): Promise<unknown> {
  let read: unknown;
  const reading = command({
    ...words,
    flags: {
      text: Flags.string({char: 't', default: 'none'}),
      count: numberFlag({description: '', helpValue: 'N'}, {least: 1, whole: true}),
      kind: Flags.string({options: ['a', 'b']}),
      many: repeatable('', 'TEXT'),
      on: Flags.boolean({allowNo: true}),
    },
    async run({flags}) {
      read = flags;
    },
  });
  const {system, printed} = testSystem({env: process.env});
  await runWith(['read', ...typed], {root, commands: {read: async () => ({default: reading})}}, new Io(system));
  return read ?? printed.stderr.split('\n')[0];
}

test.each([
  ['--text a --text b', {text: 'b'}],
  ['-t a -t b', {text: 'b'}],
  ['-ta -tb', {text: 'b'}],
  ['-t=a --text=b', {text: 'b'}],
  ['--text b -t a', {text: 'a'}],
  ['--text a --text=', {text: ''}],
  ['--text=-a --text=-b', {text: '-b'}],
  ['--text a,b --text c,d', {text: 'c,d'}],
  ['', {text: 'none'}],
  ['--count 1 --count=2 --count 3', {count: 3}],
  ['--count 2 --count 0', 'Error: --count must be a whole number of at least 1'],
  ['--kind a --kind b', {kind: 'b'}],
  ['--kind a --kind c', 'Error: --kind takes one of a, b'],
  ['--many a --many b,c --text a --text b', {many: ['a', 'b,c'], text: 'b'}],
  ['--on --on', {on: true}],
  ['--no-on --no-on', {on: false}],
  ['--on --no-on', 'Error: --on and --no-on cannot be used together'],
  ['-o json -o csv --output tsv', {output: 'tsv'}],
  ['--timeout 1 --timeout 2 -vv --json --json', {timeout: 2, verbose: true, json: true}],
  ['-s a.example -sb.example', {server: 'b.example'}],
  // Not of profiles: one of two would be written to.
  ['-p one --profile two', {profile: 'one,two'}],
  ['--text a --text', 'Error: Flag --text expects a value'],
])('of a flag that is given twice, the last one counts: %s', async (line, expected) => {
  const read = await readFlags(...line.split(' ').filter(Boolean));
  if (typeof expected === 'string') expect(read).toBe(expected);
  else expect(read).toMatchObject(expected);
});

/** Runs a command that throws this. */
async function throwing(thrown: unknown, ...typed: readonly string[]): Promise<readonly string[]> {
  const thrower = command({
    ...words,
    async run() {
      throw thrown;
    },
  });
  const {system, printed} = testSystem({env: process.env});
  await runWith(['boom', ...typed], {root, commands: {boom: async () => ({default: thrower})}}, new Io(system));
  expect({stdout: printed.stdout, status: system.exitCode}).toEqual({stdout: '', status: 1});
  return printed.stderr.trim().split('\n');
}

const bug = [expect.stringMatching(/^Error: /), expect.stringContaining('this is a bug in pixelctl')];

test.each([
  [new TypeError('x\u001b is not'), ['* x␛ is not']],
  [new SyntaxError('Unexpected token in "secret"'), []],
  ['secret', []],
])('an unexpected exception is a bug, and --verbose tells what cannot quote a secret: %s', async (thrown, details) => {
  expect(await throwing(thrown)).toEqual(bug);
  for (const flag of ['-v', '--verbose']) expect(await throwing(thrown, flag)).toEqual([...bug, ...details]);
});
