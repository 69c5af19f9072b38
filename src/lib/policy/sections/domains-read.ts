/** Reads what a policy says about blocked domains. */
import type {DomainsData} from './domains-schema.js';
import type {SectionReader} from './reader.js';
import {typedDomain} from '../../operations/domains.js';
import {blocked, commentOf, defaultMerge, publicFields} from '../model/domain-facts.js';
import {countLists, unreachable} from '../lists/merge.js';
import {listName, originOf} from '../source/list-origin.js';
import type {Location} from '../source/location.js';
import type {DomainRules, ListReference, OwnDomain, SparedDomain} from '../model/policy.js';

export function readDomains(of: DomainRules['of'], reader: SectionReader<DomainsData>): DomainRules {
  const must = reader.must((data) => data.must, ownDomain);
  const {domains: mustNot, lists: allowLists} = sparedDomains(reader);
  reader.refuseContradictions(must, mustNot, of.key);
  const followed = reader.value((data) => data.protect_followed, 'protect_followed');
  const lists = reader
    .readList((data) => data.lists, 'lists')
    .map(({value: list, location}) => ({
      ...listReference(list, location),
      minSeverity: list.min_severity ?? 'silence',
      maxSeverity: list.max_severity,
      fields: reader.about.hasPrivate ? list.fields : publicFields(list.fields),
      privateComment: commentOf(list.private_comment),
    }));
  const agree = reader.value((data) => data.agree, 'agree');
  const maxFollowed = reader.value((data) => data.max_followed_severity, 'max_followed_severity');
  const follows = reader.value((data) => data.followed_limit, 'followed_limit');
  if (reader.about.isWhole) {
    if (follows && maxFollowed === undefined) reader.complain(follows.location, 'has no effect without max_followed_severity');
    const unreached = agree && unreachable(agree.value, countLists(lists.map(({from}) => listName(from, ''))));
    if (agree && unreached !== undefined) reader.complain(agree.location, unreached);
  }
  return {
    of,
    must,
    mustNot,
    protectFollowed: followed && followed.value > 0 ? followed : undefined,
    allowLists: allowLists.length > 0 ? allowLists : undefined,
    only: reader.exclusive((data) => data.only),
    limit: reader.value((data) => data.limit, 'limit'),
    maxFollowed: maxFollowed && {...maxFollowed, follows: follows?.value ?? 1},
    sendComments: reader.value((data) => data.send_comments, 'send_comments')?.value,
    lists,
    agree,
    merge: {
      comments: reader.value((data) => data.comments, 'comments')?.value ?? defaultMerge.comments,
      severity: reader.value((data) => data.severity, 'severity')?.value ?? defaultMerge.severity,
    },
  };
}

/** The domains of `must_not`: those that the policy itself names, and lists of more. */
function sparedDomains(reader: SectionReader<DomainsData>): {readonly domains: SparedDomain[]; readonly lists: ListReference[]} {
  const plain = reader.readList(({must_not: set}) => (Array.isArray(set) ? set : undefined), 'must_not');
  const inner = reader.readList(({must_not: set}) => (Array.isArray(set) ? undefined : set?.domains), 'must_not', 'domains');
  const lists = reader.readList(({must_not: set}) => (Array.isArray(set) ? undefined : set?.lists), 'must_not', 'lists');
  return {
    domains: reader.readEntries([...plain, ...inner], (entry) =>
      typeof entry === 'string' ? {value: typedDomain(entry)} : {value: typedDomain(entry.domain), note: entry.note},
    ),
    // Every domain of such a list is spared, whatever its severity.
    lists: lists.map(({value, location}) => ({...listReference(value, location), minSeverity: 'noop', spares: true})),
  };
}

type OwnDomainData = NonNullable<DomainsData['must']>[number];

function ownDomain(entry: OwnDomainData): Omit<OwnDomain, 'location'> {
  if (typeof entry === 'string') return {value: typedDomain(entry)};
  const {domain, severity = blocked.severity, public_comment, private_comment, until: _, ...flags} = entry;
  const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
  return {value: typedDomain(domain), facts: {severity, ...comments, ...flags}};
}

type ListData = NonNullable<DomainsData['lists']>[number];

function listReference(list: ListData, location: Location): Omit<ListReference, 'minSeverity'> {
  return {
    location,
    from: originOf(list),
    maxMistakes: maxMistakes(list.on_mistake),
    mayBeEmpty: list.may_be_empty === true,
    sha256: list.sha256?.toLowerCase(),
  };
}

function maxMistakes(onMistake: ListData['on_mistake']): number {
  if (typeof onMistake === 'object') return onMistake.max;
  return onMistake === 'skip' ? Infinity : 0;
}
