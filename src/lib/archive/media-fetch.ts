/** Fetches the media of messages. Strangers choose their addresses, so sizes are limited, addresses are public, and the token is sent only if needed. */
import {GuardedFetcher, NotFetched, type LastAnswer} from '../client/guarded-fetch.js';
import {addressesOf, isLocalAddress, isLoopbackAddress, isPublicAddress} from '../client/public-address.js';
import {isLoopback} from '../client/transport.js';
import {type MediumFile, writeMedium} from './media-file.js';
import type {ConversationPlace} from './archive-places.js';

/** Bytes. Servers take photos of some megabytes, and videos of some hundred. */
const maxMediumSize = 1024 ** 3;

/** Bytes of a file in a conversation that was not accepted: anybody can send one. */
const maxUnacceptedSize = 100 * 1024 ** 2;

/** How long the fetch of a file may take, in milliseconds. */
const longest = 600_000;

/** After this many fetches without an answer in a row, or this many that took the longest time, a host is not asked any more. */
const maxFailures = 3;

const mediaConcurrency = 4;

const hostConcurrency = 2;

export interface MediaOptions {
  /** The account's own server. */
  readonly server: URL;
  readonly token: () => Promise<string | undefined>;
  /** The host in the addresses of its accounts. Requests may go to another host. */
  readonly ownHost: () => Promise<string | undefined>;
  /** How long a download may make no progress, in milliseconds. */
  readonly timeout?: number | undefined;
  readonly retries?: number | undefined;
  readonly userAgent?: string | undefined;
  /** Bytes that all media of the archive may have together. */
  readonly maxSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A server on a private network may name media on that network. */
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

/** A file is over a limit of the archive, so it is left out. */
class OverSize extends Error {}

const overMaxSize = 'over --max-size';

/** How many bytes a file may have, and the limit that a larger file exceeds. */
interface Room {
  readonly size: number;
  readonly limit: string;
}

async function* within(chunks: AsyncIterable<Buffer>, room: Room): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > room.size) throw new OverSize(room.limit);
    yield chunk;
  }
}

/** Works on items side by side, a few of each host. Hosts take turns, so that a slow one does not hold up the others. */
async function workInTurns<Item>(
  items: readonly Item[],
  hostOf: (item: Item) => string,
  {lanes, work}: {readonly lanes: number; readonly work: (item: Item) => Promise<void>},
): Promise<void> {
  const byHost = [...Map.groupBy(items, hostOf)].map(([host, waiting]) => ({waiting: waiting.toReversed(), running: 0, host}));
  const lane = async () => {
    for (;;) {
      const next = byHost.findIndex(({waiting, running}) => waiting.length > 0 && running < hostConcurrency);
      // Only busy hosts have items left, and the lanes that work on these hosts go on with them.
      const [host] = next === -1 ? [] : byHost.splice(next, 1);
      const item = host?.waiting.pop();
      if (host === undefined || item === undefined) return;
      byHost.push(host);
      host.running += 1;
      try {
        await work(item);
      } catch (error) {
        byHost.length = 0;
        throw error;
      } finally {
        host.running -= 1;
      }
    }
  };
  for (const ended of await Promise.allSettled(Array.from({length: lanes}, lane))) if (ended.status === 'rejected') throw ended.reason;
}

export interface WantedMedium {
  readonly id: string;
  readonly url: string | undefined;
  /** The messages that have it. */
  readonly of: string[];
  /** Whether an earlier run tried to fetch it and failed. */
  readonly wasTried: boolean;
}

/** The outcome for a medium: its file, or why there is none. */
export interface FetchedMedium {
  readonly file?: MediumFile;
  readonly error?: string;
  /** Whether it was left out by a limit of the archive. */
  readonly isSkipped?: true;
  /** Whether no request was sent for it. */
  readonly isUntried?: true;
}

interface MediaRun {
  readonly place: ConversationPlace;
  readonly isAccepted: boolean;
  /** Called with each medium that was fetched, or could not be. */
  readonly done: (medium: WantedMedium, fetched: FetchedMedium) => Promise<void>;
}

/** How many fetches in a row had no answer, and how many took the longest time. */
interface HostFailures {
  unanswered: number;
  tooLong: number;
}

export class MediaFetcher implements AsyncDisposable {
  readonly #options: MediaOptions;
  readonly #network: Network;
  readonly #fetcher: GuardedFetcher;
  #ownHost: Promise<string | undefined> | undefined;
  /** By host. */
  readonly #failures = new Map<string, HostFailures>();
  #size: number;

