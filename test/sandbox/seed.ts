/** Worlds that only tests start with, as one writes them down. */
import {daysAgo, steps} from '../../src/lib/sandbox/demo.js';
import {beginConversation, deliver, markRead, membershipOf} from '../../src/lib/sandbox/messaging.js';
import {mediumRow, withMicroseconds, type Account, type NewAccount, type Post} from '../../src/lib/sandbox/payloads.js';
import type {NewInstance, World} from '../../src/lib/sandbox/world.js';
import {fileOf} from './picture.js';

/** Of accounts: `user`, or `user@host` for people of other servers. Lists are oldest first, as all lists are. */
type Names = readonly string[];

interface SeedConversation {
  readonly id?: string;
  /** Everybody in it; the first one started it. */
  readonly between: Names;
  /** Nobody has to accept it, whether they follow or not. */
  readonly accepted?: boolean;
  readonly messages: readonly {
    readonly id?: string;
    readonly from: string;
    readonly text?: string;
    readonly sensitive?: boolean;
    readonly emoji?: boolean;
    /** Attached files, which are made up. */
    readonly media?: readonly ('image/jpeg' | 'image/png' | 'video/mp4')[];
    /** Which of the messages before, from 0. */
    readonly inReplyTo?: number;
  }[];
  /** So many of the newest messages I have not read. */
  readonly unread?: number;
  readonly muted?: boolean;
  readonly hidden?: boolean;
}

