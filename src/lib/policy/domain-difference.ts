/** What sets the domains that are blocked apart from those that should be. */
import type {WantedDomain, WantedDomains} from './lists/merge.js';
import {setDifference, type SetDifference} from './set-difference.js';

export interface DomainDifference extends SetDifference<WantedDomain> {
  /** The server itself, where it is wanted blocked: no server does that. */
  readonly itself: readonly WantedDomain[];
}

/** @param blocked the domains that are blocked, by the form they are compared in */
export function domainDifference(rules: WantedDomains, blocked: ReadonlyMap<string, string>, host: string): DomainDifference {
  const ownName = host.replace(/:\d+$/, '');
  const {missing, ...others} = setDifference(rules, blocked);
  return {
    ...others,
    missing: missing.filter(({domain}) => domain !== ownName),
    itself: missing.filter(({domain}) => domain === ownName),
  };
}
