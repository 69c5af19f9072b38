/** What goes wrong between a command and its server, or on its own machine, and what has to come of it. */
import type {IncomingMessage, ServerResponse} from 'node:http';
import {gzipSync} from 'node:zlib';
import {vi} from 'vitest';
import type {FailureCode} from '../../../src/lib/client/failure.js';
import type {Answered, Received} from '../server.js';
import {closedPort, proxyThat, secure, tcpThat, unknownHost, unwritableHome, type Place} from './places.js';

/** A request to which the fault happens. */
export interface Struck {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Reads the request to its end. */
  readonly read: () => Promise<Received>;
  /** The server acts, and gives the answer that is now to be lost or changed. */
  readonly carryOut: () => Promise<Answered>;
  /** No connection is taken from now on. */
  readonly closeDoor: () => void;
}

export type Strike = (struck: Struck) => Promise<void> | void;

export interface Fault {
  readonly name: string;
  readonly group: 'answers' | 'connections' | 'machine' | 'redirects' | 'statuses' | 'TLS and proxies';
  /** What a failing command ends with; `done`: it does not fail. */
  readonly ends: FailureCode | 'done';
  /** What a command that reads ends with, where that differs. */
  readonly readsEnd?: FailureCode | 'done';
  /** Whether the write of a command was carried out, as far as the client can tell. */
  readonly write: 'carried out' | 'not carried out' | 'unknown';
  /** It happens to the request that the command is for, each time that it is sent. */
  readonly strike?: Strike;
  /** It is there from the beginning. */
  readonly place?: () => Promise<Place> | Place;
  /** Time stands still but where the server lets it pass. */
  readonly stopsTime?: true;
  /** It passes after the first time. */
  readonly once?: true;
}

const json = {'content-type': 'application/json'};
const page = '<!DOCTYPE html>\n<html><head><title>Pixelfed</title></head><body>Oops</body></html>';

/** The default of --timeout. */
const patience = 30_000;

const reset = ({request}: Pick<Struck, 'request'>) => void request.socket.resetAndDestroy();

/** An answer whatever was asked; nothing is carried out. */
const answers =
  (status: number, text: string, headers: Readonly<Record<string, string>> = json): Strike =>
  async ({read, response}) => {
    await read();
    response.writeHead(status, headers).end(text);
  };

/** Another answer in place of that of a server that acted. */
const afterwards =
  (answer: (response: ServerResponse, answered: Answered) => void): Strike =>
  async ({carryOut, response}) =>
    answer(response, await carryOut());

/** Processes of their own have their own time. */
function letPass(milliseconds: number): void {
  if (vi.isFakeTimers()) vi.advanceTimersByTime(milliseconds);
}

/** Time passes to the end of the run: requests that wait for the same connection arrive nowhere. */
function keepTimePassing(): void {
  if (!vi.isFakeTimers()) return;
  letPass(1000);
  setImmediate(keepTimePassing);
}

const silence: Strike = async ({read}) => {
  await read();
  letPass(patience);
};

/** It goes on until the client has had enough. */
const byteForByte: Strike = async ({read, response}) => {
  await read();
  response.writeHead(200, json);
  for (let seconds = 0; seconds <= patience / 1000 && !response.destroyed; seconds += 1) {
    await new Promise((resolve) => response.write(' ', resolve));
    letPass(1000);
  }
};

/** More than a client takes, in a few kilobytes. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

/** The answer of a server whose address changed. */
const moved =
  (to: (target: string) => string): Strike =>
  async ({read, response}) => {
    const {target} = await read();
    response.writeHead(302, {location: to(target), 'content-type': 'text/html'}).end(page);
  };

/** The beginning of the path of what moved on the same server. */
export const movedTo = '/moved';

const connections: readonly Fault[] = [
  {name: 'connection refused', group: 'connections', ends: 'unavailable', write: 'not carried out', place: closedPort},
  {name: 'host not found', group: 'connections', ends: 'unavailable', write: 'not carried out', place: unknownHost},
  {
    name: 'reset before the request is read',
    group: 'connections',
    ends: 'unavailable',
    write: 'unknown',
    place: () => tcpThat((socket) => socket.once('data', () => socket.resetAndDestroy())),
  },
  {name: 'reset while the request is read', group: 'connections', ends: 'unavailable', write: 'unknown', strike: reset},
  {
    name: 'reset after the request was read',
    group: 'connections',
    ends: 'unavailable',
    write: 'unknown',
    strike: async (struck) => void (await struck.read(), reset(struck)),
  },
  {
    name: 'reset after the request was carried out',
    group: 'connections',
    ends: 'unavailable',
    write: 'unknown',
    strike: async (struck) => void (await struck.carryOut(), reset(struck)),
  },
  {name: 'no answer', group: 'connections', ends: 'unavailable', write: 'unknown', stopsTime: true, strike: silence},
  {name: 'one byte a second', group: 'connections', ends: 'unavailable', write: 'unknown', stopsTime: true, strike: byteForByte},
];

