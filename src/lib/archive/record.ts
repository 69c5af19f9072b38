/** What an archive knows of a conversation: `ID/kept.json`, which is replaced together with the messages that it describes. */
import {join} from 'node:path';
import * as z from 'zod/mini';
import {readText} from '../files/read-file.js';
import {isAbsent} from '../files/system-error.js';
import {localFailure} from '../client/failure.js';
import {sweepTemporary, writeWhole} from '../files/whole-file.js';
import {identifierAt, textAt} from '../json/path.js';
import {fieldTexts, itemTextsAt, kindOf} from '../json/slices.js';
import {membersOf} from '../api/schema.js';
import {time} from './entry.js';
import {Damaged, LaterVersion, OfAnother} from './failures.js';
import {keptFiles, nameOf, type ConversationPlace} from './places.js';
import {boundShape, gapsOf, isAskedFor, type Gap} from './ranges.js';

/** Increased when the format changes. */
const version = 1;

const count = z.int().check(z.nonnegative());
const id = z.string().check(z.minLength(1));
const person = z.object({acct: z.string(), name: z.string()});

/** By the name of a file, the sha256 of its bytes. */
const digests = z.record(z.string(), z.string());

const countsShape = z.object({
  messages: count,
  /** Messages that the server does not show any more. */
  missing: count,
  /** Files, and their bytes. */
  media: count,
  bytes: count,
  /** Files that could not be fetched yet, or were left out by a limit. */
  absent_media: count,
  first_id: z.nullable(z.string()),
  last_id: z.nullable(z.string()),
  /** When the newest message was sent. */
  last_at: z.nullable(time),
});

const knownShape = z.object({
  id,
  type: z.enum(['conversation', 'thread']),
  folder: z.string(),
  first_seen: time,
  last_seen: time,
  missing_since: z.optional(time),
  people: z.record(z.string(), person),
});

const lineShape = z.object({...knownShape.shape, ...countsShape.shape});

const shape = z.object({
  ...lineShape.shape,
  kept: z.literal(version),
  ranges: z.array(z.object({from: z.nullable(id), to: id})),
  newest: z.boolean(),
  bound: z.optional(boundShape),
  files: digests,
  /** While the files are replaced: those that they replace. */
  before: z.optional(digests),
});

export type Person = z.infer<typeof person>;

/** `conversation` of servers of 2026, `thread` of older ones: each has ids of its own. */
export type ConversationType = z.infer<typeof knownShape>['type'];

/** What is kept of a conversation. */
export type KeptCounts = Readonly<z.infer<typeof countsShape>>;

type ConversationFacts = Readonly<Omit<z.infer<typeof shape>, 'before' | 'files' | 'kept'>>;

export interface ConversationRecord {
  readonly facts: ConversationFacts;
  /** The conversation as the server wrote it, on one line; a thread without its messages. */
  readonly text: string;
  /** Of the messages and their index; undefined where no run has written them down. */
  readonly files: Readonly<Record<string, string>> | undefined;
  /** Those that are being replaced. */
  readonly before?: Readonly<Record<string, string>> | undefined;
}

export const nothingKept: KeptCounts = {
  messages: 0,
  missing: 0,
  media: 0,
  bytes: 0,
  absent_media: 0,
  first_id: null,
  last_id: null,
  last_at: null,
};

export const nothingRead = {ranges: [], newest: false};

function peopleIn(text: string, type: ConversationType): Record<string, Person> {
  const value: unknown = JSON.parse(text);
  if (type === 'thread') {
    const own = identifierAt(text, ['id']);
    const acct = textAt(value, ['username']) ?? '';
    return own === undefined ? {} : {[own]: {acct, name: textAt(value, ['name']) ?? acct}};
  }
  const people = (itemTextsAt(text, ['participants']) ?? []).map((item): [string, Person] => {
    const one: unknown = JSON.parse(item);
    const acct = textAt(one, ['acct']) ?? '';
    return [identifierAt(item, ['id']) ?? '', {acct, name: textAt(one, ['display_name']) || acct}];
  });
  return Object.fromEntries(people);
}

/** A conversation as a server shows it. */
export interface SeenConversation {
  readonly id: string;
  readonly type: ConversationType;
  readonly text: string;
}

/** A conversation that was seen just now. @param before what is known of it */
export function seenConversation(seen: SeenConversation, before: ConversationRecord | undefined, now: string): ConversationRecord {
  const {id: own, type, text} = seen;
  const {missing_since: _, ...known} = before?.facts ?? {
    ...nothingKept,
    ...nothingRead,
    first_seen: now,
    people: {},
    missing_since: undefined,
  };
  // Those who have left stay known: their messages name them by ids.
  const people = {...known.people, ...peopleIn(text, type)};
  return {facts: {...known, id: own, type, folder: nameOf(own), last_seen: now, people}, text, files: before?.files};
}

