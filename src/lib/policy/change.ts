/** The changes that a plan consists of: one write each. */
import * as z from 'zod/mini';
import type {FactsJson, FactsOf} from './domain-facts.js';
import {isDomain} from '../operations/domains.js';
import {severities} from './severity.js';
import {expiryOf} from './time.js';

const maybe = z.optional;
const because = z.string();

/** Removals that no rule asks for by name, `lists`, `only` and `no_longer_named`, are guarded. */
export const reasons = ['forbidden', 'lists', 'must', 'no_longer_named', 'only', 'undo'] as const;
const reason = z.enum(reasons);

const keyword = z.strictObject({keyword: z.string(), whole_word: z.boolean()});

/** A keyword on the server, by its id. */
const knownKeyword = z.strictObject({id: z.number(), ...keyword.shape});

/** `never`, a date, or a duration from the moment of sending, as in a policy. */
const expires = z.string().check(z.refine((text) => expiryOf(text) !== undefined, 'expected never, a date or a duration'));

/** Pixelfed keeps only the domain: the rest is for people, and for lists for other tools. */
export const domainFacts = z.strictObject({
  severity: maybe(z.enum(severities)),
  public_comment: maybe(z.string()),
  private_comment: maybe(z.string()),
  reject_media: maybe(z.boolean()),
  reject_reports: maybe(z.boolean()),
  obfuscate: maybe(z.boolean()),
});

const domainBlockAddition = z.strictObject({
  action: z.literal('add'),
  kind: z.literal('domain_block'),
  subject: z.string().check(z.refine(isDomain, 'expected a domain')),
  details: z.strictObject({...domainFacts.shape, covered_by: maybe(z.string())}),
  reason,
  because,
});

const domainBlockRemoval = z.strictObject({
  action: z.literal('remove'),
  kind: z.literal('domain_block'),
  subject: z.string(),
  /** The spelling of the domain on the server, where it differs. */
  details: z.strictObject({stored: maybe(z.string())}),
  reason,
  because,
});

/** An account without an id is looked up by its handle when the change is sent. */
const accountSchema = <Kind extends 'block' | 'mute'>(kind: Kind) =>
  z.strictObject({
    action: z.enum(['add', 'remove']),
    kind: z.literal(kind),
    subject: z.string(),
    details: z.strictObject({id: maybe(z.string())}),
    reason,
    because,
  });

const accountBlock = accountSchema('block');
const accountMute = accountSchema('mute');

const filterAddition = z.strictObject({
  action: z.literal('add'),
  kind: z.literal('filter'),
  subject: z.string(),
  details: z.strictObject({
    context: z.array(z.string()),
    filter_action: maybe(z.string()),
    expires: maybe(expires),
    keywords: z.array(keyword),
  }),
  reason,
  because,
});

const filterUpdate = z.strictObject({
  action: z.literal('update'),
  kind: z.literal('filter'),
  subject: z.string(),
  details: z.strictObject({
    id: z.string(),
    title: maybe(z.string()),
    /** Its title on the server, where it gets another one. */
    stored: maybe(z.string()),
    context: maybe(z.array(z.string())),
    filter_action: maybe(z.string()),
    expires: maybe(expires),
    add: z.array(keyword),
    remove: z.array(knownKeyword),
    change: z.array(knownKeyword),
    /** An unchanged keyword: servers require one in every update. */
    unchanged: maybe(z.number()),
  }),
  reason,
  because,
});

const filterRemoval = z.strictObject({
  action: z.literal('remove'),
  kind: z.literal('filter'),
  subject: z.string(),
  details: z.strictObject({id: z.string()}),
  reason,
  because,
});

/** Servers need the device's token to change a push setting, but not to turn all of them off. */
const pushOff = z.strictObject({
  action: z.literal('update'),
  kind: z.literal('push'),
  subject: z.literal('notify_enabled'),
  details: z.strictObject({notify_enabled: z.literal(false)}),
  reason,
  because,
});

/** The part of the state that each kind of change is about. */
export const accountParts = {block: 'blocks', mute: 'mutes'} as const;

export const changeSchema = z.union([
  domainBlockAddition,
  domainBlockRemoval,
  accountBlock,
  accountMute,
  filterAddition,
  filterUpdate,
  filterRemoval,
  pushOff,
]);

export type Change = z.infer<typeof changeSchema>;
export type Reason = z.infer<typeof reason>;
/** Why a change is made: in a word for programs, and in words for people. */
export type Grounds = Pick<Change, 'because' | 'reason'>;
export type FilterAddition = z.infer<typeof filterAddition>;
export type FilterUpdate = z.infer<typeof filterUpdate>;
export type FilterRemoval = z.infer<typeof filterRemoval>;
export type FilterChange = FilterAddition | FilterRemoval | FilterUpdate;
export type DomainBlockChange = z.infer<typeof domainBlockAddition> | z.infer<typeof domainBlockRemoval>;
export type AccountChange = z.infer<typeof accountBlock> | z.infer<typeof accountMute>;
export type PushChange = z.infer<typeof pushOff>;

interface BlockedDomain {
  readonly domain: string;
  /** How the server writes it, where it has it. */
  readonly stored?: string | undefined;
  readonly coveredBy?: string | undefined;
  /** What the policy and its lists say about it. */
  readonly facts?: FactsJson | undefined;
}

export function domainBlockChange(
  action: 'add' | 'remove',
  {domain, stored, coveredBy, facts = {}}: BlockedDomain,
  grounds: Grounds,
): DomainBlockChange {
  const kind = 'domain_block';
  return action === 'add'
    ? {action, kind, subject: domain, details: coveredBy === undefined ? facts : {...facts, covered_by: coveredBy}, ...grounds}
    : {action, kind, subject: domain, details: stored === undefined || stored === domain ? {} : {stored}, ...grounds};
}

/** @param id of the account, where it is known; else it is looked up when the change is sent */
export function accountChange(
  action: 'add' | 'remove',
  {kind, subject, id}: {readonly kind: 'block' | 'mute'; readonly subject: string; readonly id?: string | null | undefined},
  grounds: Grounds,
): AccountChange {
  return {action, kind, subject, details: typeof id === 'string' ? {id} : {}, ...grounds};
}

/**
 * A change in JSON, for programs and people.
 * @param factsOf adds private comments, for standard output alone
 */
export function changeJson({action, kind, subject, details, because: why}: Change, factsOf?: FactsOf): Record<string, unknown> {
  const facts = kind === 'domain_block' && action === 'add' ? factsOf?.(subject) : undefined;
  return {action, kind, subject, details: facts ? {...facts, ...details} : details, because: why};
}
