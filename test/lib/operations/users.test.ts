/** What an admin's list says of a person. */
import {expect, test} from 'vitest';
import {toFoundTarget} from '../../../src/lib/operations/users.js';
import {clientOf} from '../../loopback-server.js';

const client = () => clientOf(new URL('http://127.0.0.1:1'));
const user = (more: object = {}) => ({id: '5', profile_id: '90', username: 'ana', is_admin: false, ...more});

test('a person is known by the ids and the name', () => {
  expect(toFoundTarget(user({statuses_count: 3, email: 'ana@pix.example'}), client(), '/x', true)).toEqual({
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
  const {refused} = toFoundTarget(user(more), client(), '/x', refusesAdmins);
  expect(refused?.message).toEqual(why === undefined ? undefined : expect.stringContaining(`@ana ${why}`));
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
  expect(() => toFoundTarget(user(more), client(), '/x', false)).toThrow(
    expect.objectContaining({code: 'bad_answer', message: '127.0.0.1:1: a user has no usable id, account or name'}),
  );
});
