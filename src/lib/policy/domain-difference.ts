/** What sets the domains that are blocked apart from those that should be. */
import type {Place} from './place.js';
import type {WantedDomain, WantedDomains} from './lists/merge.js';

export interface DomainDifference {
  readonly missing: readonly WantedDomain[];
  readonly forbidden: readonly {readonly domain: string; readonly place: Place}[];
  /** Blocked, and the policy says that nothing else may be. */
  readonly surplus: readonly {readonly domain: string; readonly place: Place}[];
  /** The server itself, where it is wanted blocked: no server does that. */
  readonly itself: readonly WantedDomain[];
}

/** @param blocked the domains that are blocked, in the form they are compared in */
export function domainDifference({wanted, mustNot, only}: WantedDomains, blocked: ReadonlySet<string>, host: string): DomainDifference {
  const ownName = host.replace(/:\d+$/, '');
  const missing = [...wanted.values()].filter(({domain}) => !blocked.has(domain));
  const forbidden = [...mustNot].filter(([domain]) => blocked.has(domain)).map(([domain, place]) => ({domain, place}));
  const isSurplus = (domain: string) => !wanted.has(domain) && !mustNot.has(domain);
  return {
    missing: missing.filter(({domain}) => domain !== ownName),
    itself: missing.filter(({domain}) => domain === ownName),
    forbidden: forbidden.sort((one, other) => (one.domain < other.domain ? -1 : 1)),
    surplus: only === undefined ? [] : [...blocked].filter(isSurplus).map((domain) => ({domain, place: only})),
  };
}
