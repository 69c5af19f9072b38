/** What is set back of the flags of people. */
import {array, assert as check, boolean, constantFrom, property, record, subarray} from 'fast-check';
import {expect, test} from 'vitest';
import {userFlags} from '../../../src/lib/api/admin-entities.js';
import {restoration} from '../../../src/lib/operations/user-restoration.js';

type Flags = Record<(typeof userFlags)[number], boolean>;

const free: Flags = {unlisted: false, cw: false, no_autolink: false};

const anyFlags = record({unlisted: boolean(), cw: boolean(), no_autolink: boolean()});

/** A run: what it asks for, and which of what it keeps it comes to set. */
const run = record({asked: anyFlags, of: subarray([...userFlags]), reaches: subarray([...userFlags])});

/** The line that a run keeps, and what holds after it. */
function changed(now: Flags, {asked, of, reaches}: {readonly asked: Flags; readonly of: string[]; readonly reaches: string[]}) {
  const set = Object.fromEntries(
    userFlags.filter((flag) => of.includes(flag) && asked[flag] !== now[flag]).map((flag) => [flag, asked[flag]]),
  );
  const done = Object.fromEntries(Object.entries(set).filter(([flag]) => reaches.includes(flag)));
  return {line: {moderation: now, set}, after: {...now, ...done}};
}

test('whatever runs changed, whole or in part, is set back to what it was', () => {
  check(
    property(anyFlags, array(run, {maxLength: 5}), (first, runs) => {
      let now = first;
      const lines = runs.flatMap((one) => {
        const {line, after} = changed(now, {...one, reaches: [...userFlags]});
        now = after;
        return Object.keys(line.set).length === 0 ? [] : [line];
      });
      expect({...now, ...restoration(lines, now).wanted}).toEqual(first);
      expect(restoration(lines, now)).toMatchObject({already: [], left: []});
    }),
  );
});

test('one run that was broken off is set back to what it was', () => {
  check(
    property(anyFlags, run, (first, one) => {
      const {line, after} = changed(first, one);
      expect({...after, ...restoration([line], after).wanted}).toEqual(first);
    }),
  );
});

test('only what runs set is set back, and what differs otherwise is named', () => {
  check(
    property(anyFlags, array(run, {minLength: 1, maxLength: 5}), anyFlags, constantFrom(...userFlags), (first, runs, now, flag) => {
      let held = first;
      const lines = runs.map((one) => {
        const {line, after} = changed(held, one);
        held = after;
        return line;
      });
      const {wanted, already, left} = restoration(lines, now);
      const isSet = lines.some(({set}) => flag in set);
      if (!isSet) expect(wanted).not.toHaveProperty(flag);
      if (now[flag] !== first[flag]) expect(flag in wanted || left.includes(flag)).toBe(true);
      else expect(flag in wanted || left.includes(flag)).toBe(false);
      expect(already.every((one) => now[one] === first[one])).toBe(true);
    }),
  );
});

test('nothing is set back where nothing was kept', () => {
  expect(restoration([], free)).toEqual({wanted: {}, already: [], left: []});
});
