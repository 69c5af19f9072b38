/** Reads the lists of an account, and keeps them in its backup. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import type {Client} from '../client/client.js';
import type {OwnAccount} from '../operations/accounts.js';
import {exportList, type HoldingSection, mustRulesIn, policyText, readState, type SectionKey, type State} from '../policy/index.js';
import {isUnchanged, type ListDifference, differenceOf, listEntries, isLoss} from './entries.js';
import {type Content, damagedFailure, type BackupGeneration, writeGeneration} from './generation.js';
import {Generations, type Pruned} from './generations.js';
import {filesOf, jsonOf, keysOf, type Part, parts} from './parts.js';

/** What became of a list. */
export interface ListResult {
  readonly list: SectionKey;
  /** As many as the server sent; null where it could not be read. */
  readonly items: number | null;
  /** Where it is, in the folder of its generation. */
  readonly files: readonly string[];
  /** What only the server's own JSON has, because no policy can express it. */
  readonly left_out: readonly string[];
  /** From the latest generation; undefined where there is nothing to compare with. */
  readonly difference: ListDifference | undefined;
  readonly failure: Failure | undefined;
}

/** The lists of a part, as they were read. */
export interface ReadLists {
  readonly part: Part;
  readonly state: State;
  /** The items as the server sent them. */
  readonly items: ReadonlyMap<SectionKey, readonly string[]>;
}

export async function readLists(part: Part, client: Client, server: string, own?: OwnAccount): Promise<ReadLists> {
  const items = new Map<SectionKey, readonly string[]>();
  const state = await readState(client, server, new Set(keysOf(part)), own, (key, texts) => items.set(key, texts));
  return {part, state, items};
}

interface Keeping {
  readonly now: Date;
  /** Whether lists may have lost many entries. */
  readonly acceptsLoss: boolean;
  /** Days for which every generation is kept. */
  readonly days: number;
}

export interface SavedLists {
  readonly results: readonly ListResult[];
  /** The generation that has these lists. */
  readonly generation: string;
  /** Those of the generation. */
  readonly files: ReadonlySet<string>;
  readonly isNew: boolean;
  /** Whether `latest` names it now. */
  readonly isAccepted: boolean;
  /** What `latest` named before; undefined also where that is not known. */
  readonly before: string | undefined;
  /** Why it is not known what was lost. */
  readonly damage: Failure | undefined;
  readonly pruned: Pruned;
}

/** Of the lists, those that lost more than a person removes at once. */
export const lossesIn = (results: readonly ListResult[]): ListResult[] =>
  results.filter(({difference}) => difference !== undefined && isLoss(difference));

/**
 * Keeps lists in a backup. What differs from the last generation is a new one. It becomes the latest, unless a list lost too many entries, or
 * what it is compared with is damaged. Of what could not be read, the generation has what the latest one had.
 * @throws Failure of the first list when none could be read: nothing is written; the system's error
 */
export async function keepLists(backup: string, read: readonly ReadLists[], {now, acceptsLoss, days}: Keeping): Promise<SavedLists> {
  const generations = await Generations.in(backup);
  const known = await knownIn(generations);
  const {latest, failure} = known;
  const name = await generations.nextName(now);
  const {results, content} = contentOf(read, known, {now, name});
  const [first] = results;
  if (first?.failure !== undefined && results.every((one) => one.failure !== undefined)) throw first.failure;
  const warnings = await generations.clear();
  const isAccepted = acceptsLoss || (failure === undefined && lossesIn(results).length === 0);
  const newest = await readable(generations.newest());
  const isNew = newest === undefined || !isHeldBy(newest, content);
  if (isNew) {
    await writeGeneration(generations.folder, name, {...content, accepted: isAccepted});
    generations.add(name);
  }
  const generation = isNew ? name : newest.name;
  const counts = isAccepted ? generation : failure === undefined ? latest?.name : undefined;
  // Also where it did before: a run may have been killed before it wrote that.
  if (counts !== undefined) await generations.accept(counts);
  // Where something is damaged, an old generation may be all that is left.
  const pruned = failure === undefined && counts !== undefined ? await generations.prune(counts, days, now) : {removed: [], warnings: []};
  return {
    results,
    generation,
    files: new Set(content.files.keys()),
    isNew,
    isAccepted,
    before: latest?.name,
    damage: failure,
    pruned: {...pruned, warnings: [...warnings, ...pruned.warnings]},
  };
}

/** What there is to compare with, and to carry over. */
interface Known {
  readonly latest: BackupGeneration | undefined;
  /** Where that is damaged, those that were accepted before it, the newest first. */
  readonly earlier: readonly BackupGeneration[];
  /** Why it cannot be trusted alone. */
  readonly failure: Failure | undefined;
}

async function knownIn(generations: Generations): Promise<Known> {
  let failure: Failure | undefined;
  const latest = await readable(generations.latest(), (one) => (failure = one));
  if (latest !== undefined && latest.damage.length > 0) failure = damagedFailure(latest);
  const older = failure === undefined ? [] : generations.names.filter((name) => latest === undefined || name < latest.name);
  const found = await Promise.all(older.toReversed().map((name) => readable(generations.read(name))));
  return {latest, earlier: found.flatMap((one) => (one?.kept?.accepted === true ? [one] : [])), failure};
}

