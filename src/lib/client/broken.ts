import {systemCode} from './failure.js';

export type BrokenKind = 'connect' | 'lost' | 'timeout' | 'tls' | 'too_large' | 'undecodable';

/** How far an exchange had come. */
export interface Advance {
  /** The status, when the answer had begun. */
  readonly status?: number | undefined;
  /** Whether the request was sent, or a part of it. */
  readonly isSent: boolean;
}

/** No answer, or only part of one. */
export class Broken extends Error implements Advance {
  override readonly name = 'Broken';
  readonly status: number | undefined;
  readonly isSent: boolean;

  constructor(
    readonly kind: BrokenKind,
    message: string,
    {status, isSent}: Advance,
    cause?: unknown,
  ) {
    super(message, {cause});
    this.status = status;
    this.isSent = isSent;
  }
}

const connectFailures: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ENOTFOUND: 'there is no host of that name',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within the time-out',
};

/** undici wraps what happened; a connect that tried several addresses wraps it again. */
function rootCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  const isRoot = !(error instanceof Error) || error.cause === undefined || (systemCode(error) ?? '') in connectFailures;
  return isRoot ? error : rootCause(error.cause);
}

export function timedOut(advance: Advance, cause?: unknown): Broken {
  const what = advance.isSent ? (advance.status === undefined ? 'no answer' : 'no whole answer') : 'no connection';
  return new Broken('timeout', `${what} within the time-out`, advance, cause);
}

/** Sorts what the network layer threw. */
export function brokenBy(error: unknown, advance: Advance): Broken {
  if (error instanceof Broken) return new Broken(error.kind, error.message, advance, error);
  const code = systemCode(rootCause(error)) ?? '';
  if (!advance.isSent) {
    const connect = connectFailures[code];
    if (connect !== undefined) return new Broken('connect', connect, advance, error);
    if (/CERT|SSL|TLS|UNABLE_TO_(GET|VERIFY)/.test(code)) {
      return new Broken('tls', `its certificate is not accepted (${code})`, advance, error);
    }
  }
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timedOut(advance, error);
  return new Broken('lost', 'the connection was lost', advance, error);
}
