/** State files of version 1, which had a list for each section: read, and never written. */
import * as z from 'zod/mini';
import {isOrigin} from '../../client/origin.js';
import {at} from '../../json/path.js';
import {handleOf} from '../../operations/handle.js';
import {refuseMismatches} from '../source/mistakes.js';

/** Files of the first releases have none. */
const handles = z._default(z.array(z.string()), []);

const owned = z.strictObject({
  domainBlocks: z.array(z.string()),
  blocks: handles,
  mutes: handles,
  filters: z.array(z.strictObject({id: z.string(), title: z.string()})),
});

const accounts = z._default(z.array(z.strictObject({account: z.string(), id: z.nullable(z.string()), wasThere: z.boolean()})), []);

const apply = z.strictObject({
  at: z.string(),
  isFinished: z.boolean(),
  plan: z.optional(z.string()),
  owned,
  domainBlocks: z.array(z.strictObject({domain: z.string(), wasBlocked: z.boolean()})),
  blocks: accounts,
  mutes: accounts,
  filters: z.array(z.strictObject({id: z.nullable(z.string()), title: z.string(), was: z.nullable(z.looseObject({}))})),
  pushWasOn: z.boolean(),
});

const record = z.strictObject({
  server: z.string().check(z.refine(isOrigin, 'expected the origin of a server')),
  account: z.string(),
  policy: z.string(),
  owned,
  applies: z.array(apply),
});
const file = z.strictObject({version: z.literal(1), records: z.array(record)});

export function isFirstVersion(value: unknown): boolean {
  return at(value, ['version']).value === 1;
}

/** The same as a file of version 2. @throws Failure `usage` when it is not as version 1 wrote it */
export function fromFirstVersion(value: unknown, name: string): object {
  refuseMismatches(name, file, value);
  return {version: 2, records: z.parse(file, value).records.map(recordOf)};
}

function recordOf({server, account, policy, owned: had, applies}: z.infer<typeof record>) {
  const owner = handleOf(account, new URL(server).host);
  const ownedOf = ({domainBlocks, blocks, mutes, filters}: z.infer<typeof owned>) => [
    ...domainBlocks.map((subject) => ({owner, kind: 'domain_block', subject})),
    ...blocks.map((subject) => ({owner, kind: 'block', subject})),
    ...mutes.map((subject) => ({owner, kind: 'mute', subject})),
    ...filters.map(({id, title}) => ({owner, kind: 'filter', subject: title, id})),
  ];
  const accountsOf = (kind: string, saved: z.infer<typeof accounts>) =>
    saved.map(({account: subject, id, wasThere}) => ({owner, kind, subject, ...withId(id), was: wasThere || null}));
  return {
    server,
    account,
    policy,
    owned: ownedOf(had),
    applies: applies.map(({at: when, isFinished, plan, owned: before, domainBlocks, blocks, mutes, filters, pushWasOn}) => ({
      at: when,
      isFinished,
      ...(plan !== undefined && {plan}),
      owned: ownedOf(before),
      items: [
        ...domainBlocks.map(({domain, wasBlocked}) => ({owner, kind: 'domain_block', subject: domain, was: wasBlocked || null})),
        ...accountsOf('block', blocks),
        ...accountsOf('mute', mutes),
        ...filters.map(({id, title, was}) => ({owner, kind: 'filter', subject: title, ...withId(id), was})),
        ...(pushWasOn ? [{owner, kind: 'push', subject: 'notify_enabled', was: true}] : []),
      ],
    })),
  };
}

const withId = (id: string | null) => (id === null ? {} : {id});
