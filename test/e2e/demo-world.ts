/** Ids of the demo: every sandbox makes them anew, with the same ids. */
import {demo} from '../../src/lib/sandbox/demo.js';
import {type Conversation, generations, World} from '../../src/lib/sandbox/world.js';

const world = new World(generations['2026'], 'https://demo.example');
demo(world);

function found<Thing>(things: Iterable<Thing>, what: string, isIt: (thing: Thing) => boolean): Thing {
  const thing = [...things].find(isIt);
  if (thing === undefined) throw new Error(`The demo has no ${what}`);
  return thing;
}

/** The id of an account of the demo's own server. */
export const account = (username: string): string => found(world.accounts.values(), username, (one) => one.username === username).id;

/** The conversation of the demo's own account with exactly these. */
export function conversation(...usernames: readonly string[]): Conversation {
  const ids = [...usernames, 'ana'].map(account);
  return found(
    world.conversations.values(),
    `conversation with ${usernames.join(', ')}`,
    ({members}) => members.length === ids.length && members.every(({accountId}) => ids.includes(accountId)),
  );
}

/** The id of a message by its text. */
export const message = (text: string): string =>
  found(
    [...world.conversations.values()].flatMap(({messages}) => messages),
    `message ${text}`,
    (one) => one.text === text,
  ).id;

export const post = (text: string): string => found(world.posts.values(), `post ${text}`, (one) => one.content === text).id;

export const filter = (title: string): string => found(world.filters.values(), `filter ${title}`, (one) => one.title === title).id;

/** The id of a keyword of a filter. */
export const keyword = (text: string): number =>
  found(
    [...world.filters.values()].flatMap(({keywords}) => keywords),
    `keyword ${text}`,
    (one) => one.keyword === text,
  ).id;
