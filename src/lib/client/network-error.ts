import {systemCode} from '../files/system-error.js';

export type NetworkErrorKind = 'connect' | 'lost' | 'plain_http' | 'proxy' | 'timeout' | 'tls' | 'too_large' | 'undecodable';

/** How far an exchange got before it failed. */
interface Advance {
  /** The status, when the response had begun. */
  readonly status?: number | undefined;
  /** Whether any part of the request was sent. */
  readonly isSent: boolean;
}

/** There was no response, or an incomplete one. */
export class NetworkError extends Error implements Advance {
  override readonly name = 'NetworkError';
  readonly status: number | undefined;
  readonly isSent: boolean;

  constructor(
    readonly kind: NetworkErrorKind,
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
  EAI_AGAIN: 'DNS lookup failed',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host not found',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
};

/** undici wraps the cause of an error; a connection attempt to several addresses wraps it again. */
function rootCause(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  const isRoot = !(error instanceof Error) || error.cause === undefined || (systemCode(error) ?? '') in connectFailures;
  return isRoot ? error : rootCause(error.cause);
}

/** An error on the way to a proxy. Without a cause: the proxy took the connection, and does not respond. */
class OfProxy extends Error {
  constructor(
    readonly host: string,
    cause?: Error,
  ) {
    super('proxy', {cause});
  }
}

export function proxyError(host: string, error?: Error): Error {
  return new OfProxy(host, error);
}

/** Why a connection could not be made, by the code of the error; undefined where the code does not say. */
function connectTrouble(code: string): {readonly kind: NetworkErrorKind; readonly message: string} | undefined {
  const message = connectFailures[code];
  if (message !== undefined) return {kind: 'connect', message};
  if (/SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)/.test(code)) {
    return {kind: 'plain_http', message: 'it does not use HTTPS; it may use plain HTTP'};
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH/.test(code)) {
    return {kind: 'tls', message: `its certificate is not trusted (${code})`};
  }
  return /SSL|TLS|^EPROTO$/.test(code) ? {kind: 'lost', message: `the TLS handshake failed (${code})`} : undefined;
}

function proxyAnswer(status: string): string {
  return `the proxy responded with ${status}${status === '407' ? ': it requires a user name and a password' : ''}`;
}

/** The message for an error of a proxy; undefined for errors of the server. */
function proxyTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof OfProxy) {
    if (error.cause === undefined) return `the proxy ${error.host} does not respond`;
    const why = connectTrouble(systemCode(rootCause(error)) ?? '')?.message ?? 'the connection failed';
    return `the proxy ${error.host} cannot be reached: ${why}`;
  }
  // These errors of undici have no code.
  const tunnel = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (tunnel !== undefined) return proxyAnswer(tunnel);
  if (error.message.startsWith('Proxy Authentication Required')) return proxyAnswer('407');
  const code = systemCode(error);
  if (code === 'UND_ERR_PRX_TLS') return 'the certificate of the proxy is not trusted';
  if (code === 'UND_ERR_PRX_CONN') return 'the proxy closed the connection';
  return proxyTrouble(error.cause);
}

export function timeoutError(advance: Advance, cause?: unknown): NetworkError {
  return new NetworkError('timeout', advance.status === undefined ? 'timed out' : 'timed out before its end', advance, cause);
}

/**
 * Classifies an error of the network layer.
 * @param proxy the host of the proxy that had to respond; undefined: the server had to
 */
export function networkErrorOf(error: unknown, advance: Advance, proxy?: string): NetworkError {
  if (error instanceof NetworkError) return new NetworkError(error.kind, error.message, advance, error);
  const trouble = proxyTrouble(error);
  if (trouble !== undefined) return new NetworkError('proxy', trouble, {...advance, isSent: false}, error);
  const root = rootCause(error);
  const code = systemCode(root) ?? '';
  if (!advance.isSent) {
    const connecting = connectTrouble(code);
    if (connecting !== undefined) return new NetworkError(connecting.kind, connecting.message, advance, error);
  }
  if (proxy !== undefined && root instanceof Error && root.name === 'HTTPParserError')
    return new NetworkError('proxy', `the response of the proxy ${proxy} is not HTTP`, advance, error);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return timeoutError(advance, error);
  // undici says no more of an unexpected 100 Continue than this message.
  const isContinue = root instanceof Error && root.message === 'bad response' && advance.status === undefined;
  return new NetworkError('lost', isContinue ? 'the server sent an unexpected 100 Continue' : 'the connection was lost', advance, error);
}
