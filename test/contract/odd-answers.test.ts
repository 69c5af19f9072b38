/**
 * Answers whose outermost shape is right and that are odd inside. Each command is run once against the sandbox; then again and
 * again against the answers that it got, each time with one documented part missing, null or of another type. It never is a fault
 * of the program (1), and never a status that means something else.
 */
import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Config} from '@oclif/core';
import {afterAll, beforeAll, describe, expect, test, vi} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {startSandbox, type Generation, type Sandbox} from '../../src/lib/sandbox/server.js';
import {account, conversation, filter, message} from '../e2e/demo-world.js';
import {everyKindAndPush} from '../e2e/policy-server.js';
import {table} from '../endpoints/table.js';
import {pass, serverThat, type Answered, type Received, type RecordingServer} from '../e2e/server.js';
import {runCommand, type Run} from '../run-command.js';
import {fieldsOf, replaced, without} from './fields.js';

// The keyring of the machine answers slowly, and is no server.
vi.mock('../../src/lib/auth/keyring.js', () => ({keyringProblem: async () => undefined}));

// Hundreds of runs each.
vi.setConfig({testTimeout: 300_000});

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-odd-'));
  writeFileSync(join(home, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('a harbour at dawn')]));
});
afterAll(() => rmSync(home, {recursive: true, force: true}));

interface Case {
  readonly name: string;
  /** Words of the command line; FOLDER stands for a folder of its own, with `p.yml` in it and the profiles ana and bob. */
  readonly args: readonly string[];
  /** At a terminal, to a question. */
  readonly typing?: string;
  /** Standard input. */
  readonly input?: string;
  /** Without the server and the token of the environment: as the profile ana. */
  readonly asProfile?: true;
  readonly like?: Generation;
  /** What the server answers, where the sandbox would need a browser. */
  readonly answers?: readonly Recorded[];
  /** Command lines before it, whose requests are not recorded. */
  readonly before?: readonly (readonly string[])[];
  /** Tries one of so many odd answers, where runs take long. */
  readonly oneOf?: number;
  /** Besides 0 and 8. */
  readonly mayEndWith?: readonly number[];
}

interface Recorded {
  /** Method, path and query. */
  readonly line: string;
  readonly answered: Answered;
}

const everyRule = `${everyKindAndPush}config: {oauth: false, features.stories: true, limits.direct_messages.max_characters: {min: 100}, limits.media.supported_mime_types: [image/png]}
`;

const bob = conversation('bob').id;
const group = conversation('bob', 'clara', 'eiko').id;
const drift = [10, 11];

const saying = (line: string, value: unknown): Recorded => ({line, answered: {text: JSON.stringify(value)}});

const issued = saying('POST /oauth/token', {
  token_type: 'Bearer',
  expires_in: 31_536_000,
  access_token: 'an-access-token',
  refresh_token: 'a-refresh-token',
  scope: 'read write push',
  created_at: 1_795_000_000,
});
const ana = saying('GET /api/v1/accounts/verify_credentials', {id: '1', username: 'ana', acct: 'ana', source: {}});
const registered = saying('POST /api/v1/apps', {
  id: '3',
  name: 'pixelctl',
  website: null,
  redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
  client_id: '3',
  client_secret: 'a-secret',
  vapid_key: null,
});

