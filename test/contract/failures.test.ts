import {inspect} from 'node:util';
import {afterAll, describe, expect, test} from 'vitest';
import {pairwiseSampler} from './sample.js';
import type {FailureCode} from '../../src/lib/operations/index.js';
import {isWrite, type Endpoint} from '../../src/lib/api/endpoint.js';
import {failureOf} from '../failure-of.js';
import {startServer, token} from './scripted-server.js';
import type {Answered} from '../server.js';
import {rowOf, table} from '../endpoints/table.js';
import type {Row} from '../endpoints/row.js';

const server = await startServer();
const client = server.client();
afterAll(() => server.stop());

const html = '<!DOCTYPE html>\n<html lang="en"><head><title>Pixelfed</title></head><body>Oops</body></html>';
const asHtml = {headers: {'content-type': 'text/html; charset=UTF-8'}, text: html};
const refusedInput = '{"message":"The id is invalid.","errors":{"id":["The id is invalid."]}}';

function redirect(location: string): Omit<Answered, 'status'> {
  return {headers: {location, 'content-type': 'text/html'}, text: html};
}

/** The failure that each answer means, whatever the request. */
const verdicts: readonly (readonly [code: FailureCode, status: number, what: string, reply: Omit<Answered, 'status'>])[] = [
  ['auth', 401, 'with words', {text: '{"error":"Unauthenticated."}'}],
  ['auth', 401, 'without a body', {text: ''}],
  ['auth', 403, 'with an empty error', {text: '{"error":""}'}],
  ['auth', 403, 'as an HTML page', asHtml],
  ['auth', 403, 'about scopes', {text: '{"error":"Missing required scope: read"}'}],
  ['refused', 403, 'about the action', {text: '{"error":"This action is unauthorized."}'}],
  ['refused', 401, 'about the action', {text: '{"error":"This action is unauthorized"}'}],
  ['auth', 500, 'Unauthenticated.', {text: '{"error":"Unauthenticated."}'}],
  ['refused', 500, 'This action is unauthorized.', {text: '{"error":"This action is unauthorized."}'}],
  ['auth', 302, 'to the login page', redirect('/login')],
  ['refused', 403, 'with a reason of its own', {text: '{"error":"You cannot message this account."}'}],
  ['refused', 400, 'of a report', {text: '{"msg":"Cannot self report","code":400,"error_code":"ERROR_NO_SELF_REPORTS"}'}],
  ['refused', 405, 'with words', {text: '{"error":"The PUT method is not supported."}'}],
  ['unavailable', 408, 'without a body', {text: ''}],
  ['unavailable', 499, 'with words', {text: '{"error":"Client closed"}'}],
  ['unavailable', 507, 'with words', {text: '{"error":"Disk full"}'}],
  ['unavailable', 524, 'as an HTML page', asHtml],
  ['refused', 409, 'without a body', {text: ''}],
  ['refused', 413, 'as an HTML page', asHtml],
  ['refused', 418, 'as any other 4xx', {text: '{}'}],
  ['refused', 422, 'with errors', {text: refusedInput}],
  ['refused', 451, 'with words', {text: '{"error":"Blocked"}'}],
  ['refused', 500, 'with errors', {text: refusedInput}],
  ['not_found', 404, 'with an empty error', {text: '{"error":""}'}],
  ['not_found', 404, 'of a route', {text: '{"error":"The route api/v2.1/config could not be found."}'}],
  ['not_found', 404, 'as an HTML page', asHtml],
  ['not_found', 410, 'without a body', {text: ''}],
  ['not_found', 500, 'No query results', {text: '{"error":"No query results for model [App\\\\Profile] 1"}'}],
  ['rate_limited', 429, 'with Retry-After', {headers: {'retry-after': '60'}, text: '{"error":"Too Many Attempts."}'}],
  ['rate_limited', 429, 'without Retry-After', {text: '{"error":"Rate limit exceeded","message":"20 filters per hour."}'}],
  ['unavailable', 500, 'with words', {text: '{"error":"Call to a member function getSize() on null"}'}],
  ['refused', 500, 'with errors that name nothing', {text: '{"message":"Server Error","errors":{}}'}],
  ['unavailable', 500, 'as an HTML page', asHtml],
  ['unavailable', 500, 'without a body', {text: ''}],
  ['unavailable', 502, 'as an HTML page', asHtml],
  ['unavailable', 503, 'with words', {text: '{"error":"Service Unavailable"}'}],
  ['unavailable', 504, 'without a body', {text: ''}],
  ['unavailable', 500, 'that breaks off', {text: '{"error":', lost: 'within'}],
  ['bad_answer', 200, 'as an HTML page', asHtml],
  ['bad_answer', 200, 'without a body', {text: ''}],
  ['bad_answer', 200, 'of white space', {text: ' \n'}],
  ['bad_answer', 200, 'of half the JSON', {text: '[{"id":"1","na'}],
  ['bad_answer', 200, 'of JSON and more', {text: '{} []'}],
  ['bad_answer', 200, 'that breaks off', {text: '{"id":"1"', lost: 'within'}],
  ['bad_answer', 204, 'without a body', {text: ''}],
  ['bad_answer', 302, 'to another origin', redirect('https://elsewhere.example/login-not')],
  ['bad_answer', 302, 'that leads nowhere', redirect('/')],
  ['bad_answer', 304, 'without a location', {text: ''}],
];

