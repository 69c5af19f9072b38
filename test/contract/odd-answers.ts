/**
 * Answers with a missing or wrong part. Each command runs once against the sandbox, then again and again against the answers
 * that it got, each time with one documented part missing, null or of another type. It must never end with an internal error
 * (1), nor with a status that means something else.
 */
import {tmpdir} from 'node:os';
import {sandboxToken} from '../endpoints/table.js';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {ProfileStore} from '../../src/lib/auth/profile-store.js';
import {demoFor, startSandbox, type Generation, type Sandbox} from '../sandbox/start.js';
import {account} from '../e2e/demo-world.js';
import {everyKind} from '../policy-desk.js';
import {profileOn} from '../e2e/signing-in.js';
import {pass, serverThat, type Answered, type Received, type RecordingServer} from '../e2e/server.js';
import {runCommand, type Around, type Run} from '../run-command.js';
import {fieldsOf, memberOf, replaced, without} from './fields.js';
import {pairwiseSampler, sampledBy} from './sample.js';
import {StartingFolder} from './starting-folder.js';

export interface Case {
  readonly name: string;
  /** Words of the command line; FOLDER stands for a folder of its own, with `p.yml` in it and the profiles ana and bob. */
  readonly args: readonly string[];
  /** At a terminal, to questions. */
  readonly typing?: Around['typing'];
  /** Standard input. */
  readonly input?: string;
  /** Without the server and the token from the environment: as the profile ana. */
  readonly asProfile?: true;
  readonly like?: Generation;
  /** What the server answers, where the sandbox would need a browser. */
  readonly answers?: readonly Recorded[];
  /** Command lines before it, whose requests are not recorded. */
  readonly before?: readonly (readonly string[])[];
  /** Besides 0 and 8. */
  readonly mayEndWith?: readonly number[];
}

export interface Recorded {
  /** Method, path and query. */
  readonly line: string;
  readonly answered: Answered;
}

/** Exit statuses of a difference and of partial failure. */
export const drift = [10, 11];

let home: string;

const wordsOf = (args: readonly string[], folder: string): string[] => args.map((word) => word.replace('FOLDER', folder));
const lineOf = ({method, target}: Received): string => `${method} ${target}`;

