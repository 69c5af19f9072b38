/** What an export says of files that several messages share, and what its log keeps of them. */
import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {ConversationPlace} from '../../../src/lib/archive/archive-places.js';
import {fetchWanted} from '../../../src/lib/archive/conversation-media.js';
import {Log} from '../../../src/lib/archive/log.js';
import type {FetchedMedium} from '../../../src/lib/archive/media-fetch.js';
import {newFolder} from '../../new-folder.js';

const at = '2026-01-01T00:00:00.000Z';
const medium = {id: '5', url: undefined, of: ['1', '2'], wasTried: false};
const media = [medium];
const file = {file: 'media/5.png', type: 'image/png', length: 3, sha256: 'x'};

/** @returns what each of several runs says, and the lines about the file in the log */
async function runs(...outcomes: readonly FetchedMedium[]) {
  const place = new ConversationPlace(newFolder(), '7');
  await using log = await Log.open(place, {at, isReadOnly: false, warn: () => {}});
  log.head = {id: '7', type: 'conversation'};
  for (const id of ['1', '2']) log.append({id, message: {id, media: [{id: '5'}]}});
  let files = 0;
  const {signal} = new AbortController();
  const said = [];
  for (const outcome of outcomes) {
    const fetcher = {
      fetchAll: async (_: unknown, {done}: {done: (of: typeof medium, one: FetchedMedium) => Promise<void>}) => done(medium, outcome),
    };
    const {changes} = await fetchWanted(log, {media, there: [], damage: undefined}, {fetcher, signal, onFile: () => (files += 1)});
    said.push(changes);
  }
  return {said, files, lines: readFileSync(place.pathOf('log'), 'utf8').match(/\{"media":.*?\}/g)};
}

test('a file counts once for each message that has it, and is written down once', async () => {
  expect(await runs({file})).toMatchObject({
    said: [{new_media: 2, failed_media: 0, skipped_media: 0, media_errors: []}],
    files: 1,
    lines: [expect.stringContaining('5.png')],
  });
});

test('why a file could not be fetched is told for each message, and written down when it changes', async () => {
  const errors = (error: string) => ['1', '2'].map((message_id) => ({message_id, media_id: '5', error}));
  const {said, files, lines} = await runs({error: 'a'}, {error: 'a'}, {error: 'b', isSkipped: true}, {error: 'c', isUntried: true});
  expect(said).toMatchObject([
    {failed_media: 2, media_errors: errors('a')},
    {failed_media: 2, media_errors: errors('a')},
    {failed_media: 0, skipped_media: 2, media_errors: errors('b')},
    {failed_media: 2, media_errors: errors('c')},
  ]);
  expect([files, lines]).toEqual([0, [expect.stringContaining('"why":"a"'), expect.stringContaining('"why":"b"')]]);
});
