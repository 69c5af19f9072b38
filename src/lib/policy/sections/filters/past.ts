/** How filters were before an apply: what is left to do of an interrupted one, and the undo. */
import type {FilterChange, FilterUpdate} from './changes.js';
import type {MadeAgain, Undo} from '../../section/section.js';
import {undone} from '../../model/change.js';
import {canBeSent, deltaOf, filterAddition, filterRemoval, updateOfFilter, isDifferent, orderedFilterChanges, wantedLike} from './delta.js';
import type {Touched} from '../../model/items.js';
import {compareText} from '../../source/location.js';
import {type FilterState, liveFilters, type State, valueOf} from '../../model/server-state.js';

type Content = Pick<FilterState, 'action' | 'context' | 'keywords' | 'title'>;

/** A filter after an update, without its expiry. */
export function updated(filter: Content, {title, context, filter_action: action, add, remove, change}: FilterUpdate['details']): Content {
  const gone = new Set(remove.map(({id}) => id));
  const changed = new Map(change.map((one) => [one.id, one.whole_word]));
  const kept = filter.keywords.filter(({id}) => !gone.has(id)).map((one) => ({...one, wholeWord: changed.get(one.id) ?? one.wholeWord}));
  return {
    title: title ?? filter.title,
    context: context ?? filter.context,
    action: action ?? filter.action,
    keywords: [...kept, ...add.map(({keyword, whole_word: wholeWord}) => ({id: 0, keyword, wholeWord}))],
  };
}

function contentText({title, context, action, keywords}: Content): string {
  const words = keywords.map(({keyword, wholeWord}) => `${keyword} ${wholeWord}`).sort(compareText);
  return JSON.stringify([title.trim(), context.toSorted(compareText), action, words]);
}

/** How a filter should be after changes; undefined when they neither made nor updated it. */
function outcome(id: string | undefined, was: FilterState | null, done: readonly FilterChange[], found: FilterState): Content | undefined {
  const updates = done.flatMap((one) => (one.action === 'update' && one.details.id === id ? [one.details] : []));
  if (was) return updates.length === 0 ? undefined : updates.reduce<Content>(updated, was);
  const made = done.find((one) => one.action === 'add' && one.subject === found.title.trim());
  if (made?.action !== 'add') return undefined;
  const {context, filter_action: action = found.action, keywords} = made.details;
  return {
    title: made.subject,
    context,
    action,
    keywords: keywords.map(({keyword, whole_word: wholeWord}) => ({id: 0, keyword, wholeWord})),
  };
}

/** The filters before these changes of an apply; what differs from what they made stays different. */
export function filtersBefore(touched: Touched<FilterState>, done: readonly FilterChange[], state: State): Partial<State> {
  const before = new Map((valueOf(state.filters) ?? []).map((filter) => [filter.id, filter]));
  for (const {id, was} of touched) {
    const found = before.get(id ?? '');
    if (found === undefined) {
      if (was) before.set(was.id, was);
      continue;
    }
    const expected = outcome(id, was, done, found);
    if (expected === undefined || contentText(expected) !== contentText(found)) continue;
    if (was) before.set(was.id, was);
    else before.delete(found.id);
  }
  return {filters: state.filters && {value: [...before.values()]}};
}

function isUpdated(
  {title, context, filter_action, expires, add, remove, change}: FilterUpdate['details'],
  now: FilterState,
  was: FilterState | null | undefined,
): boolean {
  const byId = new Map(now.keywords.map((one) => [one.id, one]));
  const texts = new Set(now.keywords.map(({keyword}) => keyword));
  return (
    (title === undefined || title === now.title) &&
    (context === undefined || (now.context.length === context.length && context.every((one) => now.context.includes(one)))) &&
    (filter_action === undefined || filter_action === now.action) &&
    (expires === undefined || now.expiresAt !== was?.expiresAt) &&
    remove.every((one) => !byId.has(one.id)) &&
    add.every(({keyword}) => texts.has(keyword)) &&
    change.every((one) => byId.get(one.id)?.wholeWord === one.whole_word)
  );
}

export function isFilterChangeDone(change: FilterChange, touched: Touched<FilterState>, state: State): boolean {
  if (change.action === 'add') return touched.some(({id, subject, was}) => was === null && id !== undefined && subject === change.subject);
  const current = valueOf(state.filters)?.find(({id}) => id === change.details.id);
  if (change.action === 'remove') return current === undefined;
  const was = touched.find(({id}) => id === change.details.id)?.was;
  return current !== undefined && isUpdated(change.details, current, was);
}

export function undoneFilters(touched: Touched<FilterState>, state: State, now: Date): Undo {
  const live = liveFilters(valueOf(state.filters) ?? [], now);
  const known = new Set(touched.flatMap(({id}) => id ?? []));
  const changes: FilterChange[] = [];
  const again: MadeAgain[] = [];
  const lost: {subject: string; why: string}[] = [];
  for (const {id, subject: title, was} of touched) {
    if (was === null) {
      const current = live.find((filter) => filter.id === id);
      if (current) changes.push(filterRemoval(current, undone));
      else if (id === undefined && live.some((filter) => filter.title === title))
        lost.push({subject: title, why: 'kept: several filters have this title, and it is unknown which one apply made'});
      continue;
    }
    if (was.expiresAt !== null && Date.parse(was.expiresAt) <= now.getTime()) {
      lost.push({subject: title, why: 'not restored, because the time to expire has passed'});
      continue;
    }
    const wanted = wantedLike(was);
    const current = live.find((filter) => filter.id === id);
    if (current === undefined) {
      // One that an interrupted undo made, and could not record, is exactly as it was before.
      const found = live.find((filter) => !known.has(filter.id) && !isDifferent(deltaOf(wanted, filter, now)));
      if (found !== undefined) {
        known.add(found.id);
        if (id !== undefined) again.push({kind: 'filter', hadId: id, as: found.id});
        continue;
      }
      const addition = filterAddition(wanted, undone);
      changes.push(addition);
      if (id !== undefined) again.push({kind: 'filter', hadId: id, as: addition});
      lost.push({subject: title, why: 'restored with a new id'});
      continue;
    }
    const delta = deltaOf(wanted, current, now);
    const update = updateOfFilter(wanted, current, delta, undone);
    if (isDifferent(delta) && canBeSent(update)) changes.push(update);
  }
  return {changes: orderedFilterChanges(changes), lost, again};
}
