/** What a policy says about blocked domains, as it stands in the file. */
import * as z from 'zod/mini';
import {count, endWithin, onDrift, someText, until, withOneOf} from '../../section/fields.js';
import {field, once} from '../../../api/schema.js';
import {optionalFields, sentComments} from '../../model/domain-facts.js';
import {isServerAddress} from '../../source/list-origin.js';
import {severities} from '../../model/severity.js';

const maybe = z.optional;
/** Domains that are not to be blocked. */
const domains = z.array(
  z.union(
    [
      someText,
      z.strictObject({
        domain: field(someText, 'the domain'),
        note: maybe(field(z.string(), 'why it is not blocked; nothing is done with it')),
      }),
    ],
    'expected a domain or {domain, note}',
  ),
);

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

const listFields = {
  ...listSource,
  server: maybe(
    field(
      z.string().check(z.refine(isServerAddress, 'expected the address of a server, as in https://other.example')),
      'a server whose published domain blocks are the list, fetched only with --allow-remote-lists',
    ),
  ),
  profile: maybe(field(someText, 'a saved profile whose domain blocks are the list, read only with --allow-profile-list')),
  of: maybe(
    field(
      z.enum(['domain_blocks', 'admin_domain_blocks']),
      "which blocks of the profile: those of its account (default), or those of its server with severities and comments, which takes an admin's token",
    ),
  ),
  min_severity: maybe(
    field(z.enum(severities), 'the lowest severity that counts (default: silence); entries without one count as suspend'),
  ),
  max_severity: maybe(
    field(z.enum(severities), 'what higher severities of the list count as (default: suspend); with noop it blocks nothing'),
  ),
  fields: maybe(field(z.array(z.enum(optionalFields)), 'what is taken from the list besides domains and severities (default: everything)')),
  weight: maybe(field(count.check(z.gte(1, 'expected at least 1')), 'as how many lists it counts towards agree (default: 1)')),
};

/** @param besides fields that lists of a section have besides */
const listOf = <Besides extends Record<string, z.ZodMiniType>>(besides: Besides) =>
  withOneOf(z.strictObject({...listFields, ...besides}), [...fileOrUrl, 'server', 'profile']).check(
    z.refine((given: object) => !('of' in given) || 'profile' in given, {
      error: '`of` is only for lists of a profile',
      path: ['of'],
    }),
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

const ownFacts = {
  public_comment: maybe(field(z.string(), 'why it is blocked, for everybody')),
  private_comment: maybe(field(z.string(), 'why it is blocked, for moderators')),
  reject_media: maybe(field(z.boolean(), 'whether servers that are not Pixelfed reject its media')),
  reject_reports: maybe(field(z.boolean(), 'whether they ignore its reports')),
  obfuscate: maybe(field(z.boolean(), 'whether they mask the domain where they publish their blocks')),
};

/** @param severity its help */
function mustOf(severity: string, help: string) {
  const own = z.strictObject({
    domain: field(someText, 'the domain'),
    severity: maybe(field(z.enum(['silence', 'suspend']), severity)),
    ...ownFacts,
    until,
  });
  return maybe(field(z.array(z.union([someText, own], 'expected a domain or {domain, public_comment}')), help));
}

const sparing = {
  must_not: maybe(
    field(
      domainSet(allowList),
      'domains that are never blocked, even if a list names them; alone, or with lists of them: {domains, lists}',
    ),
  ),
  protect: maybe(
    field(
      domainSet(z.strictObject(listSource)),
      'domains that are not blocked, with what is above and below them, without --block-protected DOMAIN; existing blocks stay; alone, or with lists of them: {domains, lists}',
    ),
  ),
};

const mergedHelp = 'lists that are merged in';

const counts = {
  only: maybe(field(z.boolean(), 'whether nothing else may be blocked')),
  limit: maybe(
    field(
      count,
      'how many domains may be blocked: what is beyond it is held back, and does not count as a difference. Domains of the policy come first, then those that most lists agree on, the most severe first; nothing is removed for it',
    ),
  ),
};

const merging = {
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
  expire_within: endWithin,
  on_drift: onDrift,
};

/** Of a section of one account, where servers keep only the domain: the rest is shown, and written into lists for other tools. */
export const accountDomainsSchema = once(() =>
  z.strictObject({
    must: mustOf('its severity in lists for other tools (default: suspend)', 'domains that must be blocked, alone or with the reason'),
    ...sparing,
    protect_followed: maybe(
      field(
        count,
        'from how many accounts on that you follow or that follow you, a domain is not blocked without --block-protected DOMAIN; 0: never',
      ),
    ),
    ...counts,
    lists: maybe(field(z.array(listOf({})), mergedHelp)),
    ...merging,
  }),
);

/** Of a section of a whole server, which keeps what is said about a domain. */
export const serverDomainsSchema = once(() =>
  z.strictObject({
    must: mustOf(
      'what becomes of it (default: suspend)',
      'domains that must be blocked, alone for a suspension, or with their severity and the reason',
    ),
    ...sparing,
    protect_followed: maybe(
      field(
        z
          .unknown()
          .check(
            z.refine(() => false, 'expected no protect_followed, which would only see the follows of one admin (use protect with a list)'),
          ),
        'not possible here: use protect',
      ),
    ),
    ...counts,
    lists: maybe(
      field(
        z.array(
          listOf({
            private_comment: maybe(
              field(
                z.string().check(z.maxLength(500, 'expected at most 500 characters')),
                'what is noted on a new block that has no comment of its own, for moderators: {list} is the file or host of the list, {date} the day of the apply; never compared; not with send_comments: none',
              ),
            ),
          }),
        ),
        mergedHelp,
      ),
    ),
    ...merging,
    max_followed_severity: maybe(
      field(
        z.enum(['noop', 'silence']),
        'what a domain is blocked with at most while people of the server follow accounts there, whose follows a suspension would end (Mastodon; counted for what is not suspended yet)',
      ),
    ),
    followed_limit: maybe(
      field(count.check(z.gte(1, 'expected at least 1')), 'from how many follows on max_followed_severity holds (default: 1)'),
    ),
    send_comments: maybe(
      field(
        z.enum(sentComments),
        'which comments the server keeps: private (default) puts all of them into the private comment and publishes none, both keeps each in its place, none keeps no comment',
      ),
    ),
  }),
);

export type DomainsData = Omit<z.infer<ReturnType<typeof accountDomainsSchema>>, 'lists'> &
  Pick<z.infer<ReturnType<typeof serverDomainsSchema>>, 'followed_limit' | 'lists' | 'max_followed_severity' | 'send_comments'>;
