/** The state of the server, all in memory. Rows are kept as servers send them. Long ids have 19 digits; the rest are the small numbers of a database. */
import type {Output} from '../api/endpoint.js';
import type {readInstance} from '../api/instances.js';
import * as rows from './payloads.js';
import type {Account, Medium, Post, User} from './payloads.js';
import {refuseUnknown} from './refusal.js';

export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

/** What differs between releases. */
const newest = {
  /** The version that the server reports in its own API, and the one in Mastodon's API. */
  version: '0.13.0',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.13.0)',
  is2026: true,
  offers: /^/,
  adminScopes: ['admin:read', 'admin:write'],
  /** Requests of one account in a minute. Where they are not limited, no header speaks of it. */
  requestsPerMinute: 512,
  tokensPerMinute: 10,
  /** How many domains an account can block, unless the admin allows more, and how many accounts it can block and mute. */
  domainLimit: 100,
  blockLimit: 200,
  muteLimit: 500,
  threadMessageLength: 2000,
  /** How long a token and an authorization code are valid, in seconds. */
  tokenLifetime: 365 * 24 * 60 * 60,
  codeLifetime: 600,
};

export type ServerFacts = Readonly<typeof newest>;

const older: Partial<ServerFacts> = {
  version: '0.12.6',
  apiVersion: '3.5.3 (compatible; Pixelfed 0.12.6)',
  is2026: false,
  offers: /^(?!\/api\/(?:v1\.1\/direct\/(?:conversations|unread_count)|v2\.1\/))/,
  requestsPerMinute: Infinity,
  tokensPerMinute: 60,
  domainLimit: 50,
  blockLimit: 50,
  muteLimit: 50,
  threadMessageLength: 500,
};

/** The releases that the sandbox can imitate. */
export type Generation = '0.12.6' | '2026';

export const generations: Readonly<Record<Generation, ServerFacts>> = {'0.12.6': {...newest, ...older}, 2026: newest};

export interface Grant {
  readonly accountId: string;
  readonly scopes: readonly string[];
  /** In milliseconds since 1970; without it, the token never expires. */
  readonly expiresAt?: number;
}

export interface Keyword {
  readonly id: number;
  keyword: string;
  whole_word: boolean;
}

export interface Filter {
  readonly id: string;
  readonly ownerId: string;
  title: string;
  context: readonly string[];
  filter_action: string;
  expires_at: string | null;
  keywords: readonly Keyword[];
  updatedAt: Date;
}

type NewFilter = Omit<Filter, 'id' | 'keywords' | 'updatedAt'> & {readonly keywords: readonly Omit<Keyword, 'id'>[]};

/** Another server, as this one stores it: `domain` in upper or lower case, and not necessarily a domain. */
export type Instance = Output<typeof readInstance>['data'] & {updatedAt: Date};

export type NewInstance = Partial<
  Pick<Instance, 'auto_cw' | 'banned' | 'id' | 'notes' | 'software' | 'status_count' | 'unlisted' | 'user_count'>
> &
  Pick<Instance, 'domain'>;

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

export interface Conversation {
  readonly id: string;
  readonly type: 'dm' | 'group';
  /** Everybody who was ever in it. The same people never have a second conversation. */
  readonly members: readonly Membership[];
  messages: readonly StoredMessage[];
  readonly created_at: string;
  last_activity_at: string | null;
}

/** One side of a conversation. */
export interface Membership {
  readonly conversation: Conversation;
  readonly accountId: string;
  state: 'active' | 'left' | 'request';
  muted: boolean;
  hidden: boolean;
  last_read_message_id: string | null;
}

export interface Draft {
  readonly id?: string | undefined;
  readonly text?: string | null;
  readonly emoji?: boolean;
  readonly media?: readonly Medium[];
  readonly sensitive?: boolean;
  readonly in_reply_to_id?: string | null;
}

export interface StoredMessage extends Required<Omit<Draft, 'emoji' | 'id'>> {
  readonly id: string;
  readonly row: number;
  readonly conversation_id: string;
  readonly sender_id: string;
  readonly type: string;
  readonly created_at: string;
}

interface Notification {
  readonly row: number;
  readonly ownerId: string;
  /** `direct` is stored too, but never shown. */
  readonly type: string;
  readonly account: Account;
  readonly post: Post | null;
  readonly created_at: string;
}

/** The lists of a server. Rows of a table are in their order, oldest first. */
export class World {
  readonly grants = new Map<string, Grant>();
  /** Id of the account that is signed in in the browser. */
  signedIn = '';
  readonly accounts = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly media = new Table<Medium>();
  readonly conversations = new Map<string, Conversation>();
  readonly filters = new Table<Filter>();
  /** What the server tells of the domains that it blocks for everybody. */
  publishedBlocks: readonly rows.Payload[] = [];
  readonly instances = new Table<Instance>();
  readonly users = new Table<User>();
  readonly notifications = new Table<Notification>();
  readonly reports = new Table<rows.Report>();
  readonly heldBack = new Table<rows.HeldBack>();

  readonly follows = new Relation();
  readonly blocks = new Relation();
  readonly mutes = new Relation();
  /** The muted legacy threads of older servers, on which they are not conversations. */
  readonly threadMutes = new Relation();
  /** Of accounts to domains. */
  readonly domainBlocks = new Relation();

  /** When everything happens; now, unless a seed chooses it. */
  time: Date | undefined;
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

