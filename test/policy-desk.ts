/** A sandbox whose writes are counted on the way to it, where somebody may step in; and folders with policies, where commands run. */
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {lineOf, State} from '../src/lib/policy/model/policy-state.js';
import {demoOfAna} from '../src/lib/sandbox/demo.js';
import {startSandbox, type Sandbox, type SandboxOptions} from './sandbox/start.js';
import {newFolder} from './new-folder.js';
import {pass, serverThat, type Answered, type Received, type RecordingServer} from './e2e/server.js';

export type Moment = 'after' | 'before';

/** Those that are no GET. */
const reads = ['/api/v1.1/direct/lookup', '/api/v1/admin/measures'];

export interface WatchedSandbox extends RecordingServer {
  readonly tokens: Sandbox['tokens'];
  /** The writes that the server carried out, in order. */
  readonly writes: string[];
  /**
   * Called around every write, the first of which is 1; what is swallowed `before` never reaches the server. An answer that
   * it gives is sent in place of the server's own.
   */
  stepIn: (moment: Moment, count: number, received: Received) => Answered | 'swallow' | undefined;
  /** Awaited before the first write goes on. */
  holdFirst: () => Promise<void>;
  /** Sends something that is not counted, as another program would. */
  readonly meanwhile: (method: string, path: string, body?: unknown) => Promise<void>;
}

export async function watchedSandbox(options: SandboxOptions = {}): Promise<WatchedSandbox> {
  const sandbox = await startSandbox({seed: demoOfAna, ...options});
  const writes: string[] = [];
  let count = 0;
  const server = await serverThat(async (received) => {
    const isRead = received.method === 'GET' || reads.some((read) => received.target.startsWith(read));
    if (isRead) return pass(received, sandbox.url);
    const own = (count += 1);
    if (own === 1) await watched.holdFirst();
    const before = watched.stepIn('before', own, received);
    if (before !== undefined) return before === 'swallow' ? {status: 503, text: '{}'} : before;
    const answered = await pass(received, sandbox.url);
    if (answered.status === 200) writes.push(`${received.method} ${received.target} ${received.body.toString()}`);
    const after = watched.stepIn('after', own, received);
    return typeof after === 'object' ? after : answered;
  }, sandbox.tokens.all);
  const watched: WatchedSandbox = {
    ...server,
    tokens: sandbox.tokens,
    writes,
    stepIn: () => undefined,
    holdFirst: async () => {},
    async meanwhile(method, target, body) {
      const headers = {
        'x-pixelfed-app': '1',
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${sandbox.tokens.all}`,
      };
      const {status} = await pass(
        {method, target, headers, body: Buffer.from(body === undefined ? '' : JSON.stringify(body))},
        sandbox.url,
      );
      if (status !== 200) throw new Error(`${method} ${target}: ${status}`);
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  };
  return watched;
}

interface Place {
  readonly env: RecordingServer['env'];
  readonly folder: string;
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

/** Runs a command in a folder, beside a server. */
type Runner<How extends Ended> = (args: readonly string[], place: Place) => Promise<How>;

type Files = Readonly<Record<string, string>>;

/** Somebody's checkout, beside one server. @param runAt runs the sources, or what was built of them */
export function deskWith<How extends Ended>(runAt: Runner<How>, {env}: Pick<RecordingServer, 'env'>, files: Files) {
  const folder = newFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const runHere = (...args: readonly string[]) => runAt(args, {env, folder});
  const json = async (...args: readonly string[]) => JSON.parse((await runHere(...args, '--json')).stdout);
  return {
    folder,
    write,
    run: runHere,
    json,
    async done(...args: readonly string[]) {
      const ended = await runHere(...args);
      expect(ended).toMatchObject({status: 0});
      return ended;
    },
    /** What the server blocks for everybody: `bad.example suspend`, and why. */
    async blocks() {
      const rows: readonly Readonly<Record<string, string | null>>[] = await json('admin', 'domain-blocks', 'list', '--all');
      return rows.map(({domain, severity, private_comment: why}) => [domain, severity, ...(why ? [why] : [])].join(' ')).sort();
    },
  };
}

/** The server of ana, an admin, unless another one is named. */
export async function adminServer(options: SandboxOptions, who = 'ana') {
  const seed = {accounts: [{acct: 'ana', admin: true}, {acct: 'ben@far.example'}]};
  const server = await watchedSandbox({seed, ...options});
  const env = {...server.env, PIXELCTL_TOKEN: server.tokens.admins[who] ?? ''};
  return {env, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

/** The lines of all states of p.yml, without their heads. */
export function stateLines(folder: string, policy = 'p.yml'): readonly Record<string, unknown>[] {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${policy}.`) && name.endsWith('.state.ndjson'));
  return files.toSorted().flatMap((name) => {
    const [, ...lines] = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
    return lines.map((line): Record<string, unknown> => JSON.parse(line));
  });
}

/** What p.yml owns, without times, and without the end of what ends some day. */
export function ownedIn(folder: string, policy = 'p.yml'): unknown {
  const lines = stateLines(folder, policy).flatMap(({x: _, ...line}) => lineOf(line) ?? []);
  const {owned} = new State('', lines);
  const text = JSON.stringify(Array.from(owned, ([key, {at: _, ...item}]) => ({key, ...item})));
  const items: readonly {readonly key: string}[] = JSON.parse(
    text.replaceAll(/127\.0\.0\.1:\d+/g, 'here').replaceAll(/"20\d\d-[^"]*"/g, '"some day"'),
  );
  return items.toSorted((one, other) => one.key.localeCompare(other.key));
}

/** Of every kind of change one, against the demo. */
export const everyKind = `version: 1
blocks: {must: ['@bob', omar@lens.example.org], must_not: [grumpy]}
mutes: {must: [clara], must_not: [dailydeals@shop.example.com]}
domain_blocks:
  must: [bad.example, BÜCHER.example]
  must_not: [casino.example.com]
filters:
  must:
    - {title: Spoilers, context: [home], action: hide, keywords: [spoiler, ending], expires: never}
    - {title: Politics, context: [home, tags], keywords: [vote, {keyword: poll, whole_word: false}], expires: 90d}
  must_not: [Crypto]
`;