const proxiesAndTls: readonly Fault[] = (
  [
    ['proxy refuses the connection', () => proxyThat()],
    ['proxy hangs at CONNECT', () => proxyThat(keepTimePassing)],
    ['proxy answers 407', () => proxyThat((socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))],
    ['certificate of an unknown authority', () => secure('unknown')],
    ['expired certificate', () => secure('expired', {isTrusted: true})],
    ['certificate of another host', () => secure('elsewhere', {isTrusted: true})],
    ['TLS 1.1 only', () => secure('unknown', {maxVersion: 'TLSv1.1'})],
    // A fatal alert: handshake failure.
    ['broken TLS handshake', () => tcpThat((socket) => socket.end(Buffer.from('15030300020228', 'hex')), 'https')],
  ] as const
).map(([name, place]) => ({
  name,
  group: 'TLS and proxies',
  ends: 'unavailable',
  write: 'not carried out',
  place,
  ...(name.includes('hangs') && {stopsTime: true}),
}));

const brokenAnswers: readonly Fault[] = (
  [
    [
      'reset during the answer',
      afterwards((response, {text}) => {
        response.writeHead(200, {...json, 'content-length': String(text.length + 1)});
        response.write(text.slice(0, text.length / 2), () => response.socket?.resetAndDestroy());
      }),
    ],
    ['cut answer', afterwards((response, {text}) => response.writeHead(200, json).end(text.slice(0, text.length / 2)))],
    ['empty answer', afterwards((response) => response.writeHead(200, json).end())],
    ['web page', afterwards((response) => response.writeHead(200, {'content-type': 'text/html'}).end(page))],
    ['answer of another type', afterwards((response) => response.writeHead(200, json).end('"text"'))],
    ['gzip bomb', afterwards((response) => response.writeHead(200, {...json, 'content-encoding': 'gzip'}).end(bomb))],
  ] as const
).map(([name, strike]) => ({name, group: 'answers', ends: 'bad_answer', write: 'unknown', strike}));

const continued: Fault = {
  name: '100 Continue before the answer',
  group: 'answers',
  ends: 'unavailable',
  write: 'unknown',
  strike: async ({carryOut, response}) => {
    const {status = 200, text} = await carryOut();
    response.writeContinue();
    response.writeHead(status, json).end(text);
  },
};

const redirects: readonly Fault[] = (
  [
    ['redirect to the same host', moved((target) => movedTo + target), 'bad_answer', 'done'],
    ['redirect to another host', moved((target) => `https://elsewhere.example${target}`), 'bad_answer', 'bad_answer'],
    ['redirect to itself', moved((target) => target), 'bad_answer', 'bad_answer'],
    ['redirect to the login page', moved(() => '/login'), 'auth', 'auth'],
    [
      'redirect to the login page after the request was carried out',
      afterwards((response) => response.writeHead(302, {location: '/login', 'content-type': 'text/html'}).end(page)),
      'auth',
      'auth',
    ],
  ] as const
).map(([name, strike, ends, readsEnd]) => ({name, group: 'redirects', ends, readsEnd, write: 'unknown', strike}));

const statuses: readonly Fault[] = [
  ...(
    [
      ['401', 'auth', answers(401, '{"error":"Unauthenticated."}')],
      ['403 about the token', 'auth', answers(403, '{"error":"Missing required scope: write"}')],
      ['403 with a reason', 'refused', answers(403, '{"error":"You cannot do this."}')],
      ['404', 'not_found', answers(404, '{"error":"Record not found"}')],
      ['422', 'refused', answers(422, '{"message":"The id is invalid.","errors":{"id":["The id is invalid."]}}')],
      ['429 with Retry-After: 2', 'rate_limited', answers(429, '{"error":"Too Many Attempts."}', {...json, 'retry-after': '2'})],
      ['429 with Retry-After: 3600', 'rate_limited', answers(429, '{"error":"Too Many Attempts."}', {...json, 'retry-after': '3600'})],
      ['429 without Retry-After', 'rate_limited', answers(429, '{"error":"Rate limit exceeded"}')],
    ] as const
  ).map(([name, ends, strike]): Fault => ({name, group: 'statuses', ends, write: 'not carried out', strike})),
  ...(
    [
      ['408', answers(408, '')],
      ['500', answers(500, '{"error":"Server Error"}')],
      ['503', answers(503, '{"error":"Service Unavailable"}')],
      [
        '503 after the request was carried out',
        afterwards((response) => response.writeHead(503, json).end('{"error":"Service Unavailable"}')),
      ],
    ] as const
  ).map(([name, strike]): Fault => ({name, group: 'statuses', ends: 'unavailable', write: 'unknown', strike})),
  {
    name: '429 once',
    group: 'statuses',
    ends: 'done',
    write: 'carried out',
    once: true,
    strike: answers(429, '{}', {...json, 'retry-after': '1'}),
  },
];

const ofMachine: readonly Fault[] = [
  {name: 'closed standard output', group: 'machine', ends: 'done', write: 'carried out', place: () => ({outputError: 'EPIPE'})},
  {name: 'full disk at standard output', group: 'machine', ends: 'local', write: 'carried out', place: () => ({outputError: 'ENOSPC'})},
  {name: 'home that cannot be written', group: 'machine', ends: 'done', write: 'carried out', place: unwritableHome},
];

export const faults: readonly Fault[] = [
  ...connections,
  ...proxiesAndTls,
  ...brokenAnswers,
  continued,
  ...redirects,
  ...statuses,
  ...ofMachine,
];
