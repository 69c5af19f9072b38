/** Decides when a request is retried, and after how long. All times are in milliseconds. */
import type {Request} from './request.js';
import type {Incoming} from './transport.js';
import {isHourlyQuota} from './verdict.js';

/** The clock of a client, which tests can replace. */
export interface Clock {
  readonly now: () => number;
  /** The time of day, since 1970. */
  readonly time: () => number;
  /** Calls a function after some time. @returns a function that cancels the call */
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  time: () => Date.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Resolves after some time. @throws the reason of the signal, as soon as it is aborted */
export async function sleepOn(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const {promise, resolve} = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  const cancel = clock.after(milliseconds, wake);
  signal.addEventListener('abort', wake);
  await promise;
  cancel();
  signal.removeEventListener('abort', wake);
  signal.throwIfAborted();
}

const firstDelay = 500;
const maxDelay = 30_000;

/** The shortest wait after a 429, whatever the server says. */
const minPause = 1000;

/** Exponential with jitter: half to all of 0.5 s, 1 s, 2 s … up to 30 s. `attempt` counts from 0. */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(firstDelay * 2 ** attempt, maxDelay);
  return full / 2 + (full / 2) * random();
}

/** Exponential with jitter: 1 s, 2 s, 4 s … up to 30 s, and up to half of that more. `count` is how many pauses came before. */
export function pauseOf(count: number, random: () => number = Math.random): number {
  const full = Math.min(minPause * 2 ** count, maxDelay);
  return full + (full / 2) * random();
}

type Headers = Readonly<Record<string, string>>;

/** Milliseconds since 1970; undefined for a text that is not a date of HTTP. `Date.parse` alone takes `1.` and `5 seconds` for days of 2001. */
export const httpDate = (text = ''): number | undefined =>
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : undefined;

/** The server's time, since 1970. Dates in its headers are compared with it, because the local clock may be wrong. */
export function serverTime(headers: Headers, {time}: Clock): number {
  return httpDate(headers['date']) ?? time();
}

/** Longer numbers are refused: nobody waits that long, and JavaScript may not hold them. */
const wholeNumber = /^\d{1,15}$/;
const seconds = /^\d{1,15}(\.\d+)?$/;

/** `Retry-After`, in seconds or as an HTTP date. Undefined when it is missing or invalid. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (seconds.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  return date === undefined ? undefined : Math.max(0, date - now);
}

/** Smaller numbers are seconds from now, not seconds since 1970. */
const firstMoment = 1_000_000_000;

/** `X-RateLimit-Reset`: seconds since 1970 or from now, or an ISO time. */
export function rateLimitReset(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (wholeNumber.test(value)) return Number(value) < firstMoment ? Number(value) * 1000 : Math.max(0, Number(value) * 1000 - now);
  if (!/^\d{4}-\d\d-\d\dT/.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** How long the server asks to wait, in milliseconds; undefined when it does not say. Limits of single routes have another header. */
export function readWait(headers: Headers, clock: Clock): number | undefined {
  const now = serverTime(headers, clock);
  return retryAfter(headers['retry-after'], now) ?? rateLimitReset(headers['x-ratelimit-reset'] ?? headers['x-rate-limit-reset'], now);
}

export interface Resending {
  readonly after: number;
  /** Whether all requests have to wait, not only this one. */
  readonly isForAll: boolean;
}

/** How often a request was resent: `pauses` counts rate limits, `retries` all other reasons. */
export interface Tries {
  readonly pauses: number;
  readonly retries: number;
}

/**
 * How to retry after this response; undefined for no retry.
 * @param most how many retries are allowed, not counting rate limits, which only the maximum wait bounds
 */
export function resending(
  {status, headers}: Incoming,
  request: Pick<Request, 'countedApart' | 'errors' | 'neverWaits' | 'repeat'>,
  {pauses, retries}: Tries,
  most: number,
  clock: Clock,
): Resending | undefined {
  if (status === 429) {
    // A 429 was not carried out, so every request can be resent, messages too.
    if (request.neverWaits === true || isHourlyQuota(request.errors?.own ?? {}, headers['retry-after'])) return undefined;
    return {after: Math.max(readWait(headers, clock) ?? 0, pauseOf(pauses)), isForAll: request.countedApart !== true};
  }
  const isPassing = status === 502 || status === 503 || status === 504;
  if (!isPassing || request.repeat !== 'harmless' || retries >= most) return undefined;
  const given = retryAfter(headers['retry-after'], serverTime(headers, clock));
  return {after: Math.max(given ?? 0, backOff(retries)), isForAll: given !== undefined};
}
