/** Mistakes in a file that people wrote: all at once, each with its line. */
import * as z from 'zod/mini';
import {Failure, type Mistake} from '../../client/failure.js';
import {nearest} from '../../json/nearest.js';
import {andMore, shorten, withCommas} from '../../json/text.js';

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

/** How many mistakes of a file are listed; more are only counted. */
export const maxKept = 100;

/** The mistakes of a file, in bounded memory: a downloaded file may have millions. */
export class Mistakes {
  readonly first: Mistake[] = [];
  count = 0;

  /** @param message called only if it is listed */
  add(place: Omit<Mistake, 'message'>, message: () => string): undefined {
    this.count += 1;
    if (this.first.length < maxKept) this.first.push({...place, message: message()});
  }
}

type Counted = Pick<Mistakes, 'count' | 'first'>;

/** The most characters of a message. Parsers quote what they cannot read, however long it is. */
const maxMessageLength = 500;

/**
 * A failure that names mistakes in the order of the file.
 * @param maxShown how many are named; all are counted
 */
export function mistakesFailure(file: string, {first, count}: Counted, maxShown = 20): Failure {
  const mistakes = first
    .toSorted((one, other) => one.line - other.line || (one.column ?? 0) - (other.column ?? 0))
    .map((one) => ({...one, message: shorten(one.message, maxMessageLength)}));
  // As compilers write it: `policy.yml:2:5: …`.
  const lines = mistakes
    .slice(0, maxShown)
    .map(({line, column, message, ...place}) => [place.file, line, ...(column === undefined ? [] : [column]), ` ${message}`].join(':'));
  const [only = ''] = lines;
  if (count === 1) return new Failure('usage', only, {mistakes});
  const more = count > lines.length ? [andMore(count - lines.length)] : [];
  return new Failure('usage', [`${file} has ${withCommas(count)} mistakes`, ...lines, ...more].join('\n'), {mistakes});
}

export const mistakeAt = (file: string, line: number, message: string): Failure =>
  mistakesFailure(file, {first: [{file, line, message}], count: 1});

/** @throws Failure `usage` that names the mistakes, when there are any */
export function refuseMistakes(file: string, mistakes: Counted): void {
  if (mistakes.count > 0) throw mistakesFailure(file, mistakes);
}

/** @throws the only failure, or one with the messages and mistakes of all of them */
export function refuseFailures(all: readonly Failure[]): void {
  const [first, second] = all;
  if (first === undefined) return;
  if (second === undefined) throw first;
  const mistakes = all.flatMap(({details}) => details.mistakes ?? []);
  const message = [`${withCommas(all.length)} files cannot be used`, ...all.map((one) => one.message)].join('\n');
  throw new Failure(first.code, message, {...first.details, mistakes});
}

/** A mismatch with a schema, in a part of a document. */
interface Complaint {
  readonly path: readonly PropertyKey[];
  /** The name of an unknown key in the object at `path`. */
  readonly key?: string | undefined;
  readonly message: string;
}

/** The mismatches with a schema, in words that say what is allowed: one for each part. */
export function complaintsOf(schema: z.ZodMiniType, value: unknown): Complaint[] {
  const {error} = z.safeParse(schema, value, {error: wantedText, reportInput: true});
  const found = new Map<string, Complaint>();
  for (const one of (error?.issues ?? []).flatMap(complaintsIn)) {
    const part = JSON.stringify([one.path, one.key]);
    if (!found.has(part)) found.set(part, one);
  }
  return [...found.values()];
}

/** What is wanted, for an issue whose schema does not say it; of an object its keys. */
function wantedText({inst, code, ...issue}: z.core.$ZodRawIssue): string {
  const keys = inst instanceof z.ZodMiniObject ? Object.keys(inst.shape).join(', ') : '';
  if (code === 'unrecognized_keys') return keys;
  const wanted = typeNames[String(issue['expected'])] ?? 'another value';
  return keys === '' ? `${wanted} ${wanted === 'keys' ? 'are' : 'is'} expected` : `keys (${keys}) are expected`;
}

function complaintsIn(issue: z.core.$ZodIssue): Complaint[] {
  const {path, input, message} = issue;
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({path, key, message: unknownKey(key, message === '' ? [] : message.split(', '))}));
  if (input === undefined) return [{path, message: `${String(path.at(-1))} is missing`}];
  if (issue.code === 'invalid_value') {
    const name = path.findLast((part) => typeof part === 'string') ?? 'value';
    return [{path, message: `unsupported ${String(name)} ${showValue(input)} (supported: ${issue.values.map(String).join(', ')})`}];
  }
  if (issue.code === 'invalid_union' && typeof input === 'object') {
    const meant = issue.errors.filter((issues) => issues.every((one) => one.path.length > 0 || one.code !== 'invalid_type'));
    const [branch] = meant;
    if (meant.length === 1 && branch) return branch.flatMap((one) => complaintsIn({...one, path: [...path, ...one.path]}));
  }
  const isOfType = issue.code === 'invalid_type' || issue.code === 'invalid_union';
  // Checks that the schemas add have messages that people understand.
  if (!isOfType) return [{path, message: typeof input === 'object' ? message : `${message}, got ${showValue(input)}`}];
  const isPlain = typeof input === 'boolean' || typeof input === 'number';
  const found = isPlain ? String(input) : typeNames[input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input];
  // YAML reads 2027 and yes as a number and a boolean.
  const isUnquoted = isPlain && /^(?:text|a domain)\b/.test(message);
  const example = Array.isArray(input) && message.startsWith('keys (must,') ? ': write {must: [...]}' : '';
  return [{path, message: `${message}, got ${found}${isUnquoted ? '; put it in quotes' : example}`}];
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'nothing',
  number: 'a number',
  object: 'keys',
  record: 'keys',
  string: 'text',
};

const showValue = (value: unknown): string => shorten(JSON.stringify(value), maxValueLength);

function unknownKey(key: string, known: readonly string[]): string {
  const unknown = `unknown key "${shorten(key, maxValueLength)}"`;
  if (known.length === 0) return unknown;
  const meant = nearest(key, known);
  return `${unknown}; ${meant === undefined ? 'allowed' : `did you mean "${meant}"? Allowed`}: ${known.join(', ')}`;
}
