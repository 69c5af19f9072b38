/** The format of policy files. The JSON Schema for editors is made from this. */
import * as z from 'zod/mini';
import {field} from '../api/schema.js';
import {maxExpiry} from '../api/entities.js';
import {optionalFields} from './domain-facts.js';
import {isServerAddress} from './lists/origin.js';
import {severities} from './severity.js';
import {durationOf, durationPattern, expiryOf} from './time.js';

export const pushSettings = ['notify_enabled', 'notify_like', 'notify_follow', 'notify_mention', 'notify_comment'] as const;

const alternatives = z.registry<{readonly names: readonly string[]}>();

/** The fields of which an object needs exactly one. */
export function alternativesOf(schema: z.core.$ZodType): readonly string[] | undefined {
  return alternatives.get(schema)?.names;
}

/** An object that needs exactly one of some fields. */
function withOneOf<Schema extends z.ZodMiniObject>(schema: Schema, names: readonly string[]): Schema {
  const isFit = (value: object) => names.filter((name) => name in value).length === 1;
  const checked = schema.check(z.refine(isFit, `needs either ${names.join(' or ')}`));
  alternatives.add(checked, {names});
  return checked;
}

const maybe = z.optional;
const count = z.number().check(z.multipleOf(1, 'expected a whole number'), z.gte(0, 'expected a whole number'));
const someText = z.string().check(z.regex(/\S/, 'expected some text'));
const domains = z.array(someText);
const accounts = z.array(someText);

/** Whole percents from 1% to 100%. */
const sharePattern = /^(?:100|[1-9]\d?)%$/;

