/** Reads the lists of an account, and saves them in its backup. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import type {Client} from '../client/client.js';
import {mustRulesIn, policyText, readSections, writeSection, type Kind} from '../policy/index.js';
import {countNoun, withCommas} from '../json/text.js';
import {isUnchanged, differenceOf, listEntries, isLoss} from './entries.js';
import {damagedLists, DatedFolders, type DatedLists, isShrunk, listsFolder} from './dated.js';
import {jsonOf, keysOf, type Part, parts} from './parts.js';

/** How the backup of a list, or of the messages, ended. */
export interface ListRow {
  readonly list: string;
  /** How many items the server sent; null where the list could not be read. */
  readonly items: number | null;
  /** Its path in the backup; null for messages, and for a list that could not be read. */
  readonly folder: string | null;
  /** How many items are new since the latest lists; null where there was nothing to compare with. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly changed: number | null;
  /** Whether it lost more than a person removes at once. */
  readonly shrank: boolean;
  /** Entries that only the file with the server's JSON has, because no policy can express them. */
  readonly left_out: readonly string[];
  readonly failure: Failure | undefined;
}

/** A row in which no number is known. */
export const emptyRow = {
  items: null,
  folder: null,
  added: null,
  removed: null,
  changed: null,
  shrank: false,
  left_out: [],
  failure: undefined,
} satisfies Omit<ListRow, 'list'>;

interface FoundList {
  readonly items: number;
  readonly json: string;
  /** The list as it is written in a policy. */
  readonly rule: unknown;
  readonly leftOut: readonly string[];
}

/** The lists of a part as they were read, or why they could not be. */
export interface ReadLists {
  readonly part: Part;
  /** The origin of the server. */
  readonly server: string;
  readonly found: ReadonlyMap<string, FoundList | Failure>;
}

const linesOf = (items: readonly unknown[]): string =>
  items.length === 0 ? '[]\n' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;

export async function readLists(part: Part, client: Client, server: string, now: Date): Promise<ReadLists> {
  const items = new Map<string, readonly unknown[]>();
  const read = await readSections(client, keysOf(part), now, (key, listed) => items.set(key, listed));
  const found = new Map<string, FoundList | Failure>();
  for (const kind of part.sections) {
    const {key} = kind;
    const [actual, listed] = [read.get(key), items.get(key)];
    if (actual instanceof Failure) found.set(key, actual);
    else if (actual !== undefined && listed !== undefined) {
      const {value: rule, leftOut} = writeSection(kind, actual);
      found.set(key, {items: listed.length, json: linesOf(listed), rule, leftOut});
    }
  }
  return {part, server, found};
}

export interface SavedLists {
  readonly rows: readonly ListRow[];
  /** The folder that has these lists, in the backup. */
  readonly folder: string;
  readonly isNew: boolean;
  /** A text about each list that lost much; empty where none did, or they had lost it before. */
  readonly losses: readonly string[];
  /** Whether these lists lost much and nobody has accepted that: then they do not count as the latest. */
  readonly isShrunk: boolean;
  /** Lists that were copied from the latest ones, because they could not be read from the server. */
  readonly takenOver: readonly string[];
  /** The folder of lists whose loss this run has accepted, so that they count as the latest. */
  readonly accepted: string | undefined;
  /** The damage of earlier lists that these lists should be compared with. */
  readonly damage: Failure | undefined;
}

/**
 * Reads earlier lists, to compare with, and to copy where a list cannot be read.
 * @returns `newest`, undefined where it is damaged, so that a new folder is written; and `latest`, the newest that is neither damaged nor shrunk
 */
async function readKnown(dated: DatedFolders) {
  const newest = dated.names.at(-1);
  const whole = new Map<string, DatedLists>();
  let damage: Failure | undefined;
  let latest: DatedLists | undefined;
  for (const name of dated.names.toReversed()) {
    if (latest !== undefined) break;
    if (name !== newest && isShrunk(name)) continue;
    const found = await dated.read(name);
    if (found.damage.length > 0) damage ??= damagedLists(found);
    else whole.set(name, found);
    if (!isShrunk(name)) latest = whole.get(name);
  }
  return {newest: whole.get(newest ?? ''), latest, damage};
}

