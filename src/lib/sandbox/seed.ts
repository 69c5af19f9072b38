/** The state that a sandbox starts with: read from a file, and put into an empty world. */
import * as z from 'zod/mini';
import {addPeople, seedPerson, seedUser, type SeedUser} from './seed-people.js';
import {deliver, markRead, membershipOf, beginConversation} from './messaging.js';
import type {Account, Post, World} from './world.js';

const maybe = z.optional;
/** `user`, or `user@host` for people of other servers. */
const acct = z.string().check(z.regex(/^[^@\s/]+(?:@[^@\s/]+)?$/, 'expected user or user@host'));
const accts = maybe(z.array(acct));
const id = maybe(z.string().check(z.regex(/^[1-9]\d*$/, 'expected digits')));
const count = z.number().check(z.refine((value) => Number.isInteger(value) && value >= 0, 'expected a count'));

const seedState = z.strictObject({
  /** Whose tokens are printed; the first account when left out. */
  me: maybe(acct),
  accounts: z
    .array(
      z.strictObject({
        acct,
        id,
        name: maybe(z.string()),
        note: maybe(z.string()),
        locked: maybe(z.boolean()),
        admin: maybe(z.boolean()),
        /** Of accounts of this server. */
        user: maybe(seedUser),
      }),
    )
    .check(z.minLength(1)),
  /** More people who are registered here, whom nobody speaks of. */
  people: maybe(z.array(seedPerson)),
  /** Who follows me, whom I follow, and who does both. */
  followers: accts,
  following: accts,
  mutuals: accts,
  /** Oldest first, as all lists are. */
  blocks: accts,
  mutes: accts,
  domainBlocks: maybe(z.array(z.string())),
  /** What the server itself blocks, and publishes; some masked. */
  publishedBlocks: maybe(
    z.array(
      z.strictObject({
        domain: z.string(),
        severity: maybe(z.enum(['silence', 'suspend'])),
        comment: maybe(z.string()),
        obfuscate: maybe(z.boolean()),
      }),
    ),
  ),
  /** Other servers that this one knows, and what its admins did about them. */
  instances: maybe(
    z.array(
      z.strictObject({
        domain: z.string(),
        id: maybe(count),
        software: maybe(z.string()),
        banned: maybe(z.boolean()),
        unlisted: maybe(z.boolean()),
        autoCw: maybe(z.boolean()),
        /** How many of its accounts and posts are known; not counted yet when left out. */
        userCount: maybe(count),
        statusCount: maybe(count),
        lastCrawledAt: maybe(z.string()),
        /** A text stands for one that was typed on the server's own page, which breaks the list of blocks. */
        notes: maybe(z.union([z.string(), z.array(z.string())])),
        baseDomain: maybe(z.string()),
        banSubdomains: maybe(z.boolean()),
        actorsLastSyncedAt: maybe(z.string()),
        /** A month ago when left out. */
        createdAt: maybe(z.iso.datetime()),
      }),
    ),
  ),
  /** Whether admins cannot change settings while the server runs. */
  fixedSettings: maybe(z.boolean()),
  filters: maybe(
    z.array(
      z.strictObject({
        id,
        title: z.string(),
        context: z.array(z.enum(['home', 'public', 'tags'])),
        action: maybe(z.enum(['warn', 'hide', 'blur'])),
        /** Seconds from the start; for ever when left out. */
        expiresIn: maybe(count),
        keywords: z.array(z.strictObject({keyword: z.string(), wholeWord: maybe(z.boolean())})),
      }),
    ),
  ),
  posts: maybe(
    z.array(
      z.strictObject({
        id,
        by: acct,
        text: z.string(),
        /** Which of the posts before it, from 0. */
        replyTo: maybe(count),
      }),
    ),
  ),
  conversations: maybe(
    z.array(
      z.strictObject({
        id,
        /** Everybody in it; the first one started it. */
        between: z.array(acct).check(z.minLength(2)),
        /** Nobody has to accept it, whether they follow or not. */
        accepted: maybe(z.boolean()),
        messages: z.array(
          z.strictObject({
            id,
            from: acct,
            text: maybe(z.string()),
            sensitive: maybe(z.boolean()),
            emoji: maybe(z.boolean()),
            /** Attached files, which are made up. */
            media: maybe(z.array(z.enum(['image/jpeg', 'image/png', 'video/mp4']))),
            /** Which of the messages before, from 0. */
            inReplyTo: maybe(count),
          }),
        ),
        /** So many of the newest messages I have not read. */
        unread: maybe(count),
        muted: maybe(z.boolean()),
        hidden: maybe(z.boolean()),
      }),
    ),
  ),
  /** To the moderators. A report of neither a post nor an account is one of a post that is gone. */
  reports: maybe(
    z.array(
      z.strictObject({
        by: acct,
        reason: z.string(),
        message: maybe(z.string()),
        /** Which of the posts, from 0. */
        post: maybe(count),
        account: maybe(acct),
      }),
    ),
  ),
  notifications: maybe(
    z.array(
      z.strictObject({
        type: z.string(),
        from: acct,
        /** Which of the posts, from 0. */
        post: maybe(count),
      }),
    ),
  ),
});

