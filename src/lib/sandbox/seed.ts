import * as z from 'zod/mini';

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
      }),
    )
    .check(z.minLength(1)),
  /** Who follows me, whom I follow, and who does both. */
  followers: accts,
  following: accts,
  mutuals: accts,
  /** Oldest first, as all lists are. */
  blocks: accts,
  mutes: accts,
  domainBlocks: maybe(z.array(z.string())),
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
  posts: maybe(z.array(z.strictObject({id, by: acct, text: z.string()}))),
  conversations: maybe(
    z.array(
      z.strictObject({
        id,
        /** Everybody in it; the first one started it. */
        between: z.array(acct).check(z.minLength(2)),
        /** Nobody has to accept it, whether they follow or not. */
        accepted: maybe(z.boolean()),
        messages: z.array(z.strictObject({id, from: acct, text: z.string(), sensitive: maybe(z.boolean()), emoji: maybe(z.boolean())})),
        /** So many of the newest messages I have not read. */
        unread: maybe(count),
        muted: maybe(z.boolean()),
        hidden: maybe(z.boolean()),
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

/** Reads a seed file. What is wrong with it is said with its place, such as `accounts[0].acct`. */
export function parseSeed(text: string): SeedState {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The seed is not JSON: ${error instanceof Error ? error.message : String(error)}`, {cause: error});
  }
  const result = z.safeParse(seedState, value);
  if (!result.success) throw new Error(['The seed is not as it should be:', ...result.error.issues.map(describe)].join('\n  '));
  checkNames(result.data);
  return result.data;
}

function describe({path, code, message, ...issue}: z.core.$ZodIssue): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  const problem =
    code === 'unrecognized_keys' && 'keys' in issue ? `unknown field ${issue.keys.join(', ')}` : plainMessage(code, message, issue);
  return `${place.replace(/^\./, '') || 'the whole'}: ${problem}`;
}

/** zod/mini has no words of its own unless a language is loaded. */
function plainMessage(code: string, message: string, issue: object): string {
  if (code === 'invalid_type' && 'expected' in issue) return `expected ${String(issue.expected)}`;
  if (code === 'invalid_value' && 'values' in issue && Array.isArray(issue.values)) return `expected one of ${issue.values.join(', ')}`;
  return message;
}

/** Everybody who is spoken of must be there. */
function checkNames(seed: SeedState): void {
  const known = new Set(seed.accounts.map((account) => account.acct));
  if (known.size < seed.accounts.length) throw new Error('The seed has two accounts of the same name.');
  const spokenOf = [
    ...(seed.me === undefined ? [] : [seed.me]),
    ...[seed.followers, seed.following, seed.mutuals, seed.blocks, seed.mutes].flatMap((names) => names ?? []),
    ...(seed.posts ?? []).map(({by}) => by),
    ...(seed.conversations ?? []).flatMap(({between, messages}) => [...between, ...messages.map(({from}) => from)]),
    ...(seed.notifications ?? []).map(({from}) => from),
  ];
  const unknown = spokenOf.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`The seed speaks of ${unknown}, who is not among its accounts.`);
  const outsider = (seed.conversations ?? []).flatMap(({between, messages}) => messages.filter(({from}) => !between.includes(from)))[0];
  if (outsider) throw new Error(`In the seed, ${outsider.from} speaks in a conversation without being in it.`);
  const post = (seed.notifications ?? []).find((notification) => (notification.post ?? 0) >= Math.max(1, seed.posts?.length ?? 0));
  if (post) throw new Error(`The seed has no post ${post.post}.`);
  const me = seed.me ?? seed.accounts[0]?.acct;
  if (me?.includes('@')) throw new Error(`The seed's own account, ${me}, must be of this server.`);
}