/** The newest of the generations that has a list whole. */
const holderOf = ({latest, earlier}: Known, {key}: HoldingSection): BackupGeneration | undefined =>
  [latest, ...earlier].find((one) => one?.files.has(jsonOf(key)));

/** Undefined for what cannot be read: what is read now is kept all the same. */
async function readable(
  reading: Promise<BackupGeneration | undefined>,
  tell?: (failure: Failure) => void,
): Promise<BackupGeneration | undefined> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'local') throw error;
    tell?.(error);
    return undefined;
  });
}

const linesOf = (items: readonly string[]): string => (items.length === 0 ? '[]\n' : `[\n${items.join(',\n')}\n]\n`);

/** What a policy says about a list: that of the generation which has the list whole, or else the newest one that is whole. */
function ruleIn(known: Known, section: HoldingSection, {policy, sections, isOfServer}: Part): unknown {
  const {latest, earlier} = known;
  const source = [holderOf(known, section), latest, ...earlier].find((one) => one?.files.has(policy));
  if (source === undefined) return undefined;
  const keys = sections.map(({key}) => key);
  return mustRulesIn(source.files.get(policy) ?? '', join(source.folder, policy), {keys, hasServer: isOfServer})[section.key];
}

/** What is carried over where it is not read: all of the latest ones, those of a newer pixelctl, too, and what is damaged of them from before. */
function carried(known: Known): {readonly files: Map<string, string>; readonly lists: Record<string, Content['lists'][string]>} {
  const {latest, earlier} = known;
  const files = new Map(latest?.files);
  const lists = Object.fromEntries(Object.entries(latest?.kept?.lists ?? {}).filter(([key]) => files.has(jsonOf(key))));
  for (const {policy, sections} of earlier.length === 0 ? [] : parts) {
    for (const section of sections) {
      const holder = holderOf(known, section);
      const facts = holder?.kept?.lists[section.key];
      if (holder === undefined || holder === latest || facts === undefined) continue;
      const {json, other} = filesOf(section);
      for (const file of [json, ...(other ? [other.file] : [])]) files.set(file, holder.files.get(file) ?? files.get(file) ?? '');
      lists[section.key] = facts;
    }
    const text = [latest, ...earlier].map((one) => one?.files.get(policy)).find((one) => one !== undefined);
    if (text !== undefined) files.set(policy, text);
  }
  return {files, lists};
}

function contentOf(
  read: readonly ReadLists[],
  known: Known,
  {now, name}: {readonly now: Date; readonly name: string},
): {readonly results: ListResult[]; readonly content: Omit<Content, 'accepted'>} {
  const results: ListResult[] = [];
  const {files, lists} = carried(known);
  for (const own of read) {
    const {part, state} = own;
    const found = part.sections.map((section) => ({section, list: listIn(own, section, now)}));
    const rules = new Map<SectionKey, unknown>();
    for (const {section, list} of found) {
      const {key} = section;
      const rule = isRead(list) ? list.rule : ruleIn(known, section, part);
      if (rule !== undefined) rules.set(key, rule);
      if (list instanceof Failure) results.push({list: key, items: null, files: [], left_out: [], difference: undefined, failure: list});
      if (!isRead(list)) continue;
      const {json, other} = filesOf(section);
      const had = files.get(json);
      const difference = had === undefined ? undefined : differenceOf(listEntries(had, section), listEntries(list.json, section));
      files.set(json, list.json);
      if (other && list.other !== undefined) files.set(other.file, list.other);
      lists[key] = {items: list.items, read: name};
      const written = [json, ...(other ? [other.file] : []), part.policy];
      results.push({list: key, items: list.items, files: written, left_out: list.leftOut, difference, failure: undefined});
    }
    if (rules.size > 0) files.set(part.policy, textOf(part, state, rules));
  }
  return {results, content: {lists, files}};
}

const textOf = ({isOfServer}: Part, {server}: State, rules: ReadonlyMap<SectionKey, unknown>): string =>
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
function listIn({state, items}: ReadLists, section: HoldingSection, now: Date): FoundList | Failure | undefined {
  const {key} = section;
  try {
    const found = section.exported(state, now);
    const texts = items.get(key);
    if (found === undefined || texts === undefined) return undefined;
    const {other: file} = filesOf(section);
    const other = file && exportList(file.format, key, state, now).text;
    return {items: texts.length, json: linesOf(texts), other, rule: found.value, leftOut: found.leftOut};
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error;
  }
}

/** Whether a generation has these lists already, whatever the server says about the accounts on them now. */
function isHeldBy({files, damage}: BackupGeneration, content: Pick<Content, 'files'>): boolean {
  if (damage.length > 0 || files.size !== content.files.size) return false;
  const sections = new Map(parts.flatMap((part) => part.sections.map((section) => [filesOf(section).json, section] as const)));
  return [...content.files].every(([file, text]) => {
    const [had, section] = [files.get(file), sections.get(file)];
    if (had === text) return true;
    return had !== undefined && section !== undefined && isUnchanged(differenceOf(listEntries(had, section), listEntries(text, section)));
  });
}
