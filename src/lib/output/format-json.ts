/** `--json`: what the server answered, as one JSON document. */
import {compact, indent} from '../json/text.js';
import {inertJson} from './inert.js';
import type {AnswerSetting, Printed, Result, Setting, Terminal} from './format.js';

/** Indented and coloured at a terminal, elsewhere as it came. */
export async function formatAnswer(text: string, {terminal}: AnswerSetting): Promise<Printed> {
  return {stdout: await document(text.trimEnd(), terminal)};
}

/** One array, with one result a line. */
export async function formatResults(results: readonly Result[], {terminal}: Setting): Promise<Printed> {
  const lines = results.map(resultText).join(',\n');
  return {stdout: await document(lines === '' ? '[]' : `[\n${lines}\n]`, terminal)};
}

/** A result as one line of JSON, the server's answer unharmed in it. */
export function resultText(result: Result): string {
  if (!result.ok) return JSON.stringify(result);
  const {body, ...rest} = result;
  return `${JSON.stringify(rest).slice(0, -1)},"body":${compact(body) || 'null'}}`;
}

async function document(text: string, {isTerminal, color}: Terminal): Promise<string> {
  if (!isTerminal) return `${text}\n`;
  const colors = color ? (await import('./palette.js')).palette(color).json : undefined;
  return `${indent(inertJson(text), colors)}\n`;
}
