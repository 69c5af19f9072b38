/** The one place that decides what an answer looks like. */
import type {AnswerSetting, Formatter, Printed, Result, Setting} from './format.js';

export type {Printed, Result, Terminal} from './format.js';

/** The formats of `--output`. */
export const formatNames = ['table', 'json'] as const;

export type Format = (typeof formatNames)[number];

/** Each loaded only when it is asked for. */
const formats: Readonly<Record<Format, () => Promise<Formatter>>> = {
  table: () => import('./format-table.js'),
  json: () => import('./format-json.js'),
};

/** @param text the answer as the server sent it, known to be JSON */
export async function formatAnswer(text: string, {format, ...setting}: AnswerSetting & {readonly format: Format}): Promise<Printed> {
  const formatter = await formats[format]();
  return formatter.formatAnswer(text, setting);
}

export async function formatResults(
  results: readonly Result[],
  {format, ...setting}: Setting & {readonly format: Format},
): Promise<Printed> {
  const formatter = await formats[format]();
  return formatter.formatResults(results, setting);
}
