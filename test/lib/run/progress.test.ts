import fc from 'fast-check';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {barLine, duration, Progress, type ProgressState, type ProgressStyle} from '../../../src/lib/run/progress.js';

const start = Date.UTC(2026, 0, 1);
const state: ProgressState = {done: 1200, failed: 34, resumed: 0, total: 10_000, pausedFor: undefined, limit: undefined};

describe('a line', () => {
  test.each([
    {name: 'a wide terminal', width: 100, line: '[###---------------------------] 1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'a usual terminal', width: 79, line: '[###---------------------------] 1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'a narrow terminal', width: 60, line: '[#-------------] 1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'no room for a bar', width: 45, line: '1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'no room for all', width: 40, line: '1,234 of 10,000, 34 failed, 87/s'},
    {name: 'room for the smallest bar', width: 56, line: '[#---------] 1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'a column less than the smallest bar takes', width: 55, line: '1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'just the room for all', width: 43, line: '1,234 of 10,000, 34 failed, 87/s, 1:41 left'},
    {name: 'room for the first part', width: 20, line: '1,234 of 10,000'},
    {name: 'hardly any room', width: 10, line: '1,234 of 1'},
  ])('fits $name', ({width, line}) => {
    expect(barLine(state, 87.2, width)).toBe(line);
  });

  test('a line is never wider than the terminal', () => {
    const states = fc.record({
      done: fc.nat(),
      failed: fc.nat(),
      resumed: fc.nat(),
      total: fc.option(fc.nat(), {nil: undefined}),
      pausedFor: fc.option(fc.integer({min: -1000, max: 1e9}), {nil: undefined}),
      limit: fc.option(fc.double({min: 1e-9, max: 1e6, noNaN: true}), {nil: undefined}),
    });
    fc.assert(
      fc.property(states, fc.double({min: 0, max: 1e6, noNaN: true}), fc.integer({min: 0, max: 200}), (any, rate, width) => {
        expect(barLine(any, rate, width).length).toBeLessThanOrEqual(width);
      }),
    );
  });

  test.each([
    {name: 'a pause', more: {pausedFor: 42_000}, line: '1,234 of 10,000, 34 failed, paused by the server for 0:42'},
    {name: 'the last of a pause', more: {pausedFor: 1}, line: '1,234 of 10,000, 34 failed, paused by the server for 0:01'},
    {name: 'a pause that is over', more: {pausedFor: 0}, line: '1,234 of 10,000, 34 failed'},
    {name: 'no failures', more: {failed: 0}, line: '1,200 of 10,000'},
    {name: 'a target that is done in part', more: {done: 1200.7, failed: 0}, line: '1,200 of 10,000'},
    {name: 'what else is done', more: {more: ['1,200 messages', '3 files']}, line: '1,234 of 10,000, 34 failed, 1,200 messages, 3 files'},
    {name: 'an end that is not known', more: {total: undefined}, line: '1,234 done, 34 failed'},
  ])('shows $name', ({more, line}) => {
    expect(barLine({...state, ...more}, 0, 200).replace(/^\[.*\] /, '')).toBe(line);
  });

  test('says that a limit slows it down', () => {
    expect(barLine({...state, limit: 4}, 2.04, 200)).toContain('2.0/s (limited), ');
  });

  test.each([
    // The first requests of a run are measured before the limit holds them back.
    [{limit: 1e-7}, 0.4, '0.0086/day (limited), 1,014,584 days left'],
    [{limit: 0.01}, 0.4, '36.0/h (limited), 11 days left'],
    [{limit: 2 / 15}, 0.05, '180.0/h (limited), 2 days left'],
    [{limit: 2}, 50, '2.0/s (limited), 1:13:03 left'],
    [{limit: 2}, 1, '1.0/s (limited), 2:26:06 left'],
  ])('expects no more than a limit allows: %j', (limit, measured, words) => {
    expect(barLine({...state, ...limit}, measured, 200)).toContain(`34 failed, ${words}`);
  });

  test('a line ends with a full bar', () => {
    expect(barLine({...state, done: 10_000, failed: 0}, 10, 60)).toBe('[##############################] 10,000 of 10,000, 10/s');
  });
});

test.each([
  [0, '0:00'],
  [1, '0:01'],
  [59_000, '0:59'],
  [59_001, '1:00'],
  [3_599_000, '59:59'],
  [3_600_000, '1:00:00'],
  [86_401_000, '24:00:01'],
  [172_799_000, '47:59:59'],
  [172_800_000, '2 days'],
  [176_400_000, '3 days'],
])('writes %i ms as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

describe('progress is shown', () => {
  beforeEach(() => void vi.useFakeTimers({now: start}));
  afterEach(() => void vi.useRealTimers());

  function shown(style: ProgressStyle) {
    const written: string[] = [];
    const now = {...state, done: 0, failed: 0};
    const progress = new Progress({style, write: (text) => void written.push(text), state: () => now, width: () => 80});
    return {progress, written, now};
  }

  test('progress is shown at a terminal, at most ten times a second, and removed at the end', () => {
    const {progress, written} = shown('bar');
    vi.advanceTimersByTime(1000);
    expect(written).toHaveLength(10);
    for (const text of written) expect(text).toBe(`\r\u001B[K[${'-'.repeat(30)}] 0 of 10,000`);
    progress[Symbol.dispose]();
    expect(written.at(-1)).toBe('\r\u001B[K');
    vi.advanceTimersByTime(1000);
    expect(written).toHaveLength(11);
  });

  test('progress is shown in a log, every ten seconds, as plain lines', () => {
    const {progress, written, now} = shown('lines');
    vi.advanceTimersByTime(9_999);
    expect(written).toEqual([]);
    now.done = 870;
    vi.advanceTimersByTime(10_001);
    expect(written).toEqual(['870 of 10,000, 87/s, 1:45 left\n', '870 of 10,000, 44/s, 3:30 left\n']);
    progress[Symbol.dispose]();
    expect(written).toHaveLength(2);
  });

  test('progress is shown not at all with style none', () => {
    const {progress, written} = shown('none');
    vi.advanceTimersByTime(60_000);
    progress[Symbol.dispose]();
    expect(written).toEqual([]);
  });

  test('progress is shown with the speed of the last seconds, without what earlier runs did', () => {
    const {progress, written, now} = shown('lines');
    now.done = 5000;
    now.resumed = 4000;
    vi.advanceTimersByTime(10_000);
    expect(written.at(-1)).toBe('5,000 of 10,000, 100/s, 0:50 left\n');
    for (let second = 0; second < 20; second++) {
      now.done += 10;
      vi.advanceTimersByTime(1000);
    }
    expect(written.at(-1)).toBe('5,200 of 10,000, 10/s, 8:00 left\n');
    progress[Symbol.dispose]();
  });

  test('progress is shown with the speed of the last fifteen seconds, to the tenth', () => {
    const {progress, written, now} = shown('bar');
    now.done = 1500;
    vi.advanceTimersByTime(15_000);
    expect(written.at(-1)).toContain('1,500 of 10,000, 100/s');
    vi.advanceTimersByTime(100);
    expect(written.at(-1)).toMatch(/1,500 of 10,000$/);
    progress[Symbol.dispose]();
  });

  test('progress is shown again after something else was written', () => {
    const {progress, written} = shown('bar');
    progress.hide();
    expect(written).toEqual([]);
    vi.advanceTimersByTime(100);
    progress.hide();
    progress.hide();
    expect(written).toHaveLength(2);
    vi.advanceTimersByTime(100);
    expect(written).toHaveLength(3);
    progress[Symbol.dispose]();
  });
});
