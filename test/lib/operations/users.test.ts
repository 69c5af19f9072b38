/** What an admin's list says of a person, and what is set back of their flags. */
import {array, assert as check, boolean, constantFrom, property, record, subarray} from 'fast-check';
import {expect, test} from 'vitest';
import {userFlags} from '../../../src/lib/api/admin-entities.js';
import {restoration, toFoundTarget} from '../../../src/lib/operations/users.js';
import {clientOf} from '../../loopback-server.js';

const client = () => clientOf(new URL('http://127.0.0.1:1'));
const user = (more: object = {}) => ({id: '5', profile_id: '90', username: 'ana', is_admin: false, ...more});

test('a person is known by the ids and the name', () => {
  expect(toFoundTarget(user({statuses_count: 3, email: 'ana@pix.example'}), client(), '/x', {refusesAdmins: true})).toEqual({
    id: '5',
    accountId: '90',
    name: '@ana',
    posts: 3,
    saved: {user: {id: '5', profile_id: '90', username: 'ana', is_admin: false, statuses_count: 3}},
  });
});

test.each([
  [{profile_id: ''}, 'has no profile', true],
  [{is_admin: true}, 'is an admin', true],
  [{is_admin: undefined}, 'is an admin', true],
  [{is_admin: true}, undefined, false],
  [{}, undefined, true],
])('somebody with %j is refused: %s', (more, why, refusesAdmins) => {
  const read = () => toFoundTarget(user(more), client(), '/x', {refusesAdmins});
  if (why === undefined) expect(read()).toMatchObject({name: '@ana'});
  else expect(read).toThrow(`@ana ${why}`);
});

test.each([
  {id: 'x'},
  {id: undefined},
  {profile_id: 'x'},
  {profile_id: undefined},
  {username: undefined},
  {id: 'x', profile_id: ''},
  {username: undefined, profile_id: ''},
])('somebody with %j cannot be used', (more) => {
  expect(() => toFoundTarget(user(more), client(), '/x', {refusesAdmins: false})).toThrow(
    expect.objectContaining({code: 'bad_answer', message: '127.0.0.1:1: a user has no usable id, account or name'}),
  );
});

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