  get now(): Date {
    return this.time ?? new Date();
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
  addAccount(given: rows.NewAccount): Account {
    const account = rows.accountRow(this, given);
    this.accounts.set(account.id, account);
    const {user = {}} = given;
    if (account.local) this.users.add((row) => rows.userRow(row, account, user), user.id);
    return account;
  }

  /** Adds a post with a photo, which is one of the uploads unless it is given. */
  addPost(given: rows.NewPost, photo = this.addMedium({owner: given.author.id, mime: 'image/jpeg'})): Post {
    const post = rows.postRow(this, given, photo);
    this.posts.set(post.id, post);
    return post;
  }

  addMedium(given: rows.NewMedium): Medium {
    return this.media.add((row) => rows.mediumRow(this, row, given));
  }

  /** @param at the row; the next one unless given */
  addFilter(given: NewFilter, at?: number): Filter {
    const keywords = given.keywords.map((keyword) => ({id: this.nextRow('keyword'), ...keyword}));
    return this.filters.add((row) => ({id: String(row), ...given, keywords, updatedAt: this.now}), at);
  }

  addInstance({id, ...known}: NewInstance): Instance {
    const [created_at, updatedAt] = [rows.withMicroseconds(this.now), this.now];
    return this.instances.add((row) => ({...unknownInstance, ...known, created_at, updatedAt, id: row}), id);
  }

  notify(ownerId: string, type: string, account: Account, post: Post | null): void {
    const created_at = this.now.toISOString();
    this.notifications.add((row) => ({row, ownerId, type, account, post, created_at}));
  }

  report(given: rows.NewReport): void {
    this.reports.add((row) => rows.reportRow(this.now, row, given));
  }

  holdBack(post: Post): void {
    this.heldBack.add((row) => rows.heldBackRow(row, post));
    Object.assign(post, {sensitive: true, visibility: 'unlisted'});
  }

  account(id: string): Account {
    const account = this.accounts.get(id);
    if (!account) throw refuseUnknown('Profile', id);
    return account;
  }

  ownAccounts(): readonly Account[] {
    return [...this.accounts.values()].filter(({local}) => local);
  }

  countsOf({id}: Account): rows.AccountCounts {
    return {
      followers_count: this.follows.to(id).length,
      following_count: this.follows.of(id).length,
      statuses_count: [...this.posts.values()].filter(({account}) => account.id === id).length,
    };
  }

  countNotifications(post: Post, type: string): number {
    return this.notifications.list().filter((one) => one.post === post && one.type === type).length;
  }

  userOf(account: Account): User | undefined {
    return this.users.list().find((user) => user.account === account);
  }

  isBlockedEitherWay(one: string, other: string): boolean {
    return this.blocks.holds(one, other) || this.blocks.holds(other, one);
  }

  /** Blocking removes follows in both directions, and notifications; unblocking does not restore them. */
  block(from: string, to: string): void {
    this.blocks.relate(from, to);
    this.#part(from, [to]);
  }

  /** Blocking a domain does the same with its people. */
  blockDomain(ownerId: string, domain: string): void {
    this.domainBlocks.relate(ownerId, domain);
    const people = [...this.accounts.values()].filter(({acct}) => acct.endsWith(`@${domain}`)).map(({id}) => id);
    this.#part(ownerId, people);
  }

  #part(from: string, others: readonly string[]): void {
    const isMeant = (one: string, other: string) => one === from && others.includes(other);
    this.follows.remove((pair) => isMeant(pair.from, pair.to) || isMeant(pair.to, pair.from));
    this.notifications.remove(({ownerId, account}) => isMeant(ownerId, account.id));
  }

  /** Deletes a person with all that they did. The number of the user stays taken. */
  deletePerson(user: User): void {
    const {id} = user.account;
    user.state = 'gone';
    this.accounts.delete(id);
    for (const post of this.posts.values()) if (post.account.id === id) this.posts.delete(post.id);
    for (const relation of [this.follows, this.blocks, this.mutes, this.threadMutes])
      relation.remove(({from, to}) => from === id || to === id);
    this.notifications.remove(({ownerId, account}) => ownerId === id || account.id === id);
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

  /** @throws Refusal that names the model, and the id where there is one */
  find(id: string, model: string): Row {
    const row = this.get(Number(id));
    if (row === undefined) throw refuseUnknown(model, id || undefined);
    return row;
  }

  list(): readonly Row[] {
    return [...this.values()];
  }

  remove(isMeant: (row: Row) => boolean): void {
    for (const [number, row] of this) if (isMeant(row)) this.delete(number);
  }
}

/** What accounts have to others, such as blocks or follows. Those that were added last come first. */
class Relation extends Table<{readonly from: string; readonly to: string; readonly row: number}> {
  relate(from: string, to: string): void {
    if (!this.holds(from, to)) this.add((row) => ({from, to, row}));
  }

  /** @returns whether there was such a pair */
  part(from: string, to: string): boolean {
    const found = this.list().find((pair) => pair.from === from && pair.to === to);
    return found !== undefined && this.delete(found.row);
  }

  holds(from: string, to: string): boolean {
    return this.list().some((pair) => pair.from === from && pair.to === to);
  }

  of(id: string) {
    return this.list()
      .filter(({from}) => from === id)
      .toReversed();
  }

  to(id: string) {
    return this.list()
      .filter(({to}) => to === id)
      .toReversed();
  }
}
