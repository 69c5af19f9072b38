/** Copies from one account to another: what to add, and what cannot be copied. */
import {isDomain} from '../operations/domains.js';
import type {Change} from './model/change.js';
import {domainBlockChange} from './sections/domain-blocks.js';
import {deltaOf, filterAddition, isDifferent, wantedLike} from './sections/filters/delta.js';
import {liveFilters, fetchedValue, type State} from './model/server-state.js';

export interface Copy {
  readonly changes: readonly Change[];
  /** What cannot be copied, and why. */
  readonly left: readonly {readonly subject: string; readonly why: string}[];
}

function groundsOf({host}: State) {
  return {reason: 'must', because: `as on ${host}`} as const;
}

/** @throws Failure when a side could not be read */
export function copyDomainBlocks(from: State, to: State): Copy {
  const there = to.domain_blocks && fetchedValue(to.domain_blocks);
  const changes: Change[] = [];
  const left: {subject: string; why: string}[] = [];
  for (const domain of from.domain_blocks ? fetchedValue(from.domain_blocks).keys() : []) {
    if (there?.has(domain)) continue;
    if (domain === to.host) left.push({subject: domain, why: 'it is the other server itself'});
    else if (!isDomain(domain)) left.push({subject: domain, why: 'it is not a valid domain'});
    else changes.push(domainBlockChange('add', {domain}, groundsOf(from)));
  }
  return {changes, left};
}

/**
 * Existing filters are not changed, even if they differ from the one with the same title.
 * @throws Failure when a side could not be read
 */
export function copyFilters(from: State, to: State, now: Date): Copy {
  const there = new Map(liveFilters(to.filters ? fetchedValue(to.filters) : [], now).map((filter) => [filter.title.trim(), filter]));
  const changes = new Map<string, Change>();
  const left: {subject: string; why: string}[] = [];
  for (const filter of liveFilters(from.filters ? fetchedValue(from.filters) : [], now)) {
    const wanted = wantedLike(filter);
    const other = there.get(wanted.title);
    if (other) {
      if (isDifferent(deltaOf(wanted, other, now))) left.push({subject: wanted.title, why: 'another filter with this title exists'});
    } else if (changes.has(wanted.title))
      left.push({subject: wanted.title, why: 'several filters have this title; only the first one is copied'});
    else if (wanted.keywords.length === 0)
      left.push({subject: wanted.title, why: 'it has no keywords, and servers do not create filters without any'});
    else changes.set(wanted.title, filterAddition(wanted, groundsOf(from)));
  }
  return {changes: [...changes.values()], left};
}
