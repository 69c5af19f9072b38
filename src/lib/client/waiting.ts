/** When to send again, and after how long. All times in milliseconds. */

const firstDelay = 500;
const longestDelay = 30_000;

/** Exponential with jitter: half to all of 0.5 s, 1 s, 2 s … up to 30 s. `attempt` counts from 0. */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(firstDelay * 2 ** attempt, longestDelay);
  return full / 2 + (full / 2) * random();
}

/** `Retry-After`, in seconds or as an HTTP date. Undefined when there is none that can be read. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `X-RateLimit-Reset`, in seconds since 1970. */
export function rateLimitReset(header: string | undefined, now: number): number | undefined {
  if (header === undefined || !/^\d+$/.test(header.trim())) return undefined;
  return Math.max(0, Number(header) * 1000 - now);
}
