/** The files of a conversation: which of them are wanted, and what came of fetching them. */
import type {Failure} from '../client/failure.js';
import {asFailure} from '../client/failure.js';
import {damagedMedia, type MediaCheck} from './damaged-media.js';
import type {MediumEntry} from './entry.js';
import {keptMessages} from './kept.js';
import {KeptMedia, removeParts} from './media-file.js';
import type {MediaFetcher, WantedMedium} from './media-fetch.js';
import {mergeMedia, nothingChanged, type ChangeCounts, type WritePage} from './merge.js';
import {isRequest, mediaIn} from './message.js';
import type {ConversationPlace} from './places.js';
import type {ConversationRecord} from './record.js';

interface FetchMediaOptions {
  readonly fetcher: MediaFetcher;
  /** What is looked at of files that are known; undefined: nothing. */
  readonly check: MediaCheck | undefined;
  /** The time of the run. */
  readonly at: string;
  readonly writePage: WritePage;
  readonly signal: AbortSignal;
  /** Called with each file that was fetched. */
  readonly onFile: () => void;
}

/** Files to fetch, each once, and those that a run has fetched which was killed before it could say so. */
async function wantedMedia(place: ConversationPlace, check: MediaCheck | undefined) {
  const damaged = check === undefined ? new Set<string>() : await damagedMedia(place, check);
  const files = await KeptMedia.in(place);
  const wanted = new Map<string, WantedMedium>();
  const found = new Map<string, MediumEntry>();
  for await (const {text, entry} of keptMessages(place)) {
    // What the server does not show any more, it hardly gives: only a repair asks for what was there once.
    const isGone = entry?.missingSince !== undefined;
    if (isGone && check !== 'bytes') continue;
    const known = new Map(entry?.media.map((medium) => [medium.id, medium]));
    for (const medium of mediaIn(text)) {
      const {id} = medium;
      if (wanted.has(id) || found.has(id)) continue;
      const file = known.get(id)?.file;
      if (file === undefined ? isGone : !damaged.has(id) && (check === undefined || files.has(file))) continue;
      const kept = file === undefined ? await files.entryOf(id) : undefined;
      if (kept !== undefined) {
        found.set(id, kept);
        continue;
      }
      wanted.set(id, {...medium, before: known.get(id)});
    }
  }
  return {wanted: [...wanted.values()], found};
}

/** Fetches what is not there yet. What was fetched is kept, also where the run is interrupted. @throws the system's error; Damaged */
export async function fetchMedia(
  place: ConversationPlace,
  record: ConversationRecord,
  {fetcher, check, at, writePage, signal, onFile}: FetchMediaOptions,
): Promise<{readonly record: ConversationRecord; readonly changes: ChangeCounts; readonly failure: Failure | undefined}> {
  await removeParts(place);
  const {wanted, found} = await wantedMedia(place, check);
  let failure: Failure | undefined;
  try {
    const done = (entry: MediumEntry) => {
      found.set(entry.id, entry);
      if (entry.file !== undefined) onFile();
    };
    await fetcher.fetchAll(wanted, {place, isAccepted: !isRequest(record.text), at, done});
    signal.throwIfAborted();
  } catch (error) {
    if (!signal.aborted) throw error;
    failure = asFailure(signal.reason);
  }
  if (found.size === 0) return {record, changes: nothingChanged, failure};
  return {...(await mergeMedia(place, record, found, {at, writePage})), failure};
}
