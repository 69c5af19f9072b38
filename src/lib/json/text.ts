/**
 * Layout of JSON documents, done on their text: order and number of keys, numbers and escapes stay as they are.
 * The caller has made sure that the text is JSON.
 */

/** Colouring of the parts of a document. */
export interface JsonColors {
  key(text: string): string;
  string(text: string): string;
  number(text: string): string;
  literal(text: string): string;
}

/** Levels beyond this one are not indented further: the size of a deeply nested document would grow with its square. */
const deepestIndent = 64;

/** The document on one line, without white space outside of strings. */
export function compact(text: string): string {
  let result = '';
  let kept = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
    } else if (isSpace(code)) {
      result += text.slice(kept, at);
      at = endOfSpace(text, at);
      kept = at;
    } else {
      at += 1;
    }
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** The document with one value a line, indented by two spaces; empty lists and objects stay on one line. */
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

const quote = 0x22;
const backslash = 0x5c;

function colored(token: string, isKey: boolean, colors: JsonColors): string {
  if (isKey) return colors.key(token);
  if (token.startsWith('"')) return colors.string(token);
  return /^[-\d]/.test(token) ? colors.number(token) : colors.literal(token);
}

function newLine(depth: number): string {
  return '\n' + '  '.repeat(Math.min(depth, deepestIndent));
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isCloser(code: number): boolean {
  return code === 0x7d || code === 0x5d;
}

function isPunctuation(code: number): boolean {
  return isCloser(code) || code === 0x7b || code === 0x5b || code === 0x2c || code === 0x3a;
}

function endOfSpace(text: string, start: number): number {
  let end = start;
  while (isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

function endOfToken(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (isPunctuation(first)) return start + 1;
  let end = start + 1;
  while (end < text.length && !isSpace(text.charCodeAt(end)) && !isPunctuation(text.charCodeAt(end))) end += 1;
  return end;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

/** Whether an odd number of backslashes stands before the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
