import type {GenerationFacts} from './generation.js';
import {Identifiers} from './identifiers.js';
import type {Account, Conversation, DomainBlock, Filter, Medium, Notification, Post, PushSettings} from './model.js';
import {Quota} from './quota.js';
import {unknown} from './refusal.js';
import {Relation} from './relation.js';

type Row = 'conversation' | 'domain block' | 'filter' | 'keyword' | 'medium' | 'message' | 'notification';

/** All state of one server, in memory. */
export class World {
  readonly identifiers = new Identifiers();
  readonly accounts = new Map<string, Account>();
  readonly posts = new Map<string, Post>();
  readonly media = new Map<number, Medium>();
  readonly conversations = new Map<string, Conversation>();
  readonly filters = new Map<number, Filter>();
  /** Oldest first. */
  domainBlocks: readonly DomainBlock[] = [];
  /** Oldest first. */
  notifications: readonly Notification[] = [];
  readonly push = new Map<string, PushSettings>();
  /** What was reported by whom, as `reporter type id`. */
  readonly reports = new Set<string>();

  readonly follows = new Relation();
  readonly blocks = new Relation();
  readonly mutes = new Relation();
  /** Legacy threads that are muted, where they are no conversations. */
  readonly threadMutes = new Relation();

  readonly filterCreations: Quota;
  readonly filterUpdates: Quota;
  readonly #rows = new Map<Row, number>();

  constructor(
    readonly facts: GenerationFacts,
    /** The address that the server believes to have; links and accounts carry it. */
    readonly publicUrl: string,
    /** There is a gateway for push notifications. */
    readonly pushGateway: boolean,
    /** Programs can be registered and get tokens. */
    readonly oauth = true,
    /** Domains that an account can block. */
    readonly domainLimit = facts.domainLimit,
  ) {
    // Servers mean an hour, and never start these counters again.
    this.filterCreations = new Quota(20, Infinity);
    this.filterUpdates = new Quota(40, Infinity);
  }

  /** The host part of the public address, with the port if there is one. */
  get host(): string {
    return new URL(this.publicUrl).host;
  }

  nextRow(kind: Row): number {
    return this.takeRow(kind, (this.#rows.get(kind) ?? 0) + 1);
  }

  /** Uses a certain row; later ones are greater. */
  takeRow(kind: Row, row: number): number {
    this.#rows.set(kind, Math.max(row, this.#rows.get(kind) ?? 0));
    return row;
  }

  /** The account, or the refusal of a failed look-up. */
  account(id: string): Account {
    const account = this.accounts.get(id);
    if (!account) throw unknown('Profile', id);
    return account;
  }

  isMutual(one: string, other: string): boolean {
    return this.follows.has(one, other) && this.follows.has(other, one);
  }

  /** Either has blocked the other. */
  isBlockedEitherWay(one: string, other: string): boolean {
    return this.blocks.has(one, other) || this.blocks.has(other, one);
  }

  /** Blocking ends the friendship, for good. */
  block(from: string, to: string): void {
    this.blocks.add(from, to);
    this.follows.delete(from, to);
    this.follows.delete(to, from);
    this.notifications = this.notifications.filter(({ownerId, actor}) => ownerId !== from || actor.id !== to);
  }

  /** Blocking a domain drops its people and what they did, and unblocking does not bring them back. */
  blockDomain(ownerId: string, domain: string): void {
    this.domainBlocks = [...this.domainBlocks, {row: this.nextRow('domain block'), ownerId, domain}];
    for (const account of this.accounts.values()) {
      if (account.domain !== domain) continue;
      this.follows.delete(ownerId, account.id);
      this.follows.delete(account.id, ownerId);
    }
    this.notifications = this.notifications.filter(
      (notification) => notification.ownerId !== ownerId || notification.actor.domain !== domain,
    );
  }

  notify(ownerId: string, type: string, actor: Account, post: Post | null, createdAt: Date): void {
    const row = this.nextRow('notification');
    this.notifications = [...this.notifications, {row, ownerId, type, actor, post, createdAt}];
  }

  /** Push settings, made when they are first asked for. */
  pushOf(accountId: string): PushSettings {
    const settings = this.push.get(accountId) ?? {
      token: null,
      enabled: false,
      like: true,
      follow: true,
      mention: true,
      comment: true,
    };
    this.push.set(accountId, settings);
    return settings;
  }

  addMedium(owner: string, mime: string, attached: boolean, createdAt: Date): Medium {
    const medium = {row: this.nextRow('medium'), owner, mime, createdAt, attached};
    this.media.set(medium.row, medium);
    return medium;
  }
}
