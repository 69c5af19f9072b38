/** Redirects, followed one after the other. */

/** Redirects in a row that are followed. */
export const maxRedirects = 5;

const statuses = new Set([301, 302, 303, 307, 308]);

/** Where a response leads; undefined where it is no redirect to an address. */
export function redirectOf(status: number, location: unknown, from: URL): URL | undefined {
  return statuses.has(status) && typeof location === 'string' ? (URL.parse(location, from) ?? undefined) : undefined;
}

/**
 * Asks one address after the other.
 * @param next where an answer leads; undefined: nowhere that may be followed
 * @returns the last answer. After too many redirects it is one more
 */
export async function followRedirects<Answer>(
  start: URL,
  ask: (url: URL, hops: number) => Promise<Answer>,
  next: (answer: Answer, url: URL) => URL | undefined,
): Promise<Answer> {
  let answer = await ask(start, 0);
  let url = next(answer, start);
  for (let hops = 1; url !== undefined && hops <= maxRedirects; hops++) {
    answer = await ask(url, hops);
    url = next(answer, url);
  }
  return answer;
}
