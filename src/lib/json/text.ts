/** Indents JSON documents as text, so that keys, numbers and escapes are unchanged. The text must be valid JSON. */
import {colon, comma, endOfSpace, endOfToken, isCloser, isOpener} from './scan.js';

export interface JsonColors {
  key(text: string): string;
  string(text: string): string;
  number(text: string): string;
  literal(text: string): string;
}

/** Deeper levels are not indented further: the size of a deeply nested document would grow with the square of the depth. */
const deepestIndent = 16;

/** The document with one value a line, indented by two spaces. Empty lists and objects stay on one line. */
export function indent(text: string, colors?: JsonColors): string {
  return [...indentJson([text], colors)].join('');
}

/** A whole value in a document that comes in pieces. It is indented faster than its text would be. */
export interface ValuePiece {
  readonly value: unknown;
}

/** Indents a document that comes in pieces. @param pieces values, and texts that end after a value, a bracket or a comma */
export function* indentJson(pieces: Iterable<ValuePiece | string>, colors?: JsonColors): Generator<string> {
  let depth = 0;
  let isAfterOpener = false;
  for (const text of pieces) {
    if (typeof text !== 'string') {
      yield `${isAfterOpener ? newLine(depth) : ''}${JSON.stringify(text.value, null, 2).replaceAll('\n', newLine(depth))}`;
      isAfterOpener = false;
      continue;
    }
    let result = '';
    for (let at = endOfSpace(text, 0), end = at; at < text.length; at = endOfSpace(text, end)) {
      const code = text.charCodeAt(at);
      end = endOfToken(text, at);
      const token = text.slice(at, end);
      if (code === comma || code === colon) {
        result += code === comma ? `,${newLine(depth)}` : ': ';
        continue;
      }
      const isEnd = isCloser(code);
      if (isEnd) depth -= 1;
      if (isAfterOpener !== isEnd) result += newLine(depth);
      isAfterOpener = isOpener(code);
      if (isAfterOpener) depth += 1;
      const isValue = !isEnd && !isAfterOpener;
      result += isValue && colors ? colorToken(token, text.charCodeAt(endOfSpace(text, end)) === colon, colors) : token;
    }
    yield result;
  }
}

function colorToken(token: string, isKey: boolean, colors: JsonColors): string {
  if (isKey) return colors.key(token);
  if (token.startsWith('"')) return colors.string(token);
  return /^[-\d]/.test(token) ? colors.number(token) : colors.literal(token);
}

const newLines = Array.from({length: deepestIndent + 1}, (_, depth) => `\n${'  '.repeat(depth)}`);

const newLine = (depth: number): string => newLines[Math.min(depth, deepestIndent)] ?? '';

/** A whole number with commas between thousands. Node's own formatter loads the rules of languages, which is slow. */
export const withCommas = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** `1 account`, `1,200 accounts`. */
export function countNoun(count: number, one: string, several = `${one}s`): string {
  return `${withCommas(count)} ${count === 1 ? one : several}`;
}

/** `a, b and c` */
export const enumerate = (texts: readonly string[], word: 'and' | 'or' = 'and'): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter((text) => Boolean(text)).join(` ${word} `);

/** `and 1,200 more` */
export const andMore = (count: number): string => `and ${withCommas(count)} more`;

/**
 * The first of several texts, and how many more there are: `a, b and 3 more`.
 * @param max how many are shown, five by default
 * @param all how many there are, where not all of them are in `texts`
 */
export function firstOf(texts: readonly string[], max = 5, {all = texts.length, between = ', '}: FirstOf = {}): string {
  const shown = texts.slice(0, max);
  if (all <= shown.length) return shown.join(between);
  const more = andMore(all - shown.length);
  return between === ', ' ? `${shown.join(between)} ${more}` : [...shown, more].join(between);
}

interface FirstOf {
  readonly all?: number | undefined;
  /** `; ` for sentences. */
  readonly between?: ', ' | '; ';
}

/** `not found, and 2 more like it`: one message for several similar errors. */
export function withOthersLikeIt(text: string, count: number): string {
  return count > 1 ? `${text}, ${andMore(count - 1)} like it` : text;
}

/**
 * Truncates longer text with an ellipsis. Splits no character, and leaves no joiner before the ellipsis.
 * @param most UTF-16 code units; by default as many as a message has room for
 */
export function shorten(text: string, most = 60): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end).replace(/\u200d$/, '')}…`;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
