/** Runs a command that meets a fault, in the process of the tests, and keeps what was sent, printed and waited for. */
import {cpSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {join} from 'node:path';
import {afterAll, vi} from 'vitest';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {startSandbox, type Sandbox} from '../../../src/lib/sandbox/server.js';
import {sandboxToken} from '../../endpoints/table.js';
import {hostOf, SkippingClock} from '../../loopback-server.js';
import {memoryFolder} from '../../memory-folder.js';
import {account} from '../demo-world.js';
import {writeFiles} from '../every-command.js';
import {run} from '../in-process.js';
import type {Ended} from '../program.js';
import {pass, receive, type Answered, type Received} from '../server.js';
import {profileOn} from '../signing-in.js';
import {movedTo, type Fault} from './faults.js';
import type {Place} from './places.js';
import {requestKind, type Subject} from './subjects.js';

/** A request that arrived. */
export interface Arrival {
  /** Method and path. */
  readonly line: string;
  /** Line and body, by which a request is known that comes again. */
  readonly whole: string;
  /** The fault that happened to it. */
  readonly fault: Fault | undefined;
  readonly isCarriedOut: boolean;
}

export interface Meeting {
  readonly ended: Ended;
  readonly arrivals: readonly Arrival[];
  /** Milliseconds that the command would have waited for. */
  readonly waited: number;
}

/** What happens to the requests of a command: the fault that each one meets, if any. */
export type Script = (line: string, count: number) => Fault | undefined;

const home = memoryFolder('pixelctl-faults-');
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  await Promise.all(closing.map((close) => close()));
  rmSync(home, {recursive: true, force: true});
});

/** The smallest thing that servers take for a photo. */
const harbour = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('a harbour at dawn')]).subarray(0, 20);

/** The server of the run that is under way. */
let serve: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};

const front = `http://${await hostOf(
  createServer((request, response) => void serve(request, response).catch(() => response.destroy())),
  (close) => void closing.push(close),
)}`;

/** The folder with which each run begins: the files that command lines name, and two profiles for commands that act on profiles. */
async function beginning(): Promise<string> {
  const folder = join(home, 'beginning');
  const store = new ProfileStore(join(folder, 'config'), {storage: 'file'});
  for (const name of ['bob', 'ana'])
    await store.save(profileOn(front, {name, account: {id: account(name), acct: name}, client: {id: '3'}}), {
      accessToken: `sandbox-${name}`,
    });
  mkdirSync(join(folder, 'work'));
  writeFiles(join(folder, 'work'));
  writeFileSync(join(folder, 'work/harbour.jpg'), harbour);
  return folder;
}

const begin = await beginning();
let runs = 0;

const places = new Map<Fault, Place>();

/** The place of a fault, made once. */
async function placeOf(fault: Fault | undefined): Promise<Place> {
  if (fault?.place === undefined) return {};
  const place = places.get(fault) ?? (await fault.place());
  places.set(fault, place);
  return place;
}

async function prepare({row}: Subject, sandbox: Sandbox, token: string): Promise<void> {
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-pixelfed-app': '1'};
  for (const {line, json} of row?.on2026.before ?? []) {
    const [method = '', target = ''] = line.split(' ');
    const {status} = await pass({method, target, headers, body: Buffer.from(JSON.stringify(json))}, sandbox.url);
    if (status !== undefined && status >= 300) throw new Error(`${line} was answered with ${status}`);
  }
}

const pathOf = (target: string): string => target.split('?')[0] ?? '';

