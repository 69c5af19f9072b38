import {createHash} from 'node:crypto';
import {fieldTexts, stringOf} from '../json/slices.js';

/** How many keys back a repetition is noticed; more would not be flat in memory. */
const remembered = 10_000;

/** A text of its own: one that is part of a page would keep the whole page in memory. */
export function copied(text: string): string {
  return stringOf(JSON.stringify(text));
}

function idOf(value: unknown, text: () => string): string | undefined {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  const {id} = value;
  if (typeof id === 'string') return id;
  // Digit for digit: a long number is another one in JavaScript.
  const source = typeof id === 'number' ? fieldTexts(text()).get('id') : undefined;
  return source === undefined ? undefined : copied(source);
}

/**
 * What tells an item from others: its id, or where it has none, itself.
 * @param text what was parsed
 */
export function keyOf(value: unknown, text: () => string): string {
  if (typeof value === 'string') return value;
  return idOf(value, text) ?? copied(text());
}

/** Longer keys are remembered by their digest: what has no id is a key as a whole. */
const longestKey = 200;

/** The last keys that were seen, of items or of places, so that each counts once. */
export class RecentKeys {
  readonly #keys = new Set<string>();
  /** In the order in which they came; the oldest makes room for the newest. */
  readonly #ring: string[] = [];
  #at = 0;

  /** Whether it is new; from now on it is not. */
  add(text: string): boolean {
    const key = text.length > longestKey ? createHash('sha256').update(text).digest('base64') : text;
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    const oldest = this.#ring[this.#at];
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#ring[this.#at] = key;
    this.#at = (this.#at + 1) % remembered;
    return true;
  }
}
