/** What servers answer: bodies, headers, tokens. */
import {expect} from 'vitest';
import {endpoints} from '../../src/lib/api/endpoints.js';
import {blocksIn} from '../../src/lib/api/server-block.js';
import {claimsOf} from '../../src/lib/auth/token.js';
import {maxAnswerSize, readAnswerBody} from '../../src/lib/client/transport.js';
import {failureOf, readAnswer, type Asking} from '../../src/lib/client/answer.js';
import {Failure} from '../../src/lib/client/failure.js';
import {NetworkError} from '../../src/lib/client/network-error.js';
import {nextPosition} from '../../src/lib/client/paging.js';
import {redirectOf} from '../../src/lib/client/redirects.js';
import {readWait, systemClock} from '../../src/lib/client/retry.js';
import {describeParsers} from './behaviour.js';

const request: Asking['request'] = {
  method: 'GET',
  path: '/api/v1/blocks',
  query: [],
  headers: {},
  scope: 'read',
  secrets: [],
  token: 'required',
  isWrite: true,
  repeat: 'harmless',
};
const asking = {host: 'pix.example', request};

function parseAnswer(bytes: Buffer): void {
  const failures = endpoints.flatMap((endpoint) => {
    try {
      const {value} = readAnswer({status: 200, headers: {}, text: bytes.toString()}, endpoint.output(), asking, false);
      blocksIn(value);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return error;
    }
  });
  for (const failure of failures) throw failure;
}

/** An error body under each status, for all that sets the errors of endpoints apart. */
function parseRefusal(bytes: Buffer): void {
  const text = bytes.toString();
  for (const own of new Set(endpoints.flatMap(({errors}) => errors ?? [])))
    for (const status of [302, 400, 401, 403, 404, 409, 422, 429, 500, 503]) {
      const sent = {...request, errors: {own, path: {}}, body: {json: {title: 'a'}}};
      const failure = failureOf({status, headers: {location: text.slice(0, 200)}, text}, {...asking, request: sent});
      expect(failure?.message.length ?? 0).toBeLessThan(25_000);
    }
}

/** The first line is a header, what follows a body. No page is on another server. */
function parseLink(bytes: Buffer): void {
  const [link = '', ...body] = bytes.toString().split('\n');
  const text = body.join('\n');
  const value: unknown = JSON.parse(text);
  const asked = {path: '/api/v1/blocks', query: [['limit', '40'] as const, ['max_id', '7'] as const]};
  for (const endpoint of endpoints) {
    const next = nextPosition(endpoint, {status: 200, headers: {link}, text, value, exact: value, mismatches: []}, asked, asked, 0);
    if (next !== undefined) expect(new URL(`https://pix.example${next.path}`).origin).toBe('https://pix.example');
  }
}

const clock = {...systemClock, now: () => 0, time: () => Date.UTC(2026, 0, 1)};

/** Lines are the values of headers. */
function parseWaits(bytes: Buffer): void {
  const lines = bytes.toString('latin1').split('\n');
  const names = [
    'retry-after',
    'x-ratelimit-reset',
    'x-ratelimit-remaining',
    'x-ratelimit-limit',
    'date',
    'location',
    'x-rate-limit-reset',
  ];
  const headers = Object.fromEntries(names.map((name, index) => [name, lines[index] ?? '']));
  const wait = readWait(headers, clock) ?? 0;
  expect(Number.isFinite(wait) && wait >= 0, `a wait of ${wait}`).toBe(true);
  redirectOf(302, headers['location'], new URL('https://pix.example/a'));
}

function parseToken(bytes: Buffer): void {
  const {expiresAt} = claimsOf(`eyJhbGciOiJub25lIn0.${bytes.toString('base64url')}.x`);
  if (expiresAt !== undefined) expect(Date.parse(expiresAt)).not.toBeNaN();
  claimsOf(bytes.toString());
}

/** The first line is how a body is compressed, the second one the body, in Base64. */
async function parseCompressed(bytes: Buffer): Promise<void> {
  const [encoding = '', body = ''] = bytes.toString('latin1').split('\n');
  const text = await readAnswerBody(Buffer.from(body, 'base64'), encoding, 200);
  expect(text.length).toBeLessThanOrEqual(maxAnswerSize);
}

describeParsers({
  answer: {parse: parseAnswer, words: ['"id":', '"data":', '"meta":', '"acct":']},
  refusal: {
    parse: parseRefusal,
    words: ['"error":', '"errors":', '"message":', 'This action is unauthorized.', '<html>', '/login'],
    share: 0.3,
  },
  link: {
    parse: parseLink,
    isOwn: (error) => error instanceof SyntaxError,
    words: ['>; rel="next"', 'rel=prev', '; title="a, b"', '?max_id=1', '?cursor=', 'https://other.example/x', '//other.example', '\\"'],
  },
  waits: {
    parse: parseWaits,
    words: ['1e9', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT', '1767225600', '2026-01-01T00:00:00Z', '9'.repeat(309), ' 5 ', '1.', '5 seconds'],
  },
  compressed: {
    parse: parseCompressed,
    words: ['gzip', 'br', 'deflate', 'zstd', 'identity', ', ', 'H4sI'],
    isOwn: (error) => error instanceof NetworkError,
  },
  token: {parse: parseToken, words: ['"exp":', '"scopes":', '"scope":', '8640000000001', '.', 'eyJ']},
});
