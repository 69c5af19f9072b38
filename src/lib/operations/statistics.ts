/** Numbers that a server shows its admins, rounded: the least that they stand for, and whether they are over a threshold. */
import {commandText} from '../files/command-text.js';
import {membersOf} from '../api/schema.js';
import {Failure} from '../client/failure.js';
import {shorten} from '../json/text.js';

const units: Readonly<Record<string, number>> = {'': 1, K: 1e3, M: 1e6, B: 1e9, T: 1e12};

/** From a thousand on servers round: `1.1K` is anything from 1,050 to 1,149, and `1.0K` from 1,000. */
const written = /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?([KMBT]?)$/i;

/** The least number that a server writes like this; undefined for a text that is no count. */
export function leastCount(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const [, whole, fraction = '', unit = ''] = written.exec(typeof value === 'string' ? value.trim() : '') ?? [];
  const scale = units[unit.toUpperCase()];
  if (whole === undefined || scale === undefined) return undefined;
  const step = scale / 10 ** fraction.length;
  const middle = Number(whole.replaceAll(',', '') + fraction) * step;
  return scale === 1 ? middle : Math.max(scale, Math.ceil(middle - step / 2));
}

interface StatisticsThreshold {
  /** As servers call it: `autospam_count`. */
  readonly name: string;
  /** What it counts: `posts held back as spam`. */
  readonly what: string;
  readonly most: number;
  readonly list: string;
}

const maxShown = 40;

/**
 * The result where a number is over its threshold; else undefined.
 * @throws Failure `bad_answer` where one cannot be read as a number
 */
export function overThresholds(statistics: unknown, thresholds: readonly StatisticsThreshold[], host: string): Failure | undefined {
  const found = thresholds.map((threshold) => ({...threshold, value: membersOf(statistics)[threshold.name]}));
  const odd = found.find(({value}) => leastCount(value) === undefined);
  if (odd !== undefined) {
    const shown = shorten(JSON.stringify(odd.value) ?? 'missing', maxShown);
    throw new Failure('bad_answer', `${host}: ${odd.name} is not a number: ${shown}`, {reason: 'shape'});
  }
  const over = found.filter(({value, most}) => (leastCount(value) ?? 0) > most);
  if (over.length === 0) return undefined;
  const words = over.map(({value, what, most}) => `${String(value)} ${what} (more than ${most})`);
  return new Failure('drift', `${host} has ${words.join(' and ')}`, {
    hint: `see ${over.map(({list}) => `\`${commandText(list)}\``).join(' and ')}`,
  });
}
