/** Sends one request over undici and takes in its answer, below the streams that undici would make for it. */
import {Readable} from 'node:stream';
import type {Dispatcher} from 'undici';
import {Body} from './answer-body.js';
import {brokenBy} from './broken.js';
import {Failure} from './failure.js';

/** An answer as it came, before it is decompressed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly chunks: readonly Buffer[];
  /** Milliseconds of the time-out that are left. */
  readonly timeLeft: number;
}

export interface RawRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | (() => AsyncGenerator<Buffer>) | undefined;
}

async function* withProgress(chunks: AsyncGenerator<Buffer>, tell: () => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    tell();
    yield chunk;
  }
  tell();
}

/**
 * @param timeout milliseconds from sending to the end of the answer; while a body is streamed, without progress
 * @throws Broken when no whole answer came; Failure when the body could not be read
 */
export function receive(through: Dispatcher, {body, ...request}: RawRequest, timeout: number): Promise<RawAnswer> {
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
      reject(error instanceof Failure ? error : brokenBy(error, {status, isSent: controller !== undefined}));
      controller?.abort(error instanceof Error ? error : new Error('failed'));
      streamed?.destroy();
    }
    let begun = performance.now();
    const limit = setTimeout(() => fail(Object.assign(new Error('timed out'), {code: 'ETIMEDOUT'})), timeout);
    const refresh = () => {
      begun = performance.now();
      limit.refresh();
    };
    const streamed = typeof body === 'function' ? Readable.from(withProgress(body(), refresh)).on('error', fail) : undefined;
    through.dispatch(
      {...request, body: streamed ?? (typeof body === 'string' ? body : null)},
      {
        onRequestStart(started) {
          controller = started;
          // Its time may have passed while it waited for a connection.
          if (isOver) started.abort(new Error('given up'));
        },
        onResponseStart(_, statusCode, given) {
          // What comes before 200 only says that the answer will come.
          if (statusCode < 200) return;
          status = statusCode;
          headers = given;
        },
        onResponseData(_, chunk) {
          if (isOver) return;
          try {
            received.add(chunk);
          } catch (error) {
            fail(error);
          }
        },
        onResponseEnd() {
          clearTimeout(limit);
          if (status === undefined) return fail(new Error('no status came'));
          const answer = {status, headers, chunks: received.chunks, timeLeft: begun + timeout - performance.now()};
          // undici frees the connection at the end of this turn: a request before that would open another one.
          queueMicrotask(() => setImmediate(() => resolve(answer)));
        },
        onResponseError: (_, error) => fail(error),
      },
    );
  });
}
