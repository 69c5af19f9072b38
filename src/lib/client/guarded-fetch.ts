/**
 * Fetches URLs that strangers name: by https only, from allowed addresses only, with limits on size, time and redirects. It uses no proxy,
 * which would hide the address that is connected to.
 */
import type {Agent, Dispatcher} from 'undici';
import {networkErrorOf} from './network-error.js';
import {addressIn, guardedLookup, NotPublic, strayAddress} from './public-address.js';
import {followRedirects, maxRedirects, redirectOf} from './redirects.js';
import {backOff, resending, sleepOn, systemClock, type Tries} from './retry.js';
import {joinHeaders} from './transport.js';

const maxConnectTime = 10_000;

/** Why something was not fetched. `refused`: a rule forbids it, so trying again does not help. `too_long`: it took longer than a fetch may. */
export class NotFetched extends Error {
  override readonly name = 'NotFetched';

  constructor(
    readonly kind: 'refused' | 'too_long' | 'unreachable',
    readonly url: URL,
    message: string,
    cause?: unknown,
  ) {
    super(message, {cause});
  }
}

class Broken extends Error {
  constructor(cause: unknown) {
    super('broken', {cause});
  }
}

const refuseFetch = (url: URL, why: string) => new NotFetched('refused', url, why);

export interface FetchRules {
  readonly isAllowed: (address: string) => boolean;
  readonly isHttpAllowed: (url: URL) => boolean;
  /** Why a redirect is not followed; undefined where it is. */
  readonly redirectRefusal?: (next: URL, from: URL) => string | undefined;
  /** Certificates to trust besides those of the system. */
  readonly ca?: string | undefined;
}

export interface LastAnswer {
  readonly url: URL;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Reading it fails where it exceeds the limits. What is not read is dropped. */
  readonly body: AsyncIterable<Buffer>;
}

interface FetchLimits {
  /** In bytes. */
  readonly largest: number;
  /** How long nothing may arrive, in milliseconds. */
  readonly timeout: number;
  /** How long the fetch may take, retries included, in milliseconds. */
  readonly longest: number;
  /** How often a fetch is tried again after a lost connection or a server error, while there is time. */
  readonly retries: number;
}

export interface FetchRequest<Result> extends FetchLimits {
  readonly headers: (url: URL) => Readonly<Record<string, string>>;
  /** Reads the answer. It is called again when the connection is lost meanwhile. */
  readonly take: (fetched: LastAnswer) => Promise<Result>;
  readonly signal?: AbortSignal | undefined;
}

const timeText = (milliseconds: number): string =>
  milliseconds < 60_000 ? `${milliseconds / 1000} s` : `${milliseconds / 60_000} minutes`;

function sizeText(bytes: number): string {
  const kibibytes = Math.round(bytes / 1024);
  return kibibytes < 10 * 1024 ? `${kibibytes} KiB` : `${Math.round(kibibytes / 1024)} MiB`;
}

interface Received extends Omit<LastAnswer, 'body'> {
  readonly body: Dispatcher.ResponseData['body'];
}

/** Fetches by one set of rules, and keeps connections open between fetches. */
export class GuardedFetcher implements AsyncDisposable {
  readonly #rules: FetchRules;
  #agent: Promise<Agent> | undefined;

  constructor(rules: FetchRules) {
    this.#rules = rules;
  }

  /** @throws NotFetched; the reason of the signal; whatever `take` throws */
  async fetch<Result>(start: URL, request: FetchRequest<Result>): Promise<Result> {
    const limit = new AbortController();
    const silence = setTimeout(() => limit.abort('timeout'), request.timeout);
    const end = setTimeout(() => limit.abort('longest'), request.longest);
    const signal = request.signal === undefined ? limit.signal : AbortSignal.any([request.signal, limit.signal]);
    try {
      for (let tries: Tries = {pauses: 0, retries: 0}; ;) {
        let after: number;
        let isPause = false;
        try {
          const received = await this.#receive(start, request, signal);
          const again = resending({...received, text: ''}, {repeat: 'harmless'}, tries, request.retries, systemClock);
          if (again === undefined || again.after >= request.timeout) return await this.#taken(received, request, () => silence.refresh());
          isPause = received.status === 429;
          ({after} = again);
          await received.body.dump();
        } catch (error) {
          if (!(error instanceof Broken) || signal.aborted) throw error;
          ({after} = delayRetry(start, error.cause, tries, request.retries));
        }
        await sleepOn(systemClock, after, signal);
        tries = isPause ? {...tries, pauses: tries.pauses + 1} : {...tries, retries: tries.retries + 1};
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!limit.signal.aborted || error instanceof NotFetched) throw error;
      const isTooLong = limit.signal.reason === 'longest';
      const most = isTooLong ? request.longest : request.timeout;
      throw new NotFetched(isTooLong ? 'too_long' : 'unreachable', start, `it took longer than ${timeText(most)}`, error);
    } finally {
      clearTimeout(silence);
      clearTimeout(end);
    }
  }

