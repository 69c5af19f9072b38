/** Parses JSON without loss of digits. */
import {isDeeper} from './scan.js';

/** A number as its text, which JSON.stringify writes. */
interface RawJson {
  readonly rawJSON: string;
}

interface ReviverContext {
  /** The text of a string, number or literal. */
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
 * Finds numbers that may lose digits: long ones, and those with a fraction, an exponent or a negative zero. False positives are
 * harmless. The characters before a number in JSON distinguish it from digits inside strings.
 */
const delicateNumber = /(?:^|[[,]|"\s*:)\s*(?:-0|-?\d{16}|-?\d+[.eE])/;

/** A number that JavaScript would write differently: its text; undefined for any other value. */
function lossyText(value: unknown, {source}: ReviverContext): string | undefined {
  return typeof value === 'number' && String(value) !== source ? source : undefined;
}

type Reviver = (key: string, value: unknown, context: ReviverContext) => unknown;

function parseWith(text: string, reviver: Reviver): unknown {
  // A reviver makes parsing several times slower, and few answers need it.
  if (!delicateNumber.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    // The reviver recurses as deep as the document is nested; JSON.parse alone does not.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/**
 * Like JSON.parse, but a number that JavaScript would write differently (12345678901234567890, 2.50, 1e400, -0)
 * becomes a value that keeps its text.
 */
export function parseExact(text: string): unknown {
  return parseWith(text, (_, value, context) => {
    const lossy = lossyText(value, context);
    return lossy === undefined ? value : JSON.rawJSON(lossy);
  });
}

/** Levels of lists and objects in each other. Servers written in PHP read no more than 512. */
export const deepestInput = 500;

/** JSON that is nested too deeply. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/**
 * Parses what a user typed, as {@link parseExact} does: later steps call themselves for each level of it.
 * @throws TooDeep beyond {@link deepestInput} levels
 */
export function parseInput(text: string): unknown {
  if (isDeeper(text, deepestInput)) throw new TooDeep();
  return parseExact(text);
}

/** The text of a number; undefined for any other value. */
export function sourceText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return JSON.isRawJSON(value) ? value.rawJSON : undefined;
}
