/** What an archive knows of a message. */
import {describe, expect, test} from 'vitest';
import {mediaIn, messageIn, readSentAt} from '../../../src/lib/archive/message.js';
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
