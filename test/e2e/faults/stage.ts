/** A server with something in it, a folder, and a way between them on which requests meet faults. For one command. */
import {tmpdir} from 'node:os';
import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {join} from 'node:path';
import {ProfileStore} from '../../../src/lib/auth/profile-store.js';
import {demoFor, startSandbox, type Sandbox} from '../../sandbox/start.js';
import {sandboxToken} from '../../endpoints/table.js';
import {account} from '../demo-world.js';
import {writeFiles} from '../every-command.js';
import type {Circumstances} from '../program.js';
import {listening, receive, type Answered, type Received} from '../../server.js';
import {pass} from '../server.js';
import {profileOn} from '../signing-in.js';
import {movedTo, type Fault} from './faults.js';
import type {Place} from './places.js';
import {lineOf, type Subject} from './subjects.js';

/** A request that arrived. */
export interface Arrival {
  /** Method and path. */
  readonly line: string;
  /** Line and body, by which a request is known that comes again. */
  readonly whole: string;
  /** The fault that happened to it. */
  readonly fault: Fault | undefined;
  /** Whether the server did what it asks for. */
  readonly isCarriedOut: boolean;
}

/** What happens to requests: the fault that this one meets, if any. @param count of requests of this line, from 1 */
export type Script = (line: string, count: number) => Fault | undefined;

export interface Stage extends AsyncDisposable {
  readonly arrivals: readonly Arrival[];
  /** Everything that a run finds and writes: its home, its settings and caches, and `work`, where it runs. */
  readonly folder: string;
  /** What a run of the command finds. */
  readonly circumstances: Circumstances;
}

const home = mkdtempSync(join(tmpdir(), 'pixelctl-faults-'));

/** The smallest thing that servers take for a photo. */
const harbour = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('a harbour at dawn')]).subarray(0, 20);

/** In place of the server of a run, in the profiles that each run begins with. */
const anyServer = 'http://127.0.0.1:1';
const profileFiles = ['profiles.json', 'secrets.json'];

/** The folder with which each run begins: the files that command lines name, and two profiles for commands that act on profiles. */
async function beginning(): Promise<string> {
  const folder = join(home, 'beginning');
  const store = new ProfileStore(join(folder, 'config'), {storage: 'file'});
  for (const name of ['bob', 'ana']) {
    const profile = profileOn(anyServer, {name, account: {id: account(name), acct: name}, client: {id: '3'}});
    await store.save(profile, {accessToken: `sandbox-${name}`});
  }
  mkdirSync(join(folder, 'work'));
  writeFiles(join(folder, 'work'));
  writeFileSync(join(folder, 'work/harbour.jpg'), harbour);
  return folder;
}

const begin = await beginning();
let stages = 0;

function folderFor({row}: Subject, server: string): string {
  const folder = join(home, String((stages += 1)));
  cpSync(begin, folder, {recursive: true});
  const profiles = join(folder, 'config');
  // Without others nothing is said of the account that a command uses.
  if (row !== undefined) rmSync(profiles, {recursive: true});
  else
    for (const name of profileFiles) {
      const text = readFileSync(join(profiles, name), 'utf8');
      writeFileSync(join(profiles, name), text.replaceAll(anyServer, server));
    }
  return folder;
}

async function prepare({row}: Subject, sandbox: Sandbox, token: string): Promise<void> {
  const headers = {authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-pixelfed-app': '1'};
  for (const {line, json} of row?.on2026.before ?? []) {
    const [method = '', target = ''] = line.split(' ');
    const {status} = await pass({method, target, headers, body: Buffer.from(JSON.stringify(json))}, sandbox.url);
    if (status !== undefined && status >= 300) throw new Error(`${line} was answered with ${status}`);
  }
}

export const pathOf = (target: string): string => target.split('?')[0] ?? '';

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A server that carries out what arrives, but for the requests that meet a fault. */
function serving(subject: Subject, sandbox: Sandbox, script: Script, arrivals: Arrival[], closeDoor: () => void): Serve {
  return async (request, response) => {
    const {method = '', url = ''} = request;
    const target = url.startsWith(movedTo) ? url.slice(movedTo.length) : url;
    const sent = `${method} ${pathOf(url)}`;
    const line = lineOf(subject, sent, arrivals.filter((one) => one.line.startsWith(sent)).length);
    const fault = script(line, arrivals.filter((one) => one.line === line).length + 1);
    // Of a command of several requests nobody knows which one it is before it is read.
    const arrival = {line, whole: subject.row === undefined ? `${line} ${arrivals.length}` : line, fault, isCarriedOut: false};
    arrivals.push(arrival);
    let reading: Promise<Received> | undefined;
    const read = () =>
      (reading ??= receive(request).then((received) => {
        arrival.whole = `${line} ${received.target} ${received.body.toString('latin1')}`;
        return received;
      }));
    const carryOut = async (): Promise<Answered> => {
      const answered = await pass({...(await read()), target}, sandbox.url);
      arrival.isCarriedOut = (answered.status ?? 200) < 300;
      return answered;
    };
    if (fault?.strike !== undefined) return void (await fault.strike({request, response, read, carryOut, closeDoor}));
    const {status = 200, headers, text, bytes} = await carryOut();
    response.writeHead(status, headers).end(bytes ?? text);
  };
}

/** @param place what is wrong from the beginning */
export async function stageFor(subject: Subject, script: Script, place: Place = {}): Promise<Stage> {
  const token = sandboxToken(subject.args);
  const sandbox = await startSandbox({seed: demoFor(token)});
  await prepare(subject, sandbox, token);
  const arrivals: Arrival[] = [];
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const serve = serving(subject, sandbox, script, arrivals, () => server.close());
  const {host, [Symbol.asyncDispose]: close} = await listening(server);
  const url = `http://${host}`;
  const folder = folderFor(subject, url);
  const env = {
    PIXELCTL_SERVER: place.server ?? url,
    PIXELCTL_TOKEN: token,
    PIXELCTL_STORAGE: 'file',
    PIXELCTL_CONFIG_DIR: join(folder, 'config'),
    ...Object.fromEntries(['CACHE', 'CONFIG', 'DATA', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(folder, name.toLowerCase())])),
    HOME: folder,
    ...place.env,
  };
  return {
    arrivals,
    folder,
    circumstances: {env, stdin: subject.stdin ?? '', folder: join(folder, 'work')},
    async [Symbol.asyncDispose]() {
      await close();
      await sandbox.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}
