/** Fetches the media of messages, which are named by strangers: with limits, from public addresses, and without the token wherever that will do. */
import {GuardedFetcher, NotFetched, type Fetched} from '../client/guarded-fetch.js';
import {addressesOf, isLocalAddress, isLoopbackAddress, isPublicAddress} from '../client/public-address.js';
import {isLoopback} from '../client/transport.js';
import type {MediumEntry} from './entry.js';
import {writeMedium} from './media-file.js';
import type {Medium} from './message.js';
import type {ConversationPlace} from './places.js';

/** Bytes. Servers take photos of some megabytes, and videos of some hundred. */
const maxMediumSize = 1024 ** 3;

/** Bytes a second. Slower than this, a fetch ends after its time limit. */
const slowest = 16 * 1024;

/** Fetches in a row that a host may leave unanswered before it is not asked any more. */
const maxUnanswered = 3;

/** At the same time. */
export const mediaConcurrency = 4;

export interface MediaOptions {
  /** The account's own server. */
  readonly server: URL;
  readonly token: () => Promise<string | undefined>;
  /** The host that the server gives its own accounts, which may be another one than that at which it is asked. */
  readonly ownHost: () => Promise<string | undefined>;
  /** Milliseconds without progress. */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Bytes that all media of the archive may have together. */
  readonly maxSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where a server is: from one that is on a private network itself, what is on that network may be fetched. */
interface Network {
  readonly isLoopback: boolean;
  readonly isAllowed: (address: string) => boolean;
}

async function networkOf(server: URL): Promise<Network> {
  const addresses = isLoopback(server.hostname) ? ['127.0.0.1'] : await addressesOf(server).catch(() => []);
  if (addresses.length === 0 || addresses.some(isPublicAddress)) return {isLoopback: false, isAllowed: isPublicAddress};
  const networks = [isLoopbackAddress, isLocalAddress].filter((contains) => addresses.some(contains));
  return {
    isLoopback: addresses.every(isLoopbackAddress),
    isAllowed: (address) => isPublicAddress(address) || networks.some((contains) => contains(address)),
  };
}

/** There is no room for it in the archive. */
class OverSize extends Error {
  constructor() {
    super('over --max-size');
  }
}

async function* within(chunks: AsyncIterable<Buffer>, room: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > room) throw new OverSize();
    yield chunk;
  }
}

interface Answered {
  readonly status: number;
  readonly url: URL;
  /** Undefined where the status is none of success. */
  readonly entry: MediumEntry | undefined;
}

export class MediaFetcher implements AsyncDisposable {
  readonly #options: MediaOptions;
  #fetcher: GuardedFetcher | undefined;
  #network: Promise<Network> | undefined;
  #ownHost: Promise<string | undefined> | undefined;
  readonly #unanswered = new Map<string, number>();
  #size: number;

  /** @param size bytes of the media that the archive has */
  constructor(options: MediaOptions, size: number) {
    this.#options = options;
    this.#size = size;
  }

  /** How many may be fetched at the same time: one where each counts for what is left for the next. */
  get concurrency(): number {
    return this.#options.maxSize === undefined ? mediaConcurrency : 1;
  }

  /**
   * Fetches a medium into the folder of its conversation.
   * @returns what it is, or why it is not there
   * @throws the system's error where it cannot be written; the reason of the signal
   */
  async fetch(place: ConversationPlace, {id, url: text}: Medium, now: string): Promise<MediumEntry> {
    try {
      const entry = await this.#fetched(place, id, await this.#addressOf(text));
      this.#size += entry.length ?? 0;
      return entry;
    } catch (error) {
      if (error instanceof OverSize) return {id, skipped: error.message, at: now};
      if (!(error instanceof NotFetched)) throw error;
      return {id, error: error.message, at: now};
    }
  }

  #networkOnce(): Promise<Network> {
    return (this.#network ??= networkOf(this.#options.server));
  }

  /** Servers name themselves as they are configured, and by https, which on this machine is not how they are asked. @throws NotFetched */
  async #addressOf(text: string | undefined): Promise<URL> {
    const {server} = this.#options;
    const url = URL.parse(text ?? '', server);
    if (url === null || text === undefined || text === '') throw new NotFetched('refused', server, 'the server names no address');
    if (url.origin === server.origin || !/^https?:$/.test(url.protocol) || !(await this.#networkOnce()).isLoopback) return url;
    if (url.host !== server.host) {
      this.#ownHost ??= this.#options.ownHost().catch(() => undefined);
      if (url.host !== (await this.#ownHost)) return url;
    }
    const own = new URL(server);
    own.pathname = url.pathname;
    own.search = url.search;
    return own;
  }

  async #fetched(place: ConversationPlace, id: string, url: URL): Promise<MediumEntry> {
    const unanswered = this.#unanswered.get(url.host) ?? 0;
    if (unanswered >= maxUnanswered) throw new NotFetched('unreachable', url, `${url.host} did not answer ${maxUnanswered} times before`);
    try {
      const first = await this.#ask(place, id, url, undefined);
      this.#unanswered.delete(url.host);
      const needsToken = (first.status === 401 || first.status === 403) && first.url.origin === this.#options.server.origin;
      const token = needsToken ? await this.#options.token() : undefined;
      const last = token === undefined ? first : await this.#ask(place, id, first.url, token);
      if (last.entry !== undefined) return last.entry;
      throw new NotFetched('unreachable', last.url, `status ${last.status}`);
    } catch (error) {
      if (error instanceof NotFetched && error.kind === 'unreachable' && error.cause !== undefined)
        this.#unanswered.set(url.host, unanswered + 1);
      throw error;
    }
  }

  async #ask(place: ConversationPlace, id: string, start: URL, token: string | undefined): Promise<Answered> {
    const {server, timeout = 30_000, retries = 3, userAgent = 'pixelctl', maxSize = Number.POSITIVE_INFINITY, signal} = this.#options;
    const room = maxSize - this.#size;
    if (room <= 0) throw new OverSize();
    const {isAllowed, isLoopback: isOwn} = await this.#networkOnce();
    this.#fetcher ??= new GuardedFetcher({
      isAllowed,
      isHttpAllowed: ({hostname, origin}) => isOwn && (isLoopback(hostname) || origin === server.origin),
    });
    const fetcher = this.#fetcher;
    const headers = (url: URL) => ({
      accept: 'image/*, video/*, audio/*',
      'user-agent': userAgent,
      ...(token !== undefined && url.origin === server.origin && {authorization: `Bearer ${token}`}),
    });
    const take = async ({status, url, body, headers: {'content-length': length}}: Fetched): Promise<Answered> => {
      if (status !== 200) return {status, url, entry: undefined};
      if (Number(length) > room) throw new OverSize();
      const entry = await writeMedium(place, id, within(body, room));
      return {status, url, entry};
    };
    return fetcher.fetch(start, {headers, take, largest: maxMediumSize, timeout, retries, slowest, signal});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetcher?.[Symbol.asyncDispose]();
  }
}