/** A server at one address, first the sandbox's and then one that repeats it; profiles and state are bound to an address. */
class Stage implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(home, 'folder-'));
  #server: RecordingServer | undefined;
  #sandbox: Sandbox | undefined;
  #answers: readonly Recorded[] = [];
  #left: number[] = [];
  #start: StartingFolder | undefined;
  #runs = 0;
  #odd: {readonly at: number; readonly text: string} | undefined;

  constructor(readonly each: Case) {}

  /** Runs the command as it is, unless its answers are given, and keeps what the server answers. */
  async rehearse(): Promise<readonly Recorded[]> {
    const {each} = this;
    const token = sandboxToken(each.args);
    const sandbox = await startSandbox({like: each.like ?? '2026', seed: demoFor(token)});
    this.#sandbox = sandbox;
    this.#server = await serverThat((received) => (this.#answers.length > 0 ? this.#repeat(received) : pass(received, sandbox.url)), token);
    const store = new ProfileStore(join(this.#folder, 'config'), {storage: 'file'});
    for (const name of ['bob', 'ana'] as const) {
      const profile = profileOn(this.#server.url, {name, account: {id: account(name), acct: name}, scopes: null, client: {id: '3'}});
      await store.save(profile, {accessToken: `sandbox-${name}`, refreshToken: 'a-refresh-token', clientSecret: 'a-secret'});
    }
    writeFileSync(join(this.#folder, 'p.yml'), everyKind);
    for (const args of each.before ?? []) await this.run(args);
    this.#start = new StartingFolder(this.#folder);
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
    this.#start?.restore();
    this.#odd = {at, text};
    this.#left = [...this.#answers.keys()];
    return this.run();
  }

  run(args = this.each.args): Promise<Run> {
    const {typing, input, asProfile} = this.each;
    const where = asProfile ? {PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined} : this.#server?.env;
    const environment = {
      ...where,
      PIXELCTL_CONFIG_DIR: join(this.#folder, 'config'),
      PIXELCTL_STORAGE: 'file',
      XDG_CACHE_HOME: join(`${this.#folder}-cache`, String((this.#runs += 1))),
    };
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

/** Lists cut to two items: more of the same kind test nothing new. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 2).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

interface Odd {
  /** The path of a part of the answer. */
  readonly place: string;
  /** What is wrong there. */
  readonly kind: string;
  readonly sort: 'another type' | 'half of a character' | 'missing' | 'null' | 'whole';
  readonly text: string;
}

/** Half of a character: no URL can hold it. */
const loneSurrogate = '\ud83d';

/** Whether a part of an answer becomes a part of a request: an id, a name, a cursor, an address. */
function isSentOn(name: string, value: unknown): value is string {
  return typeof value === 'string' && /^\d+$|(?:^|[._])(?:id|cursor|acct|username|url)$/.test(name);
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
    ...wholes.map((whole) => ({place: 'all of it', kind: JSON.stringify(whole), sort: 'whole', text: JSON.stringify(whole)}) as const),
    ...parts.flatMap(({path, name, value, other, isMember}) => {
      const at = (kind: string, sort: Odd['sort'], odd: unknown): Odd => ({
        place: name,
        kind,
        sort,
        text: JSON.stringify(replaced(answer, path, odd)),
      });
      return [
        ...(isMember ? [{place: name, kind: 'missing', sort: 'missing', text: JSON.stringify(without(answer, path))} as const] : []),
        at('null', 'null', null),
        at(`${JSON.stringify(other)} instead`, 'another type', other),
        ...(isNested(value) ? [at('text instead', 'another type', 'text')] : []),
        ...(isSentOn(name, value) ? [at('half of a character after it', 'half of a character', `${value}${loneSurrogate}`)] : []),
      ];
    }),
  ];
}

interface Trial extends Odd {
  readonly command: string;
  /** Which of the command's answers it replaces. */
  readonly at: number;
  readonly route: string;
}

/** Ids of one kind are one route. */
const routeOf = ({line}: Recorded): string => (line.split('?')[0] ?? '').replaceAll(/\d+/g, '0');

/** Of the answers of one endpoint the first two reads, a page and the next one, and the first write. */
function isWorthTrying(answers: readonly Recorded[], at: number): boolean {
  const route = routeOf(answers[at] ?? {line: '', answered: {text: ''}});
  const before = answers.slice(0, at).filter((other) => routeOf(other) === route).length;
  return before < (route.startsWith('GET ') ? 2 : 1);
}

/** Commands that read the same answers for the same. */
type TopicOf = (command: string) => string;

/**
 * Pairs, of which the sample has each one. Each sort is tried in each topic. A member of an object is tried once as if it were not there, and once with each other sort,
 * whichever endpoint it comes from.
 */
function pairsOf({command, route, place, kind, sort}: Trial, topicOf: TopicOf): readonly string[] {
  return [
    `${command} of ${route}`,
    `${topicOf(command)} with ${sort}`,
    `${memberOf(place)}: ${sort === 'missing' || sort === 'null' ? 'nothing' : sort}`,
    ...(sort === 'whole' ? [kind] : []),
  ];
}

function complaint({stdout, stderr, status}: Run, {mayEndWith = []}: Case): string | undefined {
  const all = stdout + stderr;
  if (![0, 8, ...mayEndWith].includes(status)) return `ends with ${status}: ${stderr.trim()}`;
  if (/^\s+at .*[:)]|node_modules|TypeError|is not a function|Cannot read prop/m.test(all)) return `shows its insides: ${all.trim()}`;
  return /\bundefined\b|\[object /.test(all) ? `prints what is nothing: ${all.trim()}` : undefined;
}

/** Defines a test for each of these commands. Give slow ones last: most mistakes have been tried by then. */
export function testOddAnswers(cases: readonly Case[], topicOf: TopicOf): void {
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'pixelctl-odd-'));
    writeFileSync(join(home, 'harbour.jpg'), Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('a harbour at dawn')]));
  });
  afterAll(() => rmSync(home, {recursive: true, force: true}));

  const sample = pairwiseSampler((trial: Trial) => pairsOf(trial, topicOf));

  // The sample depends on which test comes first, so their order is fixed.
  describe('an answer with a missing or wrong part causes no internal error in', {shuffle: false}, () => {
    test.each(cases)('$name', async (each) => {
      await using stage = new Stage(each);
      const answers = await stage.rehearse();
      const trials = answers.flatMap((recorded, at): Trial[] =>
        isWorthTrying(answers, at)
          ? oddAnswers(recorded.answered.text).map((odd) => ({...odd, command: each.name, at, route: routeOf(recorded)}))
          : [],
      );
      const complaints: string[] = [];
      for (const {at, text, route, place, kind} of sample(trials)) {
        const words = complaint(await stage.runWith(at, text), each);
        if (words !== undefined) complaints.push(`${route}, ${place}: ${kind}: ${words.slice(0, 300)}`);
      }
      expect(complaints, sampledBy).toEqual([]);
    });
  });
}
