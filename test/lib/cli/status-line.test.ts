import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {Io} from '../../../src/lib/cli/io.js';
import {Session, type GlobalFlags} from '../../../src/lib/cli/session.js';
import {progressWords, showProgress, type ProgressState} from '../../../src/lib/cli/status-line.js';
import type {Wait} from '../../../src/lib/client/client.js';
import {testSystem, type Surroundings} from '../../system.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answer: Wait = {host: 'pix.example', for: {method: 'GET', path: '/api/v1/blocks'}};
const clear = '\r\u001b[K';

function pause(why: 'limit' | 'rate' | 'retry', milliseconds: number): Wait {
  const until = performance.now() + milliseconds;
  return {host: 'pix.example', for: {why, left: () => until - performance.now()}};
}

function begin(surroundings: Surroundings, flags: GlobalFlags = {}) {
  const {system, printed} = testSystem(surroundings);
  const io = new Io({...system, stderr: Object.assign(system.stderr, {columns: 60})});
  const session = new Session(flags, {io, userAgent: 'test'});
  return {io, session, said: () => printed.stderr, waiting: session.waiting};
}

describe('at a terminal', () => {
  const terminal: Surroundings = {env: {NO_COLOR: '1'}, typing: ''};

  test('an answer that takes a second is said, and the line goes when it is there', () => {
    const {waiting, said} = begin(terminal);
    const over = waiting?.(answer);
    vi.advanceTimersByTime(900);
    expect(said()).toBe('');
    vi.advanceTimersByTime(1100);
    expect(said().split(clear).at(-1)).toBe('Waiting for pix.example for 2 s: GET /api/v1/blocks');
    over?.();
    expect(said().endsWith(clear)).toBe(true);
    const before = said();
    vi.advanceTimersByTime(10_000);
    expect(said()).toBe(before);
  });

  test('many short waits are one silence', () => {
    const {waiting, said} = begin(terminal);
    for (let page = 0; page < 30; page++) {
      const over = waiting?.(answer);
      vi.advanceTimersByTime(100);
      over?.();
    }
    expect(said()).toContain('Waiting for pix.example for 3 s');
  });

  test('a pause of more than two minutes is in minutes', () => {
    const {waiting, said} = begin(terminal);
    waiting?.(pause('limit', 152_000));
    vi.advanceTimersByTime(1000);
    expect(said().split(clear).at(-1)).toBe('Waiting 3 min for pix.example, which limits requests');
  });

  test.each([
    ['limit', 'Waiting 10 s for pix.example, which limits requests'],
    ['rate', 'Waiting 10 s between requests to pix.example, as --rate…'],
    ['retry', 'Trying pix.example again in 10 s'],
  ] as const)('a pause because of a %s says how long it is', (why, words) => {
    const {waiting, said} = begin(terminal);
    waiting?.(answer);
    waiting?.(pause(why, 12_000));
    vi.advanceTimersByTime(2000);
    expect(said().split(clear).at(-1)).toContain(words.replace(/…$/, ''));
    expect(
      said()
        .split(clear)
        .every((line) => line.length < 60),
    ).toBe(true);
  });

  test('the line makes room for what is printed', async () => {
    const {io, waiting, said} = begin(terminal);
    waiting?.(answer);
    vi.advanceTimersByTime(1500);
    io.tell('A note\n');
    expect(said().endsWith(`${clear}A note\n`)).toBe(true);
    vi.advanceTimersByTime(900);
    expect(said().endsWith('A note\n')).toBe(true);
  });

  test.each<[string, GlobalFlags]>([
    ['--json', {json: true}],
    ['-o ndjson', {output: 'ndjson'}],
    ['--quiet', {quiet: true}],
  ])('nothing is said with %s', (_, flags) => {
    expect(begin(terminal, flags).waiting).toBeUndefined();
  });

  test('nothing is said in a pipe', () => {
    expect(begin({}).waiting).toBeUndefined();
  });
});

const run: ProgressState = {done: 1200, failed: 34, total: 10_000};

test.each<[Partial<ProgressState>, words: string]>([
  [{}, '1,234 of 10,000, 34 failed'],
  [{done: 1200.7, failed: 0}, '1,200 of 10,000'],
  [{total: undefined}, '1,234 done, 34 failed'],
  [{pausedFor: 42_000}, '1,234 of 10,000, 34 failed, paused by the server for 42 s'],
  [{pausedFor: 7_200_000}, '1,234 of 10,000, 34 failed, paused by the server for 2 h'],
  [{more: ['1,200 messages', '3 files']}, '1,234 of 10,000, 34 failed, 1,200 messages, 3 files'],
])('the progress %j', (more, words) => {
  expect(progressWords({...run, ...more}).join(', ')).toBe(words);
});

describe('progress', () => {
  test('is one line at a terminal in place of waits, without its least important parts, and goes at its end', () => {
    const {io, session, waiting, said} = begin({env: {NO_COLOR: '1'}, typing: ''});
    const now = {...run, done: 5000, failed: 1, more: new Array<string>()};
    const progress = showProgress(session, () => now);
    waiting?.(pause('limit', 60_000));
    now.done = 6000;
    vi.advanceTimersByTime(10_000);
    expect(said().split(clear).at(-1)).toBe('6,001 of 10,000, 1 failed');
    io.tell('A note\n');
    expect(said().endsWith(`${clear}A note\n`)).toBe(true);
    now.more.push('1,200 messages and more', '3 files that were not there before');
    vi.advanceTimersByTime(250);
    expect(said().split(clear).at(-1)).toBe('6,001 of 10,000, 1 failed, 1,200 messages and more');
    progress[Symbol.dispose]();
    expect(said().endsWith(clear)).toBe(true);
  });

  test('is not shown in a log, and not with --quiet', () => {
    for (const {session, said} of [begin({}), begin({env: {NO_COLOR: '1'}, typing: ''}, {quiet: true})]) {
      showProgress(session, () => run);
      vi.advanceTimersByTime(20_000);
      expect(said()).toBe('');
    }
  });
});
