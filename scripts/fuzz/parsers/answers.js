/** What servers answer: bodies, headers, tokens. */
import {endpoints} from '../../../dist/lib/api/endpoints.js';
import {blocksIn} from '../../../dist/lib/api/kinds/domain.js';
import {claimsOf} from '../../../dist/lib/auth/token.js';
import {failureOf, readAnswer} from '../../../dist/lib/client/answer.js';
import {maxAnswerSize, readAnswerBody} from '../../../dist/lib/client/answer-body.js';
import {NetworkError} from '../../../dist/lib/client/network-error.js';
import {nextPosition} from '../../../dist/lib/client/next-page.js';
import {RateWindow} from '../../../dist/lib/client/pace.js';
import {redirectOf} from '../../../dist/lib/client/redirects.js';
import {askedWait, resending, systemClock} from '../../../dist/lib/client/retry.js';
import {same, Wrong} from '../judge.js';

const request = {
  method: 'GET',
  path: '/api/v1/blocks',
  query: [],
  headers: {},
  scope: 'read',
  secrets: [],
  isWrite: true,
  repeat: 'harmless',
};
const asking = {host: 'pix.example', request};

function parseAnswer(bytes) {
  const received = {status: 200, headers: {}, text: bytes.toString()};
  let first;
  const kinds = endpoints.map((endpoint) => {
    try {
      const {mismatches, value} = readAnswer(received, endpoint.output(), asking, false);
      blocksIn(value);
      for (const {path, message} of mismatches)
        if (path.length + message.length > 5000) throw new Wrong(`${message.length} characters of a mismatch`);
      return Math.min(mismatches.length, 2);
    } catch (error) {
      if (error.code !== 'bad_answer') throw error;
      first ??= error;
      return 'x';
    }
  });
  if (first !== undefined) throw first;
  return kinds.join('');
}

/** What sets the errors of endpoints apart. */
const ownErrors = [{}, ...new Set(endpoints.flatMap(({errors}) => errors ?? []))];

const statuses = [302, 400, 401, 403, 404, 409, 422, 429, 500, 503];

/** An error body under each status. */
function parseRefusal(bytes) {
  const text = bytes.toString();
  const found = ownErrors.flatMap((errors) => {
    const own = {...asking, request: {...request, errors: {own: errors, path: {}}, body: {json: {title: 'a'}}}};
    return statuses.map((status) => failureOf({status, headers: {location: text.slice(0, 200)}, text}, own));
  });
  const [longest] = found.toSorted((one, other) => (other?.message.length ?? 0) - (one?.message.length ?? 0));
  if (longest !== undefined && longest.message.length > 25_000) throw new Wrong(`${longest.message.length} characters of a message`);
  return [...new Set(found.map((failure) => `${failure?.code} ${failure?.details.reason}`))].join();
}

const lists = [
  {paging: {by: 'link', pageSize: 40}, query: {}},
  {paging: {by: 'cursor', next: ['meta', 'next_cursor'], parameter: 'cursor', pageSize: 20}, query: {}},
  {
    paging: {by: 'bounds', oldest: ['meta', 'oldest_id'], newest: ['meta', 'newest_id'], more: ['meta', 'has_more'], pageSize: 20},
    query: {},
  },
  {paging: {by: 'number', parameter: 'page', maxEmpty: 10}, query: {}},
];

/** The first line is a header, the second a body. */
function parseLink(bytes) {
  const [link = '', ...body] = bytes.toString('utf8').split('\n');
  let [text, value] = [body.join('\n')];
  try {
    value = JSON.parse(text);
  } catch {
    // A page that is no JSON is refused before anybody looks for the next one.
    [text, value] = ['[]', []];
  }
  const asked = {
    path: '/api/v1/blocks',
    query: [
      ['limit', '40'],
      ['types[]', 'mention'],
      ['max_id', '7'],
    ],
  };
  const found = lists.map((list) => {
    const next = nextPosition(list, {status: 200, headers: {link}, text, value}, asked, asked, 0);
    if (next === undefined) return '-';
    if (!next.path.startsWith('/')) throw new Wrong(`the path ${next.path}`);
    const target = new URL(`https://pix.example${next.path}?${new URLSearchParams(next.query.map(([name, one]) => [name, one]))}`);
    same(target.origin, 'https://pix.example', 'the origin of the next page');
    return next.query.length;
  });
  return String(found);
}

