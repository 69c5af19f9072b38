/** The JSON of requests. */

/** Parses JSON; integers beyond 2^53 become their digits, so that ids sent as numbers stay what they were. */
export function fromJson(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, {source = ''}: {readonly source?: string} = {}) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value,
  );
}