/** What some endpoints mean by an answer that means something else elsewhere. */
function codeFor({path, errors = {}}: Endpoint, code: FailureCode, status: number, {text = ''}: Partial<Answered>): FailureCode {
  const saysNothing = /^(\{"error":""\}|<!DOCTYPE[^]*)?$/.test(text);
  if (status === 403 && saysNothing && (errors.refusesActions === true || path.startsWith('/api/v1.1/direct/thread/'))) return 'refused';
  if (errors.onlyAdmins !== true || text.includes('This action is unauthorized')) return code;
  return status === 403 || (status === 404 && text === '{"error":""}') ? 'auth' : code;
}

/** What sets the errors of an endpoint apart. */
const sortOf = ({endpoint}: Row): string =>
  [
    isWrite(endpoint) ? endpoint.repeat : 'read',
    endpoint.method === 'GET',
    endpoint.path.startsWith('/api/v1.1/direct/thread/'),
    ...Object.entries(endpoint.errors ?? {})
      .flat()
      .map(String),
  ].join();
/** Each answer to each sort of endpoint, and each code of each endpoint. */
const sample = pairwiseSampler<{readonly row: Row; readonly answer: string; readonly code: string}>(({row, answer, code}) => [
  `${answer} to ${sortOf(row)}`,
  `${code} of ${row.command}`,
]);
const cases = sample(table.flatMap((row) => verdicts.map(([code, status, what]) => ({row, code, answer: `${status} ${what}`}))));

describe.each(verdicts)('%s is %i %s', (code, status, what, reply) => {
  const own = cases.filter(({answer}) => answer === `${status} ${what}`).map(({row}) => row);
  test.each(own)('the failure has its code and its message, for $command', async ({endpoint, requests}) => {
    server.answers({...reply, status});
    const failure = await failureOf(client.call(endpoint, requests[0].input));
    expect(failure.code).toBe(codeFor(endpoint, code, status, reply));
    const isOpen = isWrite(endpoint) && (code === 'unavailable' || code === 'bad_answer' || status === 302);
    expect(failure.details.fate).toBe(isOpen ? 'unknown' : undefined);
    expect(failure.details.canRepeat).toBe((isOpen && endpoint.repeat === 'harmless') || undefined);
    const [method, path] = (requests[0].sends.split('?')[0] ?? '').split(' ');
    expect(failure.details).toMatchObject({status, method, path});
    const targets = server.received.map(({target}) => target.split('?')[0]);
    expect(targets).toEqual(method === 'GET' && reply.headers?.['location'] === '/' ? [path, '/', '/', '/', '/', '/'] : [path]);
  });
});

describe('a secret that the server echoes', () => {
  const device = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]';
  const echoes = [
    [401, (secret: string) => `{"error":"No such token: ${secret}"}`],
    [422, (secret: string) => `{"message":"No","errors":{"${secret}":["${secret} is no field"]}}`],
    [500, (secret: string) => `{"error":"${secret}","message":"${secret}"}`],
    [200, (secret: string) => `<p>${secret}</p>`],
  ] as const;
  const secrets = table
    .filter(({command}) => command !== 'config')
    .map((row) => ({...row, secret: token}))
    .concat(['push compare', 'push update'].map((command) => ({...rowOf(command), secret: device})))
    .map((row, index) => ({...row, echo: echoes[index % echoes.length] ?? echoes[0]}));

  test.each(secrets)('$secret is not in the failure of $command', async ({endpoint, requests, secret, echo: [status, text]}) => {
    server.answers({status, text: text(secret), headers: {'www-authenticate': secret}});
    const failure = await failureOf(client.call(endpoint, requests[0].input));
    expect(failure.details.status).toBe(status);
    expect(inspect(failure, {depth: Infinity, showHidden: true})).not.toContain(secret);
  });
});

test('every call fails with unavailable when there is no server', async () => {
  const lost = server.client({server: new URL('http://127.0.0.1:1')});
  for (const {command, endpoint, requests} of table) {
    expect((await failureOf(lost.call(endpoint, requests[0].input))).code, command).toBe('unavailable');
  }
});
