/** Media whose files are not what was fetched. A verification finds them by their bytes and writes them down; an export fetches them again. */
import {rm, stat} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {readText} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import {messageEntriesIn} from './kept.js';
import {hasBytes} from './media-file.js';
import type {ConversationPlace} from './places.js';

const shape = z.array(z.string());

/** @param files in the folder of the conversation */
export async function noteDamaged(place: ConversationPlace, files: readonly string[]): Promise<void> {
  if (files.length === 0) await rm(place.damaged, {force: true});
  else await writeWhole(place.damaged, `${JSON.stringify(files)}\n`);
}

async function notedAsDamaged({damaged}: ConversationPlace): Promise<Set<string>> {
  const text = await readText(damaged).catch(absent);
  try {
    return new Set(shape.parse(JSON.parse(text ?? '[]')));
  } catch {
    return new Set();
  }
}

/** What of the media that are there is looked at: `lengths` also of those that a verification found damaged their bytes. */
export type MediaCheck = 'bytes' | 'lengths';

/** The ids of media whose files are not what was fetched, as far as it is looked at: the bytes of all would take long to read. @throws Damaged */
export async function damagedMedia(place: ConversationPlace, check: MediaCheck): Promise<ReadonlySet<string>> {
  const noted = await notedAsDamaged(place);
  const damaged = new Set<string>();
  for await (const {media} of messageEntriesIn(place.index)) {
    for (const {id, file, length, sha256} of media) {
      if (file === undefined) continue;
      const path = join(place.folder, file);
      const size = (await stat(path).catch(absent))?.size;
      if (size === undefined) continue;
      const isRead = check === 'bytes' || noted.has(file);
      if (size !== length || (isRead && (await hasBytes(path, sha256)) === false)) damaged.add(id);
    }
  }
  return damaged;
}