/** Where a list is, and what is read of it. */
const listSource = {
  file: maybe(field(someText, 'a list beside the policy')),
  url: maybe(
    field(
      z.string().check(z.regex(/^https:\/\//, 'expected an address that begins with https://')),
      'a list on the web, fetched only with --allow-remote-lists',
    ),
  ),
  on_mistake: maybe(
    field(
      z.union([z.enum(['fail', 'skip']), z.strictObject({max: field(count, 'how many')})], 'expected fail, skip or {max}'),
      'what to do with unusable rows: fail (default) refuses the list, skip leaves them out and counts them, {max} does so up to that many',
    ),
  ),
  wildcards: maybe(
    field(
      z.enum(['domain', 'skip']),
      'what *.bad.example means: domain takes it for bad.example, skip (default) leaves it out; other wildcards are never applied',
    ),
  ),
  may_be_empty: maybe(field(z.boolean(), 'whether the list may have no entries')),
  stale: maybe(
    field(
      z.enum(['allow', 'fail']),
      'what to do when a list on the web cannot be fetched or used: allow uses the last good copy, fail (default) refuses it',
    ),
  ),
  sha256: maybe(
    field(z.string().check(z.regex(/^[\dA-Fa-f]{64}$/, 'expected 64 hexadecimal digits')), 'the SHA-256 of the list, in hexadecimal'),
  ),
};
const fileOrUrl = ['file', 'url'];

const list = withOneOf(
  z.strictObject({
    ...listSource,
    server: maybe(
      field(
        z.string().check(z.refine(isServerAddress, 'expected the address of a server, as in https://other.example')),
        'a server whose published domain blocks are the list, fetched only with --allow-remote-lists',
      ),
    ),
    profile: maybe(field(someText, 'a saved profile whose domain blocks are the list, read only with --allow-profile-list')),
    min_severity: maybe(
      field(z.enum(severities), 'the lowest severity that counts (default: silence); entries without one count as suspend'),
    ),
    max_severity: maybe(
      field(z.enum(severities), 'what higher severities of the list count as (default: suspend); with noop it blocks nothing'),
    ),
    fields: maybe(
      field(z.array(z.enum(optionalFields)), 'what is taken from the list besides domains and severities (default: everything)'),
    ),
    weight: maybe(field(count.check(z.gte(1, 'expected at least 1')), 'as how many lists it counts towards agree (default: 1)')),
  }),
  [...fileOrUrl, 'server', 'profile'],
);

/** Domains, written here or in lists whose severities mean nothing. */
function domainSet<Schema extends z.ZodMiniObject>(listSchema: Schema) {
  return z.union(
    [
      domains,
      z.strictObject({
        domains: maybe(field(domains, 'the domains')),
        lists: maybe(field(z.array(withOneOf(listSchema, fileOrUrl)), 'lists of such domains, in any format of block lists')),
      }),
    ],
    'expected a list of domains, or {domains, lists}',
  );
}

const allowList = z.strictObject({
  ...listSource,
  remove: maybe(
    field(
      z.boolean(),
      'whether what the list names is unblocked even where a person blocked it (default: false, the list only holds back)',
    ),
  ),
});

/** Pixelfed keeps only the domain: the rest is shown, and written into lists for other tools. */
const ownDomain = z.strictObject({
  domain: field(someText, 'the domain'),
  severity: maybe(field(z.enum(['silence', 'suspend']), 'its severity in lists for other tools (default: suspend)')),
  public_comment: maybe(field(z.string(), 'why it is blocked, for everybody')),
  private_comment: maybe(field(z.string(), 'why it is blocked, for moderators')),
  reject_media: maybe(field(z.boolean(), 'whether servers that are not Pixelfed reject its media')),
  reject_reports: maybe(field(z.boolean(), 'whether they ignore its reports')),
  obfuscate: maybe(field(z.boolean(), 'whether they mask the domain where they publish their blocks')),
});

const domainBlocks = z.strictObject({
  must: maybe(
    field(
      z.array(z.union([someText, ownDomain], 'expected a domain or {domain, public_comment}')),
      'domains that must be blocked, alone or with the reason',
    ),
  ),
  must_not: maybe(
    field(domainSet(allowList), 'domains that are never blocked, whatever a list says; alone, or with lists of them: {domains, lists}'),
  ),
  protect: maybe(
    field(
      domainSet(z.strictObject(listSource)),
      'domains that are not blocked, with what is above and below them, without --block-protected DOMAIN; existing blocks stay; alone, or with lists of them: {domains, lists}',
    ),
  ),
  protect_followed: maybe(
    field(
      count,
      'from how many accounts on that you follow or that follow you, a domain is not blocked without --block-protected DOMAIN; 0: never',
    ),
  ),
  only: maybe(field(z.boolean(), 'whether nothing else may be blocked')),
  limit: maybe(
    field(
      count,
      'how many domains may be blocked: what is beyond it is held back, and is no difference. Domains of the policy come first, then those that most lists agree on, the most severe first; nothing is removed for it',
    ),
  ),
  lists: maybe(field(z.array(list), 'lists that are merged in')),
  agree: maybe(
    field(
      z.union(
        [count.check(z.gte(1, 'expected at least 1')), z.string().check(z.regex(sharePattern, 'expected a share from 1% to 100%'))],
        'expected a number of lists such as 2, or a share of them such as 50%',
      ),
      'how many lists must name a domain, such as 2, or which share of them, such as 50%, rounded up (default: 1)',
    ),
  ),
  comments: maybe(
    field(
      z.enum(['joined', 'first']),
      'how comments of several lists are merged: joined (default) keeps every part once, first keeps that of the first list that has one',
    ),
  ),
  severity: maybe(
    field(
      z.enum(['highest', 'lowest']),
      'which severity is taken where lists differ: the highest (default), with every flag that a list sets, or the lowest; a domain that comes to noop is not blocked',
    ),
  ),
});

const keyword = z.union(
  [someText, z.strictObject({keyword: someText, whole_word: maybe(z.boolean())})],
  'expected text or {keyword, whole_word}',
);
const keywords = z.array(keyword);

/** What servers of this kind and others know. */
export const contexts = ['home', 'public', 'tags', 'notifications', 'thread', 'account'] as const;
export const filterActions = ['warn', 'hide', 'blur'] as const;
const context = z.enum(contexts);

const filterId = z.union([someText, count], 'expected an id');

const filter = withOneOf(
  z.strictObject({
    title: field(someText, 'the title, by which the filter is found'),
    id: maybe(field(filterId, 'the id, where several filters have this title')),
    context: field(z.array(context).check(z.minLength(1, 'expected at least one context')), 'where the filter applies'),
    action: maybe(field(z.enum(filterActions), 'what happens to posts that match; not compared if absent')),
    keywords: maybe(field(keywords, 'all keywords of the filter; they match whole words unless whole_word is false')),
    keywords_at_least: maybe(field(keywords, 'keywords that the filter must have; it may have others')),
    expires: maybe(
      field(
        z
          .string()
          .check(z.refine((text) => expiryOf(text) !== undefined, 'expected never, a date such as 2027-01-31, or a time such as 90d'))
          .check(z.refine((text) => (durationOf(text) ?? 0) <= maxExpiry, 'must be at most two years (730d)')),
        'when the filter expires: never, a date, or a maximum time from now',
      ),
    ),
  }),
  ['keywords', 'keywords_at_least'],
);

const filters = z.strictObject({
  must: maybe(field(z.array(filter), 'filters that must exist')),
  must_not: maybe(field(z.array(someText), 'titles of filters that must not exist')),
  only: maybe(field(z.boolean(), 'whether no other filter may exist')),
  expire_within: maybe(
    field(z.string().check(z.regex(durationPattern, 'expected a time such as 7d or 12h')), 'report filters that expire sooner than this'),
  ),
});

const accountRules = z.strictObject({
  must: maybe(field(accounts, 'accounts that must be on the list')),
  must_not: maybe(field(accounts, 'accounts that must not be on the list')),
  only: maybe(field(z.boolean(), 'whether no other account may be on the list')),
  at_most: maybe(field(count, 'how many accounts may be on the list')),
});

const push = z.strictObject({
  notify_enabled: maybe(field(z.boolean(), 'push at all')),
  notify_like: maybe(field(z.boolean(), 'push likes')),
  notify_follow: maybe(field(z.boolean(), 'push new followers')),
  notify_mention: maybe(field(z.boolean(), 'push mentions and direct messages')),
  notify_comment: maybe(field(z.boolean(), 'push comments')),
});

const plain = z.union([z.boolean(), z.number(), z.string()]);
const range = z
  .strictObject({min: maybe(z.number()), max: maybe(z.number())})
  .check(z.refine((value) => Object.keys(value).length > 0, 'expected min, max or both'));
const configValue = z.union([plain, z.array(plain), range], 'expected a value, or {min, max}');
const conditional = z.strictObject({
  is: field(configValue, 'the required value'),
  if_offered: maybe(field(z.boolean(), 'whether to skip servers that do not offer it')),
});
const configRule = z.union([plain, z.array(plain), range, conditional], 'expected a value, {min, max}, or {is, if_offered}');

/** The rules of a policy. */
const sections = {
  domain_blocks: maybe(field(domainBlocks, 'servers that the account blocks')),
  filters: maybe(field(filters, 'content filters of the account')),
  blocks: maybe(field(accountRules, 'accounts that the account blocks')),
  mutes: maybe(field(accountRules, 'accounts that the account mutes')),
  push: maybe(field(push, 'push settings')),
  config: maybe(
    field(z.record(z.string(), configRule), 'what the server publishes of its configuration, by dotted path; compared, never changed'),
  ),
};

/** What applies to one account besides the rest: lists are added, single values replace. */
const ownSections = z.strictObject(sections);

export type Sections = z.infer<typeof ownSections>;

/** The whole file. */
export const policySchema = z.strictObject({
  version: field(z.literal(1), 'the version of this format'),
  server: maybe(field(someText, 'the only server that the policy may be used with')),
  accounts: maybe(
    field(
      accounts.check(z.minLength(1, 'expected at least one account')),
      'the only accounts that the policy may be used with, as in ana@pix.example; profiles are chosen with --profile',
    ),
  ),
  for: maybe(
    field(
      z.record(z.string(), ownSections),
      'what differs for an account, by its name, as in ana@pix.example: lists are added, single values replace',
    ),
  ),
  ...sections,
});

export type PolicyFile = z.infer<typeof policySchema>;
