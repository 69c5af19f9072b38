/** Checks the files of an archive against what was written down of them, without a server. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import {Catalogue, type KnownConversation} from './catalogue.js';
import {Damaged, OfAnother, ownFailure} from './failures.js';
import {checkKept, messageEntriesIn} from './kept.js';
import {hasBytes} from './media-file.js';
import {accountFiles, ConversationPlace, keptFiles} from './places.js';
import type {Gap} from './ranges.js';
import {otherHandles, isIncomplete, isNamed, notRead, type ConversationRecord} from './record.js';

export interface CheckOptions {
  /** The folder of the account. */
  readonly folder: string;
  readonly withMedia: boolean;
  /** Ids, or names of the only other person; undefined: all. */
  readonly named: readonly string[] | undefined;
}

/** Messages in a row that the archive does not have. */
export interface MissingPart {
  /** The message before them that it has; null where it has none. */
  readonly after: string | null;
  readonly before: string | null;
  readonly messages: number;
}

export interface MessageSpan {
  readonly messages: number;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

export interface ArchiveComparison {
  /** Null where it was not asked. */
  readonly server: MessageSpan | null;
  readonly archive: MessageSpan;
  /** Messages that the archive does not have. */
  readonly missing: number;
  /** The first of them, where there are many. */
  readonly gaps: readonly MissingPart[];
  /** Messages that say something else on the server by now. */
  readonly changed: number;
  /** Messages that the server does not show any more. */
  readonly deleted: number;
  readonly media: number;
  /** Files that the archive does not have, and those whose bytes are not what they were. */
  readonly media_missing: number;
  readonly media_damaged: number;
  /** The latter, in the folder of the archive. */
  readonly damaged_files: readonly string[];
}

export interface VerifyResult extends ArchiveComparison {
  readonly id: string;
  readonly with: readonly string[];
  /** Whether the server has messages that it does not give. */
  readonly incomplete: boolean;
  /** What was not read, from the oldest messages to the newest. */
  readonly not_read: readonly Gap[];
  readonly failure: Failure | undefined;
}

export const isComplete = ({missing, media_missing: absent, media_damaged: damaged}: ArchiveComparison): boolean =>
  missing + absent + damaged === 0;

export const nothingCompared: ArchiveComparison = {
  server: null,
  archive: {messages: 0, first_id: null, last_id: null},
  missing: 0,
  gaps: [],
  changed: 0,
  deleted: 0,
  media: 0,
  media_missing: 0,
  media_damaged: 0,
  damaged_files: [],
};

/** What the files of a conversation are, without the server. */
export interface Checked {
  readonly files: number;
  /** Those that are not there, and those with other bytes, in the folder of the conversation. */
  readonly missing: ReadonlySet<string>;
  readonly damaged: ReadonlySet<string>;
  readonly failure: Failure | undefined;
}

async function checkedMedia(place: ConversationPlace): Promise<Omit<Checked, 'failure'>> {
  const [missing, damaged] = [new Set<string>(), new Set<string>()];
  let files = 0;
  for await (const {media} of messageEntriesIn(place.index)) {
    for (const {file, sha256} of media) {
      if (file === undefined) continue;
      files += 1;
      const isWhole = await hasBytes(join(place.folder, file), sha256);
      if (isWhole === undefined) missing.add(file);
      else if (!isWhole) damaged.add(file);
    }
  }
  return {files, missing, damaged};
}

export const nothingChecked = {files: 0, missing: new Set<string>(), damaged: new Set<string>()};

/** Compares the files of a conversation with what was written down of them. */
async function checked({place, record, damage}: KnownConversation, withMedia: boolean): Promise<Checked> {
  try {
    if (damage !== undefined) throw damage;
    await checkKept(place, record);
    if (record?.files === undefined) {
      const path = join(place.folder, keptFiles.record);
      throw new Damaged(`${path} is damaged or gone`, 'run the export again, which rewrites it');
    }
    return {...(withMedia ? await checkedMedia(place) : nothingChecked), failure: undefined};
  } catch (error) {
    return {...nothingChecked, failure: ownFailure(error, place.folder, {place, what: 'read'})};
  }
}

/** A conversation, and what its files are. @param record undefined where nothing is known but what it is called */
export function resultFor(
  place: ConversationPlace,
  record: ConversationRecord | undefined,
  {files, missing, damaged, failure}: Checked,
): VerifyResult {
  const {id, messages, first_id, last_id} = record?.facts ?? {...nothingCompared.archive, id: place.name};
  return {
    ...nothingCompared,
    id,
    with: otherHandles(record),
    archive: {messages, first_id, last_id},
    media: files,
    media_missing: missing.size,
    media_damaged: damaged.size,
    damaged_files: [...damaged].map((file) => `${place.name}/${file}`),
    incomplete: record !== undefined && isIncomplete(record),
    not_read: record === undefined ? [] : notRead(record),
    failure,
  };
}

/** Whether a folder is that of a conversation. Some are copies of others, or empty. */
const isConversation = ({record, damage, hasMessages}: KnownConversation): boolean =>
  record !== undefined || (damage === undefined ? hasMessages : !(damage instanceof OfAnother));

/** Whether a folder is that of a conversation, and of one that is named. */
export const isMeant = (known: KnownConversation, named: readonly string[] | undefined): boolean =>
  isConversation(known) && (known.record === undefined ? (named?.includes(known.place.name) ?? true) : isNamed(known.record, named));

/** What the files of a conversation are. */
interface CheckedConversation {
  readonly known: KnownConversation;
  readonly files: Checked;
  readonly result: VerifyResult;
}

export async function checkedConversation(known: KnownConversation, withMedia: boolean): Promise<CheckedConversation> {
  const files = await checked(known, withMedia);
  return {known, files, result: resultFor(known.place, known.record, files)};
}

/** @returns a result for a conversation whose folder is not there */
export function resultOfLost(folder: string, record: ConversationRecord): VerifyResult {
  const place = ConversationPlace.of(folder, record.facts.id);
  const {messages} = record.facts;
  const what = `${place.folder} is gone: ${accountFiles.conversations} counts ${messages} messages in it`;
  return resultFor(place, record, {
    ...nothingChecked,
    failure: new Damaged(what, 'run the export again: it reads what the server still shows'),
  });
}

/**
 * Compares the files of an archive with what was written down of them.
 * @throws Failure `not_found` for a conversation that is not in the archive
 */
export async function* checkArchive({folder, named, withMedia}: CheckOptions): AsyncGenerator<VerifyResult, void, undefined> {
  try {
    const catalogue = await Catalogue.open(folder, {finishes: false});
    const {all, lost} = catalogue;
    for (const name of named ?? []) {
      if (all.some((known) => isMeant(known, [name])) || lost.some((record) => isNamed(record, [name]))) continue;
      throw new Failure('not_found', `There is no conversation ${name} in ${folder}`);
    }
    for (const known of all) if (isMeant(known, named)) yield (await checkedConversation(known, withMedia)).result;
    for (const record of lost) if (isNamed(record, named)) yield resultOfLost(folder, record);
  } catch (error) {
    throw ownFailure(error, folder, {what: 'read'});
  }
}