const commands: readonly Case[] = [
  ...table.map(({command, on2026: {args, stdin}}) => ({
    name: command,
    args: args.map((word) => (word === '-' ? (stdin ?? '').trim() : word.replace('harbour.jpg', 'FOLDER/../harbour.jpg'))),
    // A refusal is one however it is put.
    ...(command === 'filters update' && {mayEndWith: [5]}),
  })),
  {name: 'blocks contains', args: ['blocks', 'contains', account('troll42'), '@grumpy'], mayEndWith: [4, 10, 11]},
  {name: 'mutes contains', args: ['mutes', 'contains', '@sly'], mayEndWith: [4, 10]},
  {name: 'domain-blocks contains', args: ['domain-blocks', 'contains', 'casino.example.com'], mayEndWith: [10]},
  {name: 'api', args: ['api', 'GET', '/api/v1/blocks']},
  {name: 'doctor', args: ['doctor']},
  {name: 'auth status', args: ['auth', 'status'], asProfile: true},
  {name: 'auth refresh', args: ['auth', 'refresh', 'ana'], answers: [issued]},
  {name: 'auth login', args: ['auth', 'login', '--no-browser', '--profile', 'new'], input: 'a-code', answers: [registered, issued, ana]},
  {
    name: 'batch',
    args: ['batch'],
    input: `{"command": "dm read", "args": ["${bob}"]}\n{"command": "filters get", "args": ["1"]}\n`,
    mayEndWith: [11],
  },
  {name: 'audit', args: ['audit', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'plan', args: ['plan', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'apply', args: ['apply', 'FOLDER/p.yml', '--yes'], oneOf: 3, mayEndWith: drift},
  {name: 'undo', args: ['undo', 'FOLDER/p.yml', '--yes'], before: [['apply', 'FOLDER/p.yml', '--yes']], oneOf: 3, mayEndWith: drift},
  {name: 'explain', args: ['explain', 'bad.example', '--policy', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'export', args: ['export']},
  {name: 'diff', args: ['diff', 'FOLDER/p.yml'], mayEndWith: drift},
  {name: 'filters copy', args: ['filters', 'copy', '--to', 'bob', '--yes'], asProfile: true, mayEndWith: drift},
  {name: 'domain-blocks copy', args: ['domain-blocks', 'copy', '--to', 'bob', '--yes'], asProfile: true, mayEndWith: drift},
];

/** What has no server, or none yet. */
const offline = ['auth logout', 'auth protect', 'auth switch', 'auth token', 'completion', 'sandbox'];

const cases: readonly Case[] = [
  ...commands,
  ...['dm list', 'dm mutuals', 'blocks list', 'mutes list', 'domain-blocks list', 'notifications list', `dm messages ${bob}`].map(
    (line) => ({
      name: `${line.replace(` ${bob}`, '')} --all`,
      args: [...line.split(' '), '--all'],
    }),
  ),
  {name: 'dm leave, asked', args: ['dm', 'leave', group], typing: 'y\n'},
  {name: 'dm delete-message, asked', args: ['dm', 'delete-message', bob, message('Ah.')], typing: 'y\n'},
  {name: 'filters delete, asked', args: ['filters', 'delete', filter('Spoilers'), filter('Crypto')], typing: 'y\n', mayEndWith: [11]},
  {name: 'blocks add, asked', args: ['blocks', 'add', account('bob')], typing: 'y\n'},
  {name: 'dm get @bob', args: ['dm', 'get', '@bob'], mayEndWith: [4]},
  {name: 'mutes add @marie@pixel.example.fr', args: ['mutes', 'add', '@marie@pixel.example.fr'], mayEndWith: [4]},
  {name: 'dm start @bob', args: ['dm', 'start', '@bob'], mayEndWith: [4]},
  {name: 'thread send @bob', args: ['thread', 'send', '@bob', 'Hello'], mayEndWith: [4]},
  {name: 'thread get @bob', args: ['thread', 'get', '@bob'], mayEndWith: [4]},
  {name: 'thread get @bob on an older server', args: ['thread', 'get', '@bob'], like: '0.12.6', mayEndWith: [4]},
  {name: 'thread get on an older server', args: ['thread', 'get', account('bob')], like: '0.12.6'},
  {name: 'doctor on an older server', args: ['doctor'], like: '0.12.6'},
  {name: 'dm read, many', args: ['dm', 'read', bob, conversation('sly').id], mayEndWith: [11]},
];

test('covers every command that talks to a server', async () => {
  const {commands: known} = await Config.load(join(import.meta.dirname, '../..'));
  const names = [...commands.map(({name}) => name), ...offline].toSorted();
  expect(names).toEqual(known.map(({id}) => id.replaceAll(':', ' ')).toSorted());
});

const wordsOf = (args: readonly string[], folder: string): string[] => args.map((word) => word.replace('FOLDER', folder));
const lineOf = ({method, target}: Received): string => `${method} ${target}`;

/** A server at one address, first the sandbox's and then one that repeats it; profiles and state are bound to an address. */
class Stage implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(home, 'folder-'));
  readonly #before = `${this.#folder}-before`;
  #server: RecordingServer | undefined;
  #sandbox: Sandbox | undefined;
  #answers: readonly Recorded[] = [];
  #left: number[] = [];
  #odd: {readonly at: number; readonly text: string} | undefined;

  constructor(readonly each: Case) {}

  /** Runs the command as it is, unless its answers are given, and keeps what the server answers. */
  async rehearse(): Promise<readonly Recorded[]> {
    const {each} = this;
    const sandbox = await startSandbox({like: each.like ?? '2026'});
    this.#sandbox = sandbox;
    this.#server = await serverThat(
      (received) => (this.#answers.length > 0 ? this.#repeat(received) : pass(received, sandbox.url)),
      sandbox.tokens.all,
    );
    const store = new ProfileStore(join(this.#folder, 'config'), {storage: 'file'});
    const client = {id: '3'};
    for (const [name, acct] of [
      ['bob', 'bob'],
      ['ana', 'ana'],
    ] as const) {
      const secret = {accessToken: `sandbox-${acct}`, refreshToken: 'a-refresh-token', clientSecret: 'a-secret'};
      await store.save(
        {name, server: this.#server.url, account: {id: account(acct), acct}, scopes: null, expiresAt: null, isProtected: false, client},
        secret,
      );
    }
    writeFileSync(join(this.#folder, 'p.yml'), everyRule);
    for (const args of each.before ?? []) await this.run(args);
    cpSync(this.#folder, this.#before, {recursive: true});
    const skipped = this.#server.exchanges.length;
    if (each.answers === undefined) {
      const {status, stderr} = await this.run();
      expect([0, ...drift], stderr).toContain(status);
    }
    this.#answers =
      each.answers ?? this.#server.exchanges.slice(skipped).map(({received, answered}) => ({line: lineOf(received), answered}));
    expect(this.#answers.length).toBeGreaterThan(0);
    return this.#answers;
  }

  /** Runs the command with another text in place of one of the answers, from where it began. */
  async runWith(at: number, text: string): Promise<Run> {
    rmSync(this.#folder, {recursive: true, force: true});
    cpSync(this.#before, this.#folder, {recursive: true});
    this.#odd = {at, text};
    this.#left = [...this.#answers.keys()];
    return this.run();
  }

  run(args = this.each.args): Promise<Run> {
    const {typing, input, asProfile} = this.each;
    const where = asProfile ? {PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined} : this.#server?.env;
    const environment = {...where, PIXELCTL_CONFIG_DIR: join(this.#folder, 'config'), PIXELCTL_STORAGE: 'file'};
    return runCommand(wordsOf(args, this.#folder), {environment, typing, input});
  }

  /** What a command asks because of an odd answer gets what was answered there before, or to the same path. */
  #repeat(received: Received): Answered {
    const line = lineOf(received);
    const path = line.split('?')[0] ?? '';
    const index = this.#left.find((one) => this.#answers[one]?.line === line) ?? this.#answers.findLastIndex((one) => one.line === line);
    const found = index === -1 ? this.#answers.findLastIndex((one) => one.line.split('?')[0] === path) : index;
    const answered = this.#answers[found]?.answered;
    if (answered === undefined) return {status: 404, text: '{"error":""}'};
    this.#left = this.#left.filter((one) => one !== found);
    return found === this.#odd?.at ? {...answered, text: this.#odd.text} : answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#sandbox?.close();
  }
}

/** Lists cut to two items, so that what is odd is tried once of each kind. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

interface Odd {
  readonly what: string;
  readonly text: string;
}

/** Of each part, at its first place in lists: without it, with null, and with other types in its place. */
function oddAnswers(text: string): Odd[] {
  let answer: unknown;
  try {
    answer = shortened(JSON.parse(text));
  } catch {
    return [];
  }
  const parts = fieldsOf(answer).filter(({path}) => path.every((key) => key !== 1));
  const wholes: readonly unknown[] = Array.isArray(answer) ? [[], [null], [[]], [7], ['text'], [{}]] : [{}];
  const isNested = (value: unknown) => typeof value === 'object' && value !== null;
  return [
    ...wholes.map((whole) => ({what: `all of it: ${JSON.stringify(whole)}`, text: JSON.stringify(whole)})),
    ...parts.flatMap(({path, name, value, other, isMember}) => [
      ...(isMember ? [{what: `${name} missing`, text: JSON.stringify(without(answer, path))}] : []),
      ...[null, other, ...(isNested(value) ? ['text'] : [])].map((odd) => ({
        what: `${name}: ${JSON.stringify(odd)}`,
        text: JSON.stringify(replaced(answer, path, odd)),
      })),
    ]),
  ];
}

/** Of the answers of one endpoint the first two reads, a page and the next one, and the first write. */
function isWorthTrying(answers: readonly Recorded[], at: number): boolean {
  const routeOf = ({line}: Recorded): string => (line.split('?')[0] ?? '').replaceAll(/\d+/g, '0');
  const route = routeOf(answers[at] ?? {line: '', answered: {text: ''}});
  const before = answers.slice(0, at).filter((other) => routeOf(other) === route).length;
  return before < (route.startsWith('GET ') ? 2 : 1);
}

function complaint({stdout, stderr, status}: Run, {mayEndWith = []}: Case): string | undefined {
  const all = stdout + stderr;
  if (![0, 8, ...mayEndWith].includes(status)) return `ends with ${status}: ${stderr.trim()}`;
  if (/^\s+at .*[:)]|node_modules|TypeError|is not a function|Cannot read prop/m.test(all)) return `shows its insides: ${all.trim()}`;
  return /\bundefined\b|\[object /.test(all) ? `prints what is nothing: ${all.trim()}` : undefined;
}

describe('an answer that is odd inside is no fault of', () => {
  test.each(cases)('$name', async (each) => {
    await using stage = new Stage(each);
    const answers = await stage.rehearse();
    const complaints: string[] = [];
    for (const [at, {line, answered}] of answers.entries()) {
      if (!isWorthTrying(answers, at)) continue;
      for (const [index, {what, text}] of oddAnswers(answered.text).entries()) {
        if ((index + at) % (each.oneOf ?? 1) !== 0) continue;
        const words = complaint(await stage.runWith(at, text), each);
        if (words !== undefined) complaints.push(`${line.slice(0, 80)}, ${what}: ${words.slice(0, 300)}`);
      }
    }
    expect(complaints).toEqual([]);
  });
});
