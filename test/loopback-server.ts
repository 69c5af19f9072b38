/** A server on loopback that a test scripts reply by reply, for what happens on sockets. */
import {createServer, type IncomingMessage, type RequestListener} from 'node:http';
import {connect, type Server} from 'node:net';
import {pipeline, type Duplex} from 'node:stream';
import nock from 'nock';
import {onTestFinished, vi} from 'vitest';
import {until} from './events.js';
import {listening, serverThat, type Received, type RecordingServer, type Reply} from './server.js';
import {openClient, type Client, type ClientOptions} from '../src/lib/client/client.js';
import type {Clock} from '../src/lib/client/retry.js';

export type {Reply} from './server.js';

export interface LoopbackServer {
  readonly url: URL;
  /** Resolves when so many requests have arrived in all. */
  readonly arrived: (count: number) => Promise<void>;
  /** Connections count from 1. */
  readonly received: readonly (Received & {readonly connection: number})[];
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => response.writeHead(status, {'content-type': 'application/json', ...headers}).end(JSON.stringify(value));
}

export function bytes(body: Buffer | string, headers: Readonly<Record<string, string>> = {}, status = 200): Reply {
  return (response) => response.writeHead(status, headers).end(body);
}

export function redirect(location: string, status = 302): Reply {
  return (response) => response.writeHead(status, {location}).end();
}

/** The connection is lost before any answer. */
export const drop: Reply = (response) => response.socket?.destroy();

/** Nothing comes for as long as the client waits. */
export const silence: Reply = () => {};

/**
 * Time-outs run from here to the end of the test on a clock that only the test moves. Sockets are as they were.
 * @returns lets so many milliseconds pass, such as in a server that does not answer
 */
export function holdTimeOuts(): (milliseconds: number) => void {
  vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance']});
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    vi.useRealTimers();
  });
  // A server that has not noticed yet that its client left goes on.
  return (milliseconds) => void (isOver || vi.advanceTimersByTime(milliseconds));
}

/** Nothing comes before the client gives up, by the clock that {@link holdTimeOuts} gives to the test. */
export const tooLate: Reply = () => void vi.advanceTimersByTime(60_000);

type AfterTest = (close: () => Promise<void>) => void;

/**
 * Starts a server on a free port, and closes it with the test.
 * @param after that of the test, where several run at the same time
 * @returns its address and port
 */
export async function hostOf(server: Server, after: AfterTest = onTestFinished): Promise<string> {
  const {host, [Symbol.asyncDispose]: close} = await listening(server);
  after(async () => close());
  return host;
}

export async function listen(listener: RequestListener): Promise<URL> {
  return new URL(`http://${await hostOf(createServer(listener))}`);
}

/** What a proxy does with a connection after CONNECT. */
type Tunnel = (socket: Duplex) => void;

/** A tunnel to one server, whichever was asked for. */
export function tunnelTo({port, hostname}: URL): Tunnel {
  return (socket) => {
    const upstream = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    pipeline(socket, upstream, socket, () => {});
  };
}

interface ProxySetting {
  /** Default: no response to CONNECT. */
  readonly tunnel?: Tunnel;
  /** To requests for plain http servers. */
  readonly reply?: Reply;
  readonly after?: AfterTest;
}

/** A proxy that keeps what it was asked for. */
export async function startProxy({tunnel = () => {}, reply = silence, after}: ProxySetting = {}) {
  const asked: string[] = [];
  const note = ({method, url, headers}: IncomingMessage) =>
    void asked.push(`${method} ${url} ${headers['proxy-authorization'] ?? ''}`.trim());
  const proxy = createServer((request, response) => {
    note(request);
    reply(response, request);
  });
  proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
    note(request);
    tunnel(socket.on('error', () => {}));
  });
  return {asked, host: await hostOf(proxy, after)};
}

/** A server that answers as told, until the end of the test. */
export async function serverOfTest(answer: Parameters<typeof serverThat>[0]): Promise<RecordingServer> {
  const server = await serverThat(answer);
  onTestFinished(async () => server[Symbol.asyncDispose]());
  return server;
}

/** Gives the replies in turn. A reply that nothing asked for fails the test, and so does a request beyond the last one. */
export async function startServer(...replies: readonly Reply[]): Promise<LoopbackServer> {
  const received: LoopbackServer['received'][number][] = [];
  const {url, arrived} = await serverOfTest((request, connection) => {
    received.push({...request, connection});
    return replies[received.length - 1] ?? json({error: 'No reply is left'}, 599);
  });
  onTestFinished(() => {
    if (received.length === replies.length) return;
    throw new Error(`${received.length} requests came where ${replies.length} were expected`);
  });
  return {url: new URL(url), received, arrived};
}

export const token = 'token-of-the-test';

/** A clock on which waits are over at once. */
export class SkippingClock implements Clock {
  /** Milliseconds that were skipped. */
  skipped = 0;
  readonly now = () => this.skipped;
  readonly time = () => Date.now() + this.skipped;
  readonly after = (milliseconds: number, call: () => void) => {
    const soon = setImmediate(() => {
      this.skipped += milliseconds;
      call();
    });
    return () => clearImmediate(soon);
  };
}

/** A clock that stands still until the test lets waits pass. */
export class HeldClock implements Clock {
  #now = 0;
  readonly #waits = new Set<{readonly end: number; readonly call: () => void}>();
  readonly now = () => this.#now;
  readonly time = () => Date.now() + this.#now;
  readonly after = (milliseconds: number, call: () => void) => {
    const wait = {end: this.#now + milliseconds, call};
    this.#waits.add(wait);
    return () => void this.#waits.delete(wait);
  };

  /** Resolves when something waits. */
  begun(): Promise<void> {
    return until(() => this.#waits.size > 0);
  }

  /** Lets one wait after the other pass until some work is over. */
  async pass<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    work.finally(() => (isOver = true)).catch(() => {});
    for (; !isOver; await until(() => isOver || this.#waits.size > 0)) {
      const [first] = [...this.#waits].toSorted((one, other) => one.end - other.end);
      if (first === undefined) continue;
      this.#waits.delete(first);
      this.#now = Math.max(this.#now, first.end);
      first.call();
    }
    return work;
  }
}

/** A client that waits for nothing, unless it is given another clock, and is closed with the test. */
export function clientOf(server: URL, options: Partial<ClientOptions> = {}): Client {
  nock.restore();
  const client = openClient({server, token: async () => token, clock: new SkippingClock(), ...options});
  onTestFinished(() => client.close());
  return client;
}
