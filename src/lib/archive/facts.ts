/** What an archive has of a conversation, and its line of `conversations.ndjson`. */
import * as z from 'zod/mini';
import {compareIds} from '../json/compare-ids.js';
import {booleanAt, textAt} from '../json/path.js';
import type {ArchivedMessage} from './fold.js';
import type {Log} from './log.js';
import {conversationTypes, parseLine} from './message.js';

const count = z.int().check(z.nonnegative());

const shape = z.object({
  id: z.string(),
  type: z.enum(conversationTypes),
  folder: z.string(),
  people: z.record(z.string(), z.object({acct: z.string(), name: z.string()})),
  messages: count,
  /** Messages that the server does not show any more. */
  missing: count,
  /** Files, and their bytes. */
  media: count,
  bytes: count,
  /** Files of messages that the archive does not have. */
  absent_media: count,
  first_id: z.nullable(z.string()),
  last_id: z.nullable(z.string()),
  /** When the newest message was sent. */
  last_at: z.nullable(z.string()),
  /** Whether the server has messages that it does not give. */
  incomplete: z.boolean(),
  /** What was not read, from the oldest messages to the newest. */
  not_read: z.array(z.object({after: z.nullable(z.string()), before: z.nullable(z.string())})),
  /** The proof of the last line of the log. */
  log: z.string(),
  /** As the server wrote it when it last changed; null where no run has seen it since its log was damaged. */
  conversation: z.unknown(),
});

/** What is archived of a conversation. */
export type ConversationFacts = Readonly<z.infer<typeof shape>>;

export function summarize({conversation, place, x}: Log): ConversationFacts {
  const {id = place.name, type, people, messages, media, gaps, shown = null} = conversation;
  let [missing, first, last]: [number, ArchivedMessage | undefined, ArchivedMessage | undefined] = [0, undefined, undefined];
  const wanted = new Set<string>();
  for (const one of messages.values()) {
    if (one.missingSince === undefined) for (const medium of one.ownMedia) wanted.add(medium);
    else missing += 1;
    if (first === undefined || compareIds(one.id, first.id) < 0) first = one;
    if (last === undefined || compareIds(one.id, last.id) > 0) last = one;
  }
  const files = [...media.values()].filter(({file}) => file !== undefined);
  for (const {id: there} of files) wanted.delete(there);
  return {
    id,
    type,
    folder: place.name,
    people: Object.fromEntries(people),
    messages: messages.size,
    missing,
    media: files.length,
    bytes: files.reduce((sum, {length = 0}) => sum + length, 0),
    absent_media: wanted.size,
    first_id: first?.id ?? null,
    last_id: last?.id ?? null,
    last_at: last?.sent?.toISOString() ?? null,
    // A server from before 2026 shows the first and the last messages of a thread.
    incomplete: type === 'thread' && gaps.length > 0,
    not_read: [...gaps],
    log: x,
    conversation: shown,
  };
}

/** @returns undefined for what is no line of `conversations.ndjson` */
export function factsIn(line: string): ConversationFacts | undefined {
  try {
    return shape.parse(parseLine(line));
  } catch {
    return undefined;
  }
}

/** Whether only the list of hidden conversations shows it. */
export const isHidden = ({conversation}: ConversationFacts): boolean => booleanAt(conversation, ['hidden']) === true;

/** What people call a conversation: its own name, else the names of the others in it. */
export function namesOf({people, id, conversation}: ConversationFacts): readonly string[] {
  const own = textAt(conversation, ['name']);
  if (own) return [own];
  const names = Object.values(people).map(({name}) => name);
  return names.length > 0 ? names : [`Conversation ${id}`];
}
