/** Mistakes in a file that people wrote: all at once, each with its line. */
import {closest} from 'fastest-levenshtein';
import * as z from 'zod/mini';
import {issueWords} from '../../client/mismatch.js';
import {Failure, type Mistake} from '../../client/failure.js';
import {at} from '../../json/path.js';
import {andMore, shortened} from '../../json/text.js';

export type {Mistake} from '../../client/failure.js';

const maxWordLength = 40;
const maxValueLength = 60;

/** A URL is cut after its scheme and host. */
const firstWord = /^(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s:=;,|'"]*/i;

/**
 * The first word of a text, for a message: the rest of a line, such as a value after a name, may be secret and stays out of logs.
 * Cut after 40 characters.
 */
export function quotedWord(text: string): string {
  const plain = text.trim();
  const [word = ''] = firstWord.exec(plain.slice(0, maxWordLength)) ?? [];
  return JSON.stringify(word === plain ? word : `${word.toWellFormed()}…`);
}

/** `policy.yml:2:5`, as compilers write it. */
export function placeText({file, line, column}: Pick<Mistake, 'column' | 'file' | 'line'>): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** Mistakes of a file to keep. */
export const maxKept = 100;

/** The mistakes of a file, in bounded memory: a downloaded file may have millions. */
export class Mistakes {
  readonly #first: Mistake[] = [];
  #count = 0;
  #rows = 0;
  #lastRow = -1;

  /** The first ones. */
  get first(): readonly Mistake[] {
    return this.#first;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether further ones are only counted. */
  get isFull(): boolean {
    return this.#first.length >= maxKept;
  }

  /** How many rows have one. */
  get rows(): number {
    return this.#rows;
  }

  /** @param row where several are on one line, which of them it is in; rows come in order @param message made only for those that are kept */
  add(place: Omit<Mistake, 'message'>, message: () => string, row = place.line): void {
    this.#count += 1;
    if (row !== this.#lastRow) this.#rows += 1;
    this.#lastRow = row;
    if (!this.isFull) this.#first.push({...place, message: message()});
  }
}

type Counted = Pick<Mistakes, 'count' | 'first'>;

/** All that are kept, and how many more there are, as a last one. */
function named({first, count}: Counted): readonly Mistake[] {
  const kept = first.slice(0, maxKept);
  const last = kept.at(-1);
  if (last === undefined || count === kept.length) return first;
  return [...kept, {file: last.file, line: last.line, message: `${andMore(count - kept.length)} mistakes`}];
}

/**
 * Names them in the order of the file.
 * @param maxShown how many are named; all are counted
 */
export function mistakesFailure(file: string, mistakes: Counted | readonly Mistake[], maxShown = 20): Failure {
  const {first: all, count} = 'first' in mistakes ? mistakes : {first: mistakes, count: mistakes.length};
  const first = all.toSorted((one, other) => one.line - other.line || (one.column ?? 0) - (other.column ?? 0));
  const lines = first.slice(0, maxShown).map((one) => `${placeText(one)}: ${one.message}`);
  const details = {mistakes: named({first, count})};
  const [only = ''] = lines;
  if (count === 1) return new Failure('usage', only, details);
  const more = count > lines.length ? [andMore(count - lines.length)] : [];
  return new Failure('usage', [`${file} has ${count} mistakes`, ...lines, ...more].join('\n'), details);
}

/** @throws Failure `usage` that names the mistakes, when there are any */
export function refuseMistakes(file: string, mistakes: Counted | readonly Mistake[]): void {
  const count = 'count' in mistakes ? mistakes.count : mistakes.length;
  if (count > 0) throw mistakesFailure(file, mistakes);
}

/** A mismatch with a schema, in a part of a document. */
export interface Complaint {
  readonly path: readonly PropertyKey[];
  /** The name of an unknown key in the object at `path`. */
  readonly key?: string | undefined;
  readonly message: string;
}

/** @throws Failure `usage` for a file of our own that is not as its schema says: in JSON on one line, where the path is all there is to name */
export function refuseMismatches(file: string, schema: z.ZodMiniType, value: unknown): void {
  refuseMistakes(
    file,
    complaintsOf(schema, value).map(({path, message}) => ({file, line: 1, message: `${path.join('.')}: ${message}`})),
  );
}

/** The mismatches with a schema, in words that say what is allowed. */
export function complaintsOf(schema: z.ZodMiniType, value: unknown): Complaint[] {
  const result = z.safeParse(schema, value);
  return result.success ? [] : result.error.issues.flatMap((issue) => complaintsIn(issue, value, schema));
}

function complaintsIn(issue: z.core.$ZodIssue, whole: unknown, schema: z.core.$ZodType): Complaint[] {
  const {path} = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, path, whole);
    return issue.keys.map((key) => ({path, key, message: unknownKey(key, known)}));
  }
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.filter((issues) => issues.every((one) => one.path.length > 0 || one.code !== 'invalid_type'));
    const [branch] = inner;
    const isObject = typeof at(whole, path).value === 'object';
    if (inner.length === 1 && branch && isObject) {
      return branch.flatMap((one) => complaintsIn({...one, path: [...path, ...one.path]}, whole, schema));
    }
  }
  if (issue.code === 'invalid_value') {
    const found = at(whole, path);
    const allowed = issue.values.map(String).join(', ');
    return [
      {
        path,
        message: found.present
          ? `${shown(found.value)} is not known here; allowed: ${allowed}`
          : `${String(path.at(-1))} is missing; allowed: ${allowed}`,
      },
    ];
  }
  // The message of a check of our own.
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') {
    const {value} = at(whole, path);
    return [{path, message: typeof value === 'object' ? issue.message : `${issue.message}, got ${shown(value)}`}];
  }
  const words = issueWords(issue, whole);
  if (words === 'missing') return [{path, message: `${String(path.at(-1))} is missing`}];
  // YAML reads 2027 and yes as a number and a boolean.
  const isUnquoted = /^expected (string|text|a domain)/.test(words) && ['boolean', 'number'].includes(typeof at(whole, path).value);
  return [{path, message: isUnquoted ? `${words}; put it in quotes` : words}];
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing', maxValueLength);
}

function unknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return `unknown key "${key}"`;
  return `unknown key "${key}"; did you mean "${closest(key, [...known])}"? Allowed: ${known.join(', ')}`;
}

/** Whether a value has the kind of an object of a union: what may be one word only is that word. */
function isOfKind(schema: z.core.$ZodType, value: unknown): boolean {
  if (!(schema instanceof z.ZodMiniObject)) return false;
  const words = Object.entries(schema.shape).filter(([, member]) => member instanceof z.ZodMiniLiteral || member instanceof z.ZodMiniEnum);
  return words.every(([name, member]) => z.safeParse(member, at(value, [name]).value).success);
}

/** The keys that the object at a path may have, each once. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[], value: unknown): string[] {
  if (schema instanceof z.ZodMiniOptional) return keysAt(schema.def.innerType, path, value);
  if (schema instanceof z.ZodMiniUnion) {
    const {options} = schema.def;
    const meant = options.filter((option) => isOfKind(option, value));
    return [...new Set((meant.length > 0 ? meant : options).flatMap((option) => keysAt(option, path, value)))];
  }
  const [first, ...rest] = path;
  if (schema instanceof z.ZodMiniObject && first === undefined) return Object.keys(schema.shape);
  if (first === undefined) return [];
  const inner = at(value, [first]).value;
  if (schema instanceof z.ZodMiniObject) {
    const member = schema.shape[String(first)];
    return member === undefined ? [] : keysAt(member, rest, inner);
  }
  if (schema instanceof z.ZodMiniArray) return keysAt(schema.def.element, rest, inner);
  return schema instanceof z.ZodMiniRecord ? keysAt(schema.def.valueType, rest, inner) : [];
}
