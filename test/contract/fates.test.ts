/** A write of which one attempt may have been carried out is of unknown fate, whatever becomes of the next attempt. */
import type {ServerResponse} from 'node:http';
import {afterAll, describe, expect, test, vi} from 'vitest';
import {isWrite, type Endpoint} from '../../src/lib/api/endpoint.js';
import {createClient, type ClientOptions} from '../../src/lib/operations/index.js';
import {failureOf} from '../failure-of.js';
import {token} from './scripted-server.js';
import {holdTimeOuts, SkippingClock} from '../loopback-server.js';
import {serverThat} from '../server.js';
import {table} from '../endpoints/table.js';

type Answer = (response: ServerResponse) => void;

const status =
  (code: number, text = '{}', headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(code, {'content-type': 'application/json', ...headers}).end(text);
const lost: Answer = (response) => void response.destroy();
const toLogin = status(302, '', {location: '/login'});
const cut: Answer = (response) => void response.writeHead(200, {'content-length': '100'}).write('{"id":', () => response.destroy());

/** The server carries the request out, and then this happens. */
const firsts: readonly (readonly [what: string, answer: Answer, isSentAgain: boolean])[] = [
  ['a lost connection', lost, true],
  ['a response that breaks off', cut, true],
  ['502', status(502), true],
  ['503', status(503), true],
  ['504', status(504), true],
  ['500', status(500), false],
  ['a web page', status(200, '<html></html>'), false],
  ['a redirect to the login page', toLogin, false],
  ['a time-out', () => void vi.advanceTimersByTime(timeout), false],
];

/** What becomes of the next attempt, which is not carried out. The server has closed before it where there is no answer. */
const seconds: readonly (readonly [what: string, code: string, answer: Answer | undefined])[] = [
  ['a refused connection', 'unavailable', undefined],
  ['400', 'refused', status(400, '{"error":"Limit reached"}')],
  ['401', 'auth', status(401, '{"error":"Unauthenticated."}')],
  ['500 Unauthenticated.', 'auth', status(500, '{"error":"Unauthenticated."}')],
  ['403', 'refused', status(403, '{"error":"You may not."}')],
  ['404', 'not_found', status(404, '{"error":"Gone"}')],
  ['422', 'refused', status(422, '{"message":"No","errors":{"id":["No"]}}')],
  ['429', 'rate_limited', status(429, '{"error":"Slow down"}', {'retry-after': '3600'})],
];

/** Milliseconds, by the clock of the test. */
const timeout = 50;

const closing: (() => unknown)[] = [];
afterAll(async () => Promise.all(closing.map((close) => close())));

async function serverOf(first: Answer, second: Answer | undefined, options: Partial<ClientOptions> = {}) {
  let count = 0;
  const server = await serverThat(() => {
    count += 1;
    const answer = count === 1 ? first : (second ?? lost);
    if (count > 1 || second !== undefined) return answer;
    server.closeDoor();
    return (response) => answer(response.setHeader('connection', 'close'));
  });
  const client = createClient({server: new URL(server.url), token: async () => token, retries: 1, clock: new SkippingClock(), ...options});
  closing.push(
    () => client.close(),
    () => server[Symbol.asyncDispose](),
  );
  return {client, sent: () => count};
}

const writes = table.filter(({endpoint}) => isWrite(endpoint));

/** What an answer means for an endpoint: 403 of one for admins is about the person. */
const codeFor = ({errors}: Endpoint, what: string, code: string): string => (what === '403' && errors?.onlyAdmins === true ? 'auth' : code);

describe.each(firsts)('after %s', (what, first, isSentAgain) => {
  // What comes second does not depend on what came first: all of it is tried once.
  describe.each(isSentAgain && what !== 'a lost connection' ? seconds.slice(0, 1) : isSentAgain ? seconds : seconds.slice(0, 1))(
    'and then %s',
    (then, code, second) => {
      const isTimeOut = what === 'a time-out';
      // The clock passes for all clients of this process.
      (isTimeOut ? test : test.concurrent).each(writes)('$command', async ({endpoint, requests}) => {
        if (isTimeOut) holdTimeOuts();
        const {client, sent} = await serverOf(first, second, isTimeOut ? {timeout} : {});
        const failure = await failureOf(client.call(endpoint, requests[0].input));
        const isRepeated = isSentAgain && endpoint.repeat === 'harmless';
        expect(failure.details.fate).toBe('unknown');
        expect(failure.details.canRepeat).toBe(endpoint.repeat === 'harmless' || undefined);
        expect(failure.details.lookWith).toEqual(endpoint.lookWith?.(requests[0].input));
        expect(sent()).toBe(isRepeated && second !== undefined ? 2 : 1);
        if (isRepeated)
          expect(failure).toMatchObject({
            code: codeFor(endpoint, then, code),
            message: expect.stringMatching(/; an earlier attempt may have been carried out/),
          });
      });
    },
  );
});

describe('a write that no attempt carried out', () => {
  test.each(seconds.flatMap(([what, code, answer]) => (answer === undefined ? [] : [[what, code, answer] as const])))(
    'a write that no attempt carried out is known not to be: %s',
    async (what, code, answer) => {
      const {client} = await serverOf(answer, answer);
      for (const {endpoint, requests} of writes.filter(({endpoint: {path}}) => !path.includes('/thread/'))) {
        const failure = await failureOf(client.call(endpoint, requests[0].input));
        expect(failure).toMatchObject({code: codeFor(endpoint, what, code)});
        expect(failure.details).not.toHaveProperty('fate', 'unknown');
      }
    },
  );

  test('a write that no attempt carried out is known not to be: a refused connection', async () => {
    const {client} = await serverOf(lost, undefined, {server: new URL('http://127.0.0.1:1')});
    for (const {endpoint, requests} of writes)
      expect((await failureOf(client.call(endpoint, requests[0].input))).details.fate).toBeUndefined();
  });
});

describe('a read, whatever its method', () => {
  test.each(table.filter(({endpoint}) => !isWrite(endpoint)))(
    'a read, whatever its method has no fate: $command',
    async ({endpoint, requests}) => {
      const {client} = await serverOf(lost, status(422));
      expect((await failureOf(client.call(endpoint, requests[0].input))).details.fate).toBeUndefined();
    },
  );
});

test('a lost write that waits for its turn when the run is interrupted is of unknown fate, not unsent', async () => {
  const stop = new AbortController();
  const clock = new SkippingClock();
  const {client} = await serverOf(lost, status(429, '{}', {'retry-after': '60'}), {
    signal: stop.signal,
    clock: {...clock, after: (milliseconds, call) => clock.after(milliseconds, milliseconds < 60_000 ? call : () => stop.abort())},
  });
  const [row] = writes.filter(({endpoint}) => endpoint.repeat === 'harmless');
  if (row === undefined) throw new Error('No write can be repeated');
  const {details} = await failureOf(client.call(row.endpoint, row.requests[0].input));
  expect(details).toMatchObject({fate: 'unknown'});
  expect(details.reason).not.toBe('unsent');
});
