/** The state of the server, all in memory. Ids have 19 digits; rows are the small numbers of a database. */
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

/** An entry for a post that the spam filter held back. The post may be gone. */
export interface HeldBack {
  readonly row: number;
  readonly postId: string;
  readonly author: Account;
  readonly createdAt: Date;
  readonly wasSensitive: boolean;
  handled: boolean;
}

export interface Report {
  readonly row: number;
  readonly by: Account;
  readonly reason: string;
  readonly message: string | null;
  /** `post`, `user`, `story` or `direct_message`. */
  readonly type: string;
  /** The id of the post, account, story or message, which may be gone. */
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
  /** The counts when the server last made them, which may be long ago; null: the server does not send them. */
  counted: AccountCounts | null;
  /** Lists show active users only. A deleted user is `gone`. */
  state: 'active' | 'disabled' | 'gone';
}

/** Another server, as this one stores it. */
export interface Instance {
  readonly id: number;
  /** The text as it was stored: in upper or lower case, and not necessarily a domain. */
  readonly domain: string;
  software: string | null;
  banned: boolean;
  unlisted: boolean;
  auto_cw: boolean;
  /** How many of its accounts and posts this server knew when it last counted; null: it has not counted yet. */
  user_count: number | null;
  status_count: number | null;
  last_crawled_at: string | null;
  /** A list when the API stored it, or a text that was typed on a web page of the server. */
  notes: string | readonly (string | null)[] | null;
  base_domain: string | null;
  ban_subdomains: boolean | null;
  actors_last_synced_at: string | null;
  readonly createdAt: Date;
  updatedAt: Date;
}

const unmoderated = {
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
  /** The domains that the server blocks for everybody. `obfuscate` masks letters of the domain. */
  publishedBlocks: readonly {
    readonly domain: string;
    readonly severity?: 'silence' | 'suspend' | undefined;
    readonly comment?: string | undefined;
    readonly obfuscate?: boolean | undefined;
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

  /** Adds an account. `acct` is `user`, or `user@host` for people of other servers. */
  addAccount({
    acct,
    id,
    name,
    note = '',
    locked = false,
    admin = false,
    createdAt = new Date(),
  }: Partial<Omit<Account, 'domain' | 'username'>> & {readonly acct: string}): Account {
    const [username = '', domain = null] = acct.split('@');
    const account = {id: this.takeId(id), username, domain, name: name ?? username, note, locked, admin, createdAt};
    this.accounts.set(account.id, account);
    return account;
  }

  addPost(given: Pick<Post, 'author' | 'createdAt' | 'text'> & {readonly id?: string; readonly parent?: Post | null}, row?: number): Post {
    const {author, createdAt, id, parent = null} = given;
    const media = this.addMedium({owner: author.id, mime: 'image/jpeg', createdAt, attached: true}, row);
    const post: Post = {...given, id: this.takeId(id), parent, media, sensitive: false, visibility: 'public'};
    this.posts.set(post.id, post);
    return post;
  }

  /** @param row a row outside of those for uploads */
  addMedium(given: Omit<StoredMedium, 'row'>, row?: number): StoredMedium {
    if (row === undefined) return this.media.add((next) => ({...given, row: next}));
    const medium = {...given, row};
    this.media.set(row, medium);
    return medium;
  }

  /** @param at the row; the next one unless given */
  addFilter(given: Omit<Filter, 'keywords' | 'row'> & {readonly keywords: readonly Omit<Keyword, 'id'>[]}, at?: number): Filter {
    const keywords = given.keywords.map((keyword) => ({...keyword, id: this.nextRow('keyword')}));
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

  allInstances(): readonly Instance[] {
    return this.instances.list().toSorted((one, other) => one.id - other.id);
  }

  /** Adds a server; later ids are greater. */
  addInstance({id: given, createdAt = new Date(), ...known}: Pick<Instance, 'domain'> & Partial<Instance>): Instance {
    return this.instances.add((id) => ({...unmoderated, updatedAt: createdAt, ...known, id, createdAt}), given);
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
    this.heldBack.add((row) => ({row, postId, author, createdAt, wasSensitive, handled: false}));
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

/** Pairs of accounts with a relation, such as "blocks" or "follows", in the order in which they were added. */
class Relation {
  readonly #targets = new Map<string, Set<string>>();

  add(from: string, to: string): void {
    const targets = this.#targets.get(from) ?? new Set();
    this.#targets.set(from, targets.add(to));
  }

  /** @returns whether there was something to delete */
  delete(from: string, to: string): boolean {
    return this.#targets.get(from)?.delete(to) ?? false;
  }

  forget(id: string): void {
    this.#targets.delete(id);
    for (const targets of this.#targets.values()) targets.delete(id);
  }

  has(from: string, to: string): boolean {
    return this.#targets.get(from)?.has(to) ?? false;
  }

  /** All targets, newest first. */
  of(from: string): readonly string[] {
    return [...(this.#targets.get(from) ?? [])].reverse();
  }

  /** All accounts that have this target, newest first. */
  to(target: string): readonly string[] {
    return [...this.#targets].flatMap(([from, targets]) => (targets.has(target) ? from : [])).reverse();
  }
}

/** Allows a number of uses in a number of seconds, for each key. The time runs from the first use. */
export class Quota {
  readonly #windows = new Map<string, {used: number; readonly endsAt: number}>();

  constructor(
    readonly limit: number,
    readonly seconds: number,
  ) {}

  countLeft(key: string): number {
    return this.limit - this.#window(key).used;
  }

  /** Counts one use, unless none is left. @returns whether one was left */
  use(key: string): boolean {
    const window = this.#window(key);
    if (window.used >= this.limit) return false;
    window.used += 1;
    this.#windows.set(key, window);
    return true;
  }

  /** When all uses are available again, in milliseconds since 1970. */
  resetsAt(key: string): number {
    return this.#window(key).endsAt;
  }

  #window(key: string) {
    const window = this.#windows.get(key);
    return window && window.endsAt > Date.now() ? window : {used: 0, endsAt: Date.now() + this.seconds * 1000};
  }
}
