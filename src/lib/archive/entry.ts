/** The lines of `index.ndjson`: what an archive knows of a message beside its text. */
import * as z from 'zod/mini';
import {fieldTexts, itemTexts} from '../json/slices.js';
import {compact} from '../json/text.js';

/** As this program writes times. */
export const time = z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time'));
const maybe = z.optional;

const mediumShape = z.object({
  id: z.string(),
  /** Where it is, in the folder of the conversation. */
  file: maybe(z.string().check(z.regex(/^media\/[\da-f]+\.\w+$/))),
  /** That its bytes show. */
  type: maybe(z.string()),
  /** Bytes. */
  length: maybe(z.number()),
  sha256: maybe(z.string()),
  /** Why it could not be fetched. */
  error: maybe(z.string()),
  /** Why it was not to be fetched. */
  skipped: maybe(z.string()),
  /** When that was. */
  at: maybe(time),
});

const shape = z.object({
  id: z.string(),
  first_seen: time,
  last_seen: time,
  missing_since: maybe(time),
  versions: maybe(z.array(z.looseObject({until: time, message: z.looseObject({})}))),
  media: maybe(z.array(mediumShape)),
});

/** What is known of a file. */
export type MediumEntry = z.infer<typeof mediumShape>;

export interface MessageEntry {
  readonly id: string;
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Since when the server does not show it any more. */
  readonly missingSince?: string | undefined;
  /** Earlier versions, oldest first: each as JSON, with the time when the next one was seen. */
  readonly versions: readonly string[];
  /** The files of all versions. */
  readonly media: readonly MediumEntry[];
}

/** @throws Error for what is no such line */
export function parseEntry(line: string): MessageEntry {
  const known = shape.parse(JSON.parse(line));
  const {id, first_seen: firstSeen, last_seen: lastSeen, missing_since: missingSince, media = []} = known;
  const versions = known.versions === undefined ? [] : itemTexts(fieldTexts(line).get('versions') ?? '[]');
  return {id, firstSeen, lastSeen, missingSince, media, versions};
}

export function entryLine({id, firstSeen, lastSeen, missingSince, versions, media}: MessageEntry): string {
  const known = {id, first_seen: firstSeen, last_seen: lastSeen, missing_since: missingSince, media: media.length > 0 ? media : undefined};
  const text = JSON.stringify(known);
  return versions.length === 0 ? `${text}\n` : `${text.slice(0, -1)},"versions":[${versions.join(',')}]}\n`;
}

/** @param seen when the version after it was seen */
export function versionOf(message: string, seen: string): string {
  return `{"until":${JSON.stringify(seen)},"message":${compact(message)}}`;
}
