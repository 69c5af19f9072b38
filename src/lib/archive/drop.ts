/** Takes messages out of an archive that the server does not show any more. They stay in `dropped` until somebody removes them. */
import {mkdir, rm} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {makeFolder, syncFolder} from '../files/folder.js';
import {absent} from '../files/system-error.js';
import {giveSecondName} from '../files/whole-file.js';
import type {ArchiveOwner} from './archive-folder.js';
import {Catalogue} from './catalogue.js';
import {entryLine} from './entry.js';
import {Damaged, ownFailure} from './failures.js';
import {writeOverview} from './index-page.js';
import {checkKept, keptMessages} from './kept.js';
import {LineWriter} from './lines.js';
import {mergedOf, rewrite, type Gone, type Merged, type WritePage} from './merge.js';
import {writePage} from './page.js';
import {accountFiles, ConversationPlace, keptFiles, stampOf, underNewName} from './places.js';
import {isIn} from './ranges.js';
import type {ConversationRecord} from './record.js';

interface DropOptions {
  /** Of the account, which the caller has opened. */
  readonly folder: string;
  readonly owner: ArchiveOwner;
  /** By the ids of the conversations: what a run has looked for, and not found. */
  readonly gone: ReadonlyMap<string, Gone>;
  readonly now: Date;
}

const forOwner = 0o700;

/** Whether a message is marked as missing, and a run has looked for it just now: a server may have shown nothing when it was marked. */
const isGone = ({message: {id}, entry}: Merged, {covers}: Gone): boolean =>
  entry.missingSince !== undefined && covers.some((interval) => isIn(interval, id));

interface Dropping {
  readonly gone: Gone;
  readonly at: string;
  readonly write: WritePage;
}

/** Copies what is dropped into a folder. A file that other messages have, too, is in both. @returns the files of what is dropped */
async function keepDropped(place: ConversationPlace, to: string, {at, gone}: Dropping): Promise<{count: number; files: Set<string>}> {
  await makeFolder(to);
  const files = new Set<string>();
  let count = 0;
  await using messages = await LineWriter.create(join(to, keptFiles.messages));
  await using index = await LineWriter.create(join(to, keptFiles.index));
  for await (const kept of keptMessages(place)) {
    const merged = mergedOf(kept, at);
    if (!isGone(merged, gone)) continue;
    count += 1;
    await messages.write(`${merged.message.text}\n`);
    await index.write(entryLine(merged.entry));
    for (const {file} of merged.entry.media) if (file !== undefined) files.add(file);
  }
  if (files.size > 0) await makeFolder(join(to, 'media'));
  for (const file of files) await giveSecondName(join(place.folder, file), join(to, 'media', basename(file))).catch(absent);
  await messages.end();
  await index.end();
  if (files.size > 0) await syncFolder(join(to, 'media'));
  await syncFolder(to);
  return {count, files};
}

async function dropFrom(
  place: ConversationPlace,
  record: ConversationRecord,
  to: string,
  dropping: Dropping,
): Promise<{record: ConversationRecord; count: number}> {
  await checkKept(place, record);
  const {at, gone, write} = dropping;
  const {count, files} = await keepDropped(place, to, dropping);
  async function* others(): AsyncGenerator<Merged, void, undefined> {
    for await (const kept of keptMessages(place)) {
      const merged = mergedOf(kept, at);
      if (isGone(merged, gone)) continue;
      for (const {file} of merged.entry.media) if (file !== undefined) files.delete(file);
      yield merged;
    }
  }
  const rewritten = await rewrite(place, () => record, others(), write);
  for (const file of files) await rm(join(place.folder, file), {force: true});
  return {record: rewritten.record, count};
}

/**
 * Moves the messages that a run has looked for and not found out of conversations, into a new folder below `dropped`.
 * @returns what is kept of each, and how many messages were dropped
 * @throws Failure `local`
 */
export async function dropMissing({
  folder,
  owner,
  gone,
  now,
}: DropOptions): Promise<Map<string, {record: ConversationRecord; count: number}>> {
  const dropped = new Map<string, {record: ConversationRecord; count: number}>();
  try {
    const catalogue = await Catalogue.open(folder);
    const all = join(folder, accountFiles.dropped);
    await makeFolder(all);
    const name = await underNewName(stampOf(now), (one) => mkdir(join(all, one), forOwner));
    for (const [id, own] of gone) {
      const record = catalogue.get(id);
      if (record === undefined) throw new Damaged(`${ConversationPlace.of(folder, id).folder} is not there`);
      const place = ConversationPlace.of(folder, id);
      const write: WritePage = (next, written) => writePage(next, written, owner);
      const one = await dropFrom(place, record, join(all, name, place.name), {gone: own, at: now.toISOString(), write});
      catalogue.set(one.record);
      dropped.set(id, one);
    }
    await catalogue.write();
    await writeOverview(folder, catalogue.records, owner, true);
    return dropped;
  } catch (error) {
    throw ownFailure(error, folder);
  }
}