/** A server that carries out what arrives, but for the requests that meet a fault. */
function serving(sandbox: Sandbox, script: Script, arrivals: Arrival[]): typeof serve {
  return async (request, response) => {
    const {method = '', url = ''} = request;
    const target = url.startsWith(movedTo) ? url.slice(movedTo.length) : url;
    const line = `${method} ${pathOf(url)}`;
    const fault = script(line, arrivals.filter((one) => one.line === line).length + 1);
    let reading: Promise<Received> | undefined;
    const arrival = {line, whole: line, fault, isCarriedOut: false};
    arrivals.push(arrival);
    const read = () =>
      (reading ??= receive(request).then((received) => {
        arrival.whole = `${line} ${received.target} ${received.body.toString('latin1')}`;
        return received;
      }));
    const carryOut = async (): Promise<Answered> => {
      const answered = await pass({...(await read()), target}, sandbox.url);
      arrival.isCarriedOut = true;
      return answered;
    };
    if (fault?.strike !== undefined) return void (await fault.strike({request, response, read, carryOut}));
    const {status = 200, headers, text, bytes} = await carryOut();
    response.writeHead(status, headers).end(bytes ?? text);
  };
}

async function inPlace(place: Place, stopsTime: boolean, act: () => Promise<Ended>): Promise<Ended> {
  for (const [name, value] of Object.entries(place.processEnv ?? {})) vi.stubEnv(name, value);
  // Pauses between requests are as long in every run.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  if (stopsTime) vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
  try {
    return await act();
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

/**
 * Runs a command.
 * @param setting the fault that decides about place and time, where there is one
 * @param script which requests meet a fault
 */
export async function meet(subject: Subject, form: readonly string[], script: Script, setting?: Fault): Promise<Meeting> {
  const place = await placeOf(setting);
  const folder = join(home, String((runs += 1)));
  cpSync(begin, folder, {recursive: true});
  // Without others nothing is said of the account that a command uses.
  if (subject.row !== undefined) rmSync(join(folder, 'config'), {recursive: true});
  const sandbox = await startSandbox();
  const token = sandboxToken(subject.args);
  await prepare(subject, sandbox, token);
  const arrivals: Arrival[] = [];
  serve = serving(sandbox, script, arrivals);
  const clock = new SkippingClock();
  const env = {
    PIXELCTL_SERVER: place.server ?? front,
    PIXELCTL_TOKEN: token,
    PIXELCTL_STORAGE: 'file',
    PIXELCTL_CONFIG_DIR: join(folder, 'config'),
    ...Object.fromEntries(['CACHE', 'CONFIG', 'DATA', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name.toLowerCase())])),
    HOME: folder,
    ...place.env,
  };
  const words = [...subject.args, ...(place.flags ?? []), ...form];
  const circumstances = {env, stdin: subject.stdin ?? '', folder: join(folder, 'work'), clock, outputError: place.outputError};
  try {
    const ended = await inPlace(place, setting?.stopsTime === true, () => run(words, circumstances));
    return {ended, arrivals, waited: clock.skipped};
  } finally {
    serve = async () => {};
    await sandbox.close();
    rmSync(folder, {recursive: true, force: true});
  }
}

export interface Rehearsal extends Meeting {
  /** The request that the command is for; undefined where nothing is sent. */
  readonly main: string | undefined;
}

const rehearsals = new Map<string, Promise<Rehearsal>>();

/** How a command goes where nothing is wrong: its own request is what it is for, of several the first write, or else what it asks for last. */
export function rehearsed(subject: Subject, form: readonly string[]): Promise<Rehearsal> {
  const name = [subject.command, ...form].join(' ');
  const known = rehearsals.get(name);
  if (known !== undefined) return known;
  const made = meet(subject, form, () => undefined).then((meeting) => {
    const lines = meeting.arrivals.map(({line}) => line);
    const own = subject.row?.on2026.sent.at(-1)?.line;
    return {...meeting, main: (own && pathOf(own)) ?? lines.find((line) => requestKind(line) !== 'read') ?? lines.at(-1)};
  });
  rehearsals.set(name, made);
  return made;
}

/** A fault happens to the request that the command is for, each time or once. */
export const striking =
  (fault: Fault, main: string | undefined): Script =>
  (line, count) =>
    fault.strike !== undefined && line === main && (fault.once !== true || count === 1) ? fault : undefined;
