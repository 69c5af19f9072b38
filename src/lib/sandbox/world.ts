/** What the server remembers: all of it in memory. Ids are 19 digits; rows are the small numbers of a database. */
import type {ServerFacts} from './generation.js';
import {refuseUnknown} from './refusal.js';

/** The scopes that anybody can ask for. */
export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

/** What a token stands for. */
export interface Grant {
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** Milliseconds since 1970; never unless given. */
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

/** A published photo. */
export interface Post {
  readonly id: string;
  readonly author: Account;
  readonly text: string;
  readonly createdAt: Date;
  readonly media: StoredMedium;
  /** What it replies to. */
  readonly parent: Post | null;
  sensitive: boolean;
  visibility: 'private' | 'public' | 'unlisted';
}

/** A post that the spam filter held back; its post may be gone. */
export interface HeldBack {
  readonly row: number;
  readonly postId: string;
  readonly author: Account;
  readonly createdAt: Date;
  /** Whether its author marked it as sensitive. */
  readonly wasSensitive: boolean;
  /** Whether an admin has looked at it. */
  handled: boolean;
}

/** What somebody reported to the moderators. */
export interface Report {
  readonly row: number;
  readonly by: Account;
  /** `spam` */
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
  /** As it was uploaded. */
  readonly bytes?: Uint8Array | undefined;
  /** Already part of a post or message. */
  attached: boolean;
}

/** In the words of the API. */
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
  /** Everybody who ever was in it: the set makes the conversation. */
  readonly members: readonly Membership[];
  /** Oldest first. */
  messages: readonly StoredMessage[];
  readonly createdAt: Date;
  /** Null until the first message. */
  lastActivity: Date | null;
}

/** In the words of the API. */
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

/** In the words of the API. */
export interface AccountCounts {
  readonly statuses_count: number;
  readonly following_count: number;
  readonly followers_count: number;
}

/** Somebody who is registered, as admins see and moderate them. */
export interface User {
  /** A small number of its own. */
  readonly id: number;
  readonly accountId: string;
  readonly email: string;
  emailVerifiedAt: Date | null;
  /** The address that they registered from, with the app; null: on the web. */
  readonly ip: string | null;
  unlisted: boolean;
  cw: boolean;
  no_autolink: boolean;
  /** As they were counted last, which may be long ago; null: the server does not tell. */
  counted: AccountCounts | null;
  /** Lists show the active ones alone; somebody who was deleted is gone. */
  state: 'active' | 'disabled' | 'gone';
}

/** A server, as the database of another one has it, in the words of the API. */
export interface Instance {
  readonly id: number;
  /** As it was stored: in any case, and not necessarily a domain. */
  readonly domain: string;
  software: string | null;
  banned: boolean;
  unlisted: boolean;
  auto_cw: boolean;
  /** Accounts and posts of it that are known here, as they were counted last; null: not yet, whether there are any or not. */
  user_count: number | null;
  status_count: number | null;
  last_crawled_at: string | null;
  /** A list as the API keeps it, or a text that was typed on a web page of the server. */
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
  /** What tokens stand for. */
  readonly grants = new Map<string, Grant>();
  /** Id of the account that is signed in in the browser. */
  signedIn = '';
  readonly accounts = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly media = new Table<StoredMedium>();
  readonly conversations = new Map<string, Conversation>();
  readonly filters = new Table<Filter>();
  readonly domainBlocks = new Table<{readonly row: number; readonly ownerId: string; readonly domain: string}>();
  /** What the server itself blocks, for everybody. `obfuscate`: letters of the domain are masked. */
  publishedBlocks: readonly {
    readonly domain: string;
    readonly severity?: 'silence' | 'suspend' | undefined;
    readonly comment?: string | undefined;
    readonly obfuscate?: boolean | undefined;
  }[] = [];
  /** The servers that this one knows, and what its admins did about each. */
  readonly instances = new Table<Instance>();
  readonly users = new Table<User>();
  readonly notifications = new Table<Notification>();
  readonly reports = new Table<Report>();
  readonly heldBack = new Table<HeldBack>();

  readonly follows = new Relation();
  readonly blocks = new Relation();
  readonly mutes = new Relation();
  /** Legacy threads that are muted, where they are no conversations. */
  readonly threadMutes = new Relation();