export interface SeedState {
  /** Whose tokens are printed; the first account when left out. */
  readonly me?: string;
  readonly accounts: readonly NewAccount[];
  /** More people who are registered here, after everything else was made. */
  readonly people?: readonly {
    readonly username: string;
    readonly accountId?: string;
    readonly admin?: boolean;
    readonly user?: NewAccount['user'];
    /** Oldest first. `heldBack`: the spam filter did; `gone`: it is not there any more. */
    readonly posts?: readonly {readonly id?: string; readonly text: string; readonly heldBack?: 'gone' | 'open'}[];
  }[];
  /** Who follows me, whom I follow, and who does both. */
  readonly followers?: Names;
  readonly following?: Names;
  readonly mutuals?: Names;
  readonly blocks?: Names;
  readonly mutes?: Names;
  readonly domainBlocks?: readonly string[];
  /** Other servers; known since a month ago unless given. Notes that are a text were typed on the server's own page, and break the list of blocks. */
  readonly instances?: readonly (NewInstance & {readonly createdAt?: string})[] | undefined;
  readonly filters?:
    | readonly {
        readonly id?: string;
        readonly title: string;
        readonly context: ('home' | 'public' | 'tags')[];
        readonly action?: 'blur' | 'hide' | 'warn';
        /** Seconds from the start; for ever when left out. */
        readonly expiresIn?: number;
        readonly keywords: readonly {readonly keyword: string; readonly wholeWord?: boolean}[];
      }[]
    | undefined;
  /** `replyTo`: which of the posts before it, from 0. */
  readonly posts?: readonly {readonly id?: string; readonly by: string; readonly text: string; readonly replyTo?: number}[];
  readonly conversations?: readonly SeedConversation[];
  /** About one of the posts, counted from 0, or an account. Neither: about a post that is gone. */
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

type Person = (acct: string) => Account;

/** Fills an empty world, and returns whose it is. */
export function seedWorld(world: World, seed: SeedState): Account {
  const {accounts, posts = [], conversations = [], notifications = [], reports = [], people = []} = seed;
  const spoken = conversations.reduce((sum, {messages}) => sum + messages.length + 1, 0);
  const step = steps(world, posts.length + spoken + notifications.length + reports.length);
  const named = new Map<string, Account>();
  for (const [index, one] of accounts.entries()) {
    world.time = daysAgo(accounts.length - index + 30);
    named.set(one.acct, world.addAccount(one));
  }
  const person: Person = (acct) => {
    const account = named.get(acct);
    if (!account) throw new Error(`there is no account ${acct}`);
    return account;
  };
  const me = person(seed.me ?? accounts[0]?.acct ?? '');
  addRelations(world, seed, me, person);
  for (const {createdAt, ...known} of seed.instances ?? []) {
    world.time = createdAt === undefined ? daysAgo(30) : new Date(createdAt);
    world.addInstance(known);
  }
  addFilters(world, seed, me);
  const made: Post[] = [];
  for (const {replyTo, by, ...post} of posts) {
    step();
    made.push(world.addPost({...post, author: person(by), parent: made[replyTo ?? -1] ?? null}));
  }
  for (const conversation of conversations) addConversation(world, conversation, me, person, step);
  for (const {type, from, post} of notifications) {
    step();
    world.notify(me.id, type, person(from), made[post ?? -1] ?? null);
  }
  for (const {by, reason, message = null, post, account} of reports) {
    const [type, id] = account === undefined ? ['post', made[post ?? -1]?.id] : ['user', person(account).id];
    step();
    world.report({by: person(by), reason, message, type, id: id ?? world.takeId()});
  }
  for (const {username, accountId, admin = false, user, posts: own = []} of people) {
    const createdAt = Date.now();
    world.time = new Date(createdAt);
    const author = world.addAccount({acct: username, ...(accountId !== undefined && {id: accountId}), admin, user});
    for (const [index, {heldBack, ...given}] of own.entries()) {
      world.time = new Date(createdAt + (index + 1) * 60_000);
      const post = world.addPost({...given, author});
      if (heldBack !== undefined) world.holdBack(post);
      if (heldBack === 'gone') world.posts.delete(post.id);
    }
  }
  world.time = undefined;
  return me;
}

function addRelations(world: World, seed: SeedState, me: Account, person: Person): void {
  const {followers = [], following = [], mutuals = [], blocks = [], mutes = [], domainBlocks = []} = seed;
  for (const acct of [...followers, ...mutuals]) world.follows.relate(person(acct).id, me.id);
  for (const acct of [...following, ...mutuals]) world.follows.relate(me.id, person(acct).id);
  for (const acct of blocks) world.block(me.id, person(acct).id);
  for (const acct of mutes) world.mutes.relate(me.id, person(acct).id);
  for (const domain of domainBlocks) world.blockDomain(me.id, domain);
}

function addFilters(world: World, {filters = []}: SeedState, me: Account): void {
  // Lists are sorted by the second: what is made in this one comes before them.
  world.time = daysAgo(1);
  for (const {id, title, context, action = 'warn', expiresIn, keywords} of filters) {
    const filter = {
      ownerId: me.id,
      title,
      context,
      filter_action: action,
      expires_at: expiresIn === undefined ? null : withMicroseconds(new Date(Date.now() + expiresIn * 1000)),
      keywords: keywords.map(({keyword, wholeWord = true}) => ({keyword: keyword.toLowerCase(), whole_word: wholeWord})),
    };
    world.addFilter(filter, id === undefined ? undefined : Number(id));
  }
}

function addConversation(world: World, seed: SeedConversation, me: Account, person: Person, step: () => void): void {
  const [creator = '', ...others] = seed.between.map((acct) => person(acct).id);
  step();
  const conversation = beginConversation(world, creator, others, seed.id);
  if (seed.accepted) for (const member of conversation.members) member.state = 'active';
  for (const {from, media: types = [], inReplyTo, ...draft} of seed.messages) {
    step();
    const owner = person(from).id;
    const media = types.map((mime) => world.media.add((row) => mediumRow(world, row, {owner, mime, bytes: fileOf(mime, row)})));
    const in_reply_to_id = inReplyTo === undefined ? null : (conversation.messages[inReplyTo]?.id ?? null);
    deliver(world, conversation, owner, {...draft, media, in_reply_to_id});
  }
  for (const member of conversation.members) {
    const unread = member.accountId === me.id ? (seed.unread ?? 0) : 0;
    const lastRead = conversation.messages.at(-1 - unread);
    if (member.state === 'active' && lastRead) markRead(member, lastRead.id);
  }
  Object.assign(membershipOf(conversation, me.id) ?? {}, {muted: seed.muted ?? false, hidden: seed.hidden ?? false});
}
