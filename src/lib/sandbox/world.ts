/** The state of the server, all in memory. Ids have 19 digits; rows are the small numbers of a database. */
import type {Output} from '../api/endpoint.js';
import type {readInstance} from '../api/instances.js';
import type {ServerFacts} from './generation.js';
import {refuseUnknown} from './refusal.js';

export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

export interface Grant {
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** In milliseconds since 1970; without it, the token never expires. */
  readonly expiresAt?: number;
}

export interface Account {
  readonly id: string;
  readonly username: string;
  /** Host of the other server; null for accounts of this one. */
  readonly domain: string | null;
  readonly name: string;
  readonly note: string;
  readonly locked: boolean;
  readonly admin: boolean;
  readonly createdAt: Date;
}

export interface AccountCounts {
  readonly statuses_count: number;
  readonly following_count: number;
  readonly followers_count: number;
}

/** A registered person, as admins see and moderate them. */
export interface User {
  /** A small number, unlike the id of the account. */
  readonly id: number;
  readonly accountId: string;
  readonly email: string;
  emailVerifiedAt: Date | null;
  /** The address from which the person registered with the app; null: on the web. */
  readonly ip: string | null;
  unlisted: boolean;
  cw: boolean;
  no_autolink: boolean;
  /** The counts when the server last made them, which may be long ago; null: the server does not send them; undefined: those of now. */
  counted: AccountCounts | null | undefined;
  /** Lists show active users only. A deleted user is `gone`. */
  state: 'active' | 'disabled' | 'gone';
}

export type NewAccount = Partial<Omit<Account, 'domain' | 'username'>> & {
  /** `user`, or `user@host` for people of other servers. */
  readonly acct: string;
  /** What admins see of the person, where it is not the usual. */
  readonly user?: Partial<Omit<User, 'accountId'>> | undefined;
};

export interface Post {
  readonly id: string;
  readonly author: Account;
  readonly text: string;
  readonly createdAt: Date;
  readonly media: StoredMedium;
  readonly parent: Post | null;
  sensitive: boolean;
  visibility: 'private' | 'public' | 'unlisted';
}

/** An entry for a post that the spam filter held back, until an admin handles it. The post may be gone. */
export interface HeldBack extends Pick<Post, 'author' | 'createdAt'> {
  readonly row: number;
  readonly postId: string;
  readonly wasSensitive: boolean;
}

export interface Report {
  readonly row: number;
  readonly by: Account;
  readonly reason: string;
  readonly message: string | null;
  /** `post`, `user`, `story` or `direct_message`, whose id follows; it may be gone. */
  readonly type: string;
  readonly id: string;
  readonly createdAt: Date;
  handled: boolean;
}

export interface StoredMedium {
  readonly row: number;
  readonly owner: string;
  readonly mime: string;
  readonly createdAt: Date;
  /** The file as it was uploaded; undefined for media of the demo. */
  readonly bytes?: Uint8Array | undefined;
  attached: boolean;
}

export interface StoredMessage {
  readonly id: string;
  readonly row: number;
  readonly conversation_id: string;
  readonly sender_id: string;
  readonly type: string;
  readonly text: string | null;
  readonly media: readonly StoredMedium[];
  readonly sensitive: boolean;
  readonly in_reply_to_id: string | null;
  readonly createdAt: Date;
}

export interface Membership {
  readonly accountId: string;
  state: 'active' | 'left' | 'request';
  muted: boolean;
  hidden: boolean;
  last_read_message_id: string | null;
}

export interface Conversation {
  readonly id: string;
  readonly type: 'dm' | 'group';
  /** Everybody who was ever in it. The same people never have a second conversation. */
  readonly members: readonly Membership[];
  /** Oldest first. */
  messages: readonly StoredMessage[];
  readonly createdAt: Date;
  /** Null until the first message. */
  lastActivity: Date | null;
}

export interface Keyword {
  readonly id: number;
  keyword: string;
  whole_word: boolean;
}

export interface Filter {
  readonly row: number;
  readonly ownerId: string;
  title: string;
  context: readonly string[];
  filter_action: string;
  expiresAt: Date | null;
  keywords: readonly Keyword[];
  updatedAt: Date;
}

export interface Notification {
  readonly row: number;
  readonly ownerId: string;
  /** `direct` is stored too, but never shown. */
  readonly type: string;
  readonly actor: Account;
  readonly post: Post | null;
  readonly createdAt: Date;
}

/** Another server, as this one stores it: `domain` in upper or lower case, and not necessarily a domain. */
export type Instance = Output<typeof readInstance>['data'] & {updatedAt: Date};

export type NewInstance = Partial<
  Pick<Instance, 'auto_cw' | 'banned' | 'id' | 'notes' | 'software' | 'status_count' | 'unlisted' | 'user_count'>
> & {
  readonly domain: string;
  readonly createdAt?: Date;
};

