/** Which people of a list match, and when no further one is expected. */
import {describe, expect, test} from 'vitest';
import {selectedUsers, type WantedUsers} from '../../../src/lib/operations/selected-users.js';

const day = (text: string) => Date.parse(text);

const user = (more: object = {}) => ({
  id: '1',
  created_at: '2026-11-22T05:45:26.000000Z',
  email_verified_at: '2026-11-22T05:45:26.000000Z',
  statuses_count: 3,
  followers_count: 0,
  ...more,
});

const everybody: WantedUsers = {isUnverified: false, ascends: false};

const matches = (wanted: Partial<WantedUsers>, more?: object): boolean | undefined =>
  selectedUsers({...everybody, ...wanted})?.().keeps(user(more));

test('nothing is chosen where nothing is asked for', () => {
  expect(selectedUsers(everybody)).toBeUndefined();
});

test('a span in which nobody can have registered is refused', () => {
  const span = {createdAfter: day('2026-11-20'), createdBefore: day('2026-11-01')};
  expect(() => selectedUsers({...everybody, ...span})).toThrow('--created-after is later than --created-before');
  expect(() => selectedUsers({...everybody, createdAfter: span.createdAfter, createdBefore: span.createdAfter})).not.toThrow();
});

describe('who matches', () => {
  test.each<[string, Partial<WantedUsers>, object | undefined, boolean]>([
    ['registered at that very moment', {createdAfter: day('2026-11-22T05:45:26Z')}, undefined, true],
    ['registered before it', {createdAfter: day('2026-11-22T05:45:27Z')}, undefined, false],
    ['registered on the last day', {createdBefore: day('2026-11-22T23:59:59.999Z')}, undefined, true],
    ['registered after the last day', {createdBefore: day('2026-11-21T23:59:59.999Z')}, undefined, false],
    ['registered at no time that can be read', {createdAfter: day('1990-01-01')}, {created_at: 'yesterday'}, false],
    ['the same where no time is asked for', {maxPosts: 3}, {created_at: null}, true],
    ['verified', {isUnverified: true}, undefined, false],
    ['not verified', {isUnverified: true}, {email_verified_at: null}, true],
    ['with as many posts', {maxPosts: 3}, undefined, true],
    ['with more posts', {maxPosts: 2}, undefined, false],
    ['with as many followers', {maxFollowers: 0}, undefined, true],
    ['with numbers that are not told', {maxPosts: 9}, {statuses_count: undefined}, false],
    ['with numbers that nobody asks about', {maxPosts: 9}, {followers_count: undefined}, true],
    ['with a text in place of a number', {maxFollowers: 9}, {followers_count: '1.0K'}, false],
  ])('%s', (_, wanted, more, isKept) => expect(matches(wanted, more)).toBe(isKept));

  test('people whose numbers are not told are counted', () => {
    const selection = selectedUsers({...everybody, maxPosts: 0})?.();
    for (const one of [user(), user({statuses_count: null}), user({statuses_count: undefined})]) selection?.keeps(one);
    expect(selection?.note).toBe('2 people left out: the server does not tell their numbers');
    expect(selectedUsers({...everybody, maxPosts: 0})?.().note).toBeUndefined();
  });
});

describe('the end of reading', () => {
  const [older, newer] = [user({created_at: '2026-01-01T00:00:00Z'}), user()];
  const ends = (ascends: boolean, pages: readonly (readonly unknown[])[]): readonly (boolean | undefined)[] => {
    const selection = selectedUsers({...everybody, ascends, createdAfter: day('2026-11-01')})?.();
    return pages.map((page) => selection?.isOver(page));
  };

  test('two pages in a row that are wholly older end it', () => {
    expect(ends(false, [[older, older], [older, newer], [older], [older, older]])).toEqual([false, false, false, true]);
  });

  test('an empty page says nothing', () => {
    expect(ends(false, [[older], [], [older], [older]])).toEqual([false, false, false, true]);
  });

  test('the oldest first, it does not end early', () => {
    expect(ends(true, [[older], [older], [older]])).toEqual([false, false, false]);
  });
});
