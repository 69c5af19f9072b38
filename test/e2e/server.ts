/** Servers in front of the program that remember what arrived and what was answered, to the letter. */
import {once} from 'node:events';
import {createServer, type IncomingMessage} from 'node:http';
import {request} from 'undici';
import {Tally} from '../events.js';
import {startSandbox, type Sandbox, type SandboxOptions} from '../../src/lib/sandbox/server.js';

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
  /** In the order of their answers. */
  readonly exchanges: readonly Exchange[];
  /** All that there ever were. */
  readonly connections: readonly unknown[];
  /** What names this server to the program, and a token for it. */
  readonly env: Readonly<Record<string, string>>;
}

const loopback = '127.0.0.1';

/** A server that answers as told. */
export async function serverThat(
  answer: (received: Received) => Answered | Promise<Answered>,
  token = 'token-of-a-test',
): Promise<RecordingServer> {
  const exchanges: Exchange[] = [];
  const [arrivals, answers] = [new Tally(), new Tally()];
  const server = createServer(async (incoming, outgoing) => {
    const received = await receive(incoming);
    arrivals.add();
    const answered = await answer(received);
    exchanges.push({received, answered});
    answers.add();
    if (answered.lost === 'before') return void incoming.socket.destroy();
    const sent = answered.bytes ?? Buffer.from(answered.text);
    const length = sent.length + (answered.lost === 'within' ? 1 : 0);
    const headers = {'content-type': 'application/json', 'content-length': String(length), ...answered.headers};
    outgoing.writeHead(answered.status ?? 200, headers);
    if (answered.lost === 'within') outgoing.write(sent, () => incoming.socket.destroy());
    else outgoing.end(sent);
  });
  const connections: unknown[] = [];
  server.on('connection', (socket) => connections.push(socket));
  server.listen(0, loopback);
  await once(server, 'listening');
  const address = server.address();
  const url = `http://${loopback}:${typeof address === 'object' && address ? address.port : ''}`;
  return {
    url,
    arrived: (count) => arrivals.reached(count),
    answered: (count) => answers.reached(count),
    exchanges,
    connections,
    env: {PIXELCTL_SERVER: url, PIXELCTL_TOKEN: token},
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export interface RecordedSandbox extends RecordingServer {
  readonly sandbox: Sandbox;
}

/** A sandbox of its own, with everything on the way to it and back remembered. */
export async function recordedSandbox(options: SandboxOptions = {}): Promise<RecordedSandbox> {
  const sandbox = await startSandbox(options);
  const server = await serverThat((received) => pass(received, sandbox.url), sandbox.tokens.all);
  return {
    ...server,
    sandbox,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
}

export async function receive(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return {method: incoming.method ?? '', target: incoming.url ?? '', headers: plain(incoming.headers), body: Buffer.concat(chunks)};
}

const ofOneHop = ['connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'];

/** Passes a request on, and its answer back. */
export async function pass({method, target, headers, body}: Received, origin: string): Promise<Answered> {
  const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofOneHop.includes(name)));
  const answer = await request(origin + target, {method, headers: passed, body: body.length === 0 ? null : body});
  const bytes = await answer.body.bytes();
  const type = String(answer.headers['content-type'] ?? '');
  const isMedia = /^(?:audio|image|video)\//.test(type);
  const text = isMedia ? '' : new TextDecoder().decode(bytes);
  const returned = Object.entries(plain(answer.headers)).filter(([name]) => !ofOneHop.includes(name));
  return {status: answer.statusCode, headers: Object.fromEntries(returned), text, ...(isMedia && {bytes})};
}

function plain(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]));
}
