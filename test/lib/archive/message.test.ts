/** What an archive knows of a message, and of the line that it keeps of one. */
import {describe, expect, test} from 'vitest';
import {type MessageEntry, entryLine, parseEntry, versionOf} from '../../../src/lib/archive/entry.js';
import {mediaIn, messageIn, saysTheSame, sentAt} from '../../../src/lib/archive/message.js';

test.each([
  ['{"id":"7","text":"a"}', '7'],
  ['{"id":7}', '7'],
  ['{"id":""}', undefined],
  ['{"id":null}', undefined],
  ['{}', undefined],
])('the message %s has the id %s', (text, id) => {
  expect(messageIn(text)).toEqual(id === undefined ? undefined : {id, text});
});

describe('media', () => {
  const medium = {id: 5, url: 'https://x.example/a.jpg', description: 'a cat'};

  test.each([
    ['of a conversation', {media: [medium, {id: '6'}, {url: 'https://x.example/b.jpg'}, {id: ''}]}],
    ['of a legacy thread', {media: 'https://x.example/a.jpg', carousel: [medium, {id: '6'}]}],
  ])('%s are found with their ids', (_, message) => {
    expect(mediaIn(JSON.stringify(message))).toEqual([
      {...medium, id: '5'},
      {id: '6', url: undefined, description: undefined},
    ]);
  });

  test('are none where the message has none', () => {
    expect(mediaIn('{"id":"7"}')).toEqual([]);
    expect(mediaIn('{"media":null,"carousel":{}}')).toEqual([]);
  });
});

test('a message was sent when the server says, if it does', () => {
  expect(sentAt({created_at: '2026-01-02T03:04:05Z'})).toEqual(new Date('2026-01-02T03:04:05Z'));
  for (const value of [{}, {created_at: 'soon'}, {created_at: 5}, null]) expect(sentAt(value)).toBeUndefined();
});

test.each<[string, object, boolean]>([
  ['another address and another time ago', {text: 'a', media: [{id: '1', url: 'y'}], ago: '2 d'}, true],
  ['another text', {text: 'b', media: [{id: '1', url: 'x'}]}, false],
  ['an edit', {text: 'a', media: [{id: '1', url: 'x'}], edited_at: '2026-01-01T00:00:00Z'}, false],
  ['a warning', {text: 'a', media: [{id: '1', url: 'x'}], sensitive: true}, false],
  ['other media', {text: 'a', media: [{id: '2', url: 'x'}]}, false],
  ['no media', {text: 'a', media: []}, false],
])('a message with %s says the same: %s', (_, other, isSame) => {
  const one = JSON.stringify({text: 'a', media: [{id: '1', url: 'x'}], ago: '1 d'});
  expect(saysTheSame(one, JSON.stringify(other))).toBe(isSame);
  expect(saysTheSame(one, one)).toBe(true);
});

describe('a line of the index', () => {
  const seen = '2026-01-01T00:00:00.000Z';
  const entry: MessageEntry = {
    id: '7',
    firstSeen: seen,
    lastSeen: '2026-01-02T00:00:00.000Z',
    missingSince: '2026-01-03T00:00:00.000Z',
    versions: [versionOf('{ "id": 12345678901234567890,\n "text": "a" }', seen)],
    media: [{id: '5', file: 'media/5.jpg', type: 'image/jpeg', length: 3, sha256: 'ab'}],
  };

  test('is read as it was written, to the letter', () => {
    expect(parseEntry(entryLine(entry))).toEqual(entry);
    expect(entryLine(entry)).toContain('"message":{"id":12345678901234567890,"text":"a"}');
    const plain: MessageEntry = {...entry, missingSince: undefined, versions: [], media: []};
    expect(entryLine(plain)).toBe(`{"id":"7","first_seen":"${seen}","last_seen":"2026-01-02T00:00:00.000Z"}\n`);
    expect(parseEntry(entryLine(plain))).toEqual(plain);
  });

  test.each([
    ['without an id', {first_seen: seen, last_seen: seen}],
    ['with a time that is none', {id: '7', first_seen: 'soon', last_seen: seen}],
    ['with a file outside of its folder', {id: '7', first_seen: seen, last_seen: seen, media: [{id: '5', file: '../x.jpg'}]}],
    ['with a file below another folder', {id: '7', first_seen: seen, last_seen: seen, media: [{id: '5', file: 'x/media/5.jpg'}]}],
    ['with a version without a message', {id: '7', first_seen: seen, last_seen: seen, versions: [{until: seen}]}],
  ])('is refused %s', (_, line) => {
    expect(() => parseEntry(JSON.stringify(line))).toThrow();
  });
});
