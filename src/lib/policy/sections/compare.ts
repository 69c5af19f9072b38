/** Compares a policy with what an account has: once, into one list of differences. */
import {keepParsingFlat} from '../../files/memory.js';
import {type Circumstances, type Comparison, type Difference, type Kind, type Skipped, unread} from '../model/difference.js';
import {inOrderOfFiles} from '../source/location.js';
import {sections} from './index.js';
import type {State} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';

export interface MatchedComparison extends Comparison {
  /** Ids of the items that rules are about, by kinds. */
  readonly matchedBy: ReadonlyMap<Kind, ReadonlySet<string>>;
}

/** Characters of a difference in a report, about: those of many accounts are in memory while reports and plans are written. */
const charactersOfOne = 200;

/** @throws Failure `usage` when filters have the same title and no id */
export function compare(wanted: Wanted, state: State, circumstances: Circumstances): MatchedComparison {
  let differences: readonly Difference[] = [];
  let skipped: readonly Skipped[] = [];
  const matchedBy = new Map<Kind, ReadonlySet<string>>();
  for (const section of sections) {
    if (!section.asks(wanted.policy)) continue;
    const {key, kind} = section;
    const part = state[key];
    // A part that was not read must not pass for an empty one.
    if (part === undefined) throw new Error(`What the server has of ${kind} was not read`);
    if ('failure' in part) {
      skipped = [...skipped, unread(kind, part.failure)];
      continue;
    }
    const found = section.compare(wanted, state, circumstances);
    differences = differences.concat(found.differences);
    skipped = skipped.concat(found.skipped);
    if (found.matched !== undefined) matchedBy.set(kind, found.matched);
  }
  keepParsingFlat(differences.length * charactersOfOne);
  return {differences: inOrderOfFiles(differences), skipped, matchedBy};
}
