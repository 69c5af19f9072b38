/** `--jq`: jq itself, compiled to WebAssembly; it reaches neither files nor the environment. */
import {loadJq, type Jq} from 'jq-wasm';
import {kindOf, stringOf} from '../json/slices.js';
import type {ItemWriter} from './format.js';

/** An expression that jq does not take. */
export class JqError extends Error {
  override readonly name = 'JqError';
}

export interface JqOutcome {
  /** As JSON, one each. */
  readonly results: readonly string[];
  /** Why there are not more. */
  readonly error?: string;
}

export interface JqFilter {
  /** @param text JSON, one value or several, which are filtered one after another, even past one on which the filter fails */
  run(text: string): JqOutcome;
}

/** jq has 256 MB to work in, several times what the text takes. */
const largest = 48_000_000;
const tooLarge = 'the answer is too large for jq as a whole; with --output ndjson it takes one item at a time';

const outOfMemory = 'jq ran out of memory';

/** Compact, and no flags after this. */
const flags = ['-c', '--'];

/**
 * @param tell is told what the filter says by way of `debug` and `stderr`
 * @throws JqError when the expression is not jq
 */
export async function compileJq(expression: string, tell: (message: string) => void = () => {}): Promise<JqFilter> {
  const jq = await loadJq();
  const program = enclosed(expression);
  // By itself first: what is wrong is then told with the user's own lines, and no bracket of theirs closes one of ours.
  for (const candidate of [expression, program]) {
    // Constants are computed here already, however large they become.
    const said = attempt(jq, candidate, '');
    if (said === undefined) throw new JqError(outOfMemory);
    if (said.exitCode !== 0) throw new JqError(complaint(said.stderr));
  }
  let engine: Jq | undefined = jq;
  return {
    run(text) {
      if (text.length > largest) return {results: [], error: tooLarge};
      const said = engine && attempt(engine, program, text);
      if (said) return outcomeOf(said, tell);
      // An engine that has run out of memory does not recover.
      engine = undefined;
      return {results: [], error: outOfMemory};
    },
  };
}

/**
 * Results in brackets, so that they can be told from errors. The environment is empty instead of made up, and every
 * input stands for itself, so that it does not matter how many of them are given at once.
 */
function enclosed(expression: string): string {
  return [
    'def env: {}; def input: error("No more inputs"); def inputs: empty;',
    `{} as $ENV | try ((${expression}`,
    // A comment may go on after a backslash.
    '',
    ') | [.]) catch {error: .}',
  ].join('\n');
}

function outcomeOf({stdout, stderr, exitCode}: Said, tell: (message: string) => void): JqOutcome {
  const lines = stdout === '' ? [] : stdout.split('\n');
  const results = lines.filter((line) => line.startsWith('[')).map((line) => line.slice(1, -1));
  const errors = lines.filter((line) => line.startsWith('{')).map(thrown);
  if (exitCode !== 0) errors.push(complaint(stderr) || `the filter ended with ${exitCode}`);
  else if (stderr !== '') tell(stderr);
  const [error] = errors;
  if (error === undefined) return {results};
  return {results, error: errors.length > 1 ? `${error}, and ${errors.length - 1} more like it` : error};
}

type Said = ReturnType<Jq['raw']>;

/** Undefined when it ran out of memory. */
function attempt(engine: Jq, program: string, text: string): Said | undefined {
  const {console: shown} = globalThis;
  const {error: report} = shown;
  // The engine reports to the console that it was aborted, and throws besides.
  shown.error = () => {};
  try {
    return engine.raw(text, program, flags);
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') return undefined;
    throw error;
  } finally {
    shown.error = report;
  }
}

/** What `error` was called with. */
function thrown(line: string): string {
  const {error}: {readonly error: unknown} = JSON.parse(line);
  return typeof error === 'string' ? error : `(not a string) ${JSON.stringify(error)}`;
}

/** The first thing that jq has to say, without its own name and that of the program. */
function complaint(stderr: string): string {
  const [first = ''] = stderr.replace(/^jq: (?:error(?: \(at [^)]*\))?: )?/, '').split('\n');
  return first.replace(/ at <top-level>(?:, (line \d+, column \d+))?:?$/, (_, place?: string) => (place ? ` at ${place}` : ''));
}

/** Characters. */
const mostKept = 1024 * 1024;

/** @param isEach whether every item is filtered by itself; else all of them as one array */
export function openJq(filter: JqFilter, isEach: boolean): ItemWriter {
  const kept: string[] = [];
  let failure: string | undefined;
  const failedOn: string[] = [];
  let keptSize = 0;

  /** Of a long list only the first items on which the filter failed are kept. */
  function keep(texts: readonly string[]): void {
    for (const text of texts) {
      if (keptSize >= mostKept) return;
      keptSize += text.length;
      failedOn.push(text);
    }
  }

  function filtered(texts: readonly string[]): string {
    const {results, error} = filter.run(texts.join('\n'));
    if (error !== undefined) {
      failure ??= error;
      keep(texts);
    }
    return results.map((result) => `${raw(result)}\n`).join('');
  }

  return {
    nature: 'data',
    items(texts) {
      if (isEach) return texts.length === 0 ? '' : filtered(texts);
      for (const text of texts) kept.push(text);
      return '';
    },
    end() {
      const stdout = isEach ? '' : filtered([`[${kept.join(',')}]`]);
      if (failure === undefined) return {stdout};
      const [only = 'null'] = failedOn;
      return {stdout, failure, failedOn: failedOn.length === 1 ? only : `[${failedOn.join(',')}]`};
    },
  };
}

function raw(result: string): string {
  return kindOf(result) === 'string' ? stringOf(result) : result;
}
