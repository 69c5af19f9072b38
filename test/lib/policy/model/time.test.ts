/** Days, dates and durations as policies and command lines write them. */
import {describe, expect, test} from 'vitest';
import {dateOf, durationOf, endOf, isDay, isOver, lastsLonger, untilText} from '../../../../src/lib/policy/model/time.js';

describe('a day', () => {
  test.each(['2026-12-31', '2024-02-29', '0001-01-01'])('is %s', (text) => {
    expect(isDay(text)).toBe(true);
  });

  test.each(['2026-02-31', '2025-02-29', '2026-13-01', '2026-1-1', ' 2026-12-31', '2026-12-31T00:00', '+002026-12-31', '12026-12-31', ''])(
    'is not %j',
    (text) => {
      expect(isDay(text)).toBe(false);
    },
  );

  test('counts to its end, in UTC', () => {
    expect(isOver('2026-12-31', new Date('2026-12-31T23:59:59.999Z'))).toBe(false);
    expect(isOver('2026-12-31', new Date('2027-01-01T00:00:00.000Z'))).toBe(true);
    expect(isOver(undefined, new Date('2027-01-01T00:00:00.000Z'))).toBe(false);
    expect([untilText(undefined), untilText('2026-12-31')]).toEqual(['', ' until 2026-12-31']);
  });

  test('that comes later lasts longer, and none lasts longest', () => {
    const [soon, late, always] = [{until: '2026-12-30'}, {until: '2026-12-31'}, {}];
    const all = [soon, late, always];
    expect(all.map((one) => all.map((other) => lastsLonger(one, other)))).toEqual([
      [false, false, false],
      [true, false, false],
      [true, true, false],
    ]);
  });
});

describe('a date', () => {
  test.each([
    ['2026-12-31', '2026-12-31T00:00:00.000Z'],
    ['2026-12-31T10:30', '2026-12-31T10:30:00.000Z'],
    [' 2026-12-31 10:30:15 ', '2026-12-31T10:30:15.000Z'],
    ['2026-12-31T10:30:15.25Z', '2026-12-31T10:30:15.250Z'],
    ['2026-12-31T10:30+02:00', '2026-12-31T08:30:00.000Z'],
    ['2026-12-31T10:30:00-0130', '2026-12-31T12:00:00.000Z'],
  ])('%j is %s, in UTC unless it says otherwise', (text, time) => {
    expect(dateOf(text)?.toISOString()).toBe(time);
  });

  test.each([
    '',
    'tomorrow',
    '2026-12',
    '2026-13-01',
    '2026-12-31T25:00',
    '2026-12-31 10:30 (noon)',
    '2026-12-31 10:30 GMT',
    'on 2026-12-31',
    '31.12.2026',
  ])('is not %j', (text) => {
    expect(dateOf(text)).toBeUndefined();
  });
});

describe('a duration', () => {
  test.each([
    ['30m', 1800],
    ['12h', 43_200],
    ['90d', 7_776_000],
    ['2w', 1_209_600],
    ['0d', 0],
    ['1157407d', 99_999_964_800],
    [' 1h ', 3600],
  ])('%s is %d seconds', (text, seconds) => {
    expect(durationOf(text)).toBe(seconds);
  });

  test.each(['', '90', 'd', '90s', '1.5h', '-1d', '90 d', '1234567890d', '1157408d', '999999999w', '1d2h'])('is not %j', (text) => {
    expect(durationOf(text)).toBeUndefined();
  });
});

test.each([
  ['never', 'never'],
  [' never ', 'never'],
  ['0d', undefined],
  ['0m', undefined],
  ['0h', undefined],
  ['48h', '2d'],
  ['30m', '30m'],
  ['90m', '90m'],
  ['2w', '14d'],
  ['730d', '730d'],
  ['2027-01-31', '2027-01-31T00:00:00.000Z'],
  ['2027-01-31 10:30', '2027-01-31T10:30:00.000Z'],
  ['2027-01-31T10:30:00+02:00', '2027-01-31T08:30:00.000Z'],
  ['soon', undefined],
])('the end %j is told as %s', (text, told) => {
  expect(endOf(text)).toBe(told);
});
