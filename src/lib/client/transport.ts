/** One exchange over undici: connection reuse, proxies, time-outs. Knows nothing of endpoints. */
import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import {readAnswerBody} from './answer-body.js';
import {brokenBy} from './broken.js';
import {Failure} from './failure.js';

const longestConnect = 10_000;

export interface Outgoing {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | (() => AsyncGenerator<Buffer>) | undefined;
}

export interface Incoming {
  readonly status: number;
  /** Lower-case names. A header that came several times is joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Transport {
  /** @throws Broken when no whole answer came */
  exchange(outgoing: Outgoing): Promise<Incoming>;
  close(): Promise<void>;
}

/** The first proxy of the environment that is set; without a scheme it means http, as everywhere. */
function proxyFrom(...names: readonly string[]): string {
  const address = names.map((name) => process.env[name] ?? '').find((value) => value !== '') ?? '';
  return address === '' || address.includes('://') ? address : `http://${address}`;
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

interface Deadline {
  readonly signal: AbortSignal;
  /** Begins the time anew: there was progress. */
  restart(): void;
  stop(): void;
}

function deadline(timeout: number): Deadline {
  const controller = new AbortController();
  const expire = () => controller.abort(Object.assign(new Error('timed out'), {code: 'ETIMEDOUT'}));
  let timer = setTimeout(expire, timeout);
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(expire, timeout);
    },
    stop: () => clearTimeout(timer),
  };
}

async function* withProgress(chunks: AsyncGenerator<Buffer>, limit: Deadline): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    limit.restart();
    yield chunk;
  }
  limit.restart();
}

/**
 * A transport to one origin; undici is loaded with the first exchange.
 * @param timeout milliseconds from sending to the end of the answer; while a body is streamed, without progress
 */
export function createTransport(origin: string, timeout: number): Transport {
  let dispatcher: Promise<Dispatcher> | undefined;

  async function open(): Promise<Dispatcher> {
    const {Agent, EnvHttpProxyAgent} = await import('undici');
    const options = {
      connect: {timeout: Math.min(timeout, longestConnect)},
      headersTimeout: timeout,
      bodyTimeout: timeout,
    };
    const httpProxy = proxyFrom('http_proxy', 'HTTP_PROXY');
    const httpsProxy = proxyFrom('https_proxy', 'HTTPS_PROXY');
    if (httpProxy === '' && httpsProxy === '') return new Agent(options);
    try {
      return new EnvHttpProxyAgent({...options, httpProxy, httpsProxy});
    } catch (error) {
      // The address may hold a password: it is not repeated.
      throw new Failure('usage', 'HTTP_PROXY or HTTPS_PROXY is not the address of a proxy', {
        hint: 'give an address such as http://127.0.0.1:3128',
        cause: error,
      });
    }
  }

  return {
    async exchange({method, target, headers, body}) {
      dispatcher ??= open();
      const through = await dispatcher;
      const limit = deadline(timeout);
      const streamed = typeof body === 'function' ? Readable.from(withProgress(body(), limit)) : undefined;
      try {
        const answer = await through.request({
          origin,
          path: target,
          method,
          headers: {...headers},
          body: streamed ?? (typeof body === 'string' ? body : null),
          signal: limit.signal,
        });
        const received = joined(answer.headers);
        const encoding = received['content-encoding'] ?? '';
        const text = await readAnswerBody(answer.body, encoding, answer.statusCode);
        // undici frees the connection at the end of this turn: a request before that would open another one.
        await new Promise((resolve) => setImmediate(resolve));
        return {status: answer.statusCode, headers: received, text};
      } catch (error) {
        throw error instanceof Failure ? error : brokenBy(error, undefined);
      } finally {
        limit.stop();
      }
    },
    async close() {
      const opened = await dispatcher?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}
