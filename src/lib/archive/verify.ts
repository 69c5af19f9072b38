/** Checks every byte of an archive against the proofs, sizes and sums that were written down, without a server. */
import {join, relative} from 'node:path';
import {Failure} from '../client/failure.js';
import {Damaged, ownFailure} from './failures.js';
import {Log} from './log.js';
import {damageOfMedium} from './media-file.js';
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
  /** Files that are not there, and those whose bytes are not what they were, in the folder of the archive. */
  readonly damaged: readonly string[];
  readonly failure: Failure | undefined;
}

/** @param isMeant asked for the names of the conversation @returns undefined for one that is not meant, and for a folder with nothing in it */
async function verifyConversation(
  place: ConversationPlace,
  withMedia: boolean,
  isMeant: (names: readonly string[]) => boolean,
): Promise<VerifyResult | undefined> {
  const report = (failures: readonly Failure[]) => ({
    damaged: failures.flatMap((one) => (one instanceof Damaged ? join(place.name, relative(place.folder, one.path)) : [])),
    failure: failures[0],
  });
  try {
    await using log = await Log.openToLook(place);
    const {id = place.name, handles, messages, media: all} = log.conversation;
    if (log.isEmpty || !isMeant([id, ...(handles.length === 1 ? handles : [])])) return undefined;
    const media = [...all.values()].filter(({file}) => file !== undefined);
    const failures: Failure[] = [];
    for (const medium of withMedia ? media : []) failures.push(...[(await damageOfMedium(place, medium, true)) ?? []].flat());
    return {id, with: handles, messages: messages.size, media: media.length, ...report(failures)};
  } catch (error) {
    const failure = ownFailure(error, place.folder, 'read');
    return isMeant([place.name]) ? {id: place.name, with: [], messages: 0, media: 0, ...report([failure])} : undefined;
  }
}

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
