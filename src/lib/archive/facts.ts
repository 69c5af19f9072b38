/** What an archive has of a conversation: its line in `conversations.ndjson`. */
import {booleanAt, textAt, compareIds} from '../json/path.js';
import type {ArchivedMessage} from './fold.js';
import type {Log} from './log.js';
import type {ConversationType, Person} from './message.js';
import type {Gap} from './ranges.js';

export interface ConversationFacts {
  readonly id: string;
  readonly type: ConversationType;
  /** The name of its folder in the archive. */
  readonly folder: string;
  readonly people: Readonly<Record<string, Person>>;
  readonly messages: number;
  /** Messages that the server does not show any more. */
  readonly missing: number;
  /** How many files there are; `bytes` is the size of all of them. */
  readonly media: number;
  readonly bytes: number;
  /** Files of messages that the archive does not have. */
  readonly absent_media: number;
  /** When the newest message was sent; null where that is unknown. */
  readonly last_at: string | null;
  /** The gaps that no run has read, the oldest first. */
  readonly not_read: readonly Gap[];
  /** As the server wrote it when it last changed; null where no run has seen it since its log was damaged. */
  readonly conversation: unknown;
}

export function summarize({conversation, place}: Log): ConversationFacts {
  const {id = place.name, type, people, messages, media, gaps, shown = null} = conversation;
  let [missing, last]: [number, ArchivedMessage | undefined] = [0, undefined];
  const wanted = new Set<string>();
  for (const one of messages.values()) {
    if (one.missingSince === undefined) for (const medium of one.ownMedia) wanted.add(medium);
    else missing += 1;
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
    last_at: last?.sent?.toISOString() ?? null,
    not_read: gaps,
    conversation: shown,
  };
}

/** Whether only the list of hidden conversations shows a conversation. */
export const isHidden = ({conversation}: ConversationFacts): boolean => booleanAt(conversation, ['hidden']) === true;

/** What people call a conversation: its own name, else the names of the others in it. */
export function namesOf({people, id, conversation}: ConversationFacts): readonly string[] {
  const own = textAt(conversation, ['name']);
  if (own) return [own];
  const names = Object.values(people).map(({name}) => name);
  return names.length > 0 ? names : [`Conversation ${id}`];
}
