/** `--jq`: jq compiled to WebAssembly. It has no access to files or the environment. */
import {loadJq, type Jq} from 'jq-wasm';
import {privateMembers} from '../api/private.js';
import {membersOf} from '../api/schema.js';
import {mayHaveMembers} from '../json/exact.js';
import {withOthersLikeIt} from '../json/text.js';
import type {Ending, ItemWriter} from './format.js';

export class JqError extends Error {
  override readonly name = 'JqError';
}

interface JqOutcome {
  readonly results: readonly string[];
  readonly error?: string;
}

export interface JqFilter {
  /** @param text one or more JSON values. Each is filtered, even after one on which the filter fails */
  run(text: string): JqOutcome;
}

/** The largest number of characters that are filtered. jq has 256 MB of memory, and needs several times the size of the text. */
const largest = 48_000_000;
const tooLarge = 'the answer is too large for jq; with --output ndjson it filters one item at a time';

const outOfMemory = 'jq ran out of memory';

/** Compact output, and no further flags. */
const flags = ['-c', '--'];

/** The one of this process: starting it takes longer than most filters. */
let started: Promise<Jq> | undefined;

/**
 * @param tell receives what the filter writes with `debug` and `stderr`
 * @throws JqError when the expression does not compile
 */
export async function compileJq(expression: string, tell: (message: string) => void = () => {}): Promise<JqFilter> {
  const jq = await (started ??= loadJq());
  const program = encloseExpression(expression);
  // The expression is tried alone first: errors then name the user's lines, and none of its brackets can close one of ours.
  for (const candidate of [expression, program]) {
    // Compiling already computes constants, which may take all memory.
    const said = attempt(jq, candidate, '');
    if (said === undefined) throw new JqError(outOfMemory);
    if (said.exitCode !== 0) throw new JqError(complaint(said.stderr));
  }
  let hasRunOut = false;
  return {
    run(text) {
      if (text.length > largest) return {results: [], error: tooLarge};
      const said = hasRunOut ? undefined : attempt(jq, program, text);
      hasRunOut ||= said === undefined;
      return said === undefined ? {results: [], error: outOfMemory} : outcomeOf(said, tell, mayHaveMembers(text, privateMembers));
    },
  };
}

/**
 * Puts results in brackets, which distinguishes them from errors. Empties the environment, and removes `input`, so that the result
 * does not depend on how many values are filtered at once.
 */
function encloseExpression(expression: string): string {
  return [
    'def env: {}; def input: error("No more inputs"); def inputs: empty;',
    `{} as $ENV | try ((${expression}`,
    // The empty line ends a comment, which may continue after a backslash.
    '',
    ') | [.]) catch {error: .}',
  ].join('\n');
}

/** Replaces errors that may show private values: messages of jq quote values, and `error` takes any value. */
const withoutValues =
  'the filter does not fit a value, or called error (more is not shown, because the response has e-mail or IP addresses)';

/** @param isPrivate whether errors must not show values */
function outcomeOf({stdout, stderr, exitCode}: Said, tell: (message: string) => void, isPrivate: boolean): JqOutcome {
  const lines = stdout === '' ? [] : stdout.split('\n');
  const results = lines.filter((line) => line.startsWith('[')).map((line) => line.slice(1, -1));
  const errors = lines.filter((line) => line.startsWith('{')).map(readThrown);
  if (exitCode !== 0) errors.push(complaint(stderr) || `the filter ended with ${exitCode}`);
  else if (stderr !== '') tell(stderr);
  const [error] = errors;
  if (error === undefined) return {results};
  return {results, error: withOthersLikeIt(isPrivate ? withoutValues : error, errors.length)};
}

type Said = ReturnType<Jq['raw']>;

/** Runs a program once; undefined when it ran out of memory. */
function attempt(engine: Jq, program: string, text: string): Said | undefined {
  const {console: shown} = globalThis;
  const {error: report} = shown;
  // The engine prints to the console when it aborts, and throws as well.
  shown.error = () => {};
  try {
    return engine.raw(text, program, flags);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'RuntimeError')) throw error;
    // An engine does not recover from running out of memory.
    started = undefined;
    return undefined;
  } finally {
    shown.error = report;
  }
}

function readThrown(line: string): string {
  const error = membersOf(JSON.parse(line))['error'];
  return typeof error === 'string' ? error : `(not a string) ${JSON.stringify(error)}`;
}

/** The first line of jq's error message, without the names of jq and the program. */
function complaint(stderr: string): string {
  const [first = ''] = stderr.replace(/^jq: (?:error(?: \(at [^)]*\))?: )?/, '').split('\n');
  return first.replace(/ at <top-level>, (line \d+, column \d+):?$/, ' at $1');
}

/** How many failed items are remembered, but for the rest of the items that came with the last one. */
const maxKept = 1000;

/** @param isEach whether each item is filtered alone; otherwise all as one array */
export function openJq(filter: JqFilter, isEach: boolean): ItemWriter {
  const collected: unknown[] = [];
  let failure: string | undefined;
  const failedOn: unknown[] = [];

  function filterItems(items: readonly unknown[]): string {
    const {results, error} = filter.run(items.map((item) => JSON.stringify(item)).join('\n'));
    failure ??= error;
    if (error !== undefined && failedOn.length < maxKept) failedOn.push(...items);
    return results.map(raw).join('');
  }

  return {
    nature: 'data',
    items(items) {
      if (isEach) return items.length === 0 ? '' : filterItems(items);
      for (const item of items) collected.push(item);
      return '';
    },
    end() {
      const stdout = isEach ? '' : filterItems([collected]);
      if (failure === undefined) return {stdout};
      return {stdout, failure, failedOn: failedOn.length === 1 ? failedOn[0] : failedOn};
    },
  };
}

export function filterDocument(
  filter: JqFilter,
  {text, exact}: {readonly text: string; readonly exact: unknown},
): Ending & {readonly stdout: string} {
  const {results, error} = filter.run(text);
  return {stdout: results.map(raw).join(''), ...(error !== undefined && {failure: error, failedOn: exact})};
}

/** Writes a result on a line, a string without its quotes. */
function raw(result: string): string {
  return `${result.startsWith('"') ? String(JSON.parse(result)) : result}\n`;
}
