/** What an archive has to know of messages and conversations. It keeps them as the server wrote them, with every digit of their numbers. */
import {hash} from 'node:crypto';
import {membersOf} from '../api/schema.js';
import {deepest, parseExact} from '../json/exact.js';
import {at, booleanAt, identifierAt, itemsAt, textAt} from '../json/path.js';

/** Servers of 2026 have conversations, and older ones have threads. Each type has ids of its own. */
export const conversationTypes = ['conversation', 'thread'] as const;
export type ConversationType = (typeof conversationTypes)[number];

/** A line has one level more than what the server sent. @throws SyntaxError, or TooDeep */
export const parseLine = (line: string): unknown => parseExact(line, deepest + 1);

/** Characters of a digest, of 6 bits each. */
const contentLength = 24;

export interface Message {
  readonly id: string;
  readonly value: unknown;
}

const idIn = (value: unknown): string | undefined => identifierAt(value, ['id']) || undefined;

/** @returns undefined for a message without an id */
export function messageIn(value: unknown): Message | undefined {
  const id = idIn(value);
  return id === undefined ? undefined : {id, value};
}

/** A photo, a video or a sound in a message. */
interface NamedMedium {
  readonly id: string;
  readonly url: string | undefined;
  readonly description: string | undefined;
}

/** Messages of conversations have `media`; those of legacy threads a `carousel`, beside an address in `media`. */
export function mediaIn(message: unknown): NamedMedium[] {
  const items = itemsAt(message, ['media']) ?? itemsAt(message, ['carousel']) ?? [];
  return items.flatMap((item) => {
    const id = idIn(item);
    return id === undefined ? [] : {id, url: textAt(item, ['url']), description: textAt(item, ['description'])};
  });
}

/** When a message was sent; undefined where the server does not say. */
export function readSentAt(message: unknown): Date | undefined {
  const date = new Date(textAt(message, ['created_at']) ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** What a message says, as a digest: servers change other members at will, such as addresses and how long ago it was sent. */
export function contentOf(message: unknown): string {
  const ids = mediaIn(message).map(({id}) => id);
  const said = [at(message, ['text']).value, at(message, ['edited_at']).value, booleanAt(message, ['sensitive']), ids];
  return hash('sha256', JSON.stringify(said), 'base64').slice(0, contentLength);
}

export interface Person {
  readonly acct: string;
  readonly name: string;
}

export function personIn(account: unknown): Person {
  const acct = textAt(account, ['acct']) ?? textAt(account, ['username']) ?? '';
  return {acct, name: (textAt(account, ['display_name']) ?? textAt(account, ['name'])) || acct};
}

/** The accounts of the other people in a conversation, by their ids. A thread is itself the account of the other person, with more members. */
export function peopleIn(conversation: unknown, type: ConversationType): Map<string, unknown> {
  const ofThread = () => [Object.fromEntries(Object.entries(membersOf(conversation)).filter(([, value]) => !Array.isArray(value)))];
  const all = type === 'thread' ? ofThread() : (itemsAt(conversation, ['participants']) ?? []);
  return new Map(all.flatMap((account) => [[idIn(account) ?? '', account] as const]).filter(([id]) => id !== ''));
}

/** Whether a conversation is a message request, which was not accepted. Anybody can send one. */
export const isRequest = (conversation: unknown): boolean => textAt(conversation, ['state']) === 'request';