/** The world that a sandbox starts with, as one writes it down. */
export type SeedState = z.infer<typeof seedState>;

/** Reads a seed file. @throws Error that names each problem and where it is: `accounts[0].acct` */
export function parseSeed(text: string): SeedState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new Error(`not JSON: ${error.message}`, {cause: error});
  }
  const result = z.safeParse(seedState, value);
  if (!result.success) throw new Error(['invalid seed:', ...result.error.issues.map(describe)].join('\n  '));
  checkNames(result.data);
  return result.data;
}

function describe({path, code, message, ...issue}: z.core.$ZodIssue): string {
  const location = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const problem =
    code === 'unrecognized_keys' && 'keys' in issue ? `unknown field ${issue.keys.join(', ')}` : plainMessage(code, message, issue);
  return `${location.replace(/^\./, '') || 'seed'}: ${problem}`;
}

/** zod/mini has no messages unless a language is loaded. */
function plainMessage(code: string, message: string, issue: object): string {
  if (code === 'invalid_type' && 'expected' in issue) return `expected ${String(issue.expected)}`;
  if (code === 'invalid_value' && 'values' in issue && Array.isArray(issue.values)) return `expected one of ${issue.values.join(', ')}`;
  return message;
}

/** Every account that is mentioned must be one of the accounts. */
function checkNames(seed: SeedState): void {
  const people = seed.people ?? [];
  const known = new Set(seed.accounts.map((account) => account.acct));
  const names = known.union(new Set(people.map(({username}) => username)));
  if (names.size < seed.accounts.length + people.length) throw new Error('two accounts have the same name');
  const domains = (seed.instances ?? []).map(({domain}) => domain);
  if (new Set(domains).size < domains.length) throw new Error('two instances have the same domain');
  const spokenOf = [
    ...(seed.me === undefined ? [] : [seed.me]),
    ...[seed.followers, seed.following, seed.mutuals, seed.blocks, seed.mutes].flatMap((names) => names ?? []),
    ...(seed.posts ?? []).map(({by}) => by),
    ...(seed.conversations ?? []).flatMap(({between, messages}) => [...between, ...messages.map(({from}) => from)]),
    ...(seed.notifications ?? []).map(({from}) => from),
    ...(seed.reports ?? []).flatMap(({by, account}) => [by, ...(account === undefined ? [] : [account])]),
  ];
  const unknown = spokenOf.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`${unknown} is not one of its accounts`);
  const outsider = (seed.conversations ?? []).flatMap(({between, messages}) => messages.filter(({from}) => !between.includes(from)))[0];
  if (outsider) throw new Error(`${outsider.from} sends a message in a conversation without taking part in it`);
  const replies = (seed.conversations ?? []).flatMap(({messages}) => messages.filter(({inReplyTo = -1}, index) => inReplyTo >= index));
  if (replies[0]) throw new Error(`there is no message ${replies[0].inReplyTo} before the reply to it`);
  const post = [...(seed.notifications ?? []), ...(seed.reports ?? [])].find(
    (one) => (one.post ?? 0) >= Math.max(1, seed.posts?.length ?? 0),
  );
  if (post) throw new Error(`there is no post ${post.post}`);
  const me = seed.me ?? seed.accounts[0]?.acct;
  if (me?.includes('@')) throw new Error(`me: ${me} is on another server; it must be an account of this one`);
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
  for (const {createdAt, ...known} of instances) world.instances.add({...known, createdAt: new Date(createdAt ?? monthAgo)});
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

function addPost(
  world: World,
  {id, ...given}: {readonly id?: string | undefined} & Pick<Post, 'author' | 'parent' | 'text'>,
  past: Past,
): Post {
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
