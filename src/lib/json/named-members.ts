/** The members of certain names in the text of a JSON document, wherever they are. All else stays as it is written. */
import {endOfSpace, endOfString, endOfValue} from './scan.js';

interface NamedMember {
  /** Where its name begins, where its value begins, and where that ends. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

function isNamed(name: string, names: readonly string[]): boolean {
  try {
    return names.includes(JSON.parse(name));
  } catch {
    return false;
  }
}

/** Outermost ones only. The text need not be valid JSON. */
function* membersNamed(text: string, names: readonly string[]): Generator<NamedMember> {
  for (let at = text.indexOf('"'); at !== -1;) {
    const endOfName = endOfString(text, at);
    const colon = endOfSpace(text, endOfName);
    let next = endOfName;
    if (text[colon] === ':' && isNamed(text.slice(at, endOfName), names)) {
      const start = endOfSpace(text, colon + 1);
      next = endOfValue(text, start);
      yield {at, start, end: next};
    }
    at = text.indexOf('"', next);
  }
}

/** Whether a text may have one: quick. Servers write letters as they are. */
export const mayHaveMembers = (text: string, names: readonly string[]): boolean => names.some((name) => text.includes(`"${name}"`));

function withoutComma(text: string): string {
  const plain = text.trimEnd();
  return plain.endsWith(',') ? plain.slice(0, -1) : text;
}

/** A document without the members of these names. */
export function withoutMembers(text: string, names: readonly string[]): string {
  if (!mayHaveMembers(text, names)) return text;
  let [left, from] = ['', 0];
  for (const {at, end} of membersNamed(text, names)) {
    left += text.slice(from, at);
    const comma = endOfSpace(text, end);
    from = text[comma] === ',' ? endOfSpace(text, comma + 1) : end;
    // The last member of an object leaves the comma before it.
    if (from === end) left = withoutComma(left);
  }
  return left + text.slice(from);
}

/** A document in which the texts and numbers under these names are another text. */
export function withMembersMasked(text: string, names: readonly string[], mask: string): string {
  if (!mayHaveMembers(text, names)) return text;
  let [shown, from] = ['', 0];
  for (const {start, end} of membersNamed(text, names)) {
    if (text.startsWith('null', start)) continue;
    shown += text.slice(from, start) + JSON.stringify(mask);
    from = end;
  }
  return shown + text.slice(from);
}
