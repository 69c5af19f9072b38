/** Which ids of a conversation were read without a gap. */
import {compareIds} from '../json/compare-ids.js';

/** Messages from one id to another, both among them; null: from the beginning. */
export interface Range {
  readonly from: string | null;
  readonly to: string;
}

/** Where a page ends. */
interface Edge {
  readonly id: string;
  /** Whether the message of this id is on the page, if there is one. */
  readonly isWithin: boolean;
}

/** The ids that a page answers for: what it does not show of them, the server does not have. */
export interface Interval {
  /** Null: from the beginning. */
  readonly from: Edge | null;
  readonly to: Edge;
  /** Whether the server had no newer message: then it answers for all that is above, too. */
  readonly toEnd?: true | undefined;
}

/** Messages between two ids that were read; null: from the beginning, or to the end. */
export interface Gap {
  readonly after: string | null;
  readonly before: string | null;
}

/** Lower than any id of a message: up to here, a conversation without messages is read. */
export const lowestId = '0';

export function isIn({from, to, toEnd}: Interval, id: string): boolean {
  const [above, below] = [from === null ? 1 : compareIds(id, from.id), toEnd === true ? 1 : compareIds(to.id, id)];
  return (above > 0 || (above === 0 && from?.isWithin === true)) && (below > 0 || (below === 0 && to.isWithin));
}

/** Adds a page to those before it: pages that follow each other, up or down, are one interval. */
export function addInterval(intervals: Interval[], next: Interval): void {
  const last = intervals.at(-1);
  const meets = (low: Edge | null | undefined, high: Edge | undefined) =>
    low !== null && low !== undefined && low.id === high?.id && low.isWithin !== high.isWithin;
  if (last !== undefined && meets(next.from, last.to)) intervals[intervals.length - 1] = {...next, from: last.from};
  else if (last !== undefined && meets(last.from, next.to)) intervals[intervals.length - 1] = {...last, from: next.from};
  else intervals.push(next);
}

const lower = (one: string | null, other: string | null): string | null =>
  one === null || other === null ? null : compareIds(one, other) <= 0 ? one : other;

const isAbove = (id: string | null, other: string): boolean => id !== null && compareIds(id, other) > 0;

/** Ranges, from the lowest to the highest, with what a page adds. A page begins where a range ends, or overlaps it. */
export function joinedRanges(ranges: readonly Range[], {from: low, to: high, toEnd}: Interval): Range[] {
  let [from, to] = [low?.id ?? null, high.id];
  const apart: Range[] = [];
  for (const range of ranges) {
    if (isAbove(from, range.to) || (toEnd !== true && isAbove(range.from, to))) apart.push(range);
    else {
      from = lower(from, range.from);
      if (compareIds(range.to, to) > 0) to = range.to;
    }
  }
  return [...apart, {from, to}].toSorted((one, other) => compareIds(one.to, other.to));
}

/** What was not read, from the oldest messages to the newest. @param newest whether the last run reached the newest message */
export function gapsOf(ranges: readonly Range[], newest: boolean): Gap[] {
  const gaps: Gap[] = [];
  let after: string | null = null;
  for (const {from, to} of ranges) {
    if (from !== null) gaps.push({after, before: from});
    after = to === lowestId ? null : to;
  }
  return newest && ranges.length > 0 ? gaps : [...gaps, {after, before: null}];
}
