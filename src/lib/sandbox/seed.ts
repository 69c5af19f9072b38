/** The state that a sandbox starts with, put into an empty world. */
import {addPeople, type SeedPerson, type SeedUser} from './seed-people.js';
import {deliver, markRead, membershipOf, beginConversation} from './messaging.js';
import type {Account, Instance, Post, World} from './world.js';

/** Of accounts: `user`, or `user@host` for people of other servers. Lists are oldest first, as all lists are. */
type Names = readonly string[];

/** Another server; known since a month ago unless given. Notes that are a text were typed on the server's own page, and break the list of blocks. */
type SeedInstance = Partial<Omit<Instance, 'createdAt' | 'domain' | 'updatedAt'>> & {readonly domain: string; readonly createdAt?: string};

interface SeedFilter {
  readonly id?: string;
  readonly title: string;
  readonly context: ('home' | 'public' | 'tags')[];
  readonly action?: 'blur' | 'hide' | 'warn';
  /** Seconds from the start; for ever when left out. */
  readonly expiresIn?: number;
  readonly keywords: readonly {readonly keyword: string; readonly wholeWord?: boolean}[];
}

interface SeedMessage {
  readonly id?: string;
  readonly from: string;
  readonly text?: string;
  readonly sensitive?: boolean;
  readonly emoji?: boolean;
  /** Attached files, which are made up. */
  readonly media?: readonly ('image/jpeg' | 'image/png' | 'video/mp4')[];
  /** Which of the messages before, from 0. */
  readonly inReplyTo?: number;
}

interface SeedConversation {
  readonly id?: string;
  /** Everybody in it; the first one started it. */
  readonly between: Names;
  /** Nobody has to accept it, whether they follow or not. */
  readonly accepted?: boolean;
  readonly messages: readonly SeedMessage[];
  /** So many of the newest messages I have not read. */
  readonly unread?: number;
  readonly muted?: boolean;
  readonly hidden?: boolean;
}

/** The world that a sandbox starts with, as one writes it down. */
export interface SeedState {
  /** Whose tokens are printed; the first account when left out. */
  readonly me?: string;
  readonly accounts: readonly {
    readonly acct: string;
    readonly id?: string;
    readonly name?: string;
    readonly note?: string;
    readonly locked?: boolean;
    readonly admin?: boolean;
    /** Of accounts of this server. */
    readonly user?: SeedUser;
  }[];
  /** More people who are registered here, whom nobody speaks of. */
  readonly people?: readonly SeedPerson[];
  /** Who follows me, whom I follow, and who does both. */
  readonly followers?: Names;
  readonly following?: Names;
  readonly mutuals?: Names;
  readonly blocks?: Names;
  readonly mutes?: Names;
  readonly domainBlocks?: readonly string[];
  /** What the server itself blocks, and publishes; some masked. */
  readonly publishedBlocks?: readonly {
    readonly domain: string;
    readonly severity?: 'silence' | 'suspend';
    readonly comment?: string;
    readonly obfuscate?: boolean;
  }[];
  /** Other servers that this one knows, and what its admins did about them. */
  readonly instances?: readonly SeedInstance[] | undefined;
  /** Whether admins cannot change settings while the server runs. */
  readonly fixedSettings?: boolean;
  readonly filters?: readonly SeedFilter[] | undefined;
  /** `replyTo`: which of the posts before it, from 0. */
  readonly posts?: readonly {readonly id?: string; readonly by: string; readonly text: string; readonly replyTo?: number}[];
  readonly conversations?: readonly SeedConversation[];
  /** To the moderators, about one of the posts, counted from 0, or an account. Neither: about a post that is gone. */
  readonly reports?: readonly {
    readonly by: string;
    readonly reason: string;
    readonly message?: string;
    readonly post?: number;
    readonly account?: string;
  }[];
  /** `post`: which of the posts, from 0. */
  readonly notifications?: readonly {readonly type: string; readonly from: string; readonly post?: number}[];
}

/** @param count other servers that this one knows at least; the new ones are called server1.example, server2.example, and so on */
export function withInstances(seed: SeedState, count: number): SeedState {
  const instances = [...(seed.instances ?? [])];
  const known = new Set(instances.map(({domain}) => domain));
  for (let number = 1; instances.length < count; number += 1) {
    const domain = `server${number}.example`;
    if (!known.has(domain)) instances.push({domain, software: 'mastodon', userCount: number % 100, statusCount: (number % 100) * 3});
  }
  return {...seed, instances};
}

/** @param count accounts of this server that there are at least; the new ones are called user2, user3, and so on */
export function withAccounts(seed: SeedState, count: number): SeedState {
  const known = new Set(seed.accounts.map((account) => account.acct));
  const accounts = [...seed.accounts];
  let own = accounts.filter(({acct: name}) => !name.includes('@')).length;
  for (let number = own + 1; own < count; number += 1) {
    if (known.has(`user${number}`)) continue;
    accounts.push({acct: `user${number}`, name: `User ${number}`});
    own += 1;
  }
  return {...seed, accounts};
}

const day = 86_400_000;
const betweenEvents = 600_000;

/** Times of events before the start: evenly spaced, the last one now. */
class Past {
  #left: number;
  readonly #start = Date.now();

  constructor(events: number) {
    this.#left = events;
  }

