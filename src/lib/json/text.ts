/** Indents JSON documents, and words texts that count and enumerate. */
import {parseBothWays, TooDeep} from './exact.js';
import {endOfSpace, endOfToken} from './scan.js';

export interface JsonColors {
  key(text: string): string;
  string(text: string): string;
  number(text: string): string;
  literal(text: string): string;
}

/** A document that is nested deeper is left as it is: with indentation, its size would grow with the square of the depth. */
const deepestIndent = 32;

/** The document with one value a line, indented by two spaces, with all digits of its numbers. */
export function indent(text: string, colors?: JsonColors): string {
  try {
    const indented = JSON.stringify(parseBothWays(text, deepestIndent).exact, null, 2);
    return colors === undefined
      ? indented
      : indented
          .split('\n')
          .map((line) => paintLine(line, colors))
          .join('\n');
  } catch (error) {
    if (error instanceof TooDeep) return text.trim();
    throw error;
  }
}

/** Paints a line of an indented document, which has at most a key and one value. */
function paintLine(line: string, colors: JsonColors): string {
  let painted = '';
  for (let at = 0, end = 0; at < line.length; at = end) {
    const start = endOfSpace(line, at);
    end = start < line.length ? endOfToken(line, start) : start;
    const token = line.slice(start, end);
    painted += line.slice(at, start) + (/^["\w-]/.test(token) ? paintToken(token, line[end] === ':', colors) : token);
  }
  return painted;
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