const clock = {...systemClock, now: () => 0, time: () => Date.UTC(2026, 0, 1)};
const headerNames = [
  'retry-after',
  'x-ratelimit-reset',
  'x-ratelimit-remaining',
  'x-ratelimit-limit',
  'date',
  'location',
  'x-rate-limit-reset',
];

function checkWait(milliseconds, what) {
  if (milliseconds !== undefined && !(milliseconds >= 0 && Number.isFinite(milliseconds))) throw new Wrong(`${what} of ${milliseconds} ms`);
}

/** Lines are the values of headers. */
function parseWaits(bytes) {
  const lines = bytes.toString('latin1').split('\n');
  const headers = Object.fromEntries(headerNames.flatMap((name, index) => (lines[index] ? [[name, lines[index]]] : [])));
  checkWait(askedWait(headers, clock), 'a wait');
  for (const status of [429, 503])
    checkWait(resending({status, headers, text: ''}, request, {pauses: 0, retries: 0}, 3, clock)?.after, 'a retry');
  const window = new RateWindow();
  window.learn(headers, 1, {now: 0, serverTime: clock.time()});
  checkWait(window.gap(0), 'a gap');
  const {until} = window.empty();
  if (until === Number.POSITIVE_INFINITY || Number.isNaN(until)) throw new Wrong(`a window until ${until}`);
  const redirect = redirectOf(302, headers.location, new URL('https://pix.example/a'));
  return `${askedWait(headers, clock) === undefined} ${redirect?.protocol} ${window.gap(0) > 0}`;
}

function parseToken(bytes) {
  const [payload, ...others] = bytes.toString().split('\n');
  const {scopes, expiresAt} = claimsOf(`eyJhbGciOiJub25lIn0.${Buffer.from(payload).toString('base64url')}.x`);
  if (expiresAt !== undefined && Number.isNaN(Date.parse(expiresAt))) throw new Wrong(`the end ${expiresAt}`);
  claimsOf(others.join('\n'));
  return `${scopes?.length} ${expiresAt?.length}`;
}

/** The first line is how a body is compressed, the second one the body, in Base64. */
async function parseCompressed(bytes) {
  const [encoding = '', body = ''] = bytes.toString('latin1').split('\n');
  const text = await readAnswerBody([Buffer.from(body, 'base64')], encoding, 200);
  if (text.length > maxAnswerSize) throw new Wrong(`${text.length} characters`);
  return Math.min(text.length, 3);
}

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  answer: {parse: parseAnswer, shapes: ['json'], words: ['"id":', '"data":', '"meta":', '"acct":', 'null'], slowness: 20},
  refusal: {
    parse: parseRefusal,
    shapes: ['json'],
    words: [
      '"error":',
      '"errors":',
      '"message":',
      'This action is unauthorized.',
      'Invalid scope(s) provided.',
      '<html>',
      'Route [login] not defined.',
      '/login',
    ],
    slowness: 40,
    share: 0.2,
  },
  link: {
    parse: parseLink,
    shapes: ['lines'],
    words: [
      '<',
      '>; rel="next"',
      'rel=prev',
      '; title="a, b"',
      ', ',
      '?max_id=1',
      '?cursor=',
      'https://other.example/x',
      '//other.example',
      'eyJfcG9pbnRzVG9OZXh0SXRlbXMiOnRydWV9',
      '\\"',
    ],
    slowness: 2,
  },
  waits: {
    parse: parseWaits,
    shapes: ['lines'],
    words: [
      '120',
      '0',
      '1e9',
      '1.5',
      'Wed, 21 Oct 2026 07:28:00 GMT',
      '1767225600',
      '2026-01-01T00:00:00Z',
      '9'.repeat(309),
      '-1',
      '+1',
      ' 5 ',
      '1.',
      '5 seconds',
      'Wed Oct 21 07:28:00 2026',
      'Wednesday, 21-Oct-26 07:28:00 GMT',
    ],
  },
  compressed: {
    parse: parseCompressed,
    words: ['gzip', 'br', 'deflate', 'zstd', 'identity', 'x-gzip', ', ', 'H4sI'],
    isOwn: (error) => error instanceof NetworkError,
  },
  token: {parse: parseToken, shapes: ['json'], words: ['"exp":', '"scopes":', '"scope":', '8640000000001', '*', '.', 'eyJ']},
};
