export const maxRedirects = 5;

const statuses = new Set([301, 302, 303, 307, 308]);

/** Where a response leads; undefined where it is no redirect to an address. */
export function redirectOf(status: number, location: unknown, from: URL): URL | undefined {
  return statuses.has(status) && typeof location === 'string' ? (URL.parse(location, from) ?? undefined) : undefined;
}

/**
 * Asks for an address, and for those that the answers lead to.
 * @param next where an answer leads; undefined where it leads nowhere, or must not be followed
 * @returns the last answer, which after too many redirects is a redirect, too
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
