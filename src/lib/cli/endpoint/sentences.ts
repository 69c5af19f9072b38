/** Names of things for sentences about what was done: as the user gave them, or as the answer has them. */
import {isAccountName, usableIdAt} from '../../client/request.js';
import {textAt} from '../../json/path.js';
import {shorten} from '../../json/text.js';

/** `@bob`, `account 5` */
export function accountWords(given: unknown): string {
  const account = String(given);
  return isAccountName(account) ? account : `account ${account}`;
}

/** `the conversation with @bob`, `conversation 5` */
export function conversationWords(given: unknown): string {
  const id = String(given);
  return isAccountName(id) ? `the conversation with ${id}` : `conversation ${id}`;
}

/** To whom a message goes: `@bob`, `conversation 5`. */
export function recipientWords(given: unknown): string {
  const id = String(given);
  return isAccountName(id) ? id : `conversation ${id}`;
}

/** What was made, by the id that commands take: `message 31`. Without one in the answer: `a message`. */
export function madeWords(noun: string, answer: unknown, member = 'id'): string {
  const id = usableIdAt(answer, [member]);
  return id === undefined ? `a ${noun}` : `${noun} ${shorten(id)}`;
}

/** The given title, or else that of the answer, with a comma before it: `, Spoilers`. Empty if there is none. */
export function titleAfter(given: unknown, answer: unknown): string {
  const title = typeof given === 'string' ? given : (textAt(answer, ['title']) ?? '');
  return title.trim() === '' ? '' : `, ${shorten(title)}`;
}

/** `a`, `a, and b`, `a, b, and c`, each of which is a verb and its object. */
export const listDeeds = (deeds: readonly string[]): string =>
  deeds.length < 2 ? deeds.join('') : `${deeds.slice(0, -1).join(', ')}, and ${deeds.at(-1)}`;
