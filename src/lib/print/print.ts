/** The one place that decides what an answer looks like. */
import type {Field} from './fields.js';
import type {Ending, Formatter, ItemSetting, ItemWriter, Output} from './format.js';
import type {JqFilter} from './jq.js';

export type {Ending, ItemWriter, Nature, Output, Printed, Result, Terminal} from './format.js';

/** The formats of `--output`. */
export const formatNames = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const;

export type Format = (typeof formatNames)[number];

/** Each loaded only when it is asked for. */
const formats: Readonly<Record<Format, () => Promise<Formatter>>> = {
  table: () => import('./format-table.js'),
  json: () => import('./format-json.js'),
  ndjson: () => import('./format-ndjson.js'),
  csv: () => import('./format-csv.js'),
  tsv: () => import('./format-tsv.js'),
  yaml: () => import('./format-yaml.js'),
};

/** What decides how something is printed. */
export interface PrintSetting extends Omit<ItemSetting, 'fields' | 'isList'> {
  readonly format: Format;
  /** Only these fields of each item. */
  readonly fields?: readonly Field[] | undefined;
  /** Instead of the format: what the filter makes of the answer, or with `ndjson` of each item. */
  readonly jq?: JqFilter | undefined;
}

export interface AnswerSetting extends PrintSetting {
  /** Where the rows of a list are inside the answer: `[]` for the answer itself; undefined: the answer is one object. */
  readonly rows?: readonly string[] | undefined;
}

/** Items of an answer that are formatted at once: of longer ones nothing is there as a whole but the answer itself. */
const batchSize = 1000;

/** @param text the answer as the server sent it, known to be JSON */
export async function formatAnswer(text: string, {rows, ...setting}: AnswerSetting): Promise<Output> {
  const {format, jq, fields} = setting;
  const isUntouched = jq ? format !== 'ndjson' : format === 'json' && fields === undefined;
  if (isUntouched) return written(await open(setting, false), [[text]]);
  const {itemBatchesOf} = await import('../json/slices.js');
  const {isList, batches} = itemBatchesOf(text, rows, batchSize);
  return written(await open(setting, isList), batches);
}

/** For items that come bit by bit, of a list of many pages or as results of many targets. */
export async function openList(setting: PrintSetting): Promise<ItemWriter> {
  return open(setting, true);
}

async function open({format, fields, jq, ...setting}: PrintSetting, isList: boolean): Promise<ItemWriter> {
  if (jq) {
    const {openJq} = await import('./jq-writer.js');
    return openJq(jq, format === 'ndjson' || !isList);
  }
  const formatter = await formats[format]();
  const writer = await formatter.open({...setting, isList, fields: fields?.map(({name}) => name)});
  if (!fields) return writer;
  const {picking} = await import('./fields.js');
  return picking(writer, fields, setting.view);
}

function written(writer: ItemWriter, batches: Iterable<readonly string[]>): Output {
  function* pieces(): Generator<string, Ending, undefined> {
    for (const texts of batches) yield writer.items(texts);
    const {stdout, ...ending} = writer.end();
    yield stdout;
    return ending;
  }
  return {nature: writer.nature, pieces: pieces()};
}