  private constructor(options: MediaOptions, size: number, network: Network) {
    this.#options = options;
    this.#size = size;
    this.#network = network;
    this.#fetcher = new GuardedFetcher({
      isAllowed: network.isAllowed,
      isHttpAllowed: ({hostname, origin}) => network.isLoopback && (isLoopback(hostname) || origin === options.server.origin),
    });
  }

  /** @param size bytes of the media that the archive has */
  static async open(options: MediaOptions, size: number): Promise<MediaFetcher> {
    return new MediaFetcher(options, size, await networkOf(options.server));
  }

  /**
   * Fetches media, each once, into the folder of their conversation. Files that were never tried come first, the others in random order,
   * because a few can take all the time that their host is given.
   * @throws the system's error where one cannot be written; the reason of the signal
   */
  async fetchAll(wanted: readonly WantedMedium[], run: MediaRun): Promise<void> {
    const {server, maxSize} = this.#options;
    const turn = new Map(wanted.map((medium) => [medium, medium.wasTried ? Math.random() : -1]));
    await workInTurns(
      wanted.toSorted((one, other) => (turn.get(one) ?? 0) - (turn.get(other) ?? 0)),
      ({url}) => URL.parse(url ?? '', server)?.host ?? '',
      {
        // All files share one limit, so one is fetched at a time: its size decides how much is left for the next.
        lanes: maxSize === undefined ? mediaConcurrency : 1,
        work: async (medium) => run.done(medium, await this.#fetch(medium, run)),
      },
    );
  }

  async #fetch(medium: WantedMedium, run: MediaRun): Promise<FetchedMedium> {
    this.#options.signal?.throwIfAborted();
    try {
      const url = await this.#addressOf(medium);
      const {unanswered, tooLong} = this.#failuresOf(url);
      if (unanswered >= maxFailures) return {error: `${url.host} did not answer ${maxFailures} times before`, isUntried: true};
      if (tooLong >= maxFailures) return {error: `${url.host} took too long ${maxFailures} times before`, isUntried: true};
      const file = await this.#fetchFrom(url, medium, run);
      this.#size += file.length;
      return {file};
    } catch (error) {
      if (error instanceof OverSize) return {error: error.message, isSkipped: true};
      if (!(error instanceof NotFetched)) throw error;
      return {error: error.message};
    }
  }

  #failuresOf({host}: URL): HostFailures {
    const known = this.#failures.get(host) ?? {unanswered: 0, tooLong: 0};
    this.#failures.set(host, known);
    return known;
  }

  /** A server writes its own addresses with its configured name and https, but one on this machine has another address. @throws NotFetched */
  async #addressOf({url: text}: WantedMedium): Promise<URL> {
    const {server} = this.#options;
    const url = URL.parse(text ?? '', server);
    if (url === null || !text) throw new NotFetched('refused', server, 'the server names no address');
    if (url.origin === server.origin || !/^https?:$/.test(url.protocol) || !this.#network.isLoopback) return url;
    if (url.host !== server.host) {
      this.#ownHost ??= this.#options.ownHost().catch(() => undefined);
      if (url.host !== (await this.#ownHost)) return url;
    }
    const own = new URL(server);
    own.pathname = url.pathname;
    own.search = url.search;
    return own;
  }

  async #fetchFrom(url: URL, {id}: WantedMedium, run: MediaRun): Promise<MediumFile> {
    try {
      const first = await this.#ask(url, id, run);
      this.#failuresOf(url).unanswered = 0;
      const needsToken = (first.status === 401 || first.status === 403) && first.url.origin === this.#options.server.origin;
      const token = needsToken ? await this.#options.token() : undefined;
      const last = token === undefined ? first : await this.#ask(first.url, id, run, token);
      if (last.file !== undefined) return last.file;
      throw new NotFetched('unreachable', last.url, `status ${last.status}`);
    } catch (error) {
      if (error instanceof NotFetched && error.cause !== undefined && error.kind !== 'refused')
        this.#failuresOf(url)[error.kind === 'too_long' ? 'tooLong' : 'unanswered'] += 1;
      throw error;
    }
  }

  /** How large the next file may be. @throws OverSize where there is no room for any */
  #room({isAccepted}: MediaRun): Room {
    const left = (this.#options.maxSize ?? Number.POSITIVE_INFINITY) - this.#size;
    if (left <= 0) throw new OverSize(overMaxSize);
    if (isAccepted || left < maxUnacceptedSize) return {size: left, limit: overMaxSize};
    return {size: maxUnacceptedSize, limit: 'over 100 MiB, in a conversation that was not accepted'};
  }

  /** @returns no file where the status is not a success */
  async #ask(start: URL, id: string, run: MediaRun, token?: string) {
    const {server, timeout = 30_000, retries = 3, userAgent = 'pixelctl', signal} = this.#options;
    const room = this.#room(run);
    const headers = (url: URL) => ({
      accept: 'image/*, video/*, audio/*',
      'user-agent': userAgent,
      ...(token !== undefined && url.origin === server.origin && {authorization: `Bearer ${token}`}),
    });
    const take = async ({status, url, body, headers: {'content-length': length}}: LastAnswer) => {
      if (status !== 200) return {status, url, file: undefined};
      if (Number(length) > room.size) throw new OverSize(room.limit);
      return {status, url, file: await writeMedium(run.place, id, within(body, room))};
    };
    return this.#fetcher.fetch(start, {headers, take, largest: maxMediumSize, timeout, retries, longest, signal});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetcher[Symbol.asyncDispose]();
  }
}
