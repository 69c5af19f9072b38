/** What people are told of several accounts, in sentences: what holds for several of them once, with their names. */
import {AccountSet, whoText} from './plan-text.js';
import {firstOf} from '../../json/text.js';
import type {Named} from '../../operations/handle.js';
import type {Skipped} from '../model/difference.js';
import {itemName, shownSubject} from '../sections/index.js';

/** How many names a warning lists. */
const maxNamed = 3;

/** The first names, those with commas in quotes. */
export function ofMany(all: readonly string[]): string {
  return firstOf(
    all.map((name) => (name.includes(',') ? JSON.stringify(name) : name)),
    maxNamed,
  );
}

/** Of which accounts something is told, by their indexes. */
interface Told<Item> {
  readonly first: Item;
  readonly subjects: readonly string[];
  readonly indexes: readonly number[];
}

/**
 * What several accounts have once; of what the same accounts have, all that is alike together. There may be very much of it.
 * @param lists those of each account
 * @param alike the same for items that are told together, and differ by their subjects
 */
function together<Item extends {readonly subject?: string | undefined}>(
  lists: readonly (readonly Item[])[],
  alike: (item: Item) => string,
): Iterable<Told<Item>> {
  const none = new AccountSet();
  const owners = new Map<string, Map<string | undefined, AccountSet | undefined>>();
  for (const [index, items] of lists.entries())
    for (const item of items) {
      const key = alike(item);
      const bySubject = owners.get(key) ?? new Map<string | undefined, AccountSet | undefined>();
      owners.set(key, bySubject);
      bySubject.set(item.subject, (bySubject.get(item.subject) ?? none).with(index));
    }
  const groups = new Map<string, Told<Item> & {readonly subjects: string[]}>();
  for (const item of lists.flat()) {
    const key = alike(item);
    const bySubject = owners.get(key);
    const indexes = bySubject?.get(item.subject)?.indexes;
    if (indexes === undefined) continue;
    // Those that have it are known: it is told once.
    bySubject?.set(item.subject, undefined);
    const name = JSON.stringify([key, indexes]);
    const group = groups.get(name) ?? {first: item, subjects: [], indexes};
    groups.set(name, group);
    if (item.subject !== undefined) group.subjects.push(item.subject);
  }
  return groups.values();
}

interface Remark {
  /** For people. */
  readonly subject?: string;
  readonly why: string;
}

/** What holds for many subjects or accounts, with the first names. One account is not named. */
export function* remarkTexts(accounts: readonly (Named & {readonly remarks: readonly Remark[]})[]): Generator<string> {
  const lists = accounts.map(({remarks}) => remarks);
  for (const {first, subjects: all, indexes} of together(lists, ({why}) => why)) {
    const who = indexes.length === 1 ? indexes.map((index) => accounts[index]?.account).join('') : whoText(indexes, accounts);
    const where = accounts.length > 1 ? `${who}: ` : '';
    const subjects = ofMany(all);
    yield `${where}${subjects === '' ? '' : `${subjects}: `}${first.why}`;
  }
}

const heldWords = {
  covered: 'Covered',
  ending: 'Ends soon',
  held: 'Held back',
  ineffective: 'Without effect',
  kept: 'Kept',
  unknown: 'Not checked',
} as const;

/** What was not compared or is held back, and why; what holds for many rules or accounts once. One account is not named. */
export function* skippedTexts(accounts: readonly (Named & {readonly skipped: readonly Skipped[]})[]): Generator<string> {
  const lists = accounts.map(({skipped}) => skipped);
  const groups = together(lists, ({kind, why, heldBy}) => JSON.stringify([kind, why, heldBy?.rule]));
  for (const {first, subjects: all, indexes} of groups) {
    const subjects = ofMany(all.map((subject) => shownSubject({kind: first.kind, subject})));
    const where = accounts.length === 1 ? '' : ` ${whoText(indexes, accounts)}`;
    const what = first.heldBy === undefined ? 'Not checked' : heldWords[first.heldBy.how ?? 'held'];
    yield `${what}${where}: ${itemName(first.kind, all.length)}${subjects === '' ? '' : ` ${subjects}`}: ${first.why}`;
  }
}
