/** The state of the server, all in memory. Rows are kept as servers send them. Long ids have 19 digits; the rest are the small numbers of a database. */
import type {Output} from '../api/endpoint.js';
import type {readInstance} from '../api/instances.js';
import type {ServerFacts} from './generation.js';
import * as rows from './payloads.js';
import type {Account, Conversation, Post, User} from './payloads.js';
import {refuseUnknown} from './refusal.js';

export const allScopes: readonly string[] = ['read', 'write', 'follow', 'push'];

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

/** The lists of a server. Rows of a table are in their order, oldest first. */
export class World {
  readonly grants = new Map<string, Grant>();
  /** Id of the account that is signed in in the browser. */
  signedIn = '';
  readonly accounts = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly media = new Table<rows.Medium>();
  readonly conversations = new Map<string, Conversation>();
  readonly filters = new Table<Filter>();
  /** What the server tells of the domains that it blocks for everybody. */
  publishedBlocks: readonly rows.Payload[] = [];
  readonly instances = new Table<Instance>();
  readonly users = new Table<User>();
  readonly notifications = new Table<ReturnType<typeof rows.notificationRow>>();
  readonly reports = new Table<ReturnType<typeof rows.reportRow>>();
  readonly heldBack = new Table<ReturnType<typeof rows.heldBackRow>>();

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
    const account = rows.accountRow(this, this.takeId(given.id), given);
    this.accounts.set(account.id, account);
    const {user = {}} = given;
    if (account.local) this.users.add((row) => rows.userRow(row, account, user), user.id);
    return account;
  }

  /** Adds a post with a photo, which is one of the uploads unless it is given. */
  addPost(given: rows.NewPost, photo?: rows.Medium): Post {
    const medium = photo ?? this.addMedium({owner: given.author.id, mime: 'image/jpeg'});
    const post = rows.postRow(this, this.takeId(given.id), given, medium);
    this.posts.set(post.id, post);
    return post;
  }

  addMedium(given: rows.NewMedium): rows.Medium {
    return this.media.add((row) => rows.mediumRow(this, row, given));
  }

  /** @param at the row; the next one unless given */
  addFilter(
    given: Omit<Filter, 'id' | 'keywords' | 'updatedAt'> & {readonly keywords: readonly Omit<Keyword, 'id'>[]},
    at?: number,
  ): Filter {
    const keywords = given.keywords.map((keyword) => ({id: this.nextRow('keyword'), ...keyword}));
    return this.filters.add((row) => ({id: String(row), ...given, keywords, updatedAt: this.now}), at);
  }

  account(id: string): Account {
    const account = this.accounts.get(id);
    if (!account) throw refuseUnknown('Profile', id);
    return account;
  }

  ownAccounts(): readonly Account[] {
    return [...this.accounts.values()].filter(({local}) => local);
  }

  addInstance({id, ...known}: NewInstance): Instance {
    const [created_at, updatedAt] = [rows.withMicroseconds(this.now), this.now];
    return this.instances.add((row) => ({...unknownInstance, ...known, created_at, updatedAt, id: row}), id);
  }

  countsOf({id}: Account): rows.AccountCounts {
    return {
      followers_count: this.follows.to(id).length,
      following_count: this.follows.of(id).length,
      statuses_count: [...this.posts.values()].filter(({account}) => account.id === id).length,
    };
  }

  userOf(account: Account): User | undefined {
    return this.users.list().find((user) => user.account === account);
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
    this.domainBlocks.add(ownerId, domain);
    const people = [...this.accounts.values()].filter(({acct}) => acct.endsWith(`@${domain}`));
    this.#part(
      ownerId,
      people.map(({id}) => id),
    );
  }

  #part(from: string, others: readonly string[]): void {
    for (const to of others) {
      this.follows.remove(from, to);
      this.follows.remove(to, from);
    }
    this.notifications.remove(({ownerId, account}) => ownerId === from && others.includes(account.id));
  }

  countNotifications(post: Post, type: string): number {
    return this.notifications.list().filter((notification) => notification.post === post && notification.type === type).length;
  }

  notify(ownerId: string, type: string, account: Account, post: Post | null): void {
    this.notifications.add((row) => rows.notificationRow(this.now, {row, ownerId, type, account, post}));
  }

  report(given: rows.NewReport): void {
    this.reports.add((row) => rows.reportRow(this.now, row, given));
  }

  holdBack(post: Post): void {
    this.heldBack.add((row) => rows.heldBackRow(row, post));
    Object.assign(post, {sensitive: true, visibility: 'unlisted'});
  }

  /** Deletes a person with all that they did. The number of the user stays taken. */
  deletePerson(user: User): void {
    const {id} = user.account;
    user.state = 'gone';
    this.accounts.delete(id);
    for (const post of this.posts.values()) if (post.account.id === id) this.posts.delete(post.id);
    for (const relation of [this.follows, this.blocks, this.mutes, this.threadMutes]) relation.forget(id);
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

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly row: number;
}

/** What accounts have to others, such as blocks or follows. Pairs that were added last come first. */
class Relation {
  readonly #pairs = new Map<string, Pair>();
  #rows = 0;

  add(from: string, to: string): void {
    const key = `${from} ${to}`;
    this.#pairs.set(key, this.#pairs.get(key) ?? {from, to, row: (this.#rows += 1)});
  }

  remove(from: string, to: string): boolean {
    return this.#pairs.delete(`${from} ${to}`);
  }

  forget(id: string): void {
    for (const [key, {from, to}] of this.#pairs) if (from === id || to === id) this.#pairs.delete(key);
  }

  has(from: string, to: string): boolean {
    return this.#pairs.has(`${from} ${to}`);
  }

  of(id: string): readonly Pair[] {
    return this.#having('from', id);
  }

  to(id: string): readonly Pair[] {
    return this.#having('to', id);
  }

  #having(end: 'from' | 'to', id: string) {
    return [...this.#pairs.values()].filter((pair) => pair[end] === id).reverse();
  }
}
