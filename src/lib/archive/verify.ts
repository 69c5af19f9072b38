/** Checks every byte of an archive against the proofs, sizes and sums that were written down, without a server. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import {damagedMedium} from './conversation-media.js';
import {Damaged, ownFailure} from './failures.js';
import type {ArchivedConversation} from './fold.js';
import {Log} from './log.js';
import {checkMedium} from './media-file.js';
import {Overview} from './overview.js';
import {ConversationPlace} from './places.js';

interface VerifyOptions {
  /** The folder of the account. */
  readonly folder: string;
  readonly withMedia: boolean;
  /** Ids, or names of the only other person; undefined: all. */
  readonly named: readonly string[] | undefined;
}

export interface VerifyResult {
  readonly id: string;
  /** The others in it. */
  readonly with: readonly string[];
  readonly messages: number;
  readonly media: number;
  /** Files that are not there, and those whose bytes are not what they were. */
  readonly media_missing: number;
  readonly media_damaged: number;
  /** All of these, in the folder of the archive. */
  readonly damaged_files: readonly string[];
  readonly failure: Failure | undefined;
}

const nothing = {with: [], messages: 0, media: 0, media_missing: 0, media_damaged: 0, damaged_files: []};

/** Whether a name is its id, or that of the only other person. */
const isNamed = (name: string, {id, handles}: Pick<ArchivedConversation, 'handles' | 'id'>): boolean =>
  name === id || (handles.length === 1 && name === handles[0]);

/** @returns undefined for a conversation that is not meant, and for a folder with nothing in it */
async function verifyConversation(place: ConversationPlace, {folder, named, withMedia}: VerifyOptions): Promise<VerifyResult | undefined> {
  try {
    await using log = await Log.openToLook(place);
    const {conversation} = log;
    if (log.isEmpty || (named !== undefined && !named.some((name) => isNamed(name, conversation)))) return undefined;
    const media = [...conversation.media.values()].filter(({file}) => file !== undefined);
    const counts = {media_missing: 0, media_damaged: 0};
    const damaged: string[] = [];
    for (const medium of withMedia ? media : []) {
      const what = await checkMedium(place, medium, true);
      if (what === undefined) continue;
      counts[what === 'missing' ? 'media_missing' : 'media_damaged'] += 1;
      const path = join(place.name, medium.file ?? '');
      if (what === 'damaged') damaged.unshift(path);
      else damaged.push(path);
    }
    const {id = place.name, handles, messages} = conversation;
    const [first] = damaged;
    const failureOf = counts.media_damaged > 0 ? damagedMedium : missingMedium;
    const failure = first === undefined ? undefined : failureOf(join(folder, first));
    return {id, with: handles, messages: messages.size, media: media.length, ...counts, damaged_files: damaged, failure};
  } catch (error) {
    if (named !== undefined && !named.includes(place.name)) return undefined;
    return {...nothing, id: place.name, failure: ownFailure(error, place.folder, 'read')};
  }
}

const missingMedium = (path: string): Damaged =>
  new Damaged(`${path} is missing`, 'run the export again: it fetches the file if the server still has it');

/**
 * Checks the conversations of an archive, one after the other.
 * @throws Failure `not_found` for one that is not in the archive
 */
export async function* verifyArchive(options: VerifyOptions): AsyncGenerator<VerifyResult, void, undefined> {
  const {folder, named} = options;
  const overview = await Overview.open(folder);
  const left = new Set(named);
  for (const name of await overview.folders()) {
    const place = new ConversationPlace(folder, name);
    const result = await verifyConversation(place, options);
    if (result === undefined) continue;
    for (const name of left) if (name === result.id || name === place.name || result.with.includes(name)) left.delete(name);
    yield result;
  }
  for (const name of left) throw new Failure('not_found', `There is no conversation ${name} in ${folder}`);
}
