/** What an archive has to know of a message, which it keeps as the server wrote it. */
import {hash} from 'node:crypto';
import {at, booleanAt, textAt} from '../json/path.js';
import {identifierIn, itemTextsAt} from './texts.js';

/** Characters of a digest, of 6 bits each. */
const contentLength = 24;

export interface Message {
  readonly id: string;
  /** As the server wrote it, on one line. */
  readonly text: string;
}

/** @returns undefined for one without an id */
export function messageIn(text: string): Message | undefined {
  const id = identifierIn(text, ['id']);
  return id === undefined || id === '' ? undefined : {id, text};
}

/** A photo, a video or a sound in a message. */
export interface NamedMedium {
  readonly id: string;
  readonly url: string | undefined;
  readonly description: string | undefined;
}

/** Messages of conversations have `media`; those of legacy threads a `carousel`, beside an address in `media`. */
const mediaMembers = ['media', 'carousel'] as const;

/** Whether there can be any: quicker than to look. */
export const mayHaveMedia = (text: string): boolean => /"(?:media|carousel)"\s*:\s*\[\s*[^\]\s]/.test(text);

export function mediaIn(text: string): NamedMedium[] {
  for (const member of mediaMembers) {
    const items = itemTextsAt(text, [member]);
    if (items === undefined) continue;
    return items.flatMap((item) => {
      const id = identifierIn(item, ['id']);
      const value: unknown = JSON.parse(item);
      return id === undefined || id === '' ? [] : {id, url: textAt(value, ['url']), description: textAt(value, ['description'])};
    });
  }
  return [];
}

/** When it was sent; undefined where the server does not say. */
export function readSentAt(value: unknown): Date | undefined {
  const date = new Date(textAt(value, ['created_at']) ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * What a message says, as a digest: servers change other members at will, such as addresses and how long ago it was sent.
 * @param value the parsed text
 */
export function contentOf(text: string, value: unknown): string {
  const ids = mayHaveMedia(text) ? mediaIn(text).map(({id}) => id) : [];
  const said = [at(value, ['text']).value, at(value, ['edited_at']).value, booleanAt(value, ['sensitive']), ids];
  return hash('sha256', JSON.stringify(said), 'base64').slice(0, contentLength);
}

/** Whether a conversation was not accepted. Anybody can send one. @param text as the server wrote it */
export const isRequest = (text: string): boolean => textAt(JSON.parse(text), ['state']) === 'request';
