/** Runs a command in this process with the words of a command line: what it prints, and how it exits. */
import {join} from 'node:path';
import nock from 'nock';
import {expect} from 'vitest';
import {commands} from '../src/commands.js';
import {Io} from '../src/lib/cli/io.js';
import {runWith} from '../src/lib/cli/shell/main.js';
import {checkDocuments} from './json-documents.js';
import {ana} from './lib/auth/ana.js';
import {testSystem, type Surroundings} from './system.js';

const root = join(import.meta.dirname, '..');

export const server = 'https://pix.example';
export const token = 'token-of-the-test';

export interface Around {
  /** Standard input; nothing unless given. */
  readonly input?: string | Uint8Array | undefined;
  /** Standard input and standard error are a terminal, at which this is typed; see there. */
  readonly typing?: Surroundings['typing'];
  /** Beside the server and the token; undefined takes one away. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** What waits for time; that of the machine unless given. */
  readonly clock?: Surroundings['clock'];
}

export interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

/** The server that commands talk to unless told otherwise. A stub that is not used, or a request without one, fails the test. */
export function pixelfed(headers: Readonly<Record<string, string>> = {authorization: `Bearer ${token}`}) {
  return nock(server, {reqheaders: {accept: 'application/json', ...headers}});
}

/** One that has no limits to publish, as servers before 2026. */
export function serverWithoutLimits() {
  nock(server).get('/api/v2.1/config').reply(404, {error: 'The route api/v2.1/config could not be found.'});
}

/** One that says what it runs, and what it calls itself, if it is asked. */
export function serverThatSays(said: Readonly<Record<string, string>> = {version: '4.5.0'}) {
  nock(server)
    .persist()
    .get('/api/v1/instance')
    .optionally()
    .reply(200, {version: '4.5.0', ...said});
}

/** One that has nothing but ana, whose token it is. */
export function serverWithNothing() {
  const reads = nock(server).persist();
  reads.get('/api/v1/accounts/verify_credentials').optionally().reply(200, {id: ana.account?.id, acct: 'ana', username: 'ana', source: {}});
  reads.get('/api/v1.1/direct/conversations').query(true).optionally().reply(200, {data: [], meta: {}});
  reads
    .get(/\/conversations\/\d+$/)
    .optionally()
    .reply(404, {error: 'Record not found'});
  reads.get('/api/admin/instances/list').query(true).optionally().reply(200, {data: [], meta: {}});
  reads.get(/./).query(true).optionally().reply(200, []);
}

/** How a command that reads what it is given ends there: the only one is not found, none is found, or all of it failed. */
export const nothingFound = [4, 10, 11];

let runs = 0;

export async function runCommand(words: readonly string[], around: Around = {}): Promise<Run> {
  const {input, typing, environment, clock} = around;
  const env = {
    ...process.env,
    PIXELCTL_SERVER: server,
    PIXELCTL_TOKEN: token,
    XDG_CACHE_HOME: join(process.env['XDG_CACHE_HOME'] ?? '', String((runs += 1))),
    ...environment,
  };
  const {system, printed} = testSystem({input, typing, env, clock});
  await runWith([...words], {root, commands}, new Io(system));
  checkDocuments(words, printed);
  return {...printed, status: Number(system.exitCode ?? 0)};
}

/** Runs a command that fails with this status, prints nothing, and says this. A stub for what it must not send would be left over. */
export async function expectFailure(status: number, says: RegExp | string, words: readonly string[], around?: Around): Promise<void> {
  expect(await runCommand(words, around), words.join(' ')).toEqual({
    status,
    stdout: '',
    stderr: typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says),
  });
}
