/** JSON values whose numbers keep what they were. */

/** A number as its own text; JSON.stringify writes that text. */
export interface RawJson {
  readonly rawJSON: string;
}

interface ReviverContext {
  /** The value's own text; only of strings, numbers and literals. */
  readonly source?: string;
}

declare global {
  interface JSON {
    parse(text: string, reviver: (this: unknown, key: string, value: unknown, context: ReviverContext) => unknown): unknown;
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/**
 * Finds numbers that may lose something: long ones, and those with a fraction, an exponent or a signed zero. It may
 * err on the side of caution. Digits inside strings (identifiers, times) are passed over by what stands before a number in JSON.
 */
const delicateNumber = /(?:^|[[,]|"\s*:)\s*(?:-0|-?\d{16}|-?\d+[.eE])/;

/**
 * Like JSON.parse, but a number that JavaScript would write differently (12345678901234567890, 2.50, 1e400, -0)
 * becomes a value that keeps its text.
 */
export function parseExact(text: string): unknown {
  // A reviver makes parsing several times slower, and few answers need it.
  return delicateNumber.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text);
}

/** The text of a number, kept or not; undefined for any other value. */
export function sourceText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : undefined;
}

function keepNumber(_key: string, value: unknown, {source}: ReviverContext): unknown {
  if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
  return JSON.rawJSON(source);
}
