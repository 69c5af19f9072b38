/** Receives the browser when a server sends it back, on loopback. */
import {once} from 'node:events';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {Failure, localFailure, systemCode} from '../client/failure.js';
import {callbackPage} from './callback-page.js';

const loopback = '127.0.0.1';
const path = '/callback';

export interface CallbackOptions {
  /** 0, the default: a free one. */
  readonly port?: number;
  /** Milliseconds until it gives up. */
  readonly patience: number;
}

export interface Callback {
  /** Where servers are to send the browser. */
  readonly redirectUri: string;
  /** The query that the browser came back with; a Failure `auth` when nobody came. */
  readonly answer: Promise<URLSearchParams>;
  /** Ends all connections and gives the port back; who still waits for the answer gets a Failure. */
  close(): Promise<void>;
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, loopback);
    await once(server, 'listening');
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw localFailure(`Cannot listen on port ${port}`, error);
    throw new Failure('local', `Port ${port} is taken: the browser could not come back to it`, {
      hint: 'name another port, or none, which takes a free one',
    });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function reply(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cache-control': 'no-store',
    // The address holds the code.
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(page);
}

/** The query of a request that brings an answer. */
function answerIn({method, url = ''}: IncomingMessage): URLSearchParams | undefined {
  const {pathname, searchParams} = new URL(url, `http://${loopback}`);
  const brings = searchParams.has('code') || searchParams.has('error');
  return method === 'GET' && pathname === path && brings ? searchParams : undefined;
}

/**
 * Waits for one browser with one answer; whatever else is asked for does not exist.
 * @throws Failure `local` when the port is taken
 */
export async function receiveCallback({port = 0, patience}: CallbackOptions): Promise<Callback> {
  const {promise: answer, resolve, reject} = Promise.withResolvers<URLSearchParams>();
  let open = true;
  const server = createServer((request, response) => {
    const query = open ? answerIn(request) : undefined;
    if (query === undefined) return reply(response, 404, callbackPage('nothing'));
    open = false;
    // Whoever closes as soon as there is an answer must not take the page away.
    response.once('close', () => resolve(query));
    reply(response, 200, callbackPage(query.has('error') ? 'refused' : 'approved'));
  });
  const redirectUri = `http://${loopback}:${await listen(server, port)}${path}`;
  const giveUp = (): void =>
    reject(
      new Failure('auth', `Nobody approved the sign-in within ${Math.round(patience / 1000)} s`, {
        hint: 'sign in again; with --no-browser where the browser is on another machine',
      }),
    );
  const timer = setTimeout(giveUp, patience);
  const over = (): void => {
    open = false;
    clearTimeout(timer);
  };
  // Who closes without having waited need not hear of it.
  answer.then(over, over);
  return {
    redirectUri,
    answer,
    async close() {
      reject(new Failure('interrupted', 'The sign-in was given up'));
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
