/** Times in policies: the last day of an entry, and when filters end. */
import {secondsIn} from '../../operations/filters.js';

/** Seconds by which the end of a filter may differ from the wanted one: servers count from the moment of the request, by their own clock. */
export const endTolerance = 3600;

const duration = /^(\d{1,9})([mhdw])$/;

/** Seconds, some 3,000 years. Far beyond it there are no dates. */
const maxDuration = 1e11;

/** The seconds of `30m`, `12h`, `90d`, `2w` or `0d`; undefined for anything else. */
export function durationOf(text: string): number | undefined {
  const [, count, unit = ''] = duration.exec(text.trim()) ?? [];
  const seconds = Number(count) * (secondsIn[unit] ?? NaN);
  return seconds <= maxDuration ? seconds : undefined;
}

const isoDate = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A date, or a time on it, in UTC unless it says otherwise; undefined for anything else. */
export function dateOf(text: string): Date | undefined {
  const plain = text.trim();
  if (!isoDate.test(plain) || !isDay(plain.slice(0, 10))) return undefined;
  const isUtc = plain.length > 10 && !/(Z|[+-]\d\d:?\d\d)$/.test(plain);
  const date = new Date(plain.replace(' ', 'T') + (isUtc ? 'Z' : ''));
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Whether a text is a day, as in `2026-12-31`. */
export function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00Z`);
  // JavaScript reads the 31st of February as a day in March, and many other texts as dates.
  return !Number.isNaN(date.getTime()) && dayOf(date) === text;
}

/** `2026-12-31`, in UTC */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** Whether an entry has ended. @param until the last day on which it counts, in UTC */
export const isOver = (until: string | undefined, now: Date): boolean => until !== undefined && dayOf(now) > until;

/** Whether the first entry counts longer than the second. An entry without a last day counts for ever. */
export const lastsLonger = (
  {until: one}: {readonly until?: string | undefined},
  {until: other}: {readonly until?: string | undefined},
): boolean => other !== undefined && (one === undefined || one > other);

/** The last day in words to put after others; empty if there is none. */
export const untilText = (until: string | undefined): string => (until === undefined ? '' : ` until ${until}`);

/** When a filter ends, in one form: `never`, a time in ISO 8601, or how long from now at most: `90d`; undefined for anything else. */
export function endOf(text: string): string | undefined {
  const seconds = durationOf(text);
  if (text.trim() === 'never') return 'never';
  // Servers clear the end of a filter on 0, which nobody means by `0d`.
  if (seconds === undefined || seconds === 0) return dateOf(text)?.toISOString();
  // The largest unit, up to days.
  const unit = ['d', 'h'].find((one) => seconds % (secondsIn[one] ?? 0) === 0) ?? 'm';
  return `${seconds / (secondsIn[unit] ?? 1)}${unit}`;
}
