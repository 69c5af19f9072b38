/** What is said of sign-ins and renewals that fail: the kind, the words and what to do, for each answer of a server. */
import {describe, expect, test, vi} from 'vitest';
import {failureInAnswer, failureOfToken, readBrowserAnswer, refresh, withoutBody, type Grant} from '../../../src/lib/auth/oauth.js';

import type {WireEvent} from '../../../src/lib/client/client.js';
import type {Failure} from '../../../src/lib/client/failure.js';
import {drop, holdTimeOuts, json, startServer, token, type Reply} from '../../loopback-server.js';

const host = 'pix.example';

/** All that a failure says. */
const told = (failure: Failure) => {
  const {code, message, details} = failure;
  return [code, details.reason, details.status, message, failure.details.hint];
};

const withToken =
  'its admin may have turned it off, or it is not a Pixelfed server; try a token created in its settings: `pixelctl auth login --with-token`';

test.each([
  ['server_error', 'unavailable', `Sign-in failed: server error on ${host}`, 'try again later'],
  ['temporarily_unavailable', 'unavailable', `Sign-in failed: server error on ${host}`, 'try again later'],
  ['unsupported_response_type', 'refused', `${host} refused the sign-in (unsupported_response_type)`, 'sign in again'],
  ['x'.repeat(40), 'refused', `${host} refused the sign-in (${'x'.repeat(40)})`, 'sign in again'],
  ['x'.repeat(41), 'refused', `${host} refused the sign-in (no reason given)`, 'sign in again'],
  ['two words', 'refused', `${host} refused the sign-in (no reason given)`, 'sign in again'],
  ['', 'refused', `${host} refused the sign-in (no reason given)`, 'sign in again'],
])('the error %j in a redirect is told, and nothing else of it', (error, code, message, hint) => {
  expect(told(failureInAnswer(host, error, ['read', 'wurst']))).toEqual([code, undefined, undefined, message, hint]);
});

describe('the answer to a request for a token', () => {
  const answered = (grant: Grant, status: number, body: unknown) =>
    told(failureOfToken(host, grant, {status, headers: {}, text: typeof body === 'string' ? body : JSON.stringify(body)}, []));

  const forgotten = (status: number) => [
    'auth',
    undefined,
    status,
    `${host} no longer knows this program (${status})`,
    'sign in again: that registers it again',
  ];
  const refusedFor = {
    authorization_code: (status: number, words = '') => [
      'auth',
      'bad_paste',
      status,
      `${host} rejected the code (${status})${words}`,
      'sign in again: a code works once, and only for a few minutes',
    ],
    refresh_token: (status: number, words = '') => [
      'auth',
      'token',
      status,
      `${host} did not renew the token (${status})${words}`,
      'sign in again: it may have been renewed elsewhere, or revoked',
    ],
  };

  describe.each<Grant>(['authorization_code', 'refresh_token'])('the answer to a request for a token for a %s', (grant) => {
    const refused = refusedFor[grant];

    test.each<[string, number, unknown, readonly unknown[]]>([
      ['an unknown program', 401, {error: 'invalid_client'}, forgotten(401)],
      ['an unknown program, of some servers', 400, {error: 'invalid_client', hint: 'x'}, forgotten(400)],
      ['an unknown program, in the words of an older server', 500, {error: 'Client authentication failed'}, forgotten(500)],
      ['these words without their meaning', 401, {error: 'Client authentication failed'}, refused(401)],
      ['a refused grant', 400, {error: 'invalid_grant'}, refused(400)],
      [
        'a refused code, in the words of an older server',
        500,
        {error: 'The provided authorization grant (e.g., authorization code) or refresh token is invalid, expired'},
        refused(500),
      ],
      ['a refused refresh token, in the words of an older server', 500, {error: 'The refresh token is invalid.'}, refused(500)],
      ['a request that is wrong, in the words of an older server', 503, {error: 'or is otherwise malformed.'}, refused(503)],
      ['a malformed request', 400, {error: 'invalid_request', hint: 'used up'}, refused(400, ': used up')],
      ['a refusal without words', 422, '', refused(422)],
      [
        'no such page',
        404,
        '',
        ['not_found', 'unknown_route', undefined, `${host} does not offer sign-in for programs (OAuth)`, withToken],
      ],
      ['the description where there is no hint', 400, {error_description: 'second', message: 'third'}, refused(400, ': second')],
      ['the message where there is nothing else', 400, {hint: '', error_description: 5, message: 'third'}, refused(400, ': third')],
      ['words of other types', 400, {hint: 7, message: ['third']}, refused(400)],
      ['an error of another type', 400, {error: 7}, refused(400)],
      ['the first refusal of all', 400, {}, refused(400)],
      ['the last refusal of all', 499, {}, refused(499)],
    ])('%s is understood', (_, status, body, expected) => {
      expect(answered(grant, status, body)).toEqual(expected);
    });

    test.each([
      [429, {}, 'rate_limited'],
      [500, {error: 'invalid_request'}, 'unavailable'],
      [500, {error: 'invalid_client'}, 'unavailable'],
      [503, '<p>down</p>', 'unavailable'],
      [302, '', 'bad_answer'],
      [399, '', 'bad_answer'],
    ])('the status %i with %j says nothing of the grant', (status, body, expected) => {
      const [code, , , message, hint] = answered(grant, status, body);
      expect([code, hint]).toEqual([
        expected,
        grant === 'refresh_token'
          ? 'the old token is still stored: try again later'
          : 'check the address and your connection, then sign in again',
      ]);
      expect(message).toContain(host);
    });
  });
});

