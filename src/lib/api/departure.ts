/**
 * Where real servers are known to answer otherwise than described.
 *
 * A schema says what the API description documents. Where a server is known to send something else in a field's place,
 * the schema carries that knowledge as its error message, so that the check of an answer can tell a known departure
 * (silent, unless strict) from a new one (a warning).
 */
export const KNOWN_DEPARTURE = 'known departure of real servers';

interface Issue {
  readonly input?: unknown;
}

/** Schema parameters for a field in whose place servers are known to send values that pass `test`. */
export function orAsSent(test: (value: unknown) => boolean): {error: (issue: Issue) => string | undefined} {
  return {error: (issue) => (test(issue.input) ? KNOWN_DEPARTURE : undefined)};
}

export const isNull = (value: unknown): boolean => value === null;
export const isInteger = (value: unknown): boolean => Number.isInteger(value);
export const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value);
export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** The members of an object; of anything else none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? {...value} : {};
}
