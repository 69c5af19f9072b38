/** Reads the lists of an account, and writes them into its backup. */
import {join} from 'node:path';
import {Failure} from '../client/failure.js';
import type {Client} from '../client/client.js';
import {readText} from '../files/read-file.js';
import {absent} from '../files/system-error.js';
import {writeWhole} from '../files/whole-file.js';
import type {OwnAccount} from '../operations/accounts.js';
import {exportList, policyText} from '../policy/export.js';
import type {SectionKey} from '../policy/model/section-types.js';
import type {State} from '../policy/model/server-state.js';
import {mustRulesIn, type MustRules} from '../policy/reading/must-only.js';
import type {HoldingSection} from '../policy/sections/index.js';
import {readState} from '../policy/sections/read-state.js';
import {filesOf, keysOf, type Part} from './parts.js';

/** What became of a list. */
export interface ListResult {
  readonly list: SectionKey;
  /** As many as the server sent; null where it could not be read. */
  readonly items: number | null;
  /** What was written, in the folder. */
  readonly files: readonly string[];
  /** What only the server's own JSON has, because no policy can express it. */
  readonly left_out: readonly string[];
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

const linesOf = (items: readonly string[]): string => (items.length === 0 ? '[]\n' : `[\n${items.join(',\n')}\n]\n`);

/** What a policy of an earlier run says about lists. */
async function earlierRules(path: string, part: Part): Promise<MustRules> {
  const text = await readText(path).catch(absent);
  return text === undefined ? {} : mustRulesIn(text, path, {keys: keysOf(part), hasServer: part.isOfServer});
}

/**
 * Writes lists into a folder, each file whole. Of what could not be read, everything stays as an earlier run left it.
 * @throws Failure `usage` when something could not be read and the policy of an earlier run cannot be kept; the system's error
 */
export async function writeLists(folder: string, {part, state, items}: ReadLists, now: Date): Promise<ListResult[]> {
  const results: ListResult[] = [];
  const rules: Record<string, unknown> = {};
  for (const section of part.sections) {
    const {key} = section;
    try {
      const found = section.exported(state, now, true);
      const texts = items.get(key);
      if (found === undefined || texts === undefined) continue;
      const {json, other, format} = filesOf(section);
      await writeWhole(join(folder, json), linesOf(texts));
      await writeWhole(join(folder, other), exportList(format, key, state, now).text);
      rules[key] = found.value;
      results.push({list: key, items: texts.length, files: [json, other, part.policy], left_out: found.leftOut, failure: undefined});
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      results.push({list: key, items: null, files: [], left_out: [], failure: error});
    }
  }
  const path = join(folder, part.policy);
  if (results.some(({failure}) => failure !== undefined)) {
    const earlier = await earlierRules(path, part);
    for (const {key} of part.sections) rules[key] ??= earlier[key];
  }
  const inOrder = part.sections.flatMap(({key}: HoldingSection) => (rules[key] === undefined ? [] : [[key, rules[key]] as const]));
  if (inOrder.length === 0) return results;
  const policy = {version: 1, ...(part.isOfServer && {server: state.server}), ...Object.fromEntries(inOrder)};
  await writeWhole(path, policyText(JSON.stringify(policy)));
  return results;
}
