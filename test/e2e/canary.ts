/** Secrets that are looked for wherever they must not be, and servers that tell all that they hear. */
import {randomBytes} from 'node:crypto';
import {mkdirSync, readFileSync, readdirSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {join, relative} from 'node:path';
import {serverThat} from '../server.js';

/** How much of a secret is a part of it. */
const part = 8;

export interface Canary {
  readonly value: string;
  /** Whether it is in a text, or a part of it, or either in base64. */
  isIn(text: string): boolean;
}

export function canary(): Canary {
  // What surrounds it is written otherwise in URLs and in JSON.
  const song = randomBytes(16).toString('hex');
  const parts = Array.from({length: song.length - part + 1}, (_, at) => song.slice(at, at + part));
  const coded = ['', 'x', 'xx'].map((before) =>
    Buffer.from(before + song)
      .toString('base64')
      .slice(4, -4),
  );
  return {
    value: `canary/${song}+=`,
    isIn: (where) => [...parts, ...coded].some((trace) => where.includes(trace)),
  };
}

/** The files of a folder that have one of these in them, or in their names. */
export function filesWith(folder: string, canaries: readonly Canary[]): string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true}).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const content = entry.isFile() ? readFileSync(path, 'latin1') : '';
    return canaries.some((each) => each.isIn(path) || each.isIn(content)) ? [relative(folder, path)] : [];
  });
}

/** A home that everything that is written goes to. */
export function homeIn(folder: string): Readonly<Record<string, string>> {
  const places = {
    HOME: '.',
    TMPDIR: 'tmp',
    XDG_CACHE_HOME: 'cache',
    XDG_CONFIG_HOME: 'config',
    XDG_DATA_HOME: 'data',
    XDG_STATE_HOME: 'state',
    XDG_RUNTIME_DIR: 'run',
  };
  const env = Object.fromEntries(Object.entries(places).map(([name, place]) => [name, join(folder, place)]));
  for (const path of Object.values(env)) mkdirSync(path, {recursive: true});
  return {...env, PIXELCTL_CONFIG_DIR: join(folder, 'profiles'), PIXELCTL_STORAGE: 'file'};
}

/** What a server does with what it heard. */
export type Reply = (response: ServerResponse, heard: string, request: IncomingMessage) => void;

const json = {'content-type': 'application/json'};
const html = {'content-type': 'text/html'};

const told = (heard: string) => ({error: heard, message: heard, error_description: heard, hint: heard, errors: {[heard]: [heard]}});
const header = (heard: string) => ({'x-heard': encodeURIComponent(heard), 'set-cookie': `heard=${encodeURIComponent(heard)}`});

/** Ways for a server to fail, with everything in the answer that it was told. */
export const failures: Readonly<Record<string, Reply>> = {
  'refused input': (response, heard) => response.writeHead(422, {...json, ...header(heard)}).end(JSON.stringify(told(heard))),
  'refused token': (response, heard) => response.writeHead(401, {...json, ...header(heard)}).end(JSON.stringify(told(heard))),
  'own trouble': (response, heard) => response.writeHead(500, {...html, ...header(heard)}).end(`<!doctype html><h1>${heard}</h1>`),
  'web page': (response, heard) => response.writeHead(200, html).end(`<!doctype html><h1>${heard}</h1>`),
  'bad JSON': (response, heard) => response.writeHead(200, json).end(`{"data": [${JSON.stringify(heard)}`),
  'another shape': (response, heard) => response.writeHead(400, json).end(JSON.stringify([heard])),
  'too many': (response, heard) => response.writeHead(429, {...json, 'retry-after': '600'}).end(JSON.stringify(told(heard))),
  'redirect to a login': (response, heard) => response.writeHead(302, {location: `/login?heard=${encodeURIComponent(heard)}`}).end(heard),
  'redirect elsewhere': (response, heard) =>
    response.writeHead(302, {location: `http://127.0.0.1:1/?${encodeURIComponent(heard)}`}).end(heard),
  'lost connection': (response) => response.socket?.destroy(),
  'broken off': (response, heard) => {
    response.writeHead(200, {...json, 'content-length': '100000'});
    response.write(`{"heard": ${JSON.stringify(heard)}`, () => response.socket?.destroy());
  },
  silence: () => {},
};

export interface Telltale extends AsyncDisposable {
  readonly url: string;
  /** Everything that it heard. */
  readonly heard: () => string;
}

export async function telltale(reply: Reply): Promise<Telltale> {
  let all = '';
  const {url, [Symbol.asyncDispose]: close} = await serverThat(({headers, target, body}) => {
    const heard = `${headers['authorization'] ?? ''} ${target} ${body.toString()}`;
    all += heard;
    return (response, request) => {
      response.on('error', () => {});
      reply(response, heard, request);
    };
  });
  return {url, heard: () => all, [Symbol.asyncDispose]: close};
}
