/** Which ids of a conversation were read without a gap. */
import {compareIds} from '../json/compare-ids.js';

/** Messages from one id to another, both among them; null: from the beginning. What the server does not show of them, it does not have. */
export interface Range {
  readonly from: string | null;
  readonly to: string;
}

/** What a page answers for. */
export interface Interval extends Range {
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

const isAbove = (id: string | null, other: string): boolean => id !== null && compareIds(id, other) > 0;

export const isIn = ({from, to}: Range, id: string): boolean => !isAbove(from, id) && !isAbove(id, to);

/** Ranges, from the lowest to the highest, with what a page adds. A page begins where a range ends, or overlaps it. */
export function joinedRanges(ranges: readonly Range[], {from: low, to: high, toEnd}: Interval): Range[] {
  let [from, to] = [low, high];
  const apart: Range[] = [];
  for (const range of ranges) {
    if (isAbove(from, range.to) || (toEnd !== true && isAbove(range.from, to))) apart.push(range);
    else {
      if (range.from === null || isAbove(from, range.from)) ({from} = range);
      if (isAbove(range.to, to)) ({to} = range);
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
