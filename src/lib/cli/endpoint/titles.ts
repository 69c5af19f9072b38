/** Names for questions: the title of a filter, the participants of a conversation. */
import {getAccount} from '../../api/internal.js';
import {getConversation} from '../../api/direct.js';
import {getFilter} from '../../api/filters.js';
import {requestFor} from '../../client/request.js';
import {itemsAt, textAt} from '../../json/path.js';
import {firstOf, shortened} from '../../json/text.js';
import type {Connection} from '../connection.js';
import type {Input} from '../../operations/operation.js';
import type {Hit} from './spec.js';

const maxNamed = 5;

/** The maximum length of a name. */
const maxNameLength = 60;

const nameAt = (value: unknown, path: readonly PropertyKey[]): string | undefined => {
  const text = textAt(value, path);
  return text && shortened(text, maxNameLength);
};

/** The first few names, and how many more there are. */
export function someOf(names: readonly string[], count: number = names.length): string {
  return firstOf(names, maxNamed, {all: count});
}

async function conversationTitle({path: {id}}: Input, {client}: Connection): Promise<string> {
  const {host} = client;
  const {value} = await client.send(requestFor(getConversation, {path: {id}}), getConversation.output());
  const people = itemsAt(value, ['participants']);
  if (people === undefined) return `the conversation ${id} on ${host}`;
  return conversationWith(
    people.map((person) => textAt(person, ['acct'])),
    host,
  );
}

export function conversationTitles(inputs: readonly Input[], connection: Connection): Promise<string[]> {
  return Promise.all(inputs.map((input) => conversationTitle(input, connection)));
}

/** @param people their handles */
export function conversationWith(people: readonly (string | undefined)[], host: string): string {
  const named = people.map((acct) => (acct === undefined ? 'an unknown account' : `@${shortened(acct, maxNameLength)}`));
  return `the conversation with ${named.length === 0 ? 'nobody' : someOf(named)} on ${host}`;
}

/** The handles of the participants of a conversation, by id. @throws Failure */
export async function participantNames({path: {id}}: Input, {client}: Connection): Promise<ReadonlyMap<string, string>> {
  const {value} = await client.send(requestFor(getConversation, {path: {id}}), getConversation.output());
  const names = new Map<string, string>();
  for (const person of itemsAt(value, ['participants']) ?? []) {
    const [account, acct] = [textAt(person, ['id']), nameAt(person, ['acct'])];
    if (account !== undefined && acct !== undefined) names.set(account, `@${acct}`);
  }
  return names;
}

/** The handles of accounts. Ids are looked up; where that fails, the id is used. */
export async function accountTitles({targets, count}: Hit, {client}: Connection): Promise<string> {
  const named = await Promise.all(
    targets.slice(0, maxNamed).map(async (account) => {
      if (!/^\d+$/.test(account)) return account;
      const found = await client.call(getAccount, {path: {id: account}}).catch(() => undefined);
      const acct = nameAt(found?.value, ['acct']);
      return acct === undefined ? account : `@${acct}`;
    }),
  );
  return someOf(named, count);
}

/** What a message says and brings: `“Hello” with harbour.jpg`. */
export function messageTitle({message, media, media_ids: ids}: Readonly<Record<string, unknown>>): string {
  const text = typeof message === 'string' && message !== '' ? `“${shortened(message, maxNameLength)}”` : undefined;
  const files = [media, ids].flatMap((list) => (Array.isArray(list) ? list.map(String) : []));
  if (files.length === 0) return text ?? 'a message';
  return text === undefined ? someOf(files) : `${text} with ${someOf(files)}`;
}

export async function filterTitles({inputs, count}: Hit, {client}: Connection): Promise<string> {
  const named = await Promise.all(
    inputs.slice(0, maxNamed).map(async ({path}) => {
      const {value} = await client.send(requestFor(getFilter, {path: {id: path['id']}}), getFilter.output());
      const title = nameAt(value, ['title']);
      return title === undefined ? String(path['id']) : `“${title}” (${path['id']})`;
    }),
  );
  return `the ${count === 1 ? 'filter' : 'filters'} ${someOf(named, count)}`;
}
