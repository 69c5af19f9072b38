/** Names for questions: the title of a filter, the participants of a conversation. */
import {getAccount} from '../../api/internal.js';
import {getConversation} from '../../api/direct.js';
import type {Endpoint} from '../../api/endpoint.js';
import {getFilter} from '../../api/filters.js';
import type {Kind} from '../../api/kind.js';
import {kinds} from '../../api/kinds.js';
import {requestFor} from '../../client/request.js';
import {itemsAt, textAt} from '../../json/path.js';
import {andMore, countNoun, firstOf, shorten} from '../../json/text.js';
import type {Connection} from '../connection.js';
import type {FullInput} from '../../operations/operation.js';
import type {FoundTarget} from '../../operations/found-target.js';
import type {Session} from '../session.js';
import type {Hit} from './spec.js';

const maxNamed = 5;

const titleIn = ({title}: Kind, item: unknown): string | undefined => (title && shorten(title(item))) || undefined;

/** @throws Failure */
async function readOne(read: Endpoint, id: unknown, {client}: Connection): Promise<unknown> {
  return (await client.send(requestFor(read, {path: {id}}), read.output())).value;
}

/** The first few names, and how many more there are. */
export function someOf(names: readonly string[], count: number = names.length): string {
  return firstOf(names, maxNamed, {all: count});
}

/** The people in a conversation. @throws Failure */
export async function conversationTitle(id: unknown, connection: Connection): Promise<string> {
  const {host} = connection.client;
  const people = itemsAt(await readOne(getConversation, id, connection), ['participants']);
  if (people === undefined) return `the conversation ${String(id)} on ${host}`;
  const named = people.map((person) => {
    const acct = textAt(person, ['acct']);
    return acct === undefined ? 'an unknown account' : `@${shorten(acct)}`;
  });
  return `the conversation with ${named.length === 0 ? 'nobody' : someOf(named)} on ${host}`;
}

/** The handles of the participants of a conversation, by id. @throws Failure */
export async function participantNames({path: {id}}: FullInput, connection: Connection): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const person of itemsAt(await readOne(getConversation, id, connection), ['participants']) ?? []) {
    const [account, title] = [textAt(person, ['id']), titleIn(kinds.account, person)];
    if (account !== undefined && title !== undefined) names.set(account, title);
  }
  return names;
}

/** The handles of accounts. Ids are looked up; where that fails, the id is used. */
export async function accountTitles({targets, count}: Hit, connection: Connection): Promise<string> {
  const named = await Promise.all(
    targets.slice(0, maxNamed).map(async (account) => {
      if (!/^\d+$/.test(account)) return account;
      const found = await readOne(getAccount, account, connection).catch(() => undefined);
      return titleIn(kinds.account, found) ?? account;
    }),
  );
  return someOf(named, count);
}

/** Filters by their titles and ids, and whose they are: `the filters “Spoilers” (5), “Crypto” (6) of @ana on pix.example`. @throws Failure */
export async function filterTitles({inputs, count}: Hit, connection: Connection): Promise<string> {
  const named = await Promise.all(
    inputs.slice(0, maxNamed).map(async ({path: {id}}) => {
      const title = titleIn(kinds.filter, await readOne(getFilter, id, connection));
      return title === undefined ? String(id) : `“${title}” (${id})`;
    }),
  );
  const {acct} = connection.identity.profile?.account ?? {};
  return `the ${count === 1 ? 'filter' : 'filters'} ${someOf(named, count)}${acct === undefined ? '' : ` of @${acct}`} on ${connection.server.host}`;
}

/** Printed below lines of people with their numbers of posts and followers. */
export const countedNow = 'The server counted these posts and followers just now.';

const maxAsked = 20;

const units = [
  ['year', 365 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 days old`; undefined if the time cannot be read, or lies in the future. */
function ageOf(createdAt: string | undefined, now: Date): string | undefined {
  const age = now.getTime() - Date.parse(createdAt ?? '');
  if (!(age >= 0)) return undefined;
  const [unit, length] = units.find(([, one]) => age >= one) ?? ['minute', 60_000];
  return `${countNoun(Math.floor(age / length), unit)} old`;
}

/** One line of a question for each target: its name, age, posts and followers. */
export function targetLines(found: readonly FoundTarget[], {io}: Session): string[] {
  const now = io.now();
  const lines = found.slice(0, maxAsked).map(({name, about, createdAt, posts, followers}) => {
    const numbers = [posts !== undefined && countNoun(posts, 'post'), followers !== undefined && countNoun(followers, 'follower')];
    return `  ${[shorten(name), about, ageOf(createdAt, now), ...numbers].filter(Boolean).join(', ')}`;
  });
  return found.length > maxAsked ? [...lines, `  ${andMore(found.length - maxAsked)}`] : lines;
}