describe('what is observed', () => {
  test('what is observed of a request is without its body, of an answer without text and odd headers', () => {
    const request = {kind: 'request', method: 'POST', target: '/t', headers: {a: 'b'}, body: 'secret'} as const;
    expect(withoutBody(request)).toEqual({...request, body: '***'});
    const plain = {'content-length': '1', 'content-type': 'a/b', date: 'today', 'retry-after': '5', server: 'nginx'};
    const answer = {kind: 'answer', status: 200, milliseconds: 1, headers: {...plain, 'set-cookie': 'secret'}, text: 'secret'} as const;
    expect(withoutBody(answer)).toEqual({...answer, headers: {...plain, 'set-cookie': '***'}, text: '***'});
    for (const event of [{kind: 'broken', message: 'm'} as const, {kind: 'wait', milliseconds: 1, why: 'w'} as const])
      expect(withoutBody(event)).toEqual(event);
  });

  async function observed(reply: Reply, options: {userAgent?: string; timeout?: number} = {}) {
    const server = await startServer(reply);
    const events: WireEvent[] = [];
    const issued = refresh(server.url, {id: '1', secret: 's'}, 'r', {...options, observe: (event) => events.push(event)});
    return {...server, events, issued};
  }

  test('what is observed of a token is one request and its answer', async () => {
    const {events, issued, received} = await observed(json({token_type: 'Bearer', access_token: token, expires_in: 60}), {
      userAgent: 'test/1',
    });
    await issued;
    expect(events).toEqual([
      {kind: 'request', method: 'POST', target: '/oauth/token', headers: expect.objectContaining({'user-agent': 'test/1'}), body: '***'},
      {kind: 'answer', status: 200, milliseconds: expect.any(Number), headers: expect.any(Object), text: '***'},
    ]);
    expect(received[0]?.headers['user-agent']).toBe('test/1');
    expect(Object.fromEntries(new URLSearchParams(received[0]?.body.toString()))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'r',
      client_id: '1',
      client_secret: 's',
    });
  });

  test('what is observed of a lost connection is why', async () => {
    const {events, issued, url} = await observed(drop);
    await expect(issued).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(url.host),
      details: {hint: 'the old token is still stored: try again later'},
    });
    expect(events.map(({kind}) => kind)).toEqual(['request', 'broken']);
  });

  test.each([undefined, 5000])('an answer is waited for as long as the time-out of %s says, and no longer', async (timeout) => {
    const pass = holdTimeOuts();
    const wait = timeout ?? 30_000;
    const intime = await observed(
      (response, request) => {
        pass(wait - 1);
        json({token_type: 'Bearer', access_token: token})(response, request);
      },
      timeout === undefined ? {} : {timeout},
    );
    expect(await intime.issued).toMatchObject({accessToken: token});
    const late = await observed(() => pass(wait), timeout === undefined ? {} : {timeout});
    await expect(late.issued).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(`^No response from ${late.url.host}: `),
    });
  });
});

test('when a token ends is reckoned from now, in seconds', async () => {
  vi.useFakeTimers({toFake: ['Date'], now: new Date('2026-01-01T00:00:00.000Z')});
  try {
    const ends = async (body: object) => {
      const {url} = await startServer(json({token_type: 'Bearer', access_token: token, ...body}));
      return (await refresh(url, {id: '1', secret: 's'}, 'r')).expiresAt;
    };
    expect(await ends({expires_in: 90})).toBe('2026-01-01T00:01:30.000Z');
    expect(await ends({expires_in: 0.5})).toBe('2026-01-01T00:00:00.500Z');
    expect(await ends({})).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test.each(['a\u007f', 'a b', 'tök', ' a'])('a token that could not go into a header is none: %j', async (accessToken) => {
  const {url} = await startServer(json({token_type: 'Bearer', access_token: accessToken}));
  await expect(refresh(url, {id: '1', secret: 's'}, 'r')).rejects.toMatchObject({
    code: 'bad_answer',
    message: `${url.host} did not send a token`,
  });
});

test.each(['!', '~', '!~', 'a|b'])('a token of plain signs can be used: %j', async (accessToken) => {
  const {url} = await startServer(json({token_type: 'Bearer', access_token: accessToken}));
  expect((await refresh(url, {id: '1', secret: 's'}, 'r')).accessToken).toBe(accessToken);
});

describe('what a person pastes', () => {
  test.each<[string, Record<string, string> | string]>([
    [' {"code": "a/b", "state": "s"}\n', {code: 'a/b', state: 's'}],
    ['{"code": 5, "state": "s"}', {state: 's'}],
    ['{}', {}],
    ['[]', {}],
    ['["x"]', {'0': 'x'}],
    ['https://127.0.0.1/callback?code=a&state=s#top', {code: 'a', state: 's'}],
    ['https://127.0.0.1/', {}],
    ['  a.code~with_all-signs+/=\n', 'a.code~with_all-signs+/='],
    ['null', 'null'],
    ['5', '5'],
    ['x', 'x'],
  ])('of what a person pastes, %j is read', (text, expected) => {
    const read = readBrowserAnswer(text);
    expect(typeof read === 'string' ? read : Object.fromEntries(read)).toEqual(expected);
  });

  test.each(['', ' ', 'two words', 'code!', '{"code": ', '"code"', '<p>code</p>', 'cöde', 'a\nb'])(
    'of what a person pastes, %j is nothing that the browser shows',
    (text) => {
      expect(() => readBrowserAnswer(text)).toThrow(
        expect.objectContaining({
          code: 'usage',
          message: 'This is not what the browser shows after the approval',
          details: {reason: 'bad_paste', hint: 'copy all the text that the browser shows, or the whole address of the last page'},
        }),
      );
    },
  );
});
