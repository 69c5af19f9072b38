/**
 * Compacts and indents JSON documents as text, so that keys, numbers and escapes are unchanged. The text must be valid JSON.
 */
import {endOfSpace, endOfToken, isCloser, valueFrom} from './scan.js';

/** Adds colours to the parts of a document. */
export interface JsonColors {
  key(text: string): string;
  string(text: string): string;
  number(text: string): string;
  literal(text: string): string;
}

/** Deeper levels are not indented further: the size of a deeply nested document would grow with the square of the depth. */
const deepestIndent = 16;

/** The document without white space outside strings. */
export function compact(text: string): string {
  return valueFrom(text, endOfSpace(text, 0)).compact;
}

/** The document with one value a line, indented by two spaces. Empty lists and objects stay on one line. */
export function indent(text: string, colors?: JsonColors): string {
  let result = '';
  let depth = 0;
  let at = endOfSpace(text, 0);
  while (at < text.length) {
    const end = endOfToken(text, at);
    const next = endOfSpace(text, end);
    const token = text.slice(at, end);
    at = next;
    if (token === '{' || token === '[') {
      if (isCloser(text.charCodeAt(next))) {
        result += token + text.charAt(next);
        at = endOfSpace(text, next + 1);
      } else {
        depth += 1;
        result += token + newLine(depth);
      }
    } else if (token === '}' || token === ']') {
      depth -= 1;
      result += newLine(depth) + token;
    } else if (token === ',') {
      result += token + newLine(depth);
    } else if (token === ':') {
      result += ': ';
    } else {
      result += colors ? colored(token, text.charAt(next) === ':', colors) : token;
    }
  }
  return result;
}

function colored(token: string, isKey: boolean, colors: JsonColors): string {
  if (isKey) return colors.key(token);
  if (token.startsWith('"')) return colors.string(token);
  return /^[-\d]/.test(token) ? colors.number(token) : colors.literal(token);
}

function newLine(depth: number): string {
  return '\n' + '  '.repeat(Math.min(depth, deepestIndent));
}

/** A whole number with commas between thousands. Node's own way loads the rules of languages, which is slow. */
export const withCommas = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** `1 account`, `1,200 accounts`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${withCommas(count)} ${count === 1 ? one : several}`;
}

/** `a, b and c` */
export const enumerated = (texts: readonly string[], word: 'and' | 'or' = 'and'): string =>
  [texts.slice(0, -1).join(', '), texts.at(-1)].filter((text) => Boolean(text)).join(` ${word} `);

/** `and 1,200 more` */
export const andMore = (count: number): string => `and ${withCommas(count)} more`;

/**
 * The first of several texts, and how many more there are: `a, b and 3 more`.
 * @param max how many are shown
 * @param all how many there are, where not all of them are in `texts`
 */
export function firstOf(texts: readonly string[], max: number, {all = texts.length, between = ', '}: FirstOf = {}): string {
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

/** What is said of the first of several that are alike. */
export function withOthersLikeIt(text: string, count: number): string {
  return count > 1 ? `${text}, ${andMore(count - 1)} like it` : text;
}

/** The text, truncated with an ellipsis if it is longer. Splits no character, and joins nothing to the ellipsis. @param most code units */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return `${text.slice(0, end).replace(/\u200d$/, '')}…`;
}
