/** Fetches lists on the web: by https only, from public addresses, with limits on size, time and redirects. */
import {Failure} from '../../client/failure.js';
import {GuardedFetcher, NotFetched, type LastAnswer} from '../../client/guarded-fetch.js';
import {isLoopbackAddress, isPublicAddress} from '../../client/public-address.js';
import {isLoopback} from '../../client/transport.js';

export interface RemoteListOptions {
  /** How long a whole download may take, in milliseconds. */
  readonly timeout?: number | undefined;
  /** How often a lost connection and a failing server are tried again, within the time. */
  readonly retries?: number | undefined;
  /** The largest size of a list, in bytes. */
  readonly largest?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Whether an address may be connected to. By default only public ones may. */
  readonly isAllowed?: ((address: string) => boolean) | undefined;
  /** Whether an address of this machine may be fetched from, by http too. */
  readonly isLoopbackAllowed?: boolean | undefined;
  /** Certificates to trust besides those of the system. */
  readonly ca?: string | undefined;
}

/** @throws Failure `usage` for an address that is not allowed, `unavailable` when it cannot be fetched */
export async function fetchRemoteList(address: string, options: RemoteListOptions = {}): Promise<Buffer> {
  const {timeout = 30_000, retries = 3, largest = 10 * 1024 * 1024, userAgent = 'pixelctl', ca} = options;
  const start = URL.parse(address);
  if (start === null) throw new Failure('usage', `"${address}" is not the address of a list`);
  const isOwn = options.isLoopbackAllowed === true && isLoopback(start.hostname);
  await using fetcher = new GuardedFetcher({
    isAllowed: isOwn ? isLoopbackAddress : (options.isAllowed ?? isPublicAddress),
    isHttpAllowed: () => isOwn,
    redirectRefusal: (next, from) => (next.host === from.host ? undefined : `it redirects to another host, ${next.host}`),
    ca,
  });
  const headers = {accept: 'text/csv, application/json, text/plain', 'user-agent': userAgent};
  const take = async ({url, status, body}: LastAnswer): Promise<Buffer> => {
    if (status !== 200) throw new NotFetched('unreachable', url, `status ${status}`);
    return Buffer.concat(await Array.fromAsync(body));
  };
  try {
    return await fetcher.fetch(start, {headers: () => headers, largest, timeout, longest: timeout, retries, take});
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error;
    const {kind, url, message, cause} = error;
    const hint = 'save it as a file, and name the file with `file:`';
    if (kind === 'refused') throw new Failure('usage', `The list ${url.href} is not fetched: ${message}`, {hint});
    throw new Failure('unavailable', `Cannot fetch the list ${url.href}: ${message}`, {cause, hint});
  }
}
