/** Reads the lists of an account, and saves them in its backup. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import type {Client} from '../client/client.js';
import type {OwnAccount} from '../operations/accounts.js';
import {exportList, mustRulesIn, policyText, type ReadSections, readSections, type Kind} from '../policy/index.js';
import {countNoun, withCommas} from '../json/text.js';
import {isUnchanged, differenceOf, listEntries, isLoss} from './entries.js';
import {damagedLists, DatedFolders, type DatedLists, isShrunk, listsFolder} from './dated.js';
import {filesOf, jsonOf, keysOf, type Part, parts} from './parts.js';

/** What became of a list, or of the messages. */
export interface ListRow {
  readonly list: string;
  /** As many as the server sent; null where it could not be read. */
  readonly items: number | null;
  /** In the backup; null for messages, and for a list that could not be read. */
  readonly folder: string | null;
  readonly files: readonly string[];
  /** Since the latest lists; null where there was nothing to compare with. */
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
  files: [],
  added: null,
  removed: null,
  changed: null,
  shrank: false,
  left_out: [],
  failure: undefined,
} satisfies Omit<ListRow, 'list'>;

/** The lists of a part, as they were read. */
export interface ReadLists {
  readonly part: Part;
  /** The origin of the server. */
  readonly server: string;
  readonly read: ReadSections;
  /** The items as the server sent them. */
  readonly items: ReadonlyMap<string, readonly unknown[]>;
}

export async function readLists(part: Part, client: Client, server: string, now: Date, own?: OwnAccount): Promise<ReadLists> {
  const items = new Map<string, readonly unknown[]>();
  const place = {host: new URL(server).host, own, now};
  const read = await readSections(client, keysOf(part), place, (key, listed) => items.set(key, listed));
  return {part, server, read, items};
}

export interface SavedLists {
  readonly rows: readonly ListRow[];
  /** The folder that has these lists, in the backup. */
  readonly folder: string;
  readonly isNew: boolean;
  /** What lists lost; empty where that is not much, or was lost before. */
  readonly losses: readonly string[];
  /** Whether they had lost much, which nobody has accepted: they are not the latest ones then. */
  readonly isShrunk: boolean;
  /** Lists that were taken over, because they could not be read. */
  readonly takenOver: readonly string[];
  /** The folder of lists that shrank and are the latest ones now. */
  readonly accepted: string | undefined;
  /** Lists that were to be compared, and are damaged. */
  readonly damage: Failure | undefined;
}

/** Earlier lists, to compare with, and to take over where a list cannot be read. */
interface Known {
  /** Undefined where it is damaged: what is read then is written beside it. */
  readonly newest: DatedLists | undefined;
  /** The newest that is not shrunk and whole. */
  readonly latest: DatedLists | undefined;
  readonly damage: Failure | undefined;
}

async function readKnown(dated: DatedFolders): Promise<Known> {
  let damage: Failure | undefined;
  const names = dated.names.toReversed();
  let newest: DatedLists | undefined;
  for (const name of names) {
    if (name !== names[0] && isShrunk(name)) continue;
    const found = await dated.read(name);
    if (found.damage.length > 0) {
      damage ??= damagedLists(found);
      continue;
    }
    if (name === names[0]) newest = found;
    if (!isShrunk(name)) return {newest, latest: found, damage};
  }
  return {newest, latest: undefined, damage};
}

