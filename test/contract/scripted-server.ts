/** A server on loopback with scripted answers that keeps the bytes of each request. */
import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders} from 'node:http';
import {buffer} from 'node:stream/consumers';
import {createClient, Failure, type Client, type ClientOptions} from '../../src/lib/client/index.js';

export const token = 'aPiToKeN.of-nobody_0123456789';

export interface Received {
  readonly method: string;
  /** Path and query as they stood in the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
  /** The connection ends before the answer does. */
  readonly breaksOff?: true;
}

export const jsonReply = (value: unknown): Reply => ({text: JSON.stringify(value)});

export interface ScriptedServer {
  readonly origin: string;
  /** What was received since the last {@link answers}. */
  readonly received: readonly Received[];
  /** From now on every request is answered like this. */
  answers(reply: Reply | ((request: Received) => Reply)): void;
  /** A client of this server that sends nothing twice. */
  client(options?: Partial<ClientOptions>): Client;
  stop(): Promise<void>;
}

export async function startServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  const clients: Client[] = [];
  let script: (request: Received) => Reply = () => ({text: ''});
  const server = createServer(async (incoming, response) => {
    const {method = '', url: target = '', headers} = incoming;
    const request = {method, target, headers, body: await buffer(incoming)};
    received.push(request);
    const {status = 200, headers: given, text, breaksOff} = script(request);
    const bytes = Buffer.from(text);
    const contentLength = bytes.length + (breaksOff ? 1 : 0);
    response.writeHead(status, {'content-type': 'application/json', ...given, 'content-length': contentLength});
    if (breaksOff) response.write(bytes, () => response.destroy());
    else response.end(bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    received,
    answers(reply) {
      received.length = 0;
      script = typeof reply === 'function' ? reply : () => reply;
    },
    client(options = {}) {
      const client = createClient({server: new URL(origin), token: async () => token, retries: 0, maxWait: 0, ...options});
      clients.push(client);
      return client;
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The Failure that a call throws; success or another error fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<Failure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw new Error('The call threw something else than a Failure', {cause: error});
  }
  throw new Error('The call succeeded');
}
