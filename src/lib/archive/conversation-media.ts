/** Finds the files of a conversation that are missing, fetches them, and writes the outcome into its log. */
import {asFailure, type Failure} from '../client/failure.js';
import type {Log} from './log.js';
import {damageOfMedium, MediaFolder, type MediumFile, removeParts} from './media-file.js';
import type {FetchedMedium, MediaFetcher, WantedMedium} from './media-fetch.js';
import {isRequest, mediaIn} from './message.js';

export interface MediaChanges {
  readonly new_media: number;
  /** Files that could not be fetched this time. */
  readonly failed_media: number;
  /** Files that were left out this time, by a limit. */
  readonly skipped_media: number;
  /** Why files could not be fetched or were left out, for the first of them. */
  readonly media_errors: readonly {readonly message_id: string; readonly media_id: string; readonly error: string}[];
}

export const noMediaChanges: MediaChanges = {new_media: 0, failed_media: 0, skipped_media: 0, media_errors: []};

const maxReasons = 100;

/** The files that a run has to fetch, or only to add to the log. */
interface WantedFiles {
  readonly media: readonly WantedMedium[];
  /** Files that are in the folder and not in the log, because the run that fetched them was killed. */
  readonly there: readonly (MediumFile & {readonly id: string; readonly of: string})[];
  readonly damage: Failure | undefined;
}

/** A file with another length than in the log is damaged. It stays where it is: nothing replaces files. */
async function damageIn({conversation, place}: Log, folder: MediaFolder): Promise<Failure | undefined> {
  for (const medium of conversation.media.values()) {
    const damage = medium.file !== undefined && folder.has(medium.file) ? await damageOfMedium(place, medium, false) : undefined;
    if (damage !== undefined) return damage;
  }
  return undefined;
}

/** @returns undefined where nothing is to be done */
export async function findWanted(log: Log): Promise<WantedFiles | undefined> {
  const {conversation, place} = log;
  const folder = await MediaFolder.in(place);
  const wanted = new Map<string, WantedMedium>();
  const there = new Map<string, WantedFiles['there'][number]>();
  await log.withMessages(async (messageOf) => {
    for (const {id: of, version, media, ownMedia, missingSince} of conversation.messages.values()) {
      const own = new Set(ownMedia);
      // Addresses are read once for a message, which may have thousands of files, and only where a file is wanted.
      let addresses: ReadonlyMap<string, string | undefined> | undefined;
      for (const id of media) {
        const {file} = conversation.media.get(id) ?? {};
        if (there.has(id) || (file !== undefined && folder.has(file))) continue;
        const known = wanted.get(id);
        const found = known === undefined ? await folder.fileOf(id) : undefined;
        if (found !== undefined) there.set(id, {...found, id, of});
        // The server hardly has files of messages that it no longer shows, so they are not asked for, unless a damaged file was put aside.
        if (found !== undefined || !own.has(id) || (file === undefined && missingSince !== undefined)) continue;
        addresses ??= new Map(mediaIn(messageOf(version)).map((one) => [one.id, one.url]));
        if (known !== undefined) known.of.push(of);
        else wanted.set(id, {id, url: addresses.get(id), of: [of], wasTried: conversation.media.has(id)});
      }
    }
  });
  const damage = await damageIn(log, folder);
  if (wanted.size === 0 && there.size === 0 && damage === undefined) return undefined;
  return {media: [...wanted.values()], there: [...there.values()], damage};
}

interface FetchOptions {
  readonly fetcher: Pick<MediaFetcher, 'fetchAll'>;
  readonly signal: AbortSignal;
  readonly onFile: () => void;
}

/** Fetches the missing files. An interrupted run keeps the files that it has fetched. @throws the system's error */
export async function fetchWanted(
  log: Log,
  {media, there, damage}: WantedFiles,
  {fetcher, signal, onFile}: FetchOptions,
): Promise<{readonly changes: MediaChanges; readonly failure: Failure | undefined}> {
  const {conversation, place} = log;
  const errors: MediaChanges['media_errors'][number][] = [];
  const changes = {...noMediaChanges, new_media: there.length, media_errors: errors};
  await removeParts(place);
  for (const medium of there) log.append({media: medium});
  const noteFetched = async ({id, of: all}: WantedMedium, {file, error, isSkipped, isUntried}: FetchedMedium) => {
    const [of] = all;
    changes[file !== undefined ? 'new_media' : isSkipped ? 'skipped_media' : 'failed_media'] += all.length;
    if (file !== undefined) {
      onFile();
      log.append({media: {of, id, ...file}});
    } else {
      errors.push(...all.slice(0, maxReasons - errors.length).map((message_id) => ({message_id, media_id: id, error: error ?? ''})));
      if (isUntried !== true && conversation.media.get(id)?.why !== error) log.append({media: {of, id, why: error}});
    }
    await log.flush();
  };
  try {
    await fetcher.fetchAll(media, {place, isAccepted: !isRequest(conversation.shown), done: noteFetched});
    signal.throwIfAborted();
  } catch (error) {
    if (!signal.aborted) throw error;
    return {changes, failure: asFailure(signal.reason)};
  }
  return {changes, failure: damage};
}