/** The others in it, as `@bob`. */
export const otherHandles = (record: ConversationRecord | undefined): string[] =>
  Object.values(record?.facts.people ?? {}).map(({acct}) => `@${acct}`);

/** Whether a conversation is among those that are named: by ids, or by the only other person. @param named undefined: all are */
export function isNamed(record: ConversationRecord, named: readonly string[] | undefined): boolean {
  const [handle, ...others] = otherHandles(record);
  return named === undefined || named.includes(record.facts.id) || (others.length === 0 && handle !== undefined && named.includes(handle));
}

const isThread = ({type}: ConversationFacts): boolean => type === 'thread';

/** What of a conversation was not read. A server before 2026 does not show what came before the last messages of a thread. */
export function notRead({facts}: ConversationRecord): readonly Gap[] {
  return gapsOf(facts);
}

/** Whether something was asked for, and not read. What is gone cannot be read any more. */
export function isUnfinished({facts}: ConversationRecord): boolean {
  if (facts.missing_since !== undefined) return false;
  const gaps = gapsOf(facts).filter((gap) => isAskedFor(gap, facts.bound));
  return isThread(facts) ? !facts.newest : gaps.length > 0;
}

/** Whether the server does not show all of it. */
export const isIncomplete = ({facts}: ConversationRecord): boolean => isThread(facts) && gapsOf(facts).length > 0;

const withConversation = (known: object, text: string): string => `${JSON.stringify(known).slice(0, -1)},"conversation":${text}}\n`;

/** A line of `conversations.ndjson`. */
export function lineOf(record: ConversationRecord): string {
  const {ranges: _, newest: __, bound: ___, ...facts} = record.facts;
  const incomplete = isIncomplete(record);
  const unfinished = isUnfinished(record) ? true : undefined;
  return withConversation({...facts, incomplete, unfinished, not_read: notRead(record)}, record.text);
}

export function contentOf({facts, files = {}, before, text}: ConversationRecord): string {
  return withConversation({kept: version, ...facts, files, before}, text);
}

const conversationIn = (text: string): string => {
  const found = fieldTexts(text).get('conversation') ?? '';
  if (kindOf(found) !== 'object') throw new Error('no conversation');
  return found;
};

/** What a line of `conversations.ndjson` knows. What was read is not known from it. @throws Error for no such line */
export function parseConversationLine(line: string): ConversationRecord {
  const known = lineShape.parse(JSON.parse(line));
  return {facts: {...known, ...nothingRead}, text: conversationIn(line), files: undefined};
}

/** @throws Error for what is none */
export function parseRecord(text: string): ConversationRecord {
  const {kept: _, files, before, ...facts} = shape.parse(JSON.parse(text));
  return {facts, files, before, text: conversationIn(text.trimEnd())};
}

/** What is known of a conversation of which its messages alone are left. */
export function bareRecord(id: string, type: ConversationType, now: string): ConversationRecord {
  const facts = {...nothingKept, ...nothingRead, id, type, folder: nameOf(id), first_seen: now, last_seen: now, people: {}};
  return {facts, text: JSON.stringify({id}), files: undefined};
}

/**
 * @returns undefined where it is not there, or not what a run writes
 * @throws Damaged where it cannot be read, or is that of a later version, or of another conversation
 */
export async function readRecord(place: ConversationPlace, folder = place.folder): Promise<ConversationRecord | undefined> {
  const path = join(folder, keptFiles.record);
  const text = await readText(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw new Damaged(localFailure(`Cannot read ${path}`, error).message);
  });
  try {
    if (text === undefined) return undefined;
    const found = membersOf(JSON.parse(text))['kept'];
    if (typeof found === 'number' && found > version) throw new LaterVersion(`${path} was written by a later pixelctl`, 'upgrade pixelctl');
    const record = parseRecord(text);
    const {id: own} = record.facts;
    if (nameOf(own) === place.name) return record.facts.folder === place.name ? record : undefined;
    throw new OfAnother(`${path} is that of conversation ${own}`, `move ${folder} to where it belongs, or away, then run this again`);
  } catch (error) {
    if (error instanceof Damaged) throw error;
    return undefined;
  }
}

export async function writeRecord(place: ConversationPlace, record: ConversationRecord): Promise<void> {
  await writeWhole(join(place.folder, keptFiles.record), contentOf(record));
  // What a killed run left of it: the archive has a lock.
  await sweepTemporary(place.folder, [keptFiles.record]);
}
