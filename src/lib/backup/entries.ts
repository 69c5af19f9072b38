/** The entries of a list, and how they differ between two times. */
import {parseExact} from '../json/exact.js';
import {itemsAt} from '../json/path.js';
import {membersOf, type Members} from '../api/schema.js';
import {endTolerance, type Kind} from '../policy/index.js';

interface Entry {
  /** The text that is compared. */
  readonly value: string;
  /** When it ends, in milliseconds since 1970. */
  readonly end?: number | undefined;
  /** Whether it may come back under another id, as a filter does after a restore. */
  readonly mayMove?: true;
}

/** The entries of a list by their ids or domains, or else by their text. */
export type Entries = ReadonlyMap<string, Entry>;

/** A filter without its ids and its end: a restore gives it other ids, and counts its time from then. */
function filterEntry({title, context, filter_action: action, keywords, expires_at: ends}: Members): Entry {
  const words = itemsOf(keywords).map((one) => {
    const {keyword, whole_word: wholeWord} = membersOf(one);
    return JSON.stringify([String(keyword).trim(), wholeWord]);
  });
  const value = JSON.stringify([String(title).trim(), itemsOf(context).map(String).sort(), action, words.sort()]);
  return {value, end: typeof ends === 'string' ? Date.parse(ends) : undefined, mayMove: true};
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** @param list as the server sent it: valid JSON */
export function listEntries(list: string, {key, section: {noun}}: Kind): Entries {
  const name = noun === 'domain' ? 'domain' : 'id';
  const entries = new Map<string, Entry>();
  for (const item of itemsAt(parseExact(list), []) ?? []) {
    if (typeof item === 'string') {
      entries.set(item, {value: ''});
      continue;
    }
    const text = JSON.stringify(item);
    const members = membersOf(item);
    const {[name]: named, acct} = members;
    const isNamed = typeof named === 'string' || Number.isSafeInteger(named);
    // Of an account, only the name counts: its numbers of posts and followers change by themselves.
    const entry = key === 'filters' ? filterEntry(members) : {value: typeof acct === 'string' ? acct : text};
    entries.set(isNamed ? String(named) : text, entry);
  }
  return entries;
}

function areSame(one: Entry, other: Entry | undefined): boolean {
  if (one.value !== other?.value) return false;
  return one.end === other.end || Math.abs((one.end ?? 0) - (other.end ?? 0)) <= endTolerance * 1000;
}

interface ListDifference {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
  /** How many entries there were before. */
  readonly before: number;
}

export function differenceOf(before: Entries, now: Entries): ListDifference {
  const left = new Map(now);
  const others = [...before].filter(([key, entry]) => !areSame(entry, left.get(key)) || !left.delete(key));
  const unlike = others.filter(([, entry]) => {
    const moved = entry.mayMove && [...left].find(([, one]) => areSame(entry, one));
    return moved === undefined || !left.delete(moved[0]);
  });
  const changed = unlike.filter(([key]) => left.delete(key)).length;
  return {added: left.size, removed: unlike.length - changed, changed, before: before.size};
}

export const isUnchanged = ({added, removed, changed}: ListDifference): boolean => added + removed + changed === 0;

/** How many entries a list may lose at once without a warning. */
const mayLose = 20;

/** The part of a list that may go at once without a warning. */
const mayLosePart = 1 / 5;

/** Whether more entries are gone at once than a person would remove by hand. */
export function isLoss({removed, before}: ListDifference): boolean {
  return removed > 0 && (removed === before || (removed > mayLose && removed >= before * mayLosePart));
}