  readonly #rows = {keyword: 0, message: 0};
  #lastId = 1_029_249_415_850_680_321n;

  constructor(
    readonly facts: ServerFacts,
    /** The address that the server believes to have; accounts and media carry it. */
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
   * An id as large servers make them: 19 digits, always growing. The same ones each time, so that examples can be repeated.
   * @param id one from elsewhere: later ones are greater
   */
  takeId(id?: string): string {
    // The step is no round number, as time and machine are part of a real id.
    const taken = id === undefined ? this.#lastId + 397_114_881n : BigInt(id);
    if (taken > this.#lastId) this.#lastId = taken;
    return String(taken);
  }

  /** @param known its `acct` is `user`, or `user@host` for people of other servers */
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

  /** @param row of its photo */
  addPost(given: Pick<Post, 'author' | 'createdAt' | 'text'> & {readonly id?: string; readonly parent?: Post | null}, row?: number): Post {
    const {author, createdAt, id, parent = null} = given;
    const media = this.addMedium({owner: author.id, mime: 'image/jpeg', createdAt, attached: true}, row);
    const post: Post = {...given, id: this.takeId(id), parent, media, sensitive: false, visibility: 'public'};
    this.posts.set(post.id, post);
    return post;
  }

  /** @param row a number apart from those of uploads */
  addMedium(given: Omit<StoredMedium, 'row'>, row?: number): StoredMedium {
    if (row === undefined) return this.media.add((next) => ({...given, row: next}));
    const medium = {...given, row};
    this.media.set(row, medium);
    return medium;
  }

  /** @param at uses this row */
  addFilter(given: Omit<Filter, 'keywords' | 'row'> & {readonly keywords: readonly Omit<Keyword, 'id'>[]}, at?: number): Filter {
    const keywords = given.keywords.map((keyword) => ({...keyword, id: this.nextRow('keyword')}));
    return this.filters.add((row) => ({...given, row, keywords}), at);
  }

  /** The account, or the refusal of a failed look-up. */
  account(id: string): Account {
    const account = this.accounts.get(id);
    if (!account) throw refuseUnknown('Profile', id);
    return account;
  }

  ownAccounts(): readonly Account[] {
    return [...this.accounts.values()].filter(({domain}) => domain === null);
  }

  /** In order of their ids. */
  allInstances(): readonly Instance[] {
    return this.instances.list().toSorted((one, other) => one.id - other.id);
  }

  /** Adds a server; later ids are greater. */
  addInstance({id: given, createdAt = new Date(), ...known}: Pick<Instance, 'domain'> & Partial<Instance>): Instance {
    return this.instances.add((id) => ({...unmoderated, updatedAt: createdAt, ...known, id, createdAt}), given);
  }

  /** The user of an account of this server. */
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

  /** Blocking a domain drops its people and what they did, and unblocking does not bring them back. */
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

/** Rows by their numbers, which grow; oldest first. */
class Table<Row> extends Map<number, Row> {
  #last = 0;

  /** @param number uses this one; later ones are greater */
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

/** Who stands in some relation to whom, such as "blocks" or "follows"; remembers the order. */
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

  /** Deletes what there is from and to it. */
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

  /** All that have this target, newest first. */
  to(target: string): readonly string[] {
    return [...this.#targets].flatMap(([from, targets]) => (targets.has(target) ? from : [])).reverse();
  }
}

/** So many uses in so many seconds, for each key; the time runs from the first use. */
export class Quota {
  readonly #windows = new Map<string, {used: number; readonly endsAt: number}>();

  constructor(
    readonly limit: number,
    readonly seconds: number,
  ) {}

  /** Uses that are left now. */
  countLeft(key: string): number {
    return this.limit - this.#window(key).used;
  }

  /** Counts one use, unless none is left. @returns whether one was */
  use(key: string): boolean {
    const window = this.#window(key);
    if (window.used >= this.limit) return false;
    window.used += 1;
    this.#windows.set(key, window);
    return true;
  }

  /** When all uses are there again, in milliseconds since 1970. */
  resetsAt(key: string): number {
    return this.#window(key).endsAt;
  }

  #window(key: string) {
    const window = this.#windows.get(key);
    return window && window.endsAt > Date.now() ? window : {used: 0, endsAt: Date.now() + this.seconds * 1000};
  }
}
