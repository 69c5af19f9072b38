/** No test needs a clock: on a busy machine everything takes longer, and nothing else is different. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
  readonly instead: string;
}

const rules: readonly Rule[] = [
  // One that does nothing keeps a process alive.
  {
    what: 'a timer',
    pattern: /\bset(?:Timeout|Interval)\b(?!\(\(\) => \{\}, )/,
    instead: 'wait for an event (test/events.ts), or hold the clock',
  },
  {what: 'the time that something took', pattern: /\bperformance\.now\b|\bhrtime\b/, instead: 'assert the order, or hold the clock'},
  {what: 'the time of the processor', pattern: /\bcpuUsage\(/, instead: 'compare sizes with expectInProportion (test/processor-time.ts)'},
  {what: 'a sleep of the shell', pattern: /\bsleep [\d.$]/, instead: 'let the shell read a named pipe'},
  {
    what: 'looking again until a time is over',
    pattern: /\bvi\.wait(?:For|Until)\b|\bexpect\.poll\b/,
    instead: 'wait for an event (test/events.ts)',
  },
  {what: 'a retry of a test', pattern: /\bretry: \d|\brepeats: \d/, instead: 'mend what makes it fail'},
  {
    what: 'a time for a test of its own',
    pattern: /\b(?:test|hook)Timeout\b|\{timeout: [\d_]+\}, (?:async )?\(|^ *\}, \d[\d_]*\);$/m,
    instead: 'all tests have the time that vitest.config.ts gives',
  },
];

/** Where a slow machine changes nothing about the outcome, and why there is no event. */
const exceptions: Readonly<Record<string, readonly [what: string, why: string]>> = {
  'test/e2e/canary-process.test.ts': ['a timer', 'looks at a process again and again for what must never be seen'],
  'test/e2e/follow.test.ts': ['a timer', 'takes the pauses between two requests out of a process'],
  'test/pattern-cost.ts': ['the time of the processor', 'nothing else shows that a pattern is quadratic: no engine counts its steps'],
  'test/processor-time.ts': ['the time of the processor', 'tells eight times as long from sixty-four times as long'],
};

/** A clock that a file holds is moved by its tests. */
const holdsClock = (text: string) => text.includes('vi.useFakeTimers(');

const files = globSync('test/**/*.{ts,js}', {cwd: root, exclude: ['test/fixtures/**']}).filter(
  (file) => file !== 'test/scripts/clock.test.ts',
);

test.each(rules)('tests do without $what', ({what, pattern, instead}) => {
  const found = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return pattern.test(text) && !holdsClock(text);
  });
  const allowed = Object.entries(exceptions).flatMap(([file, [one]]) => (one === what ? [file] : []));
  expect(found.toSorted(), `no ${what}: ${instead}`).toEqual(allowed.toSorted());
});

describe('ports', () => {
  test('no test listens on a port of its choice', () => {
    const found = files.filter((file) => /\.listen\((?!0\b|\))\d+|\bport: [1-9]\d{2,}/.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toEqual([]);
  });
});
