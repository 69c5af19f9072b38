/** What an archive has to know of a message, which it keeps as the server wrote it. */
import {at, booleanAt, identifierAt, textAt} from '../json/path.js';
import {itemTextsAt} from '../json/slices.js';

export interface Message {
  readonly id: string;
  /** As the server wrote it, on one line. */
  readonly text: string;
}

/** @returns undefined for one without an id */
export function messageIn(text: string): Message | undefined {
  const id = identifierAt(text, ['id']);
  return id === undefined || id === '' ? undefined : {id, text};
}

/** A photo, a video or a sound in a message. */
export interface Medium {
  readonly id: string;
  readonly url: string | undefined;
  readonly description: string | undefined;
}

/** Messages of conversations have `media`; those of legacy threads a `carousel`, beside an address in `media`. */
const mediaMembers = ['media', 'carousel'] as const;

/** Whether there can be any: quicker than to look. */
export const mayHaveMedia = (text: string): boolean => /"(?:media|carousel)"\s*:\s*\[\s*[^\]\s]/.test(text);

export function mediaIn(text: string): Medium[] {
  for (const member of mediaMembers) {
    const items = itemTextsAt(text, [member]);
    if (items === undefined) continue;
    return items.flatMap((item) => {
      const id = identifierAt(item, ['id']);
      const value: unknown = JSON.parse(item);
      return id === undefined || id === '' ? [] : {id, url: textAt(value, ['url']), description: textAt(value, ['description'])};
    });
  }
  return [];
}

/** When it was sent; undefined where the server does not say. */
export function sentAt(value: unknown): Date | undefined {
  const date = new Date(textAt(value, ['created_at']) ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const contentOf = (text: string): string => {
  const value: unknown = JSON.parse(text);
  const sensitive = booleanAt(value, ['sensitive']);
  const ids = mediaIn(text).map(({id}) => id);
  return JSON.stringify([at(value, ['text']).value, at(value, ['edited_at']).value, sensitive, ids]);
};

/** Whether two texts of a message say the same: servers change other members at will, such as addresses and how long ago it was sent. */
export function saysTheSame(one: string, other: string): boolean {
  return one === other || contentOf(one) === contentOf(other);
}

/** Whether a conversation was not accepted. Anybody can send one. @param text as the server wrote it */
export const isRequest = (text: string): boolean => textAt(JSON.parse(text), ['state']) === 'request';
