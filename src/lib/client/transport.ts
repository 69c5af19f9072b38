/** Sends one request through undici and receives its response, with connection reuse, proxies and timeouts. Knows nothing of endpoints. */
import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import {keepParsingFlat} from '../files/memory.js';
import {systemCode} from '../files/system-error.js';
import {NetworkError, networkErrorOf} from './network-error.js';
import {Failure} from './failure.js';
import {shorten, withCommas} from '../json/text.js';

const maxConnectTime = 10_000;

/** Messages show at most this many characters of a scheme. */
const maxShown = 30;

export interface Outgoing {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | (() => AsyncGenerator<Buffer>) | undefined;
  /** Set where the server counts these requests apart, so that their rate limit headers say nothing about others. */
  readonly countedApart?: true;
}

export interface Incoming {
  readonly status: number;
  /** Lower-case names. Repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

interface Transport {
  /** @throws NetworkError without a complete response */
  exchange(outgoing: Outgoing): Promise<Incoming>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}

/** Whether others on the network can read what is sent to a URL: plain http to another machine. */
export function isPlainHttp({protocol, hostname}: URL): boolean {
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * @param source where the address comes from: `--server`, `PIXELCTL_SERVER`
 * @param permission what allows it: `--allow-http`
 * @throws Failure `usage` for plain http to another machine
 */
export function refusePlainHttp(server: URL, source: string, permission: string): void {
  if (!isPlainHttp(server)) return;
  throw new Failure('usage', `${source} is plain http: others on the network could read the token sent to ${server.host}`, {
    hint: `use https://${server.host}, or pass ${permission} to send it anyway`,
  });
}

/** @throws Failure `usage` for a URL with a user name or password, or of another protocol than http and https */
export function refuseOddServer({username, password, protocol}: URL, source: string): void {
  const hint = 'use an address such as https://pix.example';
  if (username !== '' || password !== '') throw new Failure('usage', `${source} must not contain a user name or password`, {hint});
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new Failure('usage', `${source} must begin with https://, not ${shorten(protocol, maxShown)}//`, {hint});
  }
}

/** @throws Failure `usage` for a text that cannot be a token; the message does not repeat it */
export function refuseOddToken(token: string, source: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new Failure('usage', `${source} is not an access token`, {
    hint: 'a token is one word of ASCII letters, digits and punctuation',
  });
}

/** The first of these environment variables that is set, in either case, else an empty string. */
function settingOf(...names: readonly string[]): string {
  return names.flatMap((name) => [process.env[name], process.env[name.toUpperCase()]]).find(Boolean) ?? '';
}

/**
 * The proxy that the environment names for a server; undefined where requests go to the server itself, as on loopback.
 * @throws Failure `usage` for anything but the address of a proxy, which may contain a password, so it is not repeated
 */
function proxyFor({protocol, hostname, port}: URL): URL | undefined {
  const address = settingOf(...(protocol === 'https:' ? ['https_proxy'] : []), 'http_proxy');
  if (address === '' || isLoopback(hostname)) return undefined;
  const isException = settingOf('no_proxy')
    .toLowerCase()
    .split(/[\s,]+/)
    .some((exception) => {
      const [, host = exception, itsPort] = /^(.+):(\d+)$/.exec(exception) ?? [];
      if (itsPort !== undefined && itsPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
      return host === '*' || `.${hostname}`.endsWith(`.${host.replace(/^\*?\./, '')}`);
    });
  if (isException) return undefined;
  const proxy = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  throw new Failure('usage', 'HTTP_PROXY or HTTPS_PROXY is not the address of an http:// or https:// proxy', {
    hint: 'give an address such as http://127.0.0.1:3128',
  });
}

/** Headers of undici, whose names are in lower case, with repeated ones joined. */
export const joinHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]));

/**
 * A transport to one origin; undici is loaded with the first exchange.
 * @param timeout milliseconds for the whole exchange; while a body is streamed, for a time without progress
 */
