/** Indents JSON documents, and words texts that count and enumerate. */
import {colon, comma, endOfSpace, endOfToken, isCloser, isOpener} from './scan.js';

export interface JsonColors {
  key(text: string): string;
  string(text: string): string;
  number(text: string): string;
  literal(text: string): string;
}

/** Deeper levels are not indented further: the size of a deeply nested document would grow with the square of the depth. */
const deepestIndent = 16;

const newLine = (depth: number): string => `\n${'  '.repeat(Math.min(depth, deepestIndent))}`;

/** The document with one value a line, indented by two spaces: keys, numbers and escapes are as they were, repeated keys too. */
export function indent(text: string, colors?: JsonColors): string {
  let result = '';
  let depth = 0;
  let isAfterOpener = false;
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
    const isPunctuation = isEnd || isAfterOpener;
    result += isPunctuation || !colors ? token : paintToken(token, text.charCodeAt(endOfSpace(text, end)) === colon, colors);
  }
  return result;
}

function paintToken(token: string, isKey: boolean, colors: JsonColors): string {
  if (isKey) return colors.key(token);
  if (token.startsWith('"')) return colors.string(token);
  return /^[-\d]/.test(token) ? colors.number(token) : colors.literal(token);
}

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
