/** Texts with which a server wants to steer a terminal, and what finds them in what was printed. */
import type {Answered} from './server.js';

/** Ways to clear the screen, fill the clipboard, hide, turn round and be overlooked. */
export const hostile = [
  'x\u001b[2J\u001b]52;c;cm0gLXJmIH4=\u0007\u001b[8m\u001b[31m\u001bP\u001b\\\r\b\u007f\n\t',
  '\u009b2J\u009d0;owned\u009c\u0085\u202e\u2066\u2069\u200f\u061c\u2028',
  '\u200b\u200d\u2060\ufeff\u00ad\u3164\ufe0f\u{e0041}\u{e007f}y',
].join('');

/** All of it, and what is no more than a part. */
const steering = /[\p{Cc}--[\t\n]]|[\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\u{e0000}-\u{e007f}]/v;

/** What the tool itself may write: its colours, and what draws a progress bar. */
const own = new RegExp(String.raw`\u001b\[(?:1|2|4|22|24|3[1-5]|39)m|\r\u001b\[K`, 'g');

/** What a terminal shows: without the tool's own colours, and with the line ends of files. */
export const shownText = (output: string): string => output.replaceAll(own, '').replaceAll(/\r*\n/g, '\n');

/** What of a text for people would steer a terminal, with its surroundings. */
export function steeringIn(text: string): string | undefined {
  // A joiner between two emoji is a part of what they show.
  const rest = text.replaceAll(/\p{RGI_Emoji}|(?<=\p{ExtPict})\u200d(?=\p{ExtPict})/gv, '');
  const at = rest.search(steering);
  return at === -1 ? undefined : JSON.stringify(rest.slice(Math.max(0, at - 40), at + 20));
}

/** JSON in which every text, or every text of a field of these, goes on with another. */
export function continued(value: unknown, more: string, isChosen: (field: string) => boolean, field = ''): unknown {
  if (typeof value === 'string') return isChosen(field) ? value + more : value;
  if (Array.isArray(value)) return value.map((item) => continued(item, more, isChosen, field));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, continued(inner, more, isChosen, name)]);
  return Object.fromEntries([...fields, ...(isChosen('own') ? [[`own${more}`, more]] : [])]);
}

/** Fields of which commands make requests, times and addresses. */
export const isRead = (field: string): boolean =>
  /^(id|.*_id|.*_cursor|reportId|url|.*_url|created_at|updated_at|expires_at|version)$/.test(field);

export type Poison = (answered: Answered) => Answered;

const headers = {'x-hostile': 'a\u009b2Jb', 'content-type': 'application/json'};

/** Every text of these fields goes on with another. */
export const goingOn =
  (more: string, isChosen: (field: string) => boolean): Poison =>
  ({status = 200, text, headers: own_}) => ({
    status,
    headers: {...own_, ...headers},
    text: text === '' ? text : JSON.stringify(continued(JSON.parse(text), more, isChosen)),
  });

const refusal = JSON.stringify({error: hostile, message: hostile, errors: {[hostile]: [hostile]}});

export const refusing: Poison = () => ({status: 422, headers, text: refusal});