  next(): Date {
    this.#left -= 1;
    return new Date(this.#start - Math.max(0, this.#left) * betweenEvents);
  }
}

/** Fills an empty world, and returns whose it is. */
export function seedWorld(world: World, seed: SeedState): Account {
  const {posts = [], conversations = [], notifications = [], reports = []} = seed;
  const spoken = conversations.reduce((sum, {messages}) => sum + messages.length + 1, 0);
  const past = new Past(posts.length + spoken + notifications.length + reports.length);
  const users = new Map<Account, SeedUser>();
  const accounts = addAccounts(world, seed, users);
  const person = (acct: string): Account => {
    const account = accounts.get(acct);
    if (!account) throw new Error(`there is no account ${acct}`);
    return account;
  };
  const me = person(seed.me ?? seed.accounts[0]?.acct ?? '');
  addRelations(world, seed, me, person);
  addInstances(world, seed);
  world.hasFixedSettings = seed.fixedSettings ?? false;
  addFilters(world, seed, me);
  const made: Post[] = [];
  for (const {replyTo, by, ...post} of posts) {
    const parent = replyTo === undefined ? null : (made[replyTo] ?? null);
    made.push(addPost(world, {...post, author: person(by), parent}, past));
  }
  for (const conversation of conversations) addConversation(world, conversation, me, person, past);
  for (const {type, from, post} of notifications)
    world.notify(me.id, type, person(from), post === undefined ? null : (made[post] ?? null), past.next());
  for (const {by, reason, message = null, post, account} of reports) {
    const about =
      account === undefined ? {type: 'post', id: made[post ?? -1]?.id ?? world.identifiers.next()} : {type: 'user', id: person(account).id};
    world.report({by: person(by), reason, message, ...about, createdAt: past.next()});
  }
  addPeople(world, seed.people ?? [], users);
  return me;
}

type Person = (acct: string) => Account;

/** @param users is given what the seed says of them as users */
function addAccounts(world: World, {accounts}: SeedState, users: Map<Account, SeedUser>): ReadonlyMap<string, Account> {
  const people = new Map<string, Account>();
  for (const [index, {acct, id, name, note = '', locked = false, admin = false, user}] of accounts.entries()) {
    const [username = '', domain = null] = acct.split('@');
    const account: Account = {
      id: id === undefined ? world.identifiers.next() : world.identifiers.take(id),
      username,
      domain,
      name: name ?? username,
      note,
      locked,
      admin,
      createdAt: new Date(user?.createdAt ?? Date.now() - (accounts.length - index + 30) * day),
    };
    world.accounts.set(account.id, account);
    people.set(acct, account);
    if (user !== undefined) users.set(account, user);
  }
  return people;
}

function addRelations(world: World, seed: SeedState, me: Account, person: Person): void {
  const {followers = [], following = [], mutuals = [], blocks = [], mutes = [], domainBlocks = []} = seed;
  for (const acct of [...followers, ...mutuals]) world.follows.add(person(acct).id, me.id);
  for (const acct of [...following, ...mutuals]) world.follows.add(me.id, person(acct).id);
  for (const acct of blocks) world.block(me.id, person(acct).id);
  for (const acct of mutes) world.mutes.add(me.id, person(acct).id);
  for (const domain of domainBlocks) world.blockDomain(me.id, domain);
  world.publishedBlocks = seed.publishedBlocks ?? [];
}

function addInstances(world: World, {instances = []}: SeedState): void {
  const monthAgo = Date.now() - 30 * day;
  for (const {createdAt, ...known} of instances) world.addInstance({...known, createdAt: new Date(createdAt ?? monthAgo)});
}

function addFilters(world: World, {filters = []}: SeedState, me: Account): void {
  for (const {id, title, context, action = 'warn', expiresIn, keywords} of filters) {
    const row = id === undefined ? world.nextRow('filter') : world.takeRow('filter', Number(id));
    world.filters.set(row, {
      row,
      ownerId: me.id,
      title,
      context,
      action,
      expiresAt: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1000),
      keywords: keywords.map(({keyword, wholeWord = true}) => ({
        row: world.nextRow('keyword'),
        keyword: keyword.toLowerCase(),
        wholeWord,
      })),
      // Lists are sorted by the second: what is made in this one comes before them.
      updatedAt: new Date(Date.now() - day),
    });
  }
}

function addPost(world: World, {id, ...given}: {readonly id?: string} & Pick<Post, 'author' | 'parent' | 'text'>, past: Past): Post {
  const createdAt = past.next();
  const post: Post = {
    id: id === undefined ? world.identifiers.next() : world.identifiers.take(id),
    ...given,
    createdAt,
    media: world.addMedium(given.author.id, 'image/jpeg', true, createdAt),
    sensitive: false,
    visibility: 'public',
  };
  world.posts.set(post.id, post);
  return post;
}

function addConversation(
  world: World,
  seed: NonNullable<SeedState['conversations']>[number],
  me: Account,
  person: Person,
  past: Past,
): void {
  const [creator = '', ...others] = seed.between;
  const otherIds = others.map((acct) => person(acct).id);
  const conversation = beginConversation(world, person(creator).id, otherIds, {id: seed.id, createdAt: past.next()});
  if (seed.accepted) for (const member of conversation.members) member.state = 'active';
  for (const {id, from, text = null, emoji = false, sensitive = false, media: types = [], inReplyTo} of seed.messages) {
    const createdAt = past.next();
    const sender = person(from).id;
    const media = types.map((mime) => world.addMedium(sender, mime, true, createdAt));
    const repliedTo = inReplyTo === undefined ? null : (conversation.messages[inReplyTo]?.id ?? null);
    deliver(world, conversation, sender, {text, emoji, media, sensitive, inReplyTo: repliedTo}, {id, createdAt});
  }
  for (const member of conversation.members) {
    const unread = member.accountId === me.id ? (seed.unread ?? 0) : 0;
    const lastRead = conversation.messages.at(-1 - unread);
    if (member.state === 'active' && lastRead) markRead(conversation, member, lastRead.id);
  }
  Object.assign(membershipOf(conversation, me.id) ?? {}, {muted: seed.muted ?? false, hidden: seed.hidden ?? false});
}
