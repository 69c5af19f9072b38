/** Archives as tests read them, and servers that change under them. */
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import type {SeedState} from '../sandbox/seed.js';
import {demoOfAna} from '../../src/lib/sandbox/demo.js';
import {startSandbox, type Sandbox, type SandboxOptions} from '../sandbox/start.js';
import {newFolder} from './program.js';
import {pass, serverThat, type Answered, type Received} from './server.js';

/** The lines of a file of an archive. */
export const linesOf = (...path: readonly string[]): string[] =>
  readFileSync(join(...path), 'utf8')
    .split('\n')
    .slice(0, -1);

export const itemsOf = (...path: readonly string[]) => linesOf(...path).map((line) => JSON.parse(line));

/** Everything in a folder, by its path in it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted();
}

type Conversations = NonNullable<SeedState['conversations']>;

/** A world where ana and bob write to each other. */
export const worldOf = (messages: Conversations[number]['messages']): SeedState => ({
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}],
  mutuals: ['bob'],
  conversations: [{between: ['ana', 'bob'], messages}],
});

export const numbered = (count: number, first = 0) => Array.from({length: count}, (_, index) => `Message ${index + first}`);

/** A conversation of 120 messages with bob, and a request. */
export const longWorld: SeedState = {
  me: 'ana',
  accounts: [{acct: 'ana', name: 'Ana'}, {acct: 'bob', name: 'Bob'}, {acct: 'eve'}],
  mutuals: ['bob'],
  conversations: [
    {between: ['eve', 'ana'], messages: [{from: 'eve', text: 'Who are you?'}]},
    {between: ['ana', 'bob'], messages: numbered(120).map((text, index) => ({from: index % 2 === 0 ? 'ana' : 'bob', text}))},
  ],
};

/** A sandbox until the test ends. */
export async function sandboxOf(options: SandboxOptions = {}): Promise<{sandbox: Sandbox; env: Record<string, string>}> {
  const sandbox = await startSandbox({limitsRate: false, seed: demoOfAna, ...options});
  onTestFinished(() => sandbox.close());
  return {sandbox, env: {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all}};
}

/** An archive's folder, which is not there yet. */
export const newArchive = (): string => join(newFolder(), 'archive');

export interface ChangingSandbox extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  /** What arrived, as `GET /path`. */
  readonly asked: readonly string[];
  /** Replaces answers: undefined leaves one as it is. */
  change: ((received: Received, answered: Answered) => Answered | undefined) | undefined;
}

/** A sandbox whose answers a test can change as it likes. */
export async function changingSandbox(options: SandboxOptions = {}): Promise<ChangingSandbox> {
  const sandbox = await startSandbox({limitsRate: false, seed: demoOfAna, ...options});
  const {host} = new URL(sandbox.url);
  const asked: string[] = [];
  const changing: {change: ChangingSandbox['change']} = {change: undefined};
  const server = await serverThat(async (received) => {
    asked.push(`${received.method} ${received.target}`);
    const passed = await pass(received, sandbox.url);
    const answered = {...passed, text: passed.text.replaceAll(`https://${host}`, `http://${host}`)};
    return changing.change?.(received, answered) ?? answered;
  }, sandbox.tokens.all);
  return Object.assign(changing, {
    sandbox,
    env: server.env,
    url: server.url,
    asked,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await sandbox.close();
    },
  });
}

/** The same until the test ends. */
export async function changing(options: SandboxOptions = {}): Promise<ChangingSandbox> {
  const server = await changingSandbox(options);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}
