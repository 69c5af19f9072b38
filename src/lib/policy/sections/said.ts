/** What a policy and its lists say about items besides their names. */
import {sections} from './index.js';
import type {FactsOfItem} from '../model/domain-facts.js';
import type {WantedDomains} from '../lists/merge.js';
import {factsIn, type Wanted} from '../lists/wanted.js';

/** @param host of the accounts that are named without one @param isMeant the sections of domains; undefined: all */
export function saidOf(wanted: Wanted, host: string, isMeant?: (one: WantedDomains) => boolean): FactsOfItem {
  const ofDomain = factsIn(wanted.domains, isMeant);
  const others = new Map<string, (subject: string) => ReturnType<FactsOfItem>>();
  for (const {kind, said} of sections) if (said !== undefined) others.set(kind, said(wanted, host));
  return (item) => others.get(item.kind)?.(item.subject) ?? ofDomain(item);
}
