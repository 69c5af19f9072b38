/**
 * What people did to what applies of the policy set. What they made stricter is theirs, until it is as the policy set it again; what they
 * made weaker or lifted is put back.
 */
import {type ByHand, type Doing, type People} from '../model/by-hand.js';
import type {Advice, Circumstances} from '../model/difference.js';
import {byKind, type Item, type MadeItem} from '../model/items.js';
import type {ItemKind} from '../model/section-types.js';
import {comparedName, inPlans} from '../sections/index.js';
import type {Made, Section} from '../section/section.js';
import type {State} from '../model/server-state.js';
import {itemKey} from '../state-file/ownership.js';
import type {OwnershipRecord} from '../state-file/record.js';
import type {Wanted} from '../lists/wanted.js';

interface Drift extends Omit<Doing, 'left'> {
  readonly item: MadeItem;
}

/** @param items as state files have them; what they do not say how it was set is not judged */
export function driftIn(items: readonly MadeItem[], state: State, now: Date): Drift[] {
  const itemsOf = byKind(items);
  return inPlans.flatMap((section) => {
    const {made} = section;
    const known = made === undefined ? [] : itemsOf(section.kind).filter((item) => item.made !== undefined);
    const found = known.length === 0 ? undefined : made?.now(state);
    if (made === undefined || found === undefined) return [];
    return known.flatMap((item) => driftOf(item, found(item), {section, made, state, now}) ?? []);
  });
}

interface Judging {
  readonly section: Section;
  readonly made: Made;
  readonly state: State;
  readonly now: Date;
}

function driftOf(item: MadeItem, found: unknown, {section: {kind, holding}, made, state, now}: Judging): Drift | undefined {
  const subject = holding?.known(item.subject, state) ?? item.subject;
  const since = item.at === undefined ? {} : {since: item.at};
  if (found === undefined) {
    if (made.hasEnded?.(item, now) === true) return undefined;
    // Another one of its name has another id.
    return {item, kind, subject, how: 'lifted', byHand: {set: made.text(item.made), found: null, ...since}};
  }
  const [isLess, isMore] = [made.isLess(item.made, found), made.isLess(found, item.made)];
  if (!isLess && !isMore) return undefined;
  const byHand: ByHand = {set: made.text(item.made, found), found: made.text(found, item.made), ...since};
  return {item, kind, subject, ...(holding?.hasIds === true && {id: item.id}), how: isLess ? 'weaker' : 'stricter', byHand};
}

/** `made stricter by hand (silence → suspend)` */
export const stricterText = ({byHand: {set, found}}: Pick<Doing, 'byHand'>): string => `made stricter by hand (${set} → ${found})`;

const leftText = (drift: Drift, {forget}: Pick<Advice, 'forget'>, policy: string): string | undefined =>
  drift.how === 'stricter' ? `${stricterText(drift)}; to leave it so: ${forget(drift.subject, policy)}` : undefined;

/** Without what is lifted and the policy does not ask for any more: if it asks again, that is its own doing. */
export function withoutUnasked(before: OwnershipRecord, wanted: Wanted, state: State, now: Date): OwnershipRecord {
  const {watched = []} = before;
  const lifted = new Set<MadeItem>(driftIn(watched, state, now).flatMap(({how, item}) => (how === 'lifted' ? item : [])));
  if (lifted.size === 0) return before;
  const only = wanted.part?.only;
  const isUnasked = new Map(
    inPlans.map(({key, kind, asks, named}): [ItemKind, (subject: string) => boolean] => {
      if (only?.includes(key) === false) return [kind, () => false];
      const formOf = (subject: string) => comparedName({kind, subject}, state.host);
      const names = new Set(asks(wanted.policy) ? Array.from(named(wanted), ({subject}) => formOf(subject)) : []);
      return [kind, (subject) => !names.has(formOf(subject))];
    }),
  );
  const left = watched.filter((item) => !lifted.has(item) || isUnasked.get(item.kind)?.(item.subject) !== true);
  return {...before, watched: left.length === 0 ? undefined : left};
}

/** What people did, and what of the policy's own is left to it. */
export function withPeople<About extends Circumstances>(
  {policy}: Pick<Wanted, 'policy'>,
  state: State,
  about: About,
): About & {readonly people: People; readonly owned: readonly MadeItem[]} {
  const {owned = [], watched = [], advice, now} = about;
  const drifts = driftIn([...owned, ...watched], state, now);
  const all = drifts.map((drift): Doing => {
    const {kind, subject, id, how, byHand} = drift;
    return {kind, subject, id, how, byHand, left: leftText(drift, advice, policy.file)};
  });
  const byKey = new Map(all.map((doing) => [itemKey(doing), doing]));
  const people = {all, did: (item: Item) => (byKey.size === 0 ? undefined : byKey.get(itemKey(item)))};
  const stricter = new Set(drifts.flatMap(({how, item}) => (how === 'stricter' ? item : [])));
  return {...about, people, owned: owned.filter((item) => !stricter.has(item))};
}
