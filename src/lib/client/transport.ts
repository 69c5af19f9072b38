/** One exchange over undici: connection reuse, proxies, time-outs. Knows nothing of endpoints. */
import type {Dispatcher} from 'undici';
import {readAnswerBody} from './answer-body.js';
import {Failure} from './failure.js';
import {receive} from './receive.js';

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
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) plain[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
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
      // The time counts as a whole, and is kept where the answer is received.
      headersTimeout: 0,
      bodyTimeout: 0,
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
      const raw = await receive(through, {origin, path: target, method, headers, body}, timeout);
      const received = joined(raw.headers);
      const text = await readAnswerBody(raw.chunks, received['content-encoding'] ?? '', raw.status, raw.timeLeft);
      return {status: raw.status, headers: received, text};
    },
    async close() {
      const opened = await dispatcher?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}