  async #taken<Result>(received: Received, request: FetchRequest<Result>, arrived: () => void): Promise<Result> {
    try {
      return await request.take(this.#limited(received, request, arrived));
    } finally {
      // A body that is not read to its end would hold the connection.
      received.body.on('error', () => {}).destroy();
    }
  }

  async #receive(start: URL, {headers}: FetchRequest<unknown>, signal: AbortSignal): Promise<Received> {
    const {request} = await import('undici');
    this.#agent ??= this.#open();
    const dispatcher = await this.#agent;
    const ask = async (url: URL): Promise<Received> => {
      this.#check(url);
      const options = {dispatcher, signal, headers: {'accept-encoding': 'identity', ...headers(url)}};
      const answer = await request(url, options).catch((error: unknown) => {
        throw new Broken(error);
      });
      const received = {url, status: answer.statusCode, headers: joinHeaders(answer.headers), body: answer.body};
      if (this.#next(received) !== undefined) await answer.body.dump();
      return received;
    };
    const last = await followRedirects(start, ask, (received, from) => {
      const next = this.#next(received);
      const why = next && this.#rules.redirectRefusal?.(next, from);
      if (why !== undefined) throw refuseFetch(from, why);
      return next;
    });
    if (this.#next(last) !== undefined) throw new NotFetched('unreachable', last.url, `more than ${maxRedirects} redirects`);
    return last;
  }

  #next({status, headers, url}: Received): URL | undefined {
    return redirectOf(status, headers['location'], url);
  }

  #check(url: URL): void {
    const {isAllowed, isHttpAllowed} = this.#rules;
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHttpAllowed(url)))
      throw refuseFetch(url, 'only https:// URLs are allowed');
    if (url.username !== '' || url.password !== '') throw refuseFetch(url, 'its URL contains a name or password');
    // The lookup checks the addresses of names only.
    const address = addressIn(url);
    if (address !== undefined && !isAllowed(address)) throw refuseFetch(url, new NotPublic(address).message);
  }

  #limited({body, ...received}: Received, {largest}: FetchLimits, arrived: () => void): LastAnswer {
    const {url, headers} = received;
    async function* chunks(): AsyncGenerator<Buffer> {
      const encoding = headers['content-encoding'];
      if (encoding !== undefined && encoding !== 'identity')
        throw new NotFetched('unreachable', url, 'it is compressed, which was not requested');
      let size = 0;
      const reading: AsyncIterator<unknown, undefined, undefined> = body[Symbol.asyncIterator]();
      for (;;) {
        const {done, value: chunk} = await reading.next().catch((error: unknown) => {
          throw new Broken(error);
        });
        if (done === true) return;
        // Every chunk is a buffer; the types also allow a stream of text.
        if (Buffer.isBuffer(chunk)) {
          size += chunk.length;
          if (size > largest) throw refuseFetch(url, `it is larger than ${sizeText(largest)}`);
          arrived();
          yield chunk;
        }
      }
    }
    return {...received, body: {[Symbol.asyncIterator]: () => chunks()}};
  }

  async #open(): Promise<Agent> {
    const {Agent} = await import('undici');
    if ((process.env['SSL_CERT_FILE'] ?? '') !== '') await (await import('./certificates.js')).trustEnvironment();
    const {isAllowed, ca} = this.#rules;
    const connect = {lookup: guardedLookup(isAllowed), timeout: maxConnectTime, ...(ca !== undefined && {ca})};
    return new Agent({connect, headersTimeout: 0, bodyTimeout: 0});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#agent?.catch(() => undefined))?.destroy();
  }
}

/** How long to wait before a broken fetch is tried again. @throws NotFetched where it is not tried again */
function delayRetry(url: URL, error: unknown, {retries}: Tries, most: number): {readonly after: number} {
  const stray = strayAddress(error);
  if (stray !== undefined) throw refuseFetch(url, stray.message);
  const {kind, message} = networkErrorOf(error, {isSent: false});
  if (kind !== 'lost' || retries >= most) throw new NotFetched('unreachable', url, message, error);
  return {after: backOff(retries)};
}