/** How a server is stored of which nothing is known but its domain. */
const unknownInstance = {
  software: null,
  banned: false,
  unlisted: false,
  auto_cw: false,
  user_count: null,
  status_count: null,
  last_crawled_at: null,
  notes: null,
  base_domain: null,
  ban_subdomains: null,
  actors_last_synced_at: null,
};

export class World {
  readonly grants = new Map<string, Grant>();
  /** Id of the account that is signed in in the browser. */
  signedIn = '';
  readonly accounts = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly media = new Table<StoredMedium>();
  readonly conversations = new Map<string, Conversation>();
  readonly filters = new Table<Filter>();
  readonly domainBlocks = new Table<{readonly row: number; readonly ownerId: string; readonly domain: string}>();
  /** The domains that the server blocks for everybody. `masked` is what it shows of one that it does not tell. */
  publishedBlocks: readonly {
    readonly domain: string;
    readonly masked?: string;
    readonly severity?: 'silence';
    readonly comment?: string;
  }[] = [];
  readonly instances = new Table<Instance>();
  readonly users = new Table<User>();
  readonly notifications = new Table<Notification>();
  readonly reports = new Table<Report>();
  readonly heldBack = new Table<HeldBack>();

  readonly follows = new Relation();
  readonly blocks = new Relation();
  readonly mutes = new Relation();
  /** The muted legacy threads of older servers, on which they are not conversations. */
  readonly threadMutes = new Relation();

  readonly #rows = {keyword: 0, message: 0};
  #lastId = 1_029_249_415_850_680_321n;

  constructor(
    readonly facts: ServerFacts,
    /** The address that the server uses for itself, in accounts and media. */
    readonly publicUrl: string,
    /** The address in `Link` headers, which other clients follow. */
    readonly linkUrl = publicUrl,
  ) {}

  /** The host part of the public address, with the port if there is one. */
  get host(): string {
    return new URL(this.publicUrl).host;
  }

  nextRow(kind: 'keyword' | 'message'): number {
    return (this.#rows[kind] += 1);
  }

  /**
   * Makes an id as large servers do: 19 digits, always growing. Every run makes the same ids, so that examples can be repeated.
   * @param id an id to use instead; later ones are greater
   */
  takeId(id?: string): string {
    // The step is no round number, as time and machine are part of a real id.
    const taken = id === undefined ? this.#lastId + 397_114_881n : BigInt(id);
    if (taken > this.#lastId) this.#lastId = taken;
    return String(taken);
  }

  /** Adds an account, and registers its owner where it is one of this server. */
  addAccount({acct, id, name, note = '', locked = false, admin = false, createdAt = new Date(), user = {}}: NewAccount): Account {
    const [username = '', domain = null] = acct.split('@');
    const account = {id: this.takeId(id), username, domain, name: name ?? username, note, locked, admin, createdAt};
    this.accounts.set(account.id, account);
    const usual = {email: `${username}@example.com`, emailVerifiedAt: createdAt, ip: null, unlisted: false, cw: false, no_autolink: false};
    if (domain === null)
      this.users.add((row) => ({...usual, counted: undefined, state: 'active', ...user, id: row, accountId: account.id}), user.id);
    return account;
  }

  /** Adds a post with a photo, which is one of the uploads unless it is given. */
  addPost(given: Pick<Post, 'author' | 'createdAt' | 'text'> & Partial<Pick<Post, 'id' | 'media' | 'parent'>>): Post {
    const {author, createdAt, id, parent = null} = given;
    const media = given.media ?? this.addMedium({owner: author.id, mime: 'image/jpeg', createdAt, attached: true});
    const post: Post = {...given, id: this.takeId(id), parent, media, sensitive: false, visibility: 'public'};
    this.posts.set(post.id, post);
    return post;
  }

  addMedium(given: Omit<StoredMedium, 'row'>): StoredMedium {
    return this.media.add((row) => ({...given, row}));
  }

  /** @param at the row; the next one unless given */
  addFilter(given: Omit<Filter, 'keywords' | 'row'> & {readonly keywords: readonly Omit<Keyword, 'id'>[]}, at?: number): Filter {
    const keywords = given.keywords.map((keyword) => ({id: this.nextRow('keyword'), ...keyword}));
    return this.filters.add((row) => ({...given, row, keywords}), at);
  }

  /** @throws Refusal when there is no such account */
  account(id: string): Account {
    const account = this.accounts.get(id);
    if (!account) throw refuseUnknown('Profile', id);
    return account;
  }

  ownAccounts(): readonly Account[] {
    return [...this.accounts.values()].filter(({domain}) => domain === null);
  }

  /** Adds a server; later ids are greater. */
  addInstance({domain, id, createdAt = new Date(), ...known}: NewInstance): Instance {
    const created_at = createdAt.toISOString().replace('Z', '000Z');
    return this.instances.add((row) => ({...unknownInstance, updatedAt: createdAt, ...known, domain, created_at, id: row}), id);
  }

  countsOf({id}: Account): AccountCounts {
    return {
      followers_count: this.follows.to(id).length,
      following_count: this.follows.of(id).length,
      statuses_count: [...this.posts.values()].filter(({author}) => author.id === id).length,
    };
  }

  userOf({id}: Account): User | undefined {
    return this.users.list().find(({accountId}) => accountId === id);
  }

  isMutual(one: string, other: string): boolean {
    return this.follows.has(one, other) && this.follows.has(other, one);
  }

  isBlockedEitherWay(one: string, other: string): boolean {
    return this.blocks.has(one, other) || this.blocks.has(other, one);
  }

  /** Blocking removes follows in both directions; unblocking does not restore them. */
  block(from: string, to: string): void {
    this.blocks.add(from, to);
    this.#part(from, [to]);
  }

  /** Blocking a domain removes follows and notifications of its people; unblocking does not restore them. */
  blockDomain(ownerId: string, domain: string): void {
    this.domainBlocks.add((row) => ({row, ownerId, domain}));
    this.#part(
      ownerId,
      [...this.accounts.values()].filter((account) => account.domain === domain).map(({id}) => id),
    );
  }

  #part(from: string, others: readonly string[]): void {
    for (const to of others) {
      this.follows.delete(from, to);
      this.follows.delete(to, from);
    }
    this.notifications.remove(({ownerId, actor}) => ownerId === from && others.includes(actor.id));
  }

