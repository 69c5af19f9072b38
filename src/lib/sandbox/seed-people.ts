/** The people of a seed: who is registered at the server, with what admins see of them. */
import {countsOfAccount as countedNow} from './accounts.js';
import type {Account, Post, User, World} from './world.js';

/** What a seed says of a user, beside the account. */
export interface SeedUser {
  /** A small number; the next one, in the order in which people registered, when left out. */
  readonly id?: number;
  readonly email?: string;
  /** Yes when left out. */
  readonly verified?: boolean;
  /** Registered with the app from this address; else on the web. */
  readonly ip?: string;
  readonly createdAt?: string;
  readonly disabled?: boolean;
  /** As they were counted last: what there is when left out, and null where the server does not tell. */
  readonly counted?: User['counted'];
}

/** Somebody who is registered after everything else was made: nobody else speaks of them. */
export interface SeedPerson {
  readonly username: string;
  readonly accountId?: string;
  readonly name?: string;
  readonly note?: string;
  readonly admin?: boolean;
  readonly user?: SeedUser;
  /** Oldest first. `heldBack`: the spam filter did; `gone`: it is not there any more. */
  readonly posts?: readonly {readonly id?: string; readonly text: string; readonly heldBack?: 'gone' | 'open'}[];
}

const minute = 60_000;

/** The rows of photos of people, so that others have the same with them as without. */
const firstRow = 900_000;

function addPosts(world: World, author: Account, posts: NonNullable<SeedPerson['posts']>): void {
  for (const [index, {id, text, heldBack}] of posts.entries()) {
    const createdAt = new Date(author.createdAt.getTime() + (index + 1) * minute);
    const row = firstRow + world.media.size;
    const media = {row, owner: author.id, mime: 'image/jpeg', createdAt, attached: true};
    world.media.set(row, media);
    const post: Post = {
      id: id === undefined ? world.identifiers.next() : world.identifiers.take(id),
      author,
      text,
      createdAt,
      media,
      parent: null,
      sensitive: false,
      visibility: 'public',
    };
    world.posts.set(post.id, post);
    if (heldBack !== undefined) world.holdBack(post);
    if (heldBack === 'gone') world.posts.delete(post.id);
  }
}

function userOf(world: World, account: Account, id: number, {email, verified = true, ip, disabled, counted}: SeedUser): User {
  return {
    id,
    accountId: account.id,
    email: email ?? `${account.username}@example.com`,
    emailVerifiedAt: verified ? account.createdAt : null,
    source: ip === undefined ? 'web' : 'app',
    ip: ip ?? null,
    lastActiveAt: null,
    unlisted: false,
    cw: false,
    noAutolink: false,
    counted: counted === undefined ? countedNow(world, account) : counted,
    state: disabled ? 'disabled' : 'active',
  };
}

/**
 * Registers everybody who has an account of this server, in the order of time.
 * @param known what the seed says of users, by account
 */
export function addPeople(world: World, people: readonly SeedPerson[], known: Map<Account, SeedUser>): void {
  for (const {username, accountId, name, note = '', admin = false, user = {}, posts = []} of people) {
    const account: Account = {
      id: accountId === undefined ? world.identifiers.next() : world.identifiers.take(accountId),
      username,
      domain: null,
      name: name ?? username,
      note,
      locked: false,
      admin,
      createdAt: user.createdAt === undefined ? new Date() : new Date(user.createdAt),
    };
    world.accounts.set(account.id, account);
    known.set(account, user);
    addPosts(world, account, posts);
  }
  const own = [...world.accounts.values()].filter(({domain}) => domain === null);
  let id = 0;
  for (const account of own.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())) {
    const said = known.get(account) ?? {};
    id = said.id ?? id + 1;
    world.users.set(id, userOf(world, account, id, said));
  }
}
