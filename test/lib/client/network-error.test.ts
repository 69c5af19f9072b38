/** Errors of the network layer in words: what failed, how far it got, and whether a proxy is to blame. */
import {describe, expect, test} from 'vitest';
import {NetworkError, networkErrorOf} from '../../../src/lib/client/network-error.js';

const ofCode = (code: string, message = 'no') => Object.assign(new Error(message), {code});
const around = (cause: unknown) => new Error('fetch failed', {cause});
const [unsent, sent, begun] = [{isSent: false}, {isSent: true}, {isSent: true, status: 200}];

const shown = ({kind, message, isSent, status}: NetworkError) => ({kind, message, isSent, status});

describe('an error before anything was sent', () => {
  test.each([
    ['EAI_AGAIN', 'connect', 'DNS lookup failed'],
    ['ECONNREFUSED', 'connect', 'connection refused'],
    ['EHOSTUNREACH', 'connect', 'host unreachable'],
    ['ENETUNREACH', 'connect', 'network unreachable'],
    ['ENOTFOUND', 'connect', 'host not found'],
    ['UND_ERR_CONNECT_TIMEOUT', 'connect', 'timed out'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'plain_http', 'it does not use HTTPS; it may use plain HTTP'],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'plain_http', 'it does not use HTTPS; it may use plain HTTP'],
    ['CERT_HAS_EXPIRED', 'tls', 'its certificate is not trusted (CERT_HAS_EXPIRED)'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
    ['UNABLE_TO_GET_ISSUER', 'tls', 'its certificate is not trusted (UNABLE_TO_GET_ISSUER)'],
    ['HOSTNAME_MISMATCH', 'tls', 'its certificate is not trusted (HOSTNAME_MISMATCH)'],
    ['ERR_SSL_TLSV1_ALERT', 'lost', 'the TLS handshake failed (ERR_SSL_TLSV1_ALERT)'],
    ['ERR_TLS_HANDSHAKE', 'lost', 'the TLS handshake failed (ERR_TLS_HANDSHAKE)'],
    ['EPROTO', 'lost', 'the TLS handshake failed (EPROTO)'],
    ['ETIMEDOUT', 'timeout', 'timed out'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'timed out'],
    ['ECONNRESET', 'lost', 'the connection was lost'],
    ['EPROTONOSUPPORT', 'lost', 'the connection was lost'],
  ])('of code %s is %s: %s', (code, kind, message) => {
    const inside = ofCode(code);
    for (const error of [inside, around(inside), around(around(inside)), around(new AggregateError([inside, ofCode('ENOENT')]))]) {
      const found = networkErrorOf(error, unsent);
      expect(shown(found)).toEqual({kind, message, isSent: false, status: undefined});
      expect(found.cause).toBe(error);
    }
  });

  test.each(['no', undefined, new Error('no'), new AggregateError([])])('without a code is a lost connection: %s', (error) => {
    expect(shown(networkErrorOf(error, unsent))).toEqual({kind: 'lost', message: 'the connection was lost', ...unsent});
  });

  test('that names its cause keeps its own words where these say more', () => {
    const refused = Object.assign(new Error('no', {cause: ofCode('EOTHER')}), {code: 'ECONNREFUSED'});
    expect(networkErrorOf(refused, unsent).message).toBe('connection refused');
  });
});

describe('an error after the request was sent', () => {
  test.each([
    ['ECONNREFUSED', 'lost', 'the connection was lost', sent],
    ['CERT_HAS_EXPIRED', 'lost', 'the connection was lost', sent],
    ['EPROTO', 'lost', 'the connection was lost', begun],
    ['ETIMEDOUT', 'timeout', 'timed out', sent],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', 'timed out before its end', begun],
  ])('of code %s is %s: %s', (code, kind, message, advance) => {
    expect(shown(networkErrorOf(ofCode(code), advance))).toEqual({kind, message, ...advance});
  });

  test('that undici calls bad is an unexpected 100 Continue, unless an answer had begun', () => {
    expect(networkErrorOf(around(new Error('bad response')), sent).message).toBe('the server sent an unexpected 100 Continue');
    expect(networkErrorOf(new Error('bad response'), begun).message).toBe('the connection was lost');
    expect(networkErrorOf('bad response', sent).message).toBe('the connection was lost');
  });

  test('that is known already keeps its words, and tells how far this exchange came', () => {
    const known = new NetworkError('too_large', 'too much', {isSent: true});
    const found = networkErrorOf(known, {isSent: true, status: 206});
    expect(shown(found)).toEqual({kind: 'too_large', message: 'too much', isSent: true, status: 206});
    expect(found.cause).toBe(known);
  });
});

describe('an error behind a proxy', () => {
  const host = 'proxy.example:3128';

  test.each([
    [ofCode('CERT_HAS_EXPIRED'), unsent, 'tls'],
    [ofCode('ETIMEDOUT'), sent, 'timeout'],
    [ofCode('ECONNRESET'), sent, 'lost'],
    [new Error('a Proxy response (502)'), unsent, 'lost'],
  ])('%s may be one of the server: %j', (error, advance, kind) => {
    expect(networkErrorOf(error, advance, host).kind).toBe(kind);
  });
});
