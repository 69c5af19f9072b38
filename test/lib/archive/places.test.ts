/** Where things are in an archive, whatever ids servers send. */
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {ConversationPlace, nameOf} from '../../../src/lib/archive/places.js';

test.each(['1', '0', '17', '9'.repeat(64)])('the id %s names its folder', (id) => {
  expect(nameOf(id)).toBe(id);
  expect(new ConversationPlace('archive', id).folder).toBe(join('archive', id));
});

test.each(['', '..', '../x', 'a/b', '1a', 'a1', '-1', '1.5', '9'.repeat(65), '１'])('the id %j names it by its hash', (id) => {
  expect(nameOf(id)).toMatch(/^[\da-f]{64}$/);
  expect(nameOf(id)).not.toBe(nameOf(`${id}x`));
});

test('everything of a conversation is in its folder, each under a name of its own', () => {
  const place = new ConversationPlace('archive', '17');
  const {messages, index, media, reading, damaged, next, whole} = place;
  const paths = {messages, index, media, reading, damaged, next, whole};
  expect(Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, path.slice(place.folder.length + 1)]))).toEqual({
    messages: 'messages.ndjson',
    index: 'index.ndjson',
    media: 'media',
    reading: '.reading.ndjson',
    damaged: '.damaged.json',
    next: '.next',
    whole: '.whole',
  });
});
