/** Reads the lists of an account, and keeps them in its backup. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import type {Client} from '../client/client.js';
import type {OwnAccount} from '../operations/accounts.js';
import {exportList, policyText} from '../policy/export.js';
import type {SectionKey} from '../policy/model/section-types.js';
import type {State} from '../policy/model/server-state.js';
import {mustRulesIn, type MustRules} from '../policy/reading/must-only.js';
import type {HoldingSection} from '../policy/sections/index.js';
import {readState} from '../policy/sections/read-state.js';
import {areSame, type Difference, differenceOf, entriesIn, isLoss} from './entries.js';
import {type Content, damagedFailure, type Generation, writeGeneration} from './generation.js';
import {moveFlatLists} from './flat-layout.js';
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
  readonly difference: Difference | undefined;
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

export interface KeptLists {
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
export async function keepLists(backup: string, read: readonly ReadLists[], {now, acceptsLoss, days}: Keeping): Promise<KeptLists> {
  await moveFlatLists(backup);
  const generations = await Generations.in(backup);
  const {latest, failure} = await latestOf(generations);
  const name = await generations.nextName(now);
  const {results, content} = contentOf(read, latest, {now, name});
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

interface Latest {
  readonly latest: Generation | undefined;
  /** Why it cannot be compared with. */
  readonly failure: Failure | undefined;
}

async function latestOf(generations: Generations): Promise<Latest> {
  let failure: Failure | undefined;
  const latest = await readable(generations.latest(), (one) => (failure = one));
  return {latest, failure: failure ?? (latest !== undefined && latest.damage.length > 0 ? damagedFailure(latest) : undefined)};
}

/** Undefined for what cannot be read: what is read now is kept all the same. */
async function readable(reading: Promise<Generation | undefined>, tell?: (failure: Failure) => void): Promise<Generation | undefined> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'local') throw error;
    tell?.(error);
    return undefined;
  });
}

const linesOf = (items: readonly string[]): string => (items.length === 0 ? '[]\n' : `[\n${items.join(',\n')}\n]\n`);

/** What the policy of a generation says about lists. */
function rulesIn(generation: Generation | undefined, part: Part): MustRules {
  const text = generation?.files.get(part.policy);
  if (generation === undefined || text === undefined) return {};
  return mustRulesIn(text, join(generation.folder, part.policy), {keys: keysOf(part), hasServer: part.isOfServer});
}

/** What was read, with what `latest` has of all else: those of a newer pixelctl, too. */
function contentOf(
  read: readonly ReadLists[],
  latest: Generation | undefined,
  {now, name}: {readonly now: Date; readonly name: string},
): {readonly results: ListResult[]; readonly content: Omit<Content, 'accepted'>} {
  const results: ListResult[] = [];
  const files = new Map(latest?.files);
  const lists = Object.fromEntries(Object.entries(latest?.kept?.lists ?? {}).filter(([key]) => files.has(jsonOf(key))));
  for (const own of read) {
    const {part, state} = own;
    const found = part.sections.map((section) => ({section, list: listIn(own, section, now)}));
    const earlier = found.every(({list}) => isRead(list)) ? {} : rulesIn(latest, part);
    const rules = new Map<SectionKey, unknown>();
    for (const {section, list} of found) {
      const {key} = section;
      const rule = isRead(list) ? list.rule : earlier[key];
      if (rule !== undefined) rules.set(key, rule);
      if (list instanceof Failure) results.push({list: key, items: null, files: [], left_out: [], difference: undefined, failure: list});
      if (!isRead(list)) continue;
      const {json, other} = filesOf(section);
      const had = files.get(json);
      const difference = had === undefined ? undefined : differenceOf(entriesIn(had, section), entriesIn(list.json, section));
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
    const found = section.exported(state, now, true);
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
function isHeldBy({files, damage}: Generation, content: Pick<Content, 'files'>): boolean {
  if (damage.length > 0 || files.size !== content.files.size) return false;
  const sections = new Map(parts.flatMap((part) => part.sections.map((section) => [filesOf(section).json, section] as const)));
  return [...content.files].every(([file, text]) => {
    const [had, section] = [files.get(file), sections.get(file)];
    if (had === text) return true;
    return had !== undefined && section !== undefined && areSame(differenceOf(entriesIn(had, section), entriesIn(text, section)));
  });
}
