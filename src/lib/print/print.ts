/** Prints answers, lists and results in the format that was asked for. */
import {keepMemoryFlat} from '../files/memory.js';
import type {Text} from '../files/whole-file.js';
import type {Ending, ItemSetting, ItemWriter, Output} from './format.js';
import type {JqFilter} from './jq.js';

export type {Ending, ItemWriter, Nature, Output, Printed, Terminal} from './format.js';

/** The values of `--output`. */
export const formatNames = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const;

export type Format = (typeof formatNames)[number];

/** How each format is written. Modules are imported when the format is used, to keep the start short. */
const formats: Readonly<Record<Format, (setting: ItemSetting) => Promise<ItemWriter>>> = {
  table: async (setting) => (await import('./table.js')).openTable(setting),
  json: async (setting) => (await import('./json.js')).openJson(setting),
  ndjson: async () => (await import('./json.js')).openNdjson(),
  csv: async (setting) => (await import('./delimited.js')).openCsv(setting),
  tsv: async (setting) => (await import('./delimited.js')).openTsv(setting),
  yaml: async (setting) => (await import('./yaml.js')).openYaml(setting),
};

export interface PrintSetting extends Omit<ItemSetting, 'isList'> {
  readonly format: Format;
  /** Prints what the filter makes of the answer, or with `ndjson` of each item, instead of the format. */
  readonly jq?: JqFilter | undefined;
}

export interface AnswerSetting extends PrintSetting {
  /** The path to the rows of a list inside the answer: `[]` for the answer itself; undefined: the answer is one object. */
  readonly rows?: readonly string[] | undefined;
}

/** Items that are formatted at once, so that a long answer is not in memory a second time. */
const batchSize = 1000;

/** Whether the answer as a whole is printed or filtered, not its items. */
function isForWhole({format, jq, fields}: PrintSetting): boolean {
  return jq === undefined ? format === 'json' && fields === undefined : format !== 'ndjson';
}

/** @param text the answer as the server sent it, known to be JSON */
export async function formatAnswer(text: string, {rows, ...setting}: AnswerSetting): Promise<Output> {
  keepMemoryFlat(text.length);
  if (isForWhole(setting)) return written(await open(setting, false), [[text]]);
  const {itemsOf} = await import('../json/slices.js');
  const {isList, texts} = itemsOf(text, rows);
  return written(await open(setting, isList), inBatches(texts));
}

/** A document of our own with a list whose items are made when they are printed, because there may be very many. */
export interface LongDocument {
  /** The JSON before the items of the list. */
  readonly before: string;
  /** Each as JSON without white space outside strings. */
  readonly items: Iterable<string>;
  readonly after: string;
}

/** The same as {@link formatAnswer}, with the items of the list as its rows. */
export async function formatDocument({before, items, after}: LongDocument, setting: PrintSetting): Promise<Output> {
  if (!isForWhole(setting)) return written(await open(setting, true), inBatches(items));
  if (setting.jq !== undefined || setting.terminal.isTerminal) return formatAnswer(before + [...items].join(',') + after, setting);
  function* pieces(): Generator<string, Ending, undefined> {
    yield before;
    let separator = '';
    for (const texts of inBatches(items)) {
      yield separator + texts.join(',');
      separator = ',';
    }
    yield `${after}\n`;
    return {};
  }
  return {nature: 'data', pieces: pieces()};
}

function* inBatches(items: Iterable<string>): Generator<string[], void, undefined> {
  let batch: string[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** For items that arrive bit by bit: a list of many pages, or the results of many targets. */
export async function openList(setting: PrintSetting): Promise<ItemWriter> {
  return open(setting, true);
}

async function open({format, jq, ...setting}: PrintSetting, isList: boolean): Promise<ItemWriter> {
  if (jq) {
    const {openJq} = await import('./jq.js');
    return openJq(jq, format === 'ndjson' || !isList || setting.isEndless === true);
  }
  const writer = await formats[format]({...setting, isList});
  const {fields, view} = setting;
  if (!fields) return writer;
  const {picking} = await import('./fields.js');
  return picking(writer, fields, view);
}

/** The pieces of a text. */
export function piecesOf(text: Text): Iterable<string> {
  return typeof text === 'string' ? [text] : text;
}

function written(writer: ItemWriter, batches: Iterable<readonly string[]>): Output {
  function* pieces(): Generator<string, Ending, undefined> {
    for (const texts of batches) yield* writer.pieces?.(texts) ?? [writer.items(texts)];
    const {stdout, ...ending} = writer.end();
    yield* piecesOf(stdout);
    return ending;
  }
  return {nature: writer.nature, pieces: pieces()};
}