export function createTransport(origin: string, timeout: number): Transport {
  let dispatcher: Promise<Dispatcher> | undefined;
  let proxy: URL | undefined;

  async function open(): Promise<Dispatcher> {
    proxy = proxyFor(new URL(origin));
    const {Agent, ProxyAgent} = await import('undici');
    const connect = {timeout: Math.min(timeout, maxConnectTime)};
    const usesTls = [origin, proxy?.href ?? ''].some((address) => address.startsWith('https:'));
    if (usesTls && (process.env['SSL_CERT_FILE'] ?? '') !== '') await (await import('./certificates.js')).trustEnvironment();
    // The timeout in `receive` covers the whole exchange.
    const options = {connect, headersTimeout: 0, bodyTimeout: 0};
    return proxy === undefined ? new Agent(options) : new ProxyAgent({...options, uri: proxy.href, requestTls: connect, proxyTls: connect});
  }

  async function close(): Promise<void> {
    const opened = await dispatcher?.catch(() => undefined);
    await opened?.destroy();
  }

  return {
    async exchange({method, target, headers, body}) {
      dispatcher ??= open();
      const through = await dispatcher;
      const raw = await receive(through, {origin, path: target, method, headers, body}, {timeout, proxy: proxy?.host});
      return {...raw, text: await readAnswerBody(raw.text, raw.headers['content-encoding'] ?? '', raw.status)};
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type RawAnswer = Omit<Incoming, 'text'> & {readonly text: Buffer};

interface RawRequest extends Pick<Outgoing, 'body' | 'headers' | 'method'> {
  readonly origin: string;
  readonly path: string;
}

async function* withProgress(chunks: AsyncGenerator<Buffer>, tell: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    tell();
    yield chunk;
  }
  tell();
}

interface Receiving {
  /** Milliseconds for the whole exchange; while a body is streamed, for a time without progress. */
  readonly timeout: number;
  /** The host of the proxy; undefined where requests go to the server itself. */
  readonly proxy: string | undefined;
}

/** @throws NetworkError without a complete response; Failure when the request body could not be read */
function receive(through: Dispatcher, {body, ...request}: RawRequest, {timeout, proxy}: Receiving): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status: number | undefined;
    let headers: RawAnswer['headers'] = {};
    let received = new Body();
    let isOver = false;

    function fail(error: unknown): void {
      if (isOver) return;
      isOver = true;
      received = new Body();
      clearTimeout(limit);
      reject(error instanceof Failure ? error : networkErrorOf(error, {status, isSent: controller !== undefined}, proxy));
      controller?.abort(new Error('given up'));
      streamed?.destroy();
    }
    const limit = setTimeout(() => fail(Object.assign(new Error('timed out'), {code: 'ETIMEDOUT'})), timeout);
    const refresh = () => limit.refresh();
    const streamed = typeof body === 'function' ? Readable.from(withProgress(body(), refresh)).on('error', fail) : undefined;
    through.dispatch(
      {...request, body: streamed ?? (typeof body === 'string' ? body : null)},
      {
        onRequestStart(started) {
          controller = started;
          // The request may have timed out while it waited for a connection.
          if (isOver) started.abort(new Error('given up'));
        },
        onResponseStart(_, statusCode, given) {
          // A 1xx status precedes the response.
          if (statusCode < 200) return;
          status = statusCode;
          headers = joinHeaders(given);
        },
        onResponseData(_, chunk) {
          try {
            received.add(chunk);
          } catch (error) {
            fail(error);
          }
        },
        onResponseEnd() {
          if (status === undefined) throw new Error('no status came');
          clearTimeout(limit);
          const answer = {status, headers, text: received.bytes};
          // undici frees the connection at the end of this tick; a request before that would open another one.
          queueMicrotask(() => setImmediate(() => resolve(answer)));
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}

/** The most bytes of a response, compressed or not. Parsing takes several times that much memory. */
export const maxAnswerSize = 16 * 1024 * 1024;

const mebibytes = `${maxAnswerSize / 1024 / 1024} MiB`;

/** The most values in a response; each takes about 60 bytes of memory. */
export const maxValues = 250_000;

function tooLarge(what: string): NetworkError {
  return new NetworkError('too_large', `the response is larger than ${what}`, {isSent: true});
}

/** The bytes of a response, in one buffer: many small chunks would take more memory than their bytes. */
export class Body {
  #buffer = Buffer.alloc(0);
  #size = 0;

  /** @throws NetworkError when the response is too large */
  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > maxAnswerSize) throw tooLarge(mebibytes);
    if (size > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(2 * size, maxAnswerSize));
      this.#buffer.copy(grown);
      this.#buffer = grown;
    }
    this.#size += chunk.copy(this.#buffer, this.#size);
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }
}

/** @throws NetworkError for anything but the two encodings that requests accept, each alone */
async function decode(body: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === '' || encoding === 'identity') return body;
  const {brotliDecompressSync, gunzipSync} = await import('node:zlib');
  const decompress = encoding === 'gzip' ? gunzipSync : encoding === 'br' ? brotliDecompressSync : undefined;
  if (decompress !== undefined) return decompress(body, {maxOutputLength: maxAnswerSize});
  throw new NetworkError('undecodable', `the response has an unsupported content encoding (${encoding})`, {isSent: true});
}

/** @throws NetworkError when the text has too many values */
function textOf(whole: Buffer): string {
  // A value takes at least two bytes.
  if (whole.length > 2 * maxValues && valuesIn(whole) > maxValues) throw tooLarge(`${withCommas(maxValues)} values`);
  return whole.toString('utf8');
}

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** An upper bound for the number of values in a JSON text. */
function valuesIn(text: Buffer): number {
  let count = 1;
  // A loop with `of` takes three times as long.
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === comma || byte === bracket || byte === brace) count += 1;
  }
  return count;
}

/** @throws NetworkError when the body cannot be decompressed, or is too large */
export async function readAnswerBody(body: Buffer, encoding: string, status: number): Promise<string> {
  try {
    keepParsingFlat(body.length);
    return textOf(await decode(body, encoding.trim().toLowerCase()));
  } catch (error) {
    const advance = {status, isSent: true};
    const code = systemCode(error) ?? '';
    if (code === 'ERR_BUFFER_TOO_LARGE') throw networkErrorOf(tooLarge(mebibytes), advance);
    if (code.startsWith('Z_') || code.startsWith('ERR__ERROR_') || code.startsWith('ERR_PADDING')) {
      throw new NetworkError('undecodable', 'the response could not be decompressed', advance, error);
    }
    throw networkErrorOf(error, advance);
  }
}
