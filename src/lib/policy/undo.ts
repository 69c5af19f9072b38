/** Takes the last apply back: from how things were before it, and how they are now. */
import type {Change, DomainBlockChange, FilterChange} from './change.js';
import {canBeSent, filterAddition, filterRemoval, filterUpdate, orderedFilterChanges} from './filter-changes.js';
import {departuresOf, hasDepartures} from './filter-difference.js';
import type {SavedApply} from './ownership.js';
import type {WantedFilter} from './policy.js';
import {liveFilters, readPart, type FilterState, type Part, type PartName, type State} from './state.js';

export interface Undo {
  readonly changes: readonly Change[];
  /** What cannot come back, and why. */
  readonly lost: readonly {readonly subject: string; readonly why: string}[];
}

const grounds = {reason: 'undo', because: 'as it was before the last apply'} as const;

/** The parts of the state that an undo has to look at. */
export function undoneParts({domainBlocks, filters}: SavedApply): ReadonlySet<PartName> {
  return new Set([...(domainBlocks.length > 0 ? (['domain_blocks'] as const) : []), ...(filters.length > 0 ? (['filters'] as const) : [])]);
}

/** @throws Failure when a part that it has to look at could not be read */
export function makeUndo(apply: SavedApply, state: State, now: Date): Undo {
  const lost: {subject: string; why: string}[] = [];
  const domains = apply.domainBlocks.length > 0 ? undoneDomains(apply, needed(state.domainBlocks), lost) : [];
  const filters = apply.filters.length > 0 ? undoneFilters(apply, liveFilters(needed(state.filters), now), now, lost) : [];
  if (apply.pushWasOn) lost.push({subject: 'push', why: 'turning push off made the server forget the device; the app sets it up again'});
  return {changes: [...domains, ...orderedFilterChanges(filters)], lost};
}

function needed<Value>(part: Part<Value> | undefined): Value {
  if (part === undefined) throw new Error('A part of the state that an undo needs was not read');
  return readPart(part);
}

function undoneDomains(
  {domainBlocks}: SavedApply,
  blocked: ReadonlyMap<string, string>,
  lost: {subject: string; why: string}[],
): DomainBlockChange[] {
  return domainBlocks
    .filter(({domain, wasBlocked}) => blocked.has(domain) !== wasBlocked)
    .map(({domain, wasBlocked}): DomainBlockChange => {
      if (wasBlocked) return {action: 'add', kind: 'domain_block', subject: domain, details: {}, ...grounds};
      lost.push({
        subject: domain,
        why: 'followers there, and those followed there, were dropped when it was blocked, and do not come back',
      });
      const stored = blocked.get(domain);
      return {
        action: 'remove',
        kind: 'domain_block',
        subject: domain,
        details: stored === undefined || stored === domain ? {} : {stored},
        ...grounds,
      };
    })
    .sort((one, other) => (one.action === other.action ? 0 : one.action === 'remove' ? -1 : 1));
}

/** A filter as a wish for exactly itself. */
function wishFor({id, title, context, action, keywords, expiresAt}: FilterState): WantedFilter {
  const expires = expiresAt === null ? ({kind: 'never'} as const) : ({kind: 'date', at: new Date(expiresAt)} as const);
  return {place: {file: '', line: 0}, id, title, context, action, keywords, exactly: true, expires};
}

function undoneFilters(
  {filters}: SavedApply,
  live: readonly FilterState[],
  now: Date,
  lost: {subject: string; why: string}[],
): FilterChange[] {
  const made = new Set(filters.filter(({was}) => was === null).flatMap(({id}) => id ?? []));
  const changes: FilterChange[] = [];
  for (const {id, title, was} of filters) {
    if (was === null) {
      const current = live.find((filter) => filter.id === id);
      if (current) changes.push(filterRemoval(current, grounds));
      else if (id === null && live.some((filter) => filter.title === title))
        lost.push({subject: title, why: 'it is not known which filter of this title the apply made; it stays'});
      continue;
    }
    if (was.expiresAt !== null && Date.parse(was.expiresAt) <= now.getTime()) {
      lost.push({subject: title, why: 'it would have ended by now'});
      continue;
    }
    const wish = wishFor(was);
    // One that an earlier, broken-off undo made again has another id.
    const current = live.find((filter) => filter.id === id) ?? live.find((filter) => filter.title === was.title && !made.has(filter.id));
    if (current === undefined) {
      changes.push(filterAddition(wish, grounds));
      lost.push({subject: title, why: `it comes back under another id than ${was.id}`});
      continue;
    }
    const departures = departuresOf(wish, current, now);
    const update = filterUpdate(wish, current, departures, grounds);
    if (hasDepartures(departures) && canBeSent(update)) changes.push(update);
  }
  return changes;
}
