/** Mistakes in a file that people wrote: all at once, each with its line. */
import * as z from 'zod/mini';
import {Failure, type Mistake} from '../../client/failure.js';
import {at} from '../../json/path.js';
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

/** `policy.yml:2:5`, as compilers write it. */
export function placeText({file, line, column}: Pick<Mistake, 'column' | 'file' | 'line'>): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/** How many mistakes of a file are listed; more are only counted. */
export const maxKept = 100;

/** The mistakes of a file, in bounded memory: a downloaded file may have millions. */
export class Mistakes {
  readonly first: Mistake[] = [];
  count = 0;
  /** How many rows have a mistake. */
  rows = 0;
  #lastRow = -1;

  /** Whether further ones are only counted. */
  get isFull(): boolean {
    return this.first.length >= maxKept;
  }

  /** @param row the number of the row, if several are on one line; rows come in order @param message called only if it is listed */
  add(place: Omit<Mistake, 'message'>, message: () => string, row = place.line): void {
    this.count += 1;
    if (row !== this.#lastRow) this.rows += 1;
    this.#lastRow = row;
    if (!this.isFull) this.first.push({...place, message: message()});
  }
}

/** The most characters of a message. Parsers quote what they cannot read, however long it is. */
const maxMessageLength = 500;

type Counted = Pick<Mistakes, 'count' | 'first'>;

/** The mistakes that are listed. If there are more, the last one says how many. */
function listMistakes({first, count}: Counted): readonly Mistake[] {
  const told = first.slice(0, maxKept);
  const last = told.at(-1);
  if (last === undefined || count === told.length) return first;
  return [...told, {file: last.file, line: last.line, message: `${andMore(count - told.length)} mistakes`}];
}

/**
 * A failure that names mistakes in the order of the file.
 * @param maxShown how many are named; all are counted
 */
export function mistakesFailure(file: string, mistakes: Counted | readonly Mistake[], maxShown = 20): Failure {
  const {first: all, count} = 'first' in mistakes ? mistakes : {first: mistakes, count: mistakes.length};
  const first = all
    .toSorted((one, other) => one.line - other.line || (one.column ?? 0) - (other.column ?? 0))
    .map((one) => ({...one, message: shorten(one.message, maxMessageLength)}));
  const lines = first.slice(0, maxShown).map((one) => `${placeText(one)}: ${one.message}`);
  const details = {mistakes: listMistakes({first, count})};
  const [only = ''] = lines;
  if (count === 1) return new Failure('usage', only, details);
  const more = count > lines.length ? [andMore(count - lines.length)] : [];
  return new Failure('usage', [`${file} has ${withCommas(count)} mistakes`, ...lines, ...more].join('\n'), details);
}

/** @throws Failure `usage` that names the mistakes, when there are any */
export function refuseMistakes(file: string, mistakes: Counted | readonly Mistake[]): void {
  const count = 'count' in mistakes ? mistakes.count : mistakes.length;
  if (count > 0) throw mistakesFailure(file, mistakes);
}

/** Why something cannot be used, and the place that names it. */
export interface PlacedFailure extends Omit<Mistake, 'message'> {
  readonly failure: Failure;
}

/** @throws the only failure, or a failure with the messages and mistakes of all of them */
export function refuseUnusable(all: readonly PlacedFailure[]): void {
  const [first] = all;
  if (first === undefined) return;
  const mistakes = all.flatMap(({failure: {message, details}, ...place}) => details.mistakes ?? [{...place, message}]);
  if (all.length === 1) throw first.failure.with({mistakes});
  // The first line of each message says what it is about, the other lines name mistakes.
  const parts = all.map(({failure: {message}}) => message.split('\n'));
  const [heads, lines] = [parts.flatMap(([head = '']) => head), parts.flatMap(([, ...rest]) => rest)];
  throw new Failure(first.failure.code, [heads.join('; '), ...lines].join('\n'), {...first.failure.details, mistakes});
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
  const {error} = z.safeParse(schema, value);
  const found = new Map<string, Complaint>();
  for (const issue of error?.issues ?? [])
    for (const one of complaintsIn(issue, value, schema)) {
      const part = JSON.stringify([one.path, one.key]);
      if (!found.has(part)) found.set(part, one);
    }
  return [...found.values()];
}

function complaintsIn(issue: z.core.$ZodIssue, whole: unknown, schema: z.core.$ZodType): Complaint[] {
  const {path} = issue;
  const {present, value} = at(whole, path);
  if (issue.code === 'unrecognized_keys') {
    const known = keysIn(schemaAt(schema, path, whole));
    return issue.keys.map((key) => ({path, key, message: unknownKey(key, known)}));
  }
  if (issue.code === 'invalid_value') return [notKnown(path, issue.values, whole)];
  if (!present) return [{path, message: `${String(path.at(-1))} is missing`}];
  if (issue.code === 'invalid_union' && typeof value === 'object') {
    const meant = issue.errors.filter((issues) => issues.every((one) => one.path.length > 0 || one.code !== 'invalid_type'));
    const [branch] = meant;
    if (meant.length === 1 && branch) return branch.flatMap((one) => complaintsIn({...one, path: [...path, ...one.path]}, whole, schema));
  }
  const isOfType = issue.code === 'invalid_type' || issue.code === 'invalid_union';
  // Checks that the schemas add have messages that people understand.
  if (!isOfType) return [{path, message: typeof value === 'object' ? issue.message : `${issue.message}, got ${showValue(value)}`}];
  const wanted = issue.code === 'invalid_type' ? (typeNames[issue.expected] ?? issue.expected) : undefined;
  const keys = wanted === 'keys' && path.length > 0 ? keysIn(schemaAt(schema, path, whole)) : [];
  if (keys.length > 0) return [{path, message: keysWanted(path, keys, value)}];
  const isPlain = typeof value === 'boolean' || typeof value === 'number';
  const found = isPlain ? String(value) : typeNames[value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value];
  const words = wanted === undefined ? issue.message : `${wanted} ${wanted === 'keys' ? 'are' : 'is'} expected`;
  // YAML reads 2027 and yes as a number and a boolean.
  const isUnquoted = isPlain && /^(?:text|a domain)\b/.test(words);
  return [{path, message: `${words}, got ${found}${isUnquoted ? '; put it in quotes' : ''}`}];
}

/** Types as people who write YAML call them. */
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

/** The message for another value in place of an object with these keys. */
function keysWanted(path: readonly PropertyKey[], keys: readonly string[], value: unknown): string {
  const name = String(path.findLast((part) => typeof part === 'string'));
  const whose = typeof path.at(-1) === 'string' ? name : `an item of ${name}`;
  const example = keys.includes('must') && Array.isArray(value) ? `: write ${name}: {must: [...]}` : '';
  return `${whose} takes keys (${keys.join(', ')}), not ${Array.isArray(value) ? 'a list' : showValue(value)}${example}`;
}

function notKnown(path: readonly PropertyKey[], values: readonly unknown[], whole: unknown): Complaint {
  const found = at(whole, path);
  const allowed = values.map(String).join(', ');
  const name = path.findLast((part) => typeof part === 'string') ?? 'value';
  if (!found.present) return {path, message: `${String(path.at(-1))} is missing; allowed: ${allowed}`};
  return {path, message: `unsupported ${name} ${showValue(found.value)} (supported: ${allowed})`};
}

function showValue(value: unknown): string {
  return shorten(JSON.stringify(value) ?? 'nothing', maxValueLength);
}

/** Names that other tools use for our keys. Of several keys, the one that is allowed at the place is meant. */
const otherWords: readonly (readonly [words: RegExp, ...keys: string[]])[] = [
  [/^(?:server|instance|admin)_?(?:domain_?)?(?:blocks?|blocklist|denylist)$/, 'admin_domain_blocks'],
  [
    /^(?:block(?:ed)?_?(?:domains?|instances?|servers?)|domains?(?:_?(?:blocklist|denylist))?|defederat\w*)$/,
    'domain_blocks',
    'admin_domain_blocks',
  ],
  [/^(?:block(?:ed)?_?(?:accounts?|users?|people)|account_?blocks?|blocked)$/, 'blocks'],
  [/^(?:mute[ds]?_?(?:accounts?|users?|people)|account_?mutes?|muted|silenced)$/, 'mutes'],
  [/^(?:(?:muted|blocked|filtered)_?(?:words?|keywords?|phrases?)|keyword_?filters?|content_?filters?)$/, 'filters'],
  [/^(?:add|block|deny|ensure|include|present|require[ds]?|want(?:ed)?|entries|items)$/, 'must'],
  [
    /^(?:absent|allow(?:ed|list)?|delete|except|exclude|forbid(?:den)?|ignore|keep|never|protect(?:ed)?|remove|unblock|whitelist)$/,
    'must_not',
  ],
  [/^(?:blocklists?|imports?|include_lists?|sources?|subscri\w*)$/, 'lists'],
  [/^(?:exact|exclusive|prune|strict)$/, 'only'],
  [/^(?:threshold|quorum|min_lists?|consensus)$/, 'agree'],
  [/^(?:comment|note|reason)$/, 'private_comment', 'note', 'comments'],
  [/^(?:name|phrase)$/, 'title', 'domain', 'keyword'],
  [/^(?:words?|phrases|terms)$/, 'keywords', 'filters'],
  [/^(?:expir\w*|ends?|valid_until)$/, 'expires', 'until'],
  [/^(?:level|action)$/, 'severity', 'action'],
  [/^(?:path|src)$/, 'file'],
  [/^(?:uri|href|link|from)$/, 'url'],
  [/^(?:users?|profiles?|handles?)$/, 'accounts', 'for'],
];

/** The known key that an unknown one is meant to be; undefined if it resembles none. */
function guessKey(key: string, known: readonly string[]): string | undefined {
  const word = key.toLowerCase().replaceAll(/[\s-]+/g, '_');
  const others = otherWords.flatMap(([words, ...keys]) => (words.test(word) ? keys : []));
  const longer = word.length > 2 ? known.filter((one) => one.startsWith(word)) : [];
  return [...others, ...longer].find((one) => known.includes(one)) ?? nearest(key, known);
}

function unknownKey(key: string, known: readonly string[]): string {
  const unknown = `unknown key "${shorten(key, maxValueLength)}"`;
  if (known.length === 0) return unknown;
  const meant = guessKey(key, known);
  return `${unknown}; ${meant === undefined ? 'allowed' : `did you mean "${meant}"? Allowed`}: ${known.join(', ')}`;
}

/** The schema at a path in a document. Of alternative schemas, the first is used that has the path. */
function schemaAt(schema: z.core.$ZodType | undefined, path: readonly PropertyKey[], value: unknown): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) return schemaAt(schema.def.innerType, path, value);
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  if (schema instanceof z.ZodMiniUnion) {
    const [inner] = schema.def.options.flatMap((option) => schemaAt(option, path, value) ?? []);
    return inner;
  }
  const below = at(value, [first]).value;
  if (schema instanceof z.ZodMiniObject) return schemaAt(schema.shape[String(first)], rest, below);
  if (schema instanceof z.ZodMiniArray && Array.isArray(value)) return schemaAt(schema.def.element, rest, below);
  return schema instanceof z.ZodMiniRecord ? schemaAt(schema.def.valueType, rest, below) : undefined;
}

function keysIn(schema: z.core.$ZodType | undefined): string[] {
  if (schema instanceof z.ZodMiniUnion) return [...new Set(schema.def.options.flatMap(keysIn))];
  return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}
