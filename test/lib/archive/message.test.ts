/** What an archive knows of a message. */
import {describe, expect, test} from 'vitest';
import {contentOf, isRequest, mediaIn, messageIn, peopleIn, personIn, readSentAt} from '../../../src/lib/archive/message.js';
import {parseExact} from '../../../src/lib/json/exact.js';

test.each([
  ['{"id":"7","text":"a"}', '7'],
  ['{"id":7}', '7'],
  ['{"id":12345678901234567890}', '12345678901234567890'],
  ['{"id":""}', undefined],
  ['{"id":null}', undefined],
  ['{}', undefined],
])('the message %s has the id %s', (text, id) => {
  const value = parseExact(text);
  expect(messageIn(value)).toEqual(id === undefined ? undefined : {id, value});
});

describe('media', () => {
  const medium = {id: 5, url: 'https://x.example/a.jpg', description: 'a cat'};

  test.each([
    ['of a conversation', {media: [medium, {id: '6'}, {url: 'https://x.example/b.jpg'}, {id: ''}]}],
    ['of a legacy thread', {media: 'https://x.example/a.jpg', carousel: [medium, {id: '6'}]}],
  ])('%s are found with their ids', (_, message) => {
    expect(mediaIn(message)).toEqual([
      {...medium, id: '5'},
      {id: '6', url: undefined, description: undefined},
    ]);
  });

  test('are none where the message has none', () => {
    expect(mediaIn({id: '7'})).toEqual([]);
    expect(mediaIn({media: null, carousel: {}})).toEqual([]);
  });
});

test('a message was sent when the server says, if it does', () => {
  expect(readSentAt({created_at: '2026-01-02T03:04:05Z'})).toEqual(new Date('2026-01-02T03:04:05Z'));
  for (const value of [{}, {created_at: 'soon'}, {created_at: 5}, null]) expect(readSentAt(value)).toBeUndefined();
});

test('a message says something else with another text, edit, mark or file, and nothing else counts', () => {
  const usual = {text: 'a', edited_at: null, sensitive: false, media: [{id: '5', url: 'x'}]};
  const others = [{text: 'b'}, {edited_at: 'x'}, {sensitive: true}, {media: []}, {media: [{id: '6'}]}, {text: null}];
  const all = [{}, ...others].map((more) => contentOf({...usual, ...more}));
  expect(new Set(all).size).toBe(all.length);
  expect(contentOf({...usual, media: [{id: 5, url: 'y'}], meta: {a: 1}})).toBe(all[0]);
});

test.each([
  [
    {acct: 'bob', display_name: 'Bob', name: 'B'},
    {acct: 'bob', name: 'Bob'},
  ],
  [
    {username: 'bob', name: 'Bob'},
    {acct: 'bob', name: 'Bob'},
  ],
  [
    {acct: 'bob@x.example', username: 'bob', display_name: ''},
    {acct: 'bob@x.example', name: 'bob@x.example'},
  ],
  [
    {acct: 'bob', name: null},
    {acct: 'bob', name: 'bob'},
  ],
  [{}, {acct: '', name: ''}],
])('the account %j is of the person %j', (account, person) => {
  expect(personIn(account)).toEqual(person);
});

test('the people of a conversation are named in it, and a thread is itself the account', () => {
  const [bob, nobody] = [
    {id: 2, acct: 'bob'},
    {id: '', acct: 'x'},
  ];
  expect([...peopleIn({participants: [bob, nobody, {}]}, 'conversation')]).toEqual([['2', bob]]);
  expect([...peopleIn({...bob, messages: [1]}, 'thread')]).toEqual([['2', bob]]);
  expect([peopleIn({}, 'conversation').size, peopleIn({}, 'thread').size]).toEqual([0, 0]);
  expect([{state: 'request'}, {state: 'active'}, null].map(isRequest)).toEqual([true, false, false]);
});
