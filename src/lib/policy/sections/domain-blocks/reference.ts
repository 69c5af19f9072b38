/** How a policy names lists, and domains that may stand in lists. */
import {hostOf} from '../../../operations/domains.js';
import {blocked, commentOf} from '../../model/domain-facts.js';
import type {Location} from '../../source/location.js';
import type {ListReference, OwnDomain} from '../../model/policy.js';
import type {DomainBlocksData} from './schema.js';
import {originOf} from '../../source/list-origin.js';

type OwnDomainData = NonNullable<DomainBlocksData['must']>[number];

export function ownDomain(entry: OwnDomainData): Omit<OwnDomain, 'location'> {
  if (typeof entry === 'string') return {value: hostOf(entry)};
  const {domain, severity = blocked.severity, public_comment, private_comment, ...flags} = entry;
  const comments = {public_comment: commentOf(public_comment), private_comment: commentOf(private_comment)};
  return {value: hostOf(domain), facts: {severity, ...comments, ...flags}};
}

type DomainSetData = DomainBlocksData['must_not' | 'protect'];
type DomainsAndLists = Exclude<DomainSetData, readonly string[] | undefined>;
type SetListData = NonNullable<DomainsAndLists['lists']>[number];

export function domainsAlone(set: DomainSetData): readonly string[] | undefined {
  return Array.isArray(set) ? set : undefined;
}

export function domainsAndLists(set: DomainSetData): DomainsAndLists | undefined {
  return Array.isArray(set) ? undefined : set;
}

type ListData = NonNullable<DomainBlocksData['lists']>[number] | SetListData;

/** A list of domains that are not to be blocked. Its severities mean nothing. */
export function sparingList(list: SetListData, spares: 'must_not' | 'protect', location: Location): ListReference {
  const removes = 'remove' in list && list.remove === true;
  return {...listReference(list, location), minSeverity: 'noop', spares, ...(removes && {removes})};
}

/** Where a list is, and how it is read. */
export function listReference(list: ListData, location: Location): Omit<ListReference, 'minSeverity'> {
  return {
    location,
    from: originOf(list),
    maxMistakes: maxMistakes(list.on_mistake),
    takesWildcards: list.wildcards === 'domain',
    mayBeEmpty: list.may_be_empty === true,
    mayBeStale: list.stale === 'allow',
    sha256: list.sha256?.toLowerCase(),
  };
}

function maxMistakes(onMistake: ListData['on_mistake']): number {
  if (typeof onMistake === 'object') return onMistake.max;
  return onMistake === 'skip' ? Infinity : 0;
}