/**
 * Writes lists into a backup where they differ from the newest ones there. What could not be read is taken over from the latest ones.
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
  const {rows, losses, files} = contentOf(read, latest, now);
  const [first] = rows;
  if (first?.failure !== undefined && rows.every((one) => one.failure !== undefined)) throw first.failure;
  const isNew = newest === undefined || !isHeldBy(newest, files);
  const name = isNew ? await dated.write(files, {now, hasLost: losses.length > 0}) : newest.name;
  const folder = join(listsFolder, name);
  const placed = rows.map((row) =>
    row.failure === undefined ? {...row, folder, files: row.files.map((file) => join(folder, file))} : row,
  );
  const takenOver = rows.flatMap(({list, failure}) => (failure !== undefined && files.has(jsonOf(list)) ? list : []));
  return {rows: placed, folder, isNew, losses, isShrunk: isShrunk(name), takenOver, accepted, damage};
}

const linesOf = (items: readonly unknown[]): string =>
  items.length === 0 ? '[]\n' : `[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]\n`;

function contentOf(read: readonly ReadLists[], latest: DatedLists | undefined, now: Date) {
  const rows: ListRow[] = [];
  const losses: string[] = [];
  const files = new Map(latest?.files);
  for (const own of read) {
    const {part, server} = own;
    const rules = new Map<string, unknown>();
    for (const section of part.sections) {
      const {key: list} = section;
      const found = listIn(own, section, now);
      const rule = isRead(found) ? found.rule : ruleIn(latest, section, part);
      if (rule !== undefined) rules.set(list, rule);
      if (found instanceof Failure) rows.push({list, ...emptyRow, failure: found});
      if (!isRead(found)) continue;
      const {json, other} = filesOf(section);
      const had = files.get(json);
      const difference = had === undefined ? undefined : differenceOf(listEntries(had, section), listEntries(found.json, section));
      const shrank = difference !== undefined && isLoss(difference);
      if (shrank) losses.push(`${list} lost ${withCommas(difference.removed)} of ${countNoun(difference.before, 'entry', 'entries')}`);
      files.set(json, found.json);
      if (other && found.other !== undefined) files.set(other.file, found.other);
      const {added = null, removed = null, changed = null} = difference ?? {};
      const written = [json, ...(other ? [other.file] : []), part.policy];
      rows.push({list, ...emptyRow, items: found.items, files: written, added, removed, changed, shrank, left_out: found.leftOut});
    }
    if (rules.size > 0) files.set(part.policy, textOf(part, server, rules));
  }
  return {rows, losses, files};
}

/** What the policy of the latest lists says about a list. */
function ruleIn(latest: DatedLists | undefined, section: Kind, {policy, sections, isOfServer}: Part): unknown {
  const text = latest?.files.get(policy);
  if (latest === undefined || text === undefined) return undefined;
  const keys = sections.map(({key}) => key);
  return mustRulesIn(text, join(latest.folder, policy), {keys, hasServer: isOfServer})[section.key];
}

const textOf = ({isOfServer}: Part, server: string, rules: ReadonlyMap<string, unknown>): string =>
  policyText(JSON.stringify({version: 1, ...(isOfServer && {server}), ...Object.fromEntries(rules)}));

interface FoundList {
  readonly items: number;
  readonly json: string;
  /** For another tool; undefined where none takes the list. */
  readonly other: string | undefined;
  readonly rule: unknown;
  readonly leftOut: readonly string[];
}

const isRead = (list: FoundList | Failure | undefined): list is FoundList => list !== undefined && !(list instanceof Failure);

/** @returns how it could not be read; undefined for what was not asked for */
function listIn({server, read, items}: ReadLists, section: Kind, now: Date): FoundList | Failure | undefined {
  const {key} = section;
  const [actual, listed] = [read.get(key), items.get(key)];
  if (actual instanceof Failure) return actual;
  if (actual === undefined || listed === undefined) return undefined;
  const {host} = new URL(server);
  const found = section.policy.write(actual);
  const {other: file} = filesOf(section);
  const other = file && exportList(file.format, key, actual, {host, now}).text;
  return {items: listed.length, json: linesOf(listed), other, rule: found.value, leftOut: found.leftOut};
}

/** Whether these lists are there already. Counts of posts and followers do not matter, nor do ids of filters, because they change by themselves. */
function isHeldBy({files: there}: DatedLists, files: ReadonlyMap<string, string>): boolean {
  if (there.size !== files.size || [...files.keys()].some((file) => !there.has(file))) return false;
  return parts
    .flatMap(({sections}) => sections)
    .every((section) => {
      const {json} = filesOf(section);
      return isUnchanged(differenceOf(listEntries(there.get(json) ?? '[]', section), listEntries(files.get(json) ?? '[]', section)));
    });
}
