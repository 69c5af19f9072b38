/** A server on loopback that answers as a test tells it to, and remembers what arrived and what was answered, to the letter. */
import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {Server, Socket} from 'node:net';
import {buffer} from 'node:stream/consumers';
import nock from 'nock';
import {Tally} from './events.js';

export interface Received {
  readonly method: string;
  /** Path and query as they stood in the request line. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  /** Sent in place of the text: of a photo, not every byte is one of UTF-8. */
  readonly bytes?: Uint8Array;
  /** The connection is lost before the answer, or in the middle of it. */
  readonly lost?: 'before' | 'within';
}

/** What is done with a response by hand, for what happens on sockets. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface Exchange {
  readonly received: Received;
  readonly answered: Answered;
}

export interface RecordingServer extends AsyncDisposable {
  readonly url: string;
  /** Resolves when so many requests have arrived in all. */
  readonly arrived: (count: number) => Promise<void>;
  /** Resolves when so many requests have been answered in all. */
  readonly answered: (count: number) => Promise<void>;
  /** In the order of their answers; without what was answered by hand. */
  readonly exchanges: readonly Exchange[];
  /** All that there ever were. */
  readonly connections: readonly unknown[];
  /** From now on no connection is taken; those that are open stay. */
  readonly closeDoor: () => void;
  /** What names this server to the program, and a token for it. */
  readonly env: Readonly<Record<string, string>>;
}

interface Listening extends AsyncDisposable {
  /** Its address and port. */
  readonly host: string;
  readonly connections: readonly Socket[];
}

/**
 * Takes a free port, until it is disposed of. Nothing leaves loopback then, and nock is left out: it takes time of what it lets through, and
 * reads a request to its end before, where the socket itself matters.
 */
export async function listening(server: Server): Promise<Listening> {
  nock.restore();
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => connections.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  return {
    host: `127.0.0.1:${address.port}`,
    connections,
    async [Symbol.asyncDispose]() {
      // A test may have closed it.
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

/** Each header as one text. */
export function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}

export async function receive(incoming: IncomingMessage): Promise<Received> {
  const {method = '', url: target = '', headers} = incoming;
  return {method, target, headers: plain(headers), body: await buffer(incoming)};
}

function send({status = 200, headers, text, bytes = Buffer.from(text), lost}: Answered, response: ServerResponse): void {
  if (lost === 'before') return void response.destroy();
  const length = bytes.length + (lost === 'within' ? 1 : 0);
  response.writeHead(status, {'content-type': 'application/json', 'content-length': String(length), ...headers});
  if (lost === 'within') response.write(bytes, () => response.destroy());
  else response.end(bytes);
}

/** @param answer to a request that was read to its end; connections count from 1 */
export async function serverThat(
  answer: (received: Received, connection: number) => Answered | Promise<Answered | Reply> | Reply,
  token = 'token-of-a-test',
): Promise<RecordingServer> {
  const exchanges: Exchange[] = [];
  const [arrivals, answers] = [new Tally(), new Tally()];
  const server = createServer(async (request, response) => {
    const received = await receive(request).catch(() => undefined);
    // A client that goes away in the middle has not asked for anything.
    if (received === undefined) return;
    const answering = answer(received, connections.indexOf(request.socket) + 1);
    arrivals.add();
    const answered = await answering;
    if (typeof answered === 'function') return answered(response, request);
    exchanges.push({received, answered});
    answers.add();
    send(answered, response);
  });
  const {host, connections, [Symbol.asyncDispose]: close} = await listening(server);
  const url = `http://${host}`;
  return {
    url,
    arrived: (count) => arrivals.reached(count),
    answered: (count) => answers.reached(count),
    exchanges,
    connections,
    closeDoor: () => void server.close(),
    env: {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: token},
    [Symbol.asyncDispose]: close,
  };
}

/** `GET /api/v1/blocks?limit=2` of each exchange. */
export const requestsTo = ({exchanges}: Pick<RecordingServer, 'exchanges'>): string[] =>
  exchanges.map(({received: {method, target}}) => `${method} ${target}`);
