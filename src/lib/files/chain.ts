/** Lines of JSON in which each line proves the lines before it: its last member, `x`, is a hash of the `x` of the line before and of the rest of the line. */
import {hash} from 'node:crypto';

/** Hexadecimal digits of the hash. */
const proofLength = 12;

/** The length of `,"x":"…"}` in characters. */
export const tailLength = proofLength + 8;

const tail = new RegExp(`,"x":"([\\da-f]{${proofLength}})"\\}$`);

export const proofOf = (before: string, body: string): string => hash('sha256', before + body).slice(0, proofLength);

/** A line with its proof. @param before the proof of the line before; empty for the first line @param body an object with at least one member, as JSON */
export function sealLine(before: string, body: string): {readonly line: string; readonly x: string} {
  const x = proofOf(before, body);
  return {line: `${body.slice(0, -1)},"x":"${x}"}`, x};
}

/** Splits a line into its body and the proof that it states; undefined for a line without a proof. */
export function openLine(line: string): {readonly body: string; readonly x: string} | undefined {
  const found = tail.exec(line);
  return found?.[1] === undefined ? undefined : {body: `${line.slice(0, found.index)}}`, x: found[1]};
}

/** Whether a text is the beginning of an object, as a run leaves it that is killed while it writes. A whole object is none. */
export function isBeginning(text: string): boolean {
  if (!'{"'.startsWith(text) && !text.startsWith('{"')) return false;
  let [depth, isText, isEscaped] = [0, false, false];
  for (const character of text) {
    if (isEscaped) isEscaped = false;
    else if (isText && character === '\\') isEscaped = true;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === '{' || character === '[')) depth += 1;
    else if (!isText && (character === '}' || character === ']') && (depth -= 1) === 0) return false;
  }
  return true;
}
