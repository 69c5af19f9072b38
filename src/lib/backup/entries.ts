/** The entries of a list, and how they differ between two times. */
import {itemTexts, kindOf, stringOf} from '../json/slices.js';
import {membersOf} from '../api/schema.js';
import type {HoldingSection} from '../policy/index.js';

/** What is compared of each entry, by what tells it from the others. */
export type Entries = ReadonlyMap<string, string>;

/** @param list as the server sent it: valid JSON */
export function listEntries(list: string, {ofDomains}: HoldingSection): Entries {
  const name = ofDomains === undefined ? 'id' : 'domain';
  const entries = new Map<string, string>();
  for (const text of itemTexts(list)) {
    if (kindOf(text) === 'string') {
      entries.set(stringOf(text), '');
      continue;
    }
    const {[name]: key, acct} = membersOf(JSON.parse(text));
    const isKey = typeof key === 'string' || Number.isSafeInteger(key);
    // Of an account, the numbers of posts and followers are no part of the list.
    entries.set(isKey ? String(key) : text, typeof acct === 'string' ? acct : text);
  }
  return entries;
}

export interface ListDifference {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** As many as there were. */
  readonly before: number;
}

export function differenceOf(before: Entries, now: Entries): ListDifference {
  let [removed, changed] = [0, 0];
  for (const [key, value] of before) {
    const found = now.get(key);
    if (found === undefined) removed += 1;
    else if (found !== value) changed += 1;
  }
  return {added: now.size - (before.size - removed), removed, changed, before: before.size};
}

export const isUnchanged = ({added, removed, changed}: ListDifference): boolean => added + removed + changed === 0;

/** Entries that a list may lose at once. */
const mayLose = 20;

/** The part of a list that may go at once. */
const mayLosePart = 1 / 5;

/** Whether more went at once than a person removes. */
export function isLoss({removed, before}: ListDifference): boolean {
  return removed > 0 && (removed === before || (removed > mayLose && removed >= before * mayLosePart));
}
