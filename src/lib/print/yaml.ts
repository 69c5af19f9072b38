/** `--output yaml`: an answer as one document, items as one sequence. */
import {stringify, type CreateNodeOptions, type DocumentOptions, type ScalarTag, type SchemaOptions, type ToStringOptions} from 'yaml';
import {fieldTexts, itemTexts, kindOf, stringOf} from '../json/slices.js';
import type {ItemSetting, ItemWriter} from './format.js';
import {inertData, isActive} from './inert.js';

type Pieces = Generator<string, void, undefined>;

export function openYaml({isList}: Pick<ItemSetting, 'isList'>): ItemWriter {
  let isEmpty = true;
  function* pieces(texts: readonly string[]): Pieces {
    if (texts.length > 0) isEmpty = false;
    if (isList) yield* itemsOf(texts, 0);
    else for (const text of texts) yield* blockOf(text);
  }
  return {
    nature: 'data',
    items: (texts) => [...pieces(texts)].join(''),
    pieces,
    end: () => ({stdout: isList && isEmpty ? '[]\n' : ''}),
  };
}

/** Characters that the library writes at a time: it takes a hundred times their size in memory. */
const portion = 5000;

/** Characters. The library copies longer texts too often. */
const maxTextLength = 100_000;
const piece = 20_000;

/** Groups neighbours that are not too long together. A long one is alone. */
function* portions<Part>(parts: Iterable<Part>, lengthOf: (part: Part) => number): Generator<[Part, ...Part[]], void, undefined> {
  let some: [Part, ...Part[]] | undefined;
  let length = 0;
  for (const part of parts) {
    length += lengthOf(part);
    if (some !== undefined && length <= portion) some.push(part);
    else {
      if (some !== undefined) yield some;
      some = [part];
      length = lengthOf(part);
    }
  }
  if (some !== undefined) yield some;
}

/** One value as YAML. Large lists and objects are written member by member. */
function* blockOf(text: string, depth = 0): Pieces {
  if (depth === deepest || !isLarge(text)) return yield yaml(valueOf(text, depth));
  const kind = kindOf(text);
  if (kind === 'string') return yield* quotedInPieces(stringOf(text));
  if (kind === 'list') return yield* itemsOf(itemTexts(text), depth + 1);
  for (const some of portions(fieldTexts(text), ([, {length}]) => length)) {
    const [name, field] = some[0];
    if (isLarge(field)) {
      const key = yaml(new Map([[name, new Verbatim('')]])).trimEnd();
      yield `${key}${kindOf(field) === 'string' ? ' ' : '\n  '}`;
      yield* indented(blockOf(field, depth + 1));
    } else yield yaml(new Map(some.map(([key, value]) => [key, valueOf(value, depth + 1)])));
  }
}

/** The items of a list, `- ` before each. */
function* itemsOf(texts: readonly string[], depth: number): Pieces {
  for (const some of portions(texts, ({length}) => length)) {
    if (isLarge(some[0])) {
      yield '- ';
      yield* indented(blockOf(some[0], depth));
    } else yield yaml(some.map((item) => valueOf(item, depth)));
  }
}

/** Whether it is written here rather than by the library: a long list or object, a long text with escapes, or a very long one. */
function isLarge(text: string): boolean {
  if (text.length <= portion) return false;
  const kind = kindOf(text);
  return kind === 'list' || kind === 'object' || (kind === 'string' && (text.length > maxTextLength || isActive(stringOf(text))));
}

/** Indents all lines but the first by two columns. Empty lines, which are in texts, stay empty. */
function* indented(block: Pieces): Pieces {
  let isLineBegun = true;
  for (const part of block) {
    yield (isLineBegun || part.startsWith('\n') ? '' : '  ') + part.replaceAll(/\n(?=[^\n])/g, '\n  ');
    isLineBegun = !part.endsWith('\n');
  }
}

/** A number or JSON text that is written as it is. */
class Verbatim {
  constructor(readonly json: string) {}
}

/** Deeper values are written as JSON: the indentation would grow with the square of the depth. */
const deepest = 64;

function valueOf(text: string, depth = 0): unknown {
  const kind = kindOf(text);
  if (kind === 'string') return stringOf(text);
  if (kind === 'number' || depth === deepest) return new Verbatim(inertData(text));
  if (kind === 'list') return itemTexts(text).map((item) => valueOf(item, depth + 1));
  if (kind === 'object') return new Map([...fieldTexts(text)].map(([name, field]) => [name, valueOf(field, depth + 1)]));
  return JSON.parse(text);
}

const verbatim: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof Verbatim,
  resolve: (text) => text,
  stringify: ({value}) => (value instanceof Verbatim ? value.json : ''),
};

/** Characters that YAML does not allow or takes for line breaks or controls, and what YAML 1.1 takes for more than text. */
const unsafeInYaml = /[\u2028\u2029\ufeff\ufffe\uffff]|^=$/;

const quotedText: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && (unsafeInYaml.test(value) || isActive(value)),
  resolve: (text) => text,
  stringify: ({value}) => quoted(value),
};

/** In double quotes, as JSON, inert. */
function quoted(value: unknown): string {
  return inertData(JSON.stringify(value).replaceAll(/[\ufffe\uffff]/g, escaped));
}

/** A long text in double quotes, inert, bit by bit, so that only a part of it is in memory several times. */
function* quotedInPieces(text: string): Pieces {
  yield '"';
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + piece, text.length);
    // Not between the two halves of a character.
    if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
    yield quoted(text.slice(start, end)).slice(1, -1);
  }
  yield '"\n';
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16)}`;
}

const options: CreateNodeOptions & DocumentOptions & SchemaOptions & ToStringOptions = {
  aliasDuplicateObjects: false,
  blockQuote: 'literal',
  // Many readers still follow YAML 1.1, in which "no" and "12:30" are not strings.
  compat: 'yaml-1.1',
  customTags: (tags) => [verbatim, quotedText, ...tags],
  lineWidth: 0,
};

function yaml(value: unknown): string {
  return stringify(value, options);
}
