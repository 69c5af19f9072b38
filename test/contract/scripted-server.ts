/** A server on loopback for all tests of a file, each of which says anew what it answers. */
import {createClient, type Client, type ClientOptions} from '../../src/lib/operations/index.js';
import {serverThat, type Answered, type Received} from '../server.js';

export const token = 'aPiToKeN.of-nobody_0123456789';

export const jsonAnswer = (value: unknown): Answered => ({text: JSON.stringify(value)});

export interface ScriptedServer {
  readonly origin: string;
  /** What was received since the last {@link answers}. */
  readonly received: readonly Received[];
  /** From now on every request is answered like this. */
  answers(answer: Answered | ((request: Received) => Answered)): void;
  /** A client of this server that sends nothing twice. */
  client(options?: Partial<ClientOptions>): Client;
  stop(): Promise<void>;
}

export async function startServer(): Promise<ScriptedServer> {
  const received: Received[] = [];
  const clients: Client[] = [];
  let script: (request: Received) => Answered = () => ({text: ''});
  const server = await serverThat((request) => {
    received.push(request);
    return script(request);
  });
  return {
    origin: server.url,
    received,
    answers(answer) {
      received.length = 0;
      script = typeof answer === 'function' ? answer : () => answer;
    },
    client(options = {}) {
      const client = createClient({server: new URL(server.url), token: async () => token, retries: 0, maxWait: 0, ...options});
      clients.push(client);
      return client;
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}
