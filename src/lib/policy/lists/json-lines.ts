/** On which lines of a JSON text things stand. The caller has made sure that it is JSON. */
import {endOfSeparator, endOfSpace, endOfString, endOfValue, isCloser} from '../../json/scan.js';
import {stringOf} from '../../json/slices.js';

interface Member {
  /** Where its name begins, or it itself where it has none. */
  readonly at: number;
  readonly name: string | undefined;
  readonly value: number;
}

function* membersOf(text: string, start: number): Generator<Member> {
  const isObject = text[start] === '{';
  let at = endOfSpace(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const endOfName = isObject ? endOfString(text, at) : at;
    const value = isObject ? endOfSeparator(text, endOfName) : at;
    yield {at, name: isObject ? stringOf(text.slice(at, endOfName)) : undefined, value};
    at = endOfSeparator(text, endOfValue(text, value));
  }
}

function startOf(text: string, path: readonly string[]): number {
  let start = endOfSpace(text, 0);
  for (const name of path) for (const member of membersOf(text, start)) if (member.name === name) start = member.value;
  return start;
}

/** The lines of the members of a list or object, by index or name. */
export function memberLines(text: string, path: readonly string[] = []): Map<number | string, number> {
  const lines = new Map<number | string, number>();
  let line = 1;
  let counted = 0;
  let index = 0;
  for (const {at, name} of membersOf(text, startOf(text, path))) {
    for (let end = text.indexOf('\n', counted); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
      line += 1;
      counted = end + 1;
    }
    lines.set(name ?? index, line);
    index += 1;
  }
  return lines;
}
