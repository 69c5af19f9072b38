import {deliver, markRead, membershipOf, startConversation} from './messaging.js';
import type {Account, Post} from './model.js';
import type {SeedState} from './seed.js';
import type {World} from './world.js';

const day = 86_400_000;
const betweenEvents = 600_000;

/** Times of what happened before the start: evenly spaced, the last one just now. */
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
export function plant(world: World, seed: SeedState): Account {
  const {posts = [], conversations = [], notifications = []} = seed;
  const past = new Past(posts.length + conversations.reduce((sum, {messages}) => sum + messages.length + 1, 0) + notifications.length);
  const people = plantAccounts(world, seed);
  const person = (acct: string): Account => {
    const account = people.get(acct);
    if (!account) throw new Error(`The seed has no account ${acct}.`);
    return account;
  };
  const me = person(seed.me ?? seed.accounts[0]?.acct ?? '');
  plantRelations(world, seed, me, person);
  plantFilters(world, seed, me);
  const planted = posts.map((post) => plantPost(world, {...post, author: person(post.by)}, past));
  for (const conversation of conversations) plantConversation(world, conversation, me, person, past);
  for (const {type, from, post} of notifications)
    world.notify(me.id, type, person(from), post === undefined ? null : (planted[post] ?? null), past.next());
  return me;
}

type Person = (acct: string) => Account;

function plantAccounts(world: World, {accounts}: SeedState): ReadonlyMap<string, Account> {
  const people = new Map<string, Account>();
  for (const [index, {acct, id, name, note = '', locked = false, admin = false}] of accounts.entries()) {
    const [username = acct, domain = null] = acct.split('@');
    const account: Account = {
      id: id === undefined ? world.identifiers.next() : world.identifiers.take(id),
      username,
      domain,
      name: name ?? username,
      note,
      locked,
      admin,
      createdAt: new Date(Date.now() - (accounts.length - index + 30) * day),
    };
    world.accounts.set(account.id, account);
    people.set(acct, account);
  }
  return people;
}

function plantRelations(world: World, seed: SeedState, me: Account, person: Person): void {
  const {followers = [], following = [], mutuals = [], blocks = [], mutes = [], domainBlocks = []} = seed;
  for (const acct of [...followers, ...mutuals]) world.follows.add(person(acct).id, me.id);
  for (const acct of [...following, ...mutuals]) world.follows.add(me.id, person(acct).id);
  for (const acct of blocks) world.block(me.id, person(acct).id);
  for (const acct of mutes) world.mutes.add(me.id, person(acct).id);
  for (const domain of domainBlocks) world.blockDomain(me.id, domain);
}

function plantFilters(world: World, {filters = []}: SeedState, me: Account): void {
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
      updatedAt: new Date(),
    });
  }
}

function plantPost(
  world: World,
  {id, author, text}: {readonly id?: string | undefined; readonly author: Account; readonly text: string},
  past: Past,
): Post {
  const createdAt = past.next();
  const post: Post = {
    id: id === undefined ? world.identifiers.next() : world.identifiers.take(id),
    author,
    text,
    createdAt,
    media: world.addMedium(author.id, 'image/jpeg', true, createdAt),
  };
  world.posts.set(post.id, post);
  return post;
}

function plantConversation(
  world: World,
  seed: NonNullable<SeedState['conversations']>[number],
  me: Account,
  person: Person,
  past: Past,
): void {
  const [creator = '', ...others] = seed.between;
  const otherIds = others.map((acct) => person(acct).id);
  const conversation = startConversation(world, person(creator).id, otherIds, {id: seed.id, createdAt: past.next()});
  if (seed.accepted) for (const member of conversation.members) member.state = 'active';
  for (const {id, from, text, emoji = false, sensitive = false} of seed.messages) {
    const draft = {text, emoji, media: [], sensitive, inReplyTo: null};
    deliver(world, conversation, person(from).id, draft, {id, createdAt: past.next()});
  }
  for (const member of conversation.members) {
    const unread = member.accountId === me.id ? (seed.unread ?? 0) : 0;
    const lastRead = conversation.messages.at(-1 - unread);
    if (member.state === 'active' && lastRead) markRead(conversation, member, lastRead.id);
  }
  Object.assign(membershipOf(conversation, me.id) ?? {}, {muted: seed.muted ?? false, hidden: seed.hidden ?? false});
}
