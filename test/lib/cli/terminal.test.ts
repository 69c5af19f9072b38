import {describe, expect, test} from 'vitest';
import {describeTerminal} from '../../../src/lib/cli/terminal.js';

const terminal = {isTTY: true, columns: 100};
const pipe = {};

test('a terminal has a width, a pipe has none', () => {
  expect(describeTerminal(terminal, {})).toEqual({isTerminal: true, width: 100, color: true});
  expect(describeTerminal({isTTY: true}, {})).toMatchObject({width: 80});
  expect(describeTerminal(pipe, {})).toEqual({isTerminal: false, width: Number.POSITIVE_INFINITY, color: false});
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
    expect(describeTerminal(stream, environment).color).toBe(color);
  });
});
