/** The schemas of the sections about blocked domains. */
import * as z from 'zod/mini';
import {maybe, wholeCount, someText, until, withOneOf, withScheme} from './section-fields.js';
import {field, once} from '../../api/schema.js';
import {optionalFields, sentComments, severities} from '../model/domain-facts.js';
import {isLoopback} from '../../client/transport.js';

/** Whether a text is the address of a server, without a path. Plain http is for this machine alone. */
export function isServerAddress(text: string): boolean {
  const url = URL.parse(withScheme(text));
  if (url === null) return false;
  const {protocol, hostname, username, password, pathname, search, hash} = url;
  return `${username}${password}${search}${hash}` === '' && pathname === '/' && (protocol === 'https:' || isLoopback(hostname));
}

const atLeastOne = wholeCount.check(z.gte(1, 'expected at least 1'));

const domains = z.array(
  z.union(
    [someText, z.strictObject({domain: field(someText, 'the domain'), note: maybe(z.string(), 'the reason; explain shows it')})],
    'a domain or {domain, note} is expected',
  ),
);

const listSource = {
  file: maybe(someText, 'a list in a file in the folder of the policy or the working folder'),
  url: maybe(
    z.string().check(z.regex(/^https:\/\//, 'expected an address that begins with https://')),
    'a list on the web; fetched only with --allow-remote-lists',
  ),
  on_mistake: maybe(z.enum(['fail', 'skip']), 'what to do with rows without a valid domain: fail refuses the list, skip leaves them out', {
    default: 'fail',
  }),
  may_be_empty: maybe(z.boolean(), 'whether an empty list is accepted', {default: false}),
  sha256: maybe(
    z.string().check(z.regex(/^[\dA-Fa-f]{64}$/, 'expected 64 hexadecimal digits')),
    'the SHA-256 checksum that the list must have',
  ),
};

const listFields = {
  ...listSource,
  server: maybe(
    z.string().check(z.refine(isServerAddress, 'expected the address of a server, as in https://other.example')),
    'a server whose published domain blocks are the list; fetched only with --allow-remote-lists',
  ),
  min_severity: maybe(
    z.enum(severities),
    'skip entries with a lower severity; an empty severity counts as noop, one that has no column or member as suspend',
    {default: 'silence'},
  ),
  max_severity: maybe(z.enum(severities), 'lower higher severities of the list to this one', {default: 'suspend'}),
  fields: maybe(z.array(z.enum(optionalFields)), 'the fields to take from the list besides domains and severities', {
    default: optionalFields,
  }),
};

/**
 * The fields that both sections have.
 * @param severity the help of the severity of an entry @param ofList further fields of a list
 */
function rulesOf<OfList extends Record<string, z.ZodMiniType>>(severity: string, ofList: OfList) {
  const entry = z.strictObject({
    domain: field(someText, 'the domain'),
    severity: maybe(z.enum(['silence', 'suspend']), severity, {default: 'suspend'}),
    public_comment: maybe(z.string(), 'the reason, for everybody'),
    private_comment: maybe(z.string(), 'the reason, for moderators'),
    reject_media: maybe(z.boolean(), 'whether to reject media from the domain', {default: false}),
    reject_reports: maybe(z.boolean(), 'whether to ignore reports from the domain', {default: false}),
    obfuscate: maybe(z.boolean(), 'whether to mask the domain in the published list of blocks', {default: false}),
    until,
  });
  const allowLists = maybe(
    z.array(withOneOf(z.strictObject(listSource), ['file', 'url'])),
    'lists of domains, in any format of block lists; severities are ignored',
  );
  return {
    must: maybe(z.array(z.union([someText, entry], 'a domain or {domain, public_comment} is expected')), 'domains that must be blocked'),
    must_not: maybe(
      z.union(
        [domains, z.strictObject({domains: maybe(domains, 'the domains'), lists: allowLists})],
        'a list of domains, or {domains, lists} is expected',
      ),
      'domains that must not be blocked, even if a list names them',
    ),
    only: maybe(z.boolean(), 'no other domain may be blocked', {default: false}),
    limit: maybe(wholeCount, 'how many domains may be blocked; more are held back, and nothing is removed'),
    lists: maybe(
      z.array(withOneOf(z.strictObject({...listFields, ...ofList}), ['file', 'url', 'server'])),
      'block lists whose domains must be blocked',
    ),
    agree: maybe(
      z.union(
        // Whole percents from 1% to 100%.
        [atLeastOne, z.string().check(z.regex(/^(?:100|[1-9]\d?)%$/, 'expected a share from 1% to 100%'))],
        'a number of lists such as 2, or a share of them such as 50% is expected',
      ),
      'how many lists, or what share of them, must name a domain',
      {default: 1},
    ),
    comments: maybe(
      z.enum(['joined', 'first']),
      'how to merge the comments of several lists: joined keeps every part once, first keeps the first one',
      {default: 'joined'},
    ),
    severity: maybe(z.enum(['highest', 'lowest']), 'which severity to use where lists differ', {default: 'highest'}),
  };
}

/** `domain_blocks`. Servers store the domain alone: the other fields are shown, and written into lists for other tools. */
export const accountDomainsSchema = once(() =>
  z.strictObject({
    ...rulesOf('the severity in lists for other tools', {}),
    protect_followed: maybe(
      wholeCount,
      'do not block a domain where at least this many accounts follow you or are followed by you; 0 turns it off',
    ),
  }),
);

/** `admin_domain_blocks`. A server stores severities, comments and flags, too. */
export const serverDomainsSchema = once(() =>
  z.strictObject({
    ...rulesOf('what the server does with the domain: suspend, or silence, which hides its posts from public timelines', {
      private_comment: maybe(
        z.string().check(z.maxLength(500, 'expected at most 500 characters')),
        'the private comment of a new block that has no comment of its own; {list} stands for the list, {date} for the day',
      ),
    }),
    max_followed_severity: maybe(
      z.enum(['noop', 'silence']),
      'the highest severity for a domain where people of the server follow accounts (Mastodon)',
    ),
    followed_limit: maybe(atLeastOne, 'the number of follows from which max_followed_severity applies', {default: 1}),
    send_comments: maybe(
      z.enum(sentComments),
      'which comments to send: private sends all as the private comment, both sends each in its place, none sends none',
      {default: 'private'},
    ),
  }),
);

export type DomainsData = Omit<z.infer<ReturnType<typeof accountDomainsSchema>>, 'lists'> &
  Pick<z.infer<ReturnType<typeof serverDomainsSchema>>, 'followed_limit' | 'lists' | 'max_followed_severity' | 'send_comments'>;
