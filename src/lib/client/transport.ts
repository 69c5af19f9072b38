/** Sends one request through undici and receives its response, with connection reuse, proxies and timeouts. Knows nothing of endpoints. */
import {isIP} from 'node:net';
import {Readable} from 'node:stream';
import type {Agent, Dispatcher, Pool} from 'undici';
import {Body, readAnswerBody} from './answer-body.js';
import {networkErrorOf, proxyError} from './network-error.js';
import {Failure} from './failure.js';
import {shorten} from '../json/text.js';

const maxConnectTime = 10_000;

/** Messages show at most this many characters of a scheme. */
const maxShown = 30;

export interface Outgoing {
  readonly method: string;
  /** Path and query. */
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
  /** Exactly what the server sent. */
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

/** The first of these environment variables that is set, else an empty string. An address without a scheme is one of http. */
function proxyFrom(...names: readonly string[]): string {
  const address = names.map((name) => process.env[name] ?? '').find((value) => value !== '') ?? '';
  return address === '' || address.includes('://') ? address : `http://${address}`;
}

/** @throws Failure `usage` for anything but the address of a proxy, which may contain a password, so it is not repeated */
function refuseNoProxy(address: string): void {
  if (address === '') return;
  const hint = 'give an address such as http://127.0.0.1:3128';
  const url = URL.parse(address);
  if (url === null) throw new Failure('usage', 'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy', {hint});
  const {protocol} = url;
  if (protocol === 'http:' || protocol === 'https:') return;
  throw new Failure('usage', `HTTP_PROXY or HTTPS_PROXY begins with ${protocol}//: only http:// and https:// proxies are supported`, {
    hint,
  });
}

/** An agent that uses proxies, and calls `noteConnection` with the host of a proxy that took a connection. */
async function createProxyAgent(
  options: Agent.Options,
  connectTimeout: number,
  {
    noteConnection: connected,
    ...proxies
  }: {readonly httpProxy: string; readonly httpsProxy: string; readonly noteConnection: (host: string) => void},
): Promise<Dispatcher> {
  const {EnvHttpProxyAgent, Pool} = await import('undici');
  const isProxy = (origin: string | URL) =>
    Object.values(proxies).some((proxy) => proxy !== '' && new URL(proxy).host === new URL(origin).host);
  // Distinguishes errors on the way to the proxy from errors behind it.
  const factory = (origin: string | URL, pool: Pool.Options) => {
    const {connect} = pool;
    if (typeof connect !== 'function' || !isProxy(origin)) return new Pool(origin, pool);
    const {host} = new URL(origin);
    return new Pool(origin, {
      ...pool,
      connect(to, done) {
        // TLS throws when the server name is an IP address.
        const {servername = '', ...address} = to;
        connect(isIP(servername) === 0 ? to : address, (...[error, socket]) => {
          if (error !== null) return done(proxyError(host, error), null);
          connected(host);
          done(null, socket);
        });
      },
    });
  };
  return new EnvHttpProxyAgent({...options, ...proxies, connectTimeout, factory, clientFactory: factory});
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

/**
 * A transport to one origin; undici is loaded with the first exchange.
 * @param timeout milliseconds for the whole exchange; while a body is streamed, for a time without progress
 */
export function createTransport(origin: string, timeout: number): Transport {
  let dispatcher: Promise<Dispatcher> | undefined;
  let proxy: string | undefined;

  async function open(): Promise<Dispatcher> {
    const {Agent} = await import('undici');
    const connectTimeout = Math.min(timeout, maxConnectTime);
    const options: Agent.Options = {
      connect: {timeout: connectTimeout},
      // The timeout in `receive` covers the whole exchange.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    const proxies = {httpProxy: proxyFrom('http_proxy', 'HTTP_PROXY'), httpsProxy: proxyFrom('https_proxy', 'HTTPS_PROXY')};
    const hasProxy = Object.values(proxies).some((address) => address !== '');
    // No proxy is used for loopback, where plain http is allowed.
    const isDirect = !hasProxy || isLoopback(new URL(origin).hostname);
    const usesTls = [origin, ...(isDirect ? [] : Object.values(proxies))].some((address) => /^https:/i.test(address));
    if (usesTls && (process.env['SSL_CERT_FILE'] ?? '') !== '') await (await import('./certificates.js')).trustEnvironment();
    if (isDirect) return new Agent(options);
    for (const address of Object.values(proxies)) refuseNoProxy(address);
    return createProxyAgent(options, connectTimeout, {...proxies, noteConnection: (host) => (proxy = host)});
  }

  async function close(): Promise<void> {
    const opened = await dispatcher?.catch(() => undefined);
    await opened?.destroy();
  }

  return {
    async exchange({method, target, headers, body}) {
      dispatcher ??= open();
      const through = await dispatcher;
      const raw = await receive(through, {origin, path: target, method, headers, body}, {timeout, proxy: () => proxy});
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
  /** The host of the proxy that took the connection; undefined where none did. */
  readonly proxy: () => string | undefined;
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
      // For https, a proxy can respond only before the request is sent.
      const responding = controller === undefined || request.origin.startsWith('http:') ? proxy() : undefined;
      reject(error instanceof Failure ? error : networkErrorOf(error, {status, isSent: controller !== undefined}, responding));
      controller?.abort(new Error('given up'));
      streamed?.destroy();
    }
    const limit = setTimeout(() => {
      // Behind a proxy nothing is sent before it has connected to the server.
      const silent = controller === undefined ? proxy() : undefined;
      fail(silent === undefined ? Object.assign(new Error('timed out'), {code: 'ETIMEDOUT'}) : proxyError(silent));
    }, timeout);
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
