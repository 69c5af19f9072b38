import {systemCode} from '../files/system-error.js';

export type NetworkErrorKind = 'connect' | 'lost' | 'plain_http' | 'proxy' | 'timeout' | 'tls' | 'too_large' | 'undecodable';

/** How far an exchange got before it failed. */
interface Advance {
  /** The status, when the response had begun. */
  readonly status?: number | undefined;
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

/** Why a proxy did not let a request through; undefined for errors of the server. */
function proxyTrouble(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // These errors of undici have no code.
  const status = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(error.message)?.[1];
  if (status !== undefined) return `responded with ${status}${status === '407' ? ': it requires a user name and a password' : ''}`;
  return systemCode(error) === 'UND_ERR_PRX_CONN' ? 'closed the connection' : proxyTrouble(error.cause);
}

/**
 * Classifies an error of the network layer.
 * @param proxy the host of the proxy that the request goes through; undefined: it goes to the server itself
 */
export function networkErrorOf(error: unknown, advance: Advance, proxy?: string): NetworkError {
  if (error instanceof NetworkError) return new NetworkError(error.kind, error.message, advance, error);
  const root = rootCause(error);
  const code = systemCode(root) ?? '';
  const isTimeout = /TIMEOUT|ETIMEDOUT/.test(code);
  const connecting = advance.isSent ? undefined : connectTrouble(code);
  if (proxy !== undefined) {
    const unreached = connecting?.kind === 'connect' ? `cannot be reached: ${connecting.message}` : undefined;
    // Behind a proxy nothing is sent before it has connected to the server.
    const trouble = proxyTrouble(error) ?? unreached ?? (isTimeout && !advance.isSent ? 'does not respond' : undefined);
    if (trouble !== undefined) return new NetworkError('proxy', `the proxy ${proxy} ${trouble}`, {...advance, isSent: false}, error);
  }
  if (connecting !== undefined) return new NetworkError(connecting.kind, connecting.message, advance, error);
  if (isTimeout)
    return new NetworkError('timeout', advance.status === undefined ? 'timed out' : 'timed out before its end', advance, error);
  // undici says no more of an unexpected 100 Continue than this message.
  const isContinue = root instanceof Error && root.message === 'bad response' && advance.status === undefined;
  return new NetworkError('lost', isContinue ? 'the server sent an unexpected 100 Continue' : 'the connection was lost', advance, error);
}
