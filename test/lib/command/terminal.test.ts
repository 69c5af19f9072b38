import {describe, expect, test} from 'vitest';
import {describeTerminal} from '../../../src/lib/command/terminal.js';

const terminal = {isTTY: true, columns: 100};
const pipe = {};

test('a terminal has a width, a pipe has none', () => {
  expect(describeTerminal(terminal, false, {})).toEqual({isTerminal: true, width: 100, color: true});
  expect(describeTerminal({isTTY: true}, false, {})).toMatchObject({width: 80});
  expect(describeTerminal(pipe, false, {})).toEqual({isTerminal: false, width: Number.POSITIVE_INFINITY, color: false});
});

describe('colour', () => {
  test.each([
    ['at a terminal', terminal, false, {}, true],
    ['in a pipe', pipe, false, {}, false],
    ['with --no-color', terminal, true, {}, false],
    ['with --no-color against FORCE_COLOR', terminal, true, {FORCE_COLOR: '1'}, false],
    ['with NO_COLOR', terminal, false, {NO_COLOR: '1'}, false],
    ['with an empty NO_COLOR', terminal, false, {NO_COLOR: ''}, true],
    ['with NO_COLOR against FORCE_COLOR', terminal, false, {NO_COLOR: '1', FORCE_COLOR: '1'}, false],
    ['with FORCE_COLOR in a pipe', pipe, false, {FORCE_COLOR: '1'}, true],
    ['with an empty FORCE_COLOR in a pipe', pipe, false, {FORCE_COLOR: ''}, true],
    ['with FORCE_COLOR=0', terminal, false, {FORCE_COLOR: '0'}, false],
    ['with FORCE_COLOR=false', terminal, false, {FORCE_COLOR: 'false'}, false],
    ['at a dumb terminal', terminal, false, {TERM: 'dumb'}, false],
  ])('%s', (_, stream, noColor, environment, color) => {
    expect(describeTerminal(stream, noColor, environment).color).toBe(color);
  });
});
