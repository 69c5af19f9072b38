/** Which ids of a conversation were read without a gap. */
import {compareIds} from '../json/path.js';

/** Ids between which all messages were read, both included; null means from the beginning. What was not shown there does not exist. */
export interface Range {
  readonly from: string | null;
  readonly to: string;
}

/** The range in which a page leaves no message out. */
export interface Interval extends Range {
  /** Whether the server had no newer message: then nothing is left out above the range, either. */
  readonly toEnd?: true | undefined;
}

/** Messages that were not read, between two that were; null means from the beginning, or to the end. */
export interface Gap {
  readonly after: string | null;
  readonly before: string | null;
}

/** Lower than the id of any message: the range of a conversation without messages ends here. */
export const lowestId = '0';

const isAbove = (id: string | null, other: string): boolean => id !== null && compareIds(id, other) > 0;

export const isIn = ({from, to}: Range, id: string): boolean => !isAbove(from, id) && !isAbove(id, to);

/** Adds the range of a page, and joins ranges that overlap or share an id. The lowest range comes first. */
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

/** The gaps between ranges, the oldest first. @param newest whether the last run reached the newest message */
export function gapsOf(ranges: readonly Range[], newest: boolean): Gap[] {
  const gaps: Gap[] = [];
  let after: string | null = null;
  for (const {from, to} of ranges) {
    if (from !== null) gaps.push({after, before: from});
    after = to === lowestId ? null : to;
  }
  return newest && ranges.length > 0 ? gaps : [...gaps, {after, before: null}];
}
