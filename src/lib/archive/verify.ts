/** Checks every byte of an archive against the proofs, sizes and sums that were written down, without a server. */
import {join, relative} from 'node:path';
import {Failure} from '../client/failure.js';
import {damagedMedium} from './conversation-media.js';
import {Damaged, ownFailure} from './failures.js';
import {Log} from './log.js';
import {checkMedium} from './media-file.js';
import {type ConversationPlace, conversationsOf} from './archive-places.js';

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

/** @param isMeant asked for the names of the conversation @returns undefined for one that is not meant, and for a folder with nothing in it */
async function verifyConversation(
  place: ConversationPlace,
  withMedia: boolean,
  isMeant: (names: readonly string[]) => boolean,
): Promise<VerifyResult | undefined> {
  try {
    await using log = await Log.openToLook(place);
    const {id = place.name, handles, messages, media: all} = log.conversation;
    if (log.isEmpty || !isMeant([id, ...(handles.length === 1 ? handles : [])])) return undefined;
    const media = [...all.values()].filter(({file}) => file !== undefined);
    const found: Record<'damaged' | 'missing', string[]> = {damaged: [], missing: []};
    for (const medium of withMedia ? media : []) {
      const what = await checkMedium(place, medium, true);
      if (what !== undefined) found[what].push(join(place.folder, medium.file ?? ''));
    }
    const {damaged, missing} = found;
    const [failure] = [...damaged.map(damagedMedium), ...missing.map(missingMedium)];
    return {
      id,
      with: handles,
      messages: messages.size,
      media: media.length,
      media_missing: missing.length,
      media_damaged: damaged.length,
      damaged_files: [...damaged, ...missing].map((path) => join(place.name, relative(place.folder, path))),
      failure,
    };
  } catch (error) {
    return isMeant([place.name]) ? {...nothing, id: place.name, failure: ownFailure(error, place.folder, 'read')} : undefined;
  }
}

const missingMedium = (path: string): Damaged =>
  new Damaged(`${path} is missing`, 'run the export again: it fetches the file if the server still has it');

/**
 * Checks the conversations of an archive, one after the other.
 * @throws Failure `not_found` for one that is not in the archive
 */
export async function* verifyArchive({folder, named, withMedia}: VerifyOptions): AsyncGenerator<VerifyResult, void, undefined> {
  const left = new Set(named);
  const isMeant = (names: readonly string[]) => {
    const meant = named?.filter((name) => names.includes(name));
    for (const name of meant ?? []) left.delete(name);
    return meant?.length !== 0;
  };
  for (const place of await conversationsOf(folder)) {
    const result = await verifyConversation(place, withMedia, isMeant);
    if (result !== undefined) yield result;
  }
  for (const name of left) throw new Failure('not_found', `There is no conversation ${name} in ${folder}`);
}
