/** Flags that take numbers. */
import {Flags} from '@oclif/core';
import {Failure} from '../client/failure.js';

/** Milliseconds: a timer that is set for longer goes off at once. */
export const longestTimer = 2 ** 31 - 1;

export interface Bounds {
  readonly least: number;
  readonly most?: number | undefined;
  readonly whole: boolean;
}

/** @throws Failure `usage` for what is no number within the bounds */
export function numberIn(text: string, flag: string, {least, most = Number.MAX_SAFE_INTEGER, whole}: Bounds): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  throw new Failure('usage', `--${flag} takes ${whole ? 'a whole number' : 'a number'} ${range}`);
}

interface Words {
  readonly description: string;
  readonly helpValue: string;
  readonly helpGroup?: string;
}

/** A flag that counts. */
export function numberFlag(words: Words, bounds: Bounds) {
  return Flags.custom<number>({...words, parse: async (text, _, {name}) => numberIn(text, name, bounds)})();
}

/** A flag whose value a timer is set for. @param unit milliseconds in one of what is typed */
export function timerFlag(words: Words, {least, unit}: {readonly least: number; readonly unit: 1 | 1000}) {
  return numberFlag(words, {least, most: Math.floor(longestTimer / unit), whole: unit === 1});
}
