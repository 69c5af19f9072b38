/** Checks every byte of an archive against the proofs, sizes and sums that were written down, without a server. */
import {join, relative} from 'node:path';
import type {Failure} from '../client/failure.js';
import {type ConversationPlace, conversationsOf} from './archive-places.js';
import {Damaged, ownFailure} from './failures.js';
import {Log} from './log.js';
import {damageOfMedium} from './media-file.js';

interface VerifyResult {
  readonly id: string;
  /** The other people in it. */
  readonly with: readonly string[];
  readonly messages: number;
  readonly media: number;
  /** The paths, in the folder of the archive, of files that are missing or differ from what was written. */
  readonly damaged: readonly string[];
  readonly failure: Failure | undefined;
}

function alteredFile(path: string): Damaged {
  return new Damaged(
    path,
    `${path} is damaged: it is not what was made from the log`,
    'run the same command without --verify: it is made anew from the log',
  );
}

function lostSum(place: ConversationPlace): Damaged {
  const path = place.pathOf('sum');
  return new Damaged(
    path,
    `${path} is missing: nothing tells whether the log has lost its end`,
    'bring it back from a copy, or run the same command without --verify: it is made anew',
  );
}

/** @returns undefined for a folder with nothing in it */
async function verifyConversation(place: ConversationPlace, withMedia: boolean): Promise<VerifyResult | undefined> {
  const report = (failures: readonly Failure[]) => ({
    damaged: failures.flatMap((one) => (one instanceof Damaged ? join(place.name, relative(place.folder, one.path)) : [])),
    failure: failures[0],
  });
  try {
    await using log = await Log.openToLook(place);
    const {id = place.name, handles, messages, media: all} = log.conversation;
    if (log.isEmpty && !log.hasLostSum) return undefined;
    const media = [...all.values()].filter(({file}) => file !== undefined);
    const failures: Failure[] = log.hasLostSum ? [lostSum(place)] : [];
    for (const name of log.altered) failures.push(alteredFile(place.pathOf(name)));
    for (const medium of withMedia ? media : []) {
      const damage = await damageOfMedium(place, medium, true);
      if (damage !== undefined) failures.push(damage);
    }
    return {id, with: handles, messages: messages.size, media: media.length, ...report(failures)};
  } catch (error) {
    return {id: place.name, with: [], messages: 0, media: 0, ...report([ownFailure(error, place.folder, 'read')])};
  }
}

/** Checks the conversations of an archive, one after the other. @param folder that of the account */
export async function* verifyArchive(folder: string, withMedia: boolean): AsyncGenerator<VerifyResult, void, undefined> {
  for (const place of await conversationsOf(folder)) {
    const result = await verifyConversation(place, withMedia);
    if (result !== undefined) yield result;
  }
}
