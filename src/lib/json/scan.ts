/** Finds where spaces, tokens and values end in the text of a JSON document, which must be valid. */

const quote = 0x22;
const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

function isSpace(code: number): boolean {
  // Most characters are greater than a space, and are then compared only once.
  return code <= 0x20 && (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09);
}

export function isOpener(code: number): boolean {
  return code === openBrace || code === openBracket;
}

export function isCloser(code: number): boolean {
  return code === closeBrace || code === closeBracket;
}

function isPunctuation(code: number): boolean {
  return isOpener(code) || isCloser(code) || code === comma || code === colon;
}

export function endOfSpace(text: string, start: number): number {
  let end = start;
  while (isSpace(text.charCodeAt(end))) end += 1;
  return end;
}

export function endOfToken(text: string, start: number): number {
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

export function endOfValue(text: string, start: number): number {
  if (!isOpener(text.charCodeAt(start))) return endOfToken(text, start);
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      continue;
    }
    at += 1;
    if (isOpener(code)) depth += 1;
    else if (isCloser(code)) depth -= 1;
  } while (depth > 0 && at < text.length);
  return at;
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
