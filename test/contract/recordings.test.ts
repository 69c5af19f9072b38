import * as z from 'zod/mini';
import {afterAll, describe, expect, test} from 'vitest';
import type {Request} from '../../src/lib/client/request.js';
import type {FailureCode} from '../../src/lib/operations/index.js';
import {partsOf, recordingsIn, type Recording} from '../lib/sandbox/recording.js';
import type {Row} from '../endpoints/row.js';
import {failureOf} from '../failure-of.js';
import {startServer} from './scripted-server.js';
import {table} from '../endpoints/table.js';

const server = await startServer();
const client = server.client({maxWait: 0});
afterAll(() => server.stop());

const recordings = (['0.12.6', '2026'] as const).flatMap((generation) =>
  partsOf(generation).flatMap((part) =>
    recordingsIn(generation, part).map((recording) => ({
      ...recording,
      label: `${generation}/${part}: ${recording.name}`,
      row: rowFor(recording),
    })),
  ),
);

/** The row of the endpoint that a recording was made of. */
function rowFor({request}: Recording): Row | undefined {
  const [path = ''] = request.path.split('?');
  return table.find(({endpoint}) => {
    const pattern = new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return endpoint.method === request.method && pattern.test(path);
  });
}

/** The recorded request, as the client would send it. */
function planned({request, row}: Recording & {readonly row: Row | undefined}): Request {
  const [path = '', query = ''] = request.path.split('?');
  const {method} = request;
  return {
    method,
    path,
    query: [...new URLSearchParams(query)],
    headers: {},
    token: 'required',
    repeat: 'never',
    isWrite: method !== 'GET',
    secrets: [],
    errors: row?.endpoint.errors && {own: row.endpoint.errors, path: {}},
  };
}

/** Makes the server answer what was recorded. */
function play({response}: Recording): void {
  const {status, headers, body, text} = response;
  const location = headers['location']?.replace('https://pix.example', server.origin);
  server.answers(({target}) =>
    target === '/'
      ? {headers: {'content-type': 'text/html'}, text: '<!DOCTYPE html><title>Pixelfed</title>'}
      : {status, headers: {...headers, ...(location !== undefined && {location})}, text: text ?? JSON.stringify(body)},
  );
}

/** Of the request that moderates posts, a deletion alone is answered with an empty list. */
const otherAnswer = /^post-delete$/;

describe('a recorded answer', () => {
  const successes = recordings.flatMap((recording) => {
    const {response, request, row} = recording;
    const isRead = response.status < 300 && request.headers['accept'] === 'application/json';
    return isRead && row !== undefined && !otherAnswer.test(recording.name) ? [{...recording, row}] : [];
  });

  test('a recorded answer exists for every documented endpoint', () => {
    const recorded = new Set(successes.map(({row}) => row.command));
    const described = table.filter(({endpoint}) => endpoint.section !== null);
    expect(described.map(({command}) => command).filter((command) => !recorded.has(command))).toEqual([]);
  });

  test.each(successes)('causes no schema warning: $label', async (recording) => {
    play(recording);
    const {row} = recording;
    const {mismatches} = await client.send(planned(recording), row.endpoint.output());
    expect(mismatches.filter(({kind}) => kind !== 'known' && kind !== 'missing')).toEqual([]);
  });
});

/** The code of each recorded refusal: the first line whose status, text and path fit. */
const verdicts: readonly (readonly [status: number, text: RegExp, code: FailureCode, path?: RegExp])[] = [
  [302, /url='[^']*\/login'/, 'auth'],
  [302, /url='https:\/\/pix\.example'/, 'bad_answer'],
  [400, /^\{"error":"Cannot find status"\}/, 'not_found', /^\/api\/admin\/moderate\//],
  [400, /^\{"(error|msg)":/, 'refused'],
  [401, /Unauthenticated\./, 'auth'],
  [401, /This action is unauthorized/, 'refused'],
  [403, /^\s*\{\s*"(error|message)":\s*""\s*\}\s*$/, 'refused', /^\/api\/v1\.1\/direct\/thread\//],
  [403, /^\{"error":""\}$/, 'refused', /^\/api\/admin\/mod-reports\/handle$/],
  [403, /^\s*\{\s*"(error|message)":\s*""\s*\}\s*$/, 'auth'],
  [403, /"Missing required scope: (read|write)"/, 'auth'],
  [403, /"This action is unauthorized\."/, 'refused'],
  [403, /^\{"error":"You must be an administrator to do that"\}/, 'auth'],
  [403, /^\s*<!DOCTYPE html>/, 'auth'],
  [403, /^\{"error":"(You |Invalid or unsupported mime type)/, 'refused'],
  [404, /^\{"error":""\}$/, 'auth', /^\/api\/admin\/(?!supported)/],
  [404, /^/, 'not_found'],
  [405, /is not supported for route/, 'refused'],
  [413, /too large/, 'refused'],
  [422, /^\{"(message|error)":"/, 'refused'],
  [429, /Too Many Attempts\.|Rate limit exceeded/, 'rate_limited'],
  [500, /"errors":\{"/, 'refused'],
  [500, /^\{"error":"Unauthenticated\."\}/, 'auth'],
  [500, /^\{"error":"This action is unauthorized\."\}/, 'refused'],
  [500, /^\{"error":"No query results for model /, 'not_found'],
  [500, /^\{"error":"Invalid domain or already blocked/, 'refused'],
  [500, /^\{"error":"Invalid scope\(s\) provided\."\}/, 'auth'],
  [500, /^\{"error":"Attempt to read property/, 'not_found', /^\/api\/admin\/users\/get/],
  [500, /^\{"error":"Attempt to read property/, 'refused'],
  [500, /^/, 'unavailable'],
];

function expected({request, response}: Recording): (typeof verdicts)[number] | undefined {
  const text = response.text ?? JSON.stringify(response.body);
  return verdicts.find(([status, pattern, , path = /^/]) => status === response.status && pattern.test(text) && path.test(request.path));
}

describe('a recorded refusal', () => {
  // What admins do about people has no records yet, but for some of it.
  const isKnown = ({label, row}: (typeof recordings)[number]): boolean => row !== undefined || !label.includes('admin-people');
  const refusals = recordings.filter((recording) => recording.response.status >= 300 && isKnown(recording));

  test('a recorded refusal exists for every line of the table', () => {
    const used = new Set(refusals.map(expected));
    expect(verdicts.filter((line) => !used.has(line))).toEqual([]);
  });

  test.each(refusals)('fails with the right code: $label', async (recording) => {
    play(recording);
    const failure = await failureOf(client.send(planned(recording), z.unknown()));
    expect(failure.code).toBe(expected(recording)?.[2]);
  });
});
