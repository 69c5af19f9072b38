/** What reaches standard output and standard error, whatever a server says. */
import {PassThrough} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {Io, ioOf} from '../../../src/lib/cli/io.js';
import type {Environment} from '../../../src/lib/files/runtime.js';
import {testSystem} from '../../system.js';
import {pixelfed, runCommand} from '../../run-command.js';

const active = 'a\u009b2J\u202eb\u200b\u{e0041}\u001b[31m';
const shown = String.raw`a\u009b2J\u202eb\u200b\u{e0041}␛[31m`;
const account = {id: '7', username: active, acct: active, display_name: active};

/** C1 controls and bidirectional marks stand in JSON as they are, and escape characters never do. */
const asJson = JSON.stringify(account);

describe('in a pipe', () => {
  test.each([
    [['--json'], `[${asJson}]\n`],
    [['-o', 'ndjson'], `${asJson}\n`],
    [['-o', 'csv', '--fields', 'acct'], `acct\r\n${active}\r\n`],
    [['-o', 'tsv', '--fields', 'acct'], `acct\n${active}\n`],
    [['--jq', '.[0].acct'], `${active}\n`],
  ])('data is unmodified: %j', async (flags, stdout) => {
    pixelfed().get('/api/v1/blocks').reply(200, [account]);
    expect(await runCommand(['blocks', 'list', ...flags])).toEqual({status: 0, stdout, stderr: ''});
  });

  test('a table has no control characters', async () => {
    pixelfed().get('/api/v1/blocks').reply(200, [account]);
    expect((await runCommand(['blocks', 'list', '--fields', 'acct'])).stdout).toBe(`acct\n${shown}\n`);
  });

  test('an error has no control characters, as text and as JSON', async () => {
    for (const [flags, said] of [
      [[], shown],
      [['--json'], String.raw`a\u009b2J\u202eb\u200b\udb40\udc41\u001b[31m`],
    ] as const) {
      pixelfed().get('/api/v1/blocks').reply(422, {error: active});
      expect((await runCommand(['blocks', 'list', ...flags])).stderr).toContain(said);
    }
  });
});

test('what is read from a terminal is asked for', async () => {
  const {system, stdin, printed} = testSystem({typing: ''});
  stdin.end('Hello\n');
  expect(await new Io(system).readValue()).toBe('Hello');
  expect(printed.stderr).toBe('Reading from the terminal. Press Ctrl-D to end.\n');
});

test('a command that nobody gave streams has those of the process', () => {
  expect(ioOf({}).system).toBe(process);
});

/** What standard output can show. */
function outputOf(stream: {readonly isTTY?: boolean; readonly columns?: number}, env: Environment) {
  return new Io({...testSystem().system, stdout: Object.assign(new PassThrough(), stream), env}).out;
}

const terminal = {isTTY: true, columns: 100};
const pipe = {};

test('the width is that of the terminal, and unlimited in a pipe', () => {
  expect(outputOf(terminal, {})).toEqual({isTerminal: true, width: 100, color: true});
  expect(outputOf({isTTY: true}, {})).toMatchObject({width: 80});
  expect(outputOf(pipe, {})).toEqual({isTerminal: false, width: Number.POSITIVE_INFINITY, color: false});
});

test.each([
  ['60', 60, 60],
  ['', 100, Number.POSITIVE_INFINITY],
  ['0', 100, Number.POSITIVE_INFINITY],
  ['wide', 100, Number.POSITIVE_INFINITY],
])('COLUMNS=%j sets the width', (COLUMNS, atTerminal, inPipe) => {
  expect([outputOf(terminal, {COLUMNS}).width, outputOf(pipe, {COLUMNS}).width]).toEqual([atTerminal, inPipe]);
});

describe('colour', () => {
  test.each([
    ['at a terminal', terminal, {}, true],
    ['in a pipe', pipe, {}, false],
    ['with NO_COLOR', terminal, {NO_COLOR: '1'}, false],
    ['with an empty NO_COLOR', terminal, {NO_COLOR: ''}, true],
    ['with NO_COLOR against FORCE_COLOR', terminal, {NO_COLOR: '1', FORCE_COLOR: '1'}, false],
    ['with FORCE_COLOR in a pipe', pipe, {FORCE_COLOR: '1'}, true],
    ['with an empty FORCE_COLOR in a pipe', pipe, {FORCE_COLOR: ''}, true],
    ['with FORCE_COLOR=0', terminal, {FORCE_COLOR: '0'}, false],
    ['with FORCE_COLOR=false', terminal, {FORCE_COLOR: 'false'}, false],
    ['at a dumb terminal', terminal, {TERM: 'dumb'}, false],
  ])('%s', (_, stream, environment, color) => {
    expect(outputOf(stream, environment).color).toBe(color);
  });
});