/**
 * Writes lists into a backup where they differ from the newest ones there. A list that could not be read is copied from the latest ones.
 * @throws Failure of the first list when none could be read: nothing is written; the system's error
 */
export async function saveLists(
  backup: string,
  read: readonly ReadLists[],
  {now, acceptsLoss}: {readonly now: Date; readonly acceptsLoss: boolean},
): Promise<SavedLists> {
  const dated = await DatedFolders.in(backup);
  const accepted = acceptsLoss ? await dated.accept() : undefined;
  const {newest, latest, damage} = await readKnown(dated);
  const {rows, losses, files} = compareLists(read, latest);
  const [first] = rows;
  if (first?.failure !== undefined && rows.every((one) => one.failure !== undefined)) throw first.failure;
  const isNew = newest === undefined || !isHeldBy(newest, files);
  const name = isNew ? await dated.write(files, {now, hasLost: losses.length > 0}) : newest.name;
  const folder = join(listsFolder, name);
  const takenOver = rows.flatMap(({list, failure}) => (failure !== undefined && files.has(jsonOf(list)) ? list : []));
  const placed = rows.map((row) => (row.failure === undefined ? {...row, folder} : row));
  return {rows: placed, folder, isNew, losses, isShrunk: isShrunk(name), takenOver, accepted, damage};
}

/** Compares lists with the latest ones. @returns a row for each, what was lost, and the files to write */
function compareLists(read: readonly ReadLists[], latest: DatedLists | undefined) {
  const rows: ListRow[] = [];
  const losses: string[] = [];
  const files = new Map(latest?.files);
  for (const {part, server, found} of read) {
    const rules = new Map<string, unknown>();
    for (const section of part.sections) {
      const {key: list} = section;
      const one = found.get(list);
      const rule = one === undefined || one instanceof Failure ? ruleIn(latest, section, part) : one.rule;
      if (rule !== undefined) rules.set(list, rule);
      if (one instanceof Failure) rows.push({list, ...emptyRow, failure: one});
      if (one === undefined || one instanceof Failure) continue;
      const had = files.get(jsonOf(list));
      const difference = had === undefined ? undefined : differenceOf(listEntries(had, section), listEntries(one.json, section));
      const shrank = difference !== undefined && isLoss(difference);
      if (shrank) losses.push(`${list} lost ${withCommas(difference.removed)} of ${countNoun(difference.before, 'entry', 'entries')}`);
      files.set(jsonOf(list), one.json);
      const {added = null, removed = null, changed = null} = difference ?? {};
      rows.push({list, ...emptyRow, items: one.items, added, removed, changed, shrank, left_out: one.leftOut});
    }
    const head = {version: 1, ...(part.isOfServer && {server})};
    if (rules.size > 0) files.set(part.policy, policyText(JSON.stringify({...head, ...Object.fromEntries(rules)})));
  }
  return {rows, losses, files};
}

function ruleIn(latest: DatedLists | undefined, {key}: Kind, part: Part): unknown {
  const text = latest?.files.get(part.policy);
  if (latest === undefined || text === undefined) return undefined;
  return mustRulesIn(text, join(latest.folder, part.policy), {keys: keysOf(part), hasServer: part.isOfServer})[key];
}

/** Whether a folder has the same lists. Counts of posts and followers do not matter, nor do ids of filters, because they change by themselves. */
function isHeldBy({files: there}: DatedLists, files: ReadonlyMap<string, string>): boolean {
  if (there.size !== files.size || [...files.keys()].some((file) => !there.has(file))) return false;
  return parts
    .flatMap(({sections}) => sections)
    .every((section) => {
      const [before, now] = [there, files].map((some) => listEntries(some.get(jsonOf(section.key)) ?? '[]', section));
      return before !== undefined && now !== undefined && isUnchanged(differenceOf(before, now));
    });
}
