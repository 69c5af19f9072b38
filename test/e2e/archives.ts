/** Archives as tests read them, and servers that change under them. */
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import type {SeedState} from '../../src/lib/sandbox/seed.js';
import type {Sandbox} from '../sandbox/start.js';
import {startSandbox, type SandboxOptions} from '../sandbox/start.js';
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

/** Takes messages out of an archive as if no run had ever read them. @param places of the messages, from 0 */
export function forget(archive: string, id: string, isForgotten: (place: number) => boolean): void {
  const folder = join(archive, id);
  const record = JSON.parse(readFileSync(join(folder, 'kept.json'), 'utf8'));
  for (const name of ['messages.ndjson', 'index.ndjson']) {
    const left = linesOf(folder, name).filter((_, place) => !isForgotten(place));
    const text = left.map((line) => `${line}\n`).join('');
    writeFileSync(join(folder, name), text);
    Object.assign(record, {messages: left.length, first_id: JSON.parse(left[0] ?? '{}').id, last_id: JSON.parse(left.at(-1) ?? '{}').id});
    record.files[name] = createHash('sha256').update(text).digest('hex');
  }
  writeFileSync(join(folder, 'kept.json'), `${JSON.stringify(record)}\n`);
}

/**
 * Leaves what a killed run had read of a conversation, which no run has merged yet.
 * @param folder of the conversation, which has its id for a name @param pages lines of JSON, or what is left of one
 */
export function leaveReading(folder: string, ...pages: readonly string[]): void {
  const id = basename(folder);
  const header = {
    reading: 2,
    at: '2026-11-22T00:00:00.000Z',
    id,
    type: 'conversation',
    marks: true,
    asked: null,
    reads: null,
    conversation: {id},
  };
  writeFileSync(join(folder, '.reading.ndjson'), [JSON.stringify(header), ...pages].map((line) => `${line}\n`).join(''));
}

type Conversations = NonNullable<SeedState['conversations']>;

/** A world where ana and bob write to each other. */
export const worldOf = (messages: Conversations[number]['messages']): SeedState => ({
  me: 'ana',
  accounts: [{acct: 'ana'}, {acct: 'bob'}],
  mutuals: ['bob'],
  conversations: [{between: ['ana', 'bob'], messages}],
});

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
  const sandbox = await startSandbox({limitsRate: false, ...options});
  const {host} = new URL(sandbox.url);
  const asked: string[] = [];
  const changing: {change: ChangingSandbox['change']} = {change: undefined};
  const server = await serverThat(async (received) => {
    asked.push(`${received.method} ${received.target}`);
    const passed = await pass(received, sandbox.url);
    const answered = {...passed, text: passed.text.replaceAll(`https:\\/\\/${host}`, `http:\\/\\/${host}`)};
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
