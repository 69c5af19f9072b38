/** Compares any two of a server, a policy and a list. */
import type {Kind} from './model/difference.js';
import type {List} from './lists/list.js';
import {compareText} from './source/location.js';
import {type HoldingSection, holding} from './sections/index.js';
import type {Side} from './section/section.js';
import type {SectionKey} from './model/section-types.js';
import type {State} from './model/server-state.js';
import type {Wanted} from './lists/wanted.js';

/** One side of a comparison: the sections that it has rules for. */
export type Moderation = ReadonlyMap<SectionKey, Side>;

interface SideDifference {
  readonly kind: Kind;
  readonly subject: string;
  /** What the first side has; null: nothing. */
  readonly left: string | null;
  readonly right: string | null;
}

function moderation(sideOf: (section: HoldingSection) => Side | undefined): Moderation {
  return new Map(
    holding.flatMap((section) => {
      const side = sideOf(section);
      return side === undefined ? [] : [[section.key, side] as const];
    }),
  );
}

/** @throws Failure when a part could not be read */
export function moderationOfState(state: State, now: Date): Moderation {
  return moderation((section) => section.holding.ofState(state, now));
}

/** @param host of the accounts that are written without one */
export function moderationOfPolicy(wanted: Wanted, host: string): Moderation {
  return moderation((section) => section.holding.ofPolicy(wanted, host));
}

/** The sections that a list is about. */
export function partsOfList(list: List): ReadonlySet<SectionKey> {
  return new Set(moderationOfList({...list, entries: []}, '').keys());
}

/** @param host of the accounts that are written without one */
export function moderationOfList(list: List, host: string): Moderation {
  return moderation((section) => section.holding.ofList(list, host));
}

/** Compares the sections that both sides have. */
export function diff(left: Moderation, right: Moderation): SideDifference[] {
  return holding.flatMap((section) => sideDifferences(section, left.get(section.key), right.get(section.key)));
}

function sideDifferences({kind, holding: own}: HoldingSection, left: Side | undefined, right: Side | undefined): SideDifference[] {
  if (!left || !right) return [];
  const isSame = (subject: string) => left.has(subject) && right.has(subject) && own.areSame(left.get(subject), right.get(subject));
  const text = (side: Side, subject: string) => (side.has(subject) ? own.sideText(side.get(subject)) : null);
  const different: string[] = [];
  for (const subject of left.keys()) if (!isSame(subject)) different.push(subject);
  for (const subject of right.keys()) if (!left.has(subject)) different.push(subject);
  return different.sort(compareText).map((subject) => ({kind, subject, left: text(left, subject), right: text(right, subject)}));
}