  notify(ownerId: string, type: string, actor: Account, post: Post | null, createdAt: Date): void {
    this.notifications.add((row) => ({row, ownerId, type, actor, post, createdAt}));
  }

  report(report: Omit<Report, 'handled' | 'row'>): void {
    this.reports.add((row) => ({...report, row, handled: false}));
  }

  holdBack(post: Post): void {
    const {id: postId, author, createdAt, sensitive: wasSensitive} = post;
    post.sensitive = true;
    post.visibility = 'unlisted';
    this.heldBack.add((row) => ({row, postId, author, createdAt, wasSensitive}));
  }

  /** Deletes a person with all that they did. The number of the user stays taken. */
  deletePerson(user: User): void {
    const {accountId: id} = user;
    user.state = 'gone';
    this.accounts.delete(id);
    for (const post of this.posts.values()) if (post.author.id === id) this.posts.delete(post.id);
    for (const relation of [this.follows, this.blocks, this.mutes, this.threadMutes]) relation.forget(id);
    this.notifications.remove(({ownerId, actor}) => ownerId === id || actor.id === id);
    for (const conversation of this.conversations.values())
      if (conversation.members.some(({accountId}) => accountId === id)) this.conversations.delete(conversation.id);
  }
}

/** Rows by their growing numbers, oldest first. */
class Table<Row> extends Map<number, Row> {
  #last = 0;

  /** @param number the number of the row; later ones are greater */
  add(make: (number: number) => Row, number = this.#last + 1): Row {
    this.#last = Math.max(number, this.#last);
    const row = make(number);
    this.set(number, row);
    return row;
  }

  list(): readonly Row[] {
    return [...this.values()];
  }

  remove(isMeant: (row: Row) => boolean): void {
    for (const [number, row] of this) if (isMeant(row)) this.delete(number);
  }
}

/** Pairs of accounts with a relation, such as "blocks" or "follows". Those added last come first. */
class Relation {
  readonly #pairs = new Map<string, readonly [from: string, to: string]>();

  add(from: string, to: string): void {
    this.#pairs.set(`${from} ${to}`, [from, to]);
  }

  /** @returns whether there was something to delete */
  delete(from: string, to: string): boolean {
    return this.#pairs.delete(`${from} ${to}`);
  }

  forget(id: string): void {
    for (const [key, pair] of this.#pairs) if (pair.includes(id)) this.#pairs.delete(key);
  }

  has(from: string, to: string): boolean {
    return this.#pairs.has(`${from} ${to}`);
  }

  of(from: string): readonly string[] {
    return this.#newest().flatMap(([one, to]) => (one === from ? [to] : []));
  }

  to(target: string): readonly string[] {
    return this.#newest().flatMap(([from, to]) => (to === target ? [from] : []));
  }

  #newest() {
    return [...this.#pairs.values()].reverse();
  }
}

/** Allows a number of uses in a number of seconds, for each key. The time runs from the first use. */
export class Quota {
  readonly #windows = new Map<string, {used: number; readonly endsAt: number}>();

  constructor(
    readonly limit: number,
    readonly seconds: number,
  ) {}

  /** How many uses are left, and when all are available again, in milliseconds since 1970. */
  look(key: string): {readonly left: number; readonly endsAt: number} {
    const {used, endsAt} = this.#window(key);
    return {left: this.limit - used, endsAt};
  }

  /** Counts one use, unless none is left. @returns whether one was left */
  use(key: string): boolean {
    const window = this.#window(key);
    if (window.used >= this.limit) return false;
    window.used += 1;
    this.#windows.set(key, window);
    return true;
  }

  #window(key: string) {
    const window = this.#windows.get(key);
    return window && window.endsAt > Date.now() ? window : {used: 0, endsAt: Date.now() + this.seconds * 1000};
  }
}
