/** Parses JSON without loss of digits. */

/** A number as text, which JSON.stringify writes unchanged. */
interface RawJson {
  readonly rawJSON: string;
}

interface ReviverContext {
  /** How the document writes the value; undefined for lists and objects. */
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
 * Finds numbers that may lose digits: long ones, and those with a fraction, an exponent or a negative zero. The characters around a number
 * distinguish it from most digits inside strings.
 */
const delicateNumber = /(?:^|[[,:\s])(-?\d+[.eE][-+.\deE]*|-?\d{16,}|-0)(?=\s*(?:$|[\],}]))/g;

const isLossy = (number: string): boolean => String(Number(number)) !== number;

/** Replaces a number that JavaScript would write differently by its text. */
const exactly = (_: string, value: unknown, {source}: ReviverContext): unknown =>
  typeof value === 'number' && source !== undefined && isLossy(source) ? JSON.rawJSON(source) : value;

/** Whether a document may have a number that JavaScript would write differently. Other documents are parsed many times faster. */
const mayBeLossy = (text: string): boolean => text.matchAll(delicateNumber).some(([, number = '']) => isLossy(number));

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

const membersIn = (value: object): readonly unknown[] => (Array.isArray(value) ? value : Object.values(value));

/** How deeply lists and objects may be nested. Servers written in PHP read 512 levels at most, and each level takes a nested call here. */
export const deepest = 500;

export class TooDeep extends Error {
  override readonly name = 'TooDeep';

  constructor() {
    super(`nested deeper than ${deepest} levels`);
  }
}

function isDeeper(value: unknown, most: number): boolean {
  return isNested(value) && (most === 0 || membersIn(value).some((member) => isNested(member) && isDeeper(member, most - 1)));
}

interface BothWays {
  /** As JSON.parse reads it: long numbers are rounded. */
  readonly value: unknown;
  /** The same, with the text of each number that JavaScript would write differently (12345678901234567890, 2.50, 1e400, -0). */
  readonly exact: unknown;
}

/** @param most how many levels may be nested @throws SyntaxError, or TooDeep */
export function parseBothWays(text: string, most = deepest): BothWays {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, most)) throw new TooDeep();
  return {value, exact: mayBeLossy(text) ? JSON.parse(text, exactly) : value};
}

/** Parses JSON with all digits of numbers, which JSON.stringify writes again. @param most nested levels @throws SyntaxError, or TooDeep */
export const parseExact = (text: string, most = deepest): unknown => parseBothWays(text, most).exact;

/** The text of a number; undefined for any other value. */
export function sourceText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : undefined;
}

/** Replaces every member with one of these names, at any depth, and leaves it out where the replacement is undefined. */
export function withMembers(value: unknown, names: readonly string[], change: (member: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (Array.isArray(value)) return value.map((item) => withMembers(item, names, change));
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const changed: unknown = names.includes(name) ? change(member) : withMembers(member, names, change);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Object.fromEntries(members);
}

export const withoutMembers = (value: unknown, names: readonly string[]): unknown => withMembers(value, names, () => undefined);

/** Whether a text may have a member with one of these names. Servers do not escape letters, so that a quick search finds them. */
export const mayHaveMembers = (text: string, names: readonly string[]): boolean => names.some((name) => text.includes(`"${name}"`));
