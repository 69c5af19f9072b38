/** Changes of filters, by difference: a filter is never deleted and made again. */
import type {FilterAddition, FilterChange, FilterRemoval, FilterUpdate, Reason} from './change.js';
import type {FilterDepartures} from './filter-difference.js';
import type {WantedFilter} from './policy.js';
import type {FilterState, KeywordState} from './state.js';
import {expiryText} from './time.js';

interface Grounds {
  readonly reason: Reason;
  readonly because: string;
}

function known({id, keyword, wholeWord}: KeywordState): {id: number; keyword: string; whole_word: boolean} {
  return {id, keyword, whole_word: wholeWord};
}

function named({keyword, wholeWord}: {readonly keyword: string; readonly wholeWord: boolean}): {keyword: string; whole_word: boolean} {
  return {keyword, whole_word: wholeWord};
}

export function filterAddition({title, context, action, expires, keywords}: WantedFilter, grounds: Grounds): FilterAddition {
  const details = {
    context: [...context],
    ...(action !== undefined && {filter_action: action}),
    ...(expires && {expires: expiryText(expires)}),
    keywords: keywords.map(named),
  };
  return {action: 'add', kind: 'filter', subject: title, details, ...grounds};
}

export function filterRemoval({id, title}: FilterState, grounds: Grounds): FilterRemoval {
  return {action: 'remove', kind: 'filter', subject: title, details: {id}, ...grounds};
}

export function filterUpdate(wanted: WantedFilter, actual: FilterState, departures: FilterDepartures, grounds: Grounds): FilterUpdate {
  const {missing, surplus, wholeWord} = departures;
  const touched = new Set([...surplus, ...wholeWord].map(({id}) => id));
  const unchanged = actual.keywords.find(({id}) => !touched.has(id))?.id;
  const details = {
    id: actual.id,
    ...(departures.title && {title: wanted.title}),
    ...(departures.context && {context: [...wanted.context]}),
    ...(departures.action && wanted.action !== undefined && {filter_action: wanted.action}),
    ...(departures.expires && wanted.expires && {expires: expiryText(wanted.expires)}),
    add: missing.map(named),
    remove: surplus.map(known),
    change: wholeWord.map(known),
    ...(unchanged !== undefined && {unchanged}),
  };
  return {action: 'update', kind: 'filter', subject: wanted.title, details, ...grounds};
}

/** Servers refuse an update that names no keyword, and a filter without any has none to name. */
export function canBeSent({details: {add, remove, change, unchanged}}: FilterUpdate): boolean {
  return add.length + remove.length + change.length > 0 || unchanged !== undefined;
}

/**
 * The order in which servers take them: they want a keyword in one filter only, so what gives keywords up goes first.
 * An update that gives up a keyword which another one adds becomes two.
 */
export function orderedFilterChanges(changes: readonly FilterChange[]): FilterChange[] {
  const updates = changes.filter((change) => change.action === 'update');
  const takers = new Map(updates.flatMap(({details}) => details.add.map(({keyword}) => [keyword, details.id])));
  const isContested = (keyword: string, id: string) => takers.has(keyword) && takers.get(keyword) !== id;
  const releases: FilterUpdate[] = [];
  const rest: FilterUpdate[] = [];
  for (const update of updates) {
    const {details} = update;
    if (!details.remove.some(({keyword}) => isContested(keyword, details.id))) {
      rest.push(update);
      continue;
    }
    releases.push({...update, details: {...details, add: []}});
    if (details.add.length > 0) rest.push({...update, details: {id: details.id, add: details.add, remove: [], change: []}});
  }
  return [...changes.filter(({action}) => action === 'remove'), ...releases, ...rest, ...changes.filter(({action}) => action === 'add')];
}
