/** A server on loopback that a test scripts reply by reply, for what happens on sockets. */
import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type ServerResponse} from 'node:http';
import {connect, type Server, type Socket} from 'node:net';
import {pipeline, type Duplex} from 'node:stream';
import nock from 'nock';
import {onTestFinished, vi} from 'vitest';
import {Tally, until} from './events.js';
import {createClient, type Client, type ClientOptions} from '../src/lib/client/client.js';
import type {Clock} from '../src/lib/client/retry.js';

export interface Received {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Counts connections from 1. */
  readonly connection: number;
}

export interface LoopbackServer {
  readonly url: URL;
  /** Resolves when so many requests have arrived in all. */
  readonly arrived: (count: number) => Promise<void>;
  readonly received: readonly Received[];
}

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

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

/** nock reads a request to its end before it lets it through, and here the socket itself matters. Nothing here leaves loopback. */
const useSockets = (): void => nock.restore();

type AfterTest = (close: () => Promise<void>) => void;

/**
 * Starts a server on a free port, and closes it with the test.
 * @param after that of the test, where several run at the same time
 * @returns its address and port
 */
export async function hostOf(server: Server, after: AfterTest = onTestFinished): Promise<string> {
  useSockets();
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  after(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  return `127.0.0.1:${address.port}`;
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

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Gives the replies in turn. A reply that nothing asked for fails the test, and so does a request beyond the last one. */
export async function startServer(...replies: readonly Reply[]): Promise<LoopbackServer> {
  const received: Received[] = [];
  const arrivals = new Tally();
  const connections = new Map<unknown, number>();
  const url = await listen(async (request, response) => {
    const connection = connections.get(request.socket) ?? connections.size + 1;
    connections.set(request.socket, connection);
    const {method = '', url: target = '', headers} = request;
    const body = await bodyOf(request).catch(() => undefined);
    // A client that goes away in the middle has not asked for anything.
    if (body === undefined) return;
    const reply = replies[received.length] ?? json({error: 'No reply is left'}, 599);
    received.push({method, target, headers, body, connection});
    arrivals.add();
    reply(response, request);
  });
  onTestFinished(() => {
    if (received.length === replies.length) return;
    throw new Error(`${received.length} requests came where ${replies.length} were expected`);
  });
  return {url, received, arrived: (count) => arrivals.reached(count)};
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
  useSockets();
  const client = createClient({server, token: async () => token, clock: new SkippingClock(), ...options});
  onTestFinished(() => client.close());
  return client;
}
