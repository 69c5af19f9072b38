/** The members of a large list or object one after the other, without its value in memory. The text need not be valid JSON. */
import {endOfSpace, endOfString, endOfValue} from './scan.js';

/** The text is not valid JSON, at this position. */
export class NotJson extends Error {
  constructor(readonly at: number) {
    super('not valid JSON');
  }
}

export interface MemberText {
  /** Where its name begins, or its value where it has no name. */
  readonly at: number;
  readonly name: string | undefined;
  /** Where its value begins and ends. Whether it is valid JSON shows when it is parsed. */
  readonly start: number;
  readonly end: number;
}

function nameIn(text: string, start: number, end: number): string {
  try {
    return String(JSON.parse(text.slice(start, end)));
  } catch {
    throw new NotJson(start);
  }
}

/** @throws NotJson */
function memberAt(text: string, at: number, isNamed: boolean): MemberText {
  if (!isNamed) return {at, name: undefined, start: at, end: endOfValue(text, at)};
  if (text[at] !== '"') throw new NotJson(at);
  const endOfName = endOfString(text, at);
  const colon = endOfSpace(text, endOfName);
  if (text[colon] !== ':') throw new NotJson(colon);
  const start = endOfSpace(text, colon + 1);
  return {at, name: nameIn(text, at, endOfName), start, end: endOfValue(text, start)};
}

/**
 * @param start of a list or an object
 * @param isWhole whether the text must end with it
 * @throws NotJson
 */
export function* memberTexts(text: string, start: number, isWhole = false): Generator<MemberText> {
  const isNamed = text[start] === '{';
  const closer = isNamed ? '}' : ']';
  let at = endOfSpace(text, start + 1);
  let isFirst = true;
  while (!isFirst || text[at] !== closer) {
    isFirst = false;
    if (at >= text.length) throw new NotJson(at);
    const member = memberAt(text, at, isNamed);
    yield member;
    at = endOfSpace(text, member.end);
    if (text[at] === closer) break;
    if (text[at] !== ',') throw new NotJson(at);
    at = endOfSpace(text, at + 1);
  }
  const end = endOfSpace(text, at + 1);
  if (isWhole && end < text.length) throw new NotJson(end);
}
