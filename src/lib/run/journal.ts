/**
 * Records a run, so that it can be continued: each request before it is sent, and its outcome after. Memory holds only the state of each
 * target, and where in the file its outcome is.
 */
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import {dirname, resolve} from 'node:path';
import * as z from 'zod/mini';
import {Failure, localFailure, lockedFailure} from '../client/failure.js';
import {linesOf, type Span} from '../files/lines.js';
import {LockHeld} from '../files/lock.js';
import {OwnLines} from '../files/own-lines.js';
import {shellWord} from '../files/command-text.js';
import {systemCode} from '../files/system-error.js';
import {isJson, shorten} from '../json/text.js';
import {type StepEnding, unknownBefore} from './step.js';

/** It has to be increased when the format changes. */
const version = 1;

/** How every header begins, which distinguishes a journal from any other file. */
const headerStart = '{"pixelctl_journal":';

/** The run that a journal was begun for. Another run cannot use it. */
export interface JournalIdentity {
  /** Without the program's name: `dm accept`. */
  readonly command: string;
  readonly server: string;
  /** Null while it is not known. */
  readonly account: string | null;
  /** Digest of everything else that determines what is sent, including the targets: see {@link digestOf}. */
  readonly input: string;
  /** Null where a list on the server gives the targets: the journal then has their names. */
  readonly targets: number | null;
}

const headerShape = z.object({
  pixelctl_journal: z.literal(version),
  command: z.string(),
  server: z.string(),
  account: z.nullable(z.string()),
  input: z.string(),
  targets: z.nullable(z.number()),
});

const errorShape = z.object({
  code: z.enum(['auth', 'bad_answer', 'internal', 'interrupted', 'local', 'not_found', 'rate_limited', 'refused', 'unavailable', 'usage']),
  message: z.string(),
  status: z.optional(z.number()),
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  hint: z.optional(z.string()),
});

const index = z.int().check(z.nonnegative());

/** It is empty where the answer had no body. */
const answerText = z.string().check(z.refine((text) => text === '' || isJson(text), 'expected JSON'));

/** What a line says about one target; `unsent` revokes an intent. */
const lineShape = z.union([
  z.object({n: index, intent: z.string()}),
  z.object({n: index, outcome: z.literal('done'), status: z.number(), text: z.nullable(answerText)}),
  z.object({n: index, outcome: z.enum(['failed', 'unknown']), error: errorShape}),
  z.object({n: index, outcome: z.literal('unsent')}),
]);

type JournalLine = z.infer<typeof lineShape>;

/** Messages show at most this many characters of a value in another run's header. */
const maxShown = 100;

/** The longest answer that is recorded, in bytes. A longer one is recorded without its text. */
export const maxTextLength = 64 * 1024;

export function digestOf(texts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest('hex');
}

function parseLine<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** How the identity in a header differs from the wanted one, in words; undefined when the text is not a header. */
function differences(text: string, wanted: JournalIdentity): string[] | undefined {
  const found = parseLine(headerShape, text);
  if (found === undefined) return undefined;
  const named = (['command', 'server', 'account'] as const).flatMap((part) =>
    found[part] === wanted[part] ? [] : [`its ${part} is ${shorten(found[part] ?? 'unknown', maxShown)}, not ${wanted[part] ?? 'unknown'}`],
  );
  if (found.targets !== wanted.targets && found.targets !== null && wanted.targets !== null)
    return [...named, `it has ${found.targets} targets, not ${wanted.targets}`];
  return found.input === wanted.input ? named : [...named, 'its targets or options differ'];
}

/** `unsent`: nothing was sent according to the journal. `unknown`: an intent without an outcome, or of unknown fate. */
export type PastState = 'done' | 'failed' | 'unknown' | 'unsent';

interface PastRun {
  /** How the step for each target ended, by the number of the target, and where in the file that is written. */
  readonly steps: ReadonlyMap<number, {readonly state: PastState; readonly span: Span | undefined}>;
  /** The targets in order, where earlier runs found them by reading, so that they are not given again. */
  readonly names: readonly string[];
  /** Whether the last line was incomplete, after a crash or on a full disk, and was removed. */
  readonly isTorn: boolean;
}

/**
 * Reads what earlier runs recorded, and removes a last line that is incomplete.
 * @param path of the file, for messages
 * @throws Failure `usage` when it is not a journal or belongs to another run, `local` when it is damaged
 */
async function readPastRun(file: FileHandle, path: string, identity: JournalIdentity): Promise<PastRun> {
  const steps = new Map<number, {readonly state: PastState; readonly span: Span | undefined}>();
  const names: string[] = [];
  let [number, end, isTorn] = [0, 0, false];
  for await (const {text, offset, length, isWhole} of linesOf(file)) {
    number += 1;
    if (number === 1) checkHeader(text, isWhole, path, identity);
    isTorn = !isWhole;
    if (isTorn) break;
    end = offset + length + 1;
    if (number === 1) continue;
    const line = parseLine(lineShape, text);
    if (line !== undefined && 'intent' in line && identity.targets === null && line.n === names.length) names.push(line.intent);
    if (line === undefined || line.n >= (identity.targets ?? names.length)) {
      throw new Failure('local', `Line ${number} of the journal ${path} is damaged: nothing was sent`, {
        hint: 'to start over, move it away, after checking which requests it records as sent',
      });
    }
    const state = 'outcome' in line ? line.outcome : 'unknown';
    steps.set(line.n, {state, span: 'outcome' in line && state !== 'unsent' ? {offset, length} : undefined});
  }
  // The first line was written in one step. Where it is not whole, the journal was damaged later, and its run may have sent something.
  if (end === 0)
    throw new Failure('local', `The journal ${path} has lost what it recorded: nothing was sent`, {
      hint: 'to start over, remove it, after checking which requests were carried out',
    });
  if (isTorn) await file.truncate(end);
  return {steps, names, isTorn};
}

function checkHeader(text: string, isWhole: boolean, path: string, identity: JournalIdentity): void {
  const isCut = !isWhole && (headerStart.startsWith(text) || text.startsWith(headerStart));
  if (isCut) return;
  const found = text.startsWith(headerStart) && isWhole ? differences(text, identity) : undefined;
  if (found === undefined)
    throw new Failure('usage', `${path} is not a journal of this version of pixelctl: nothing was sent`, {hint: 'choose another file'});
  if (found.length === 0) return;
  throw new Failure('usage', `The journal ${path} belongs to another run: ${found.join('; ')}: nothing was sent`, {
    hint: 'run the command that started it, or choose another file',
  });
}

export interface JournalOptions {
  readonly redact: (text: string) => string;
  readonly now?: () => Date;
}

export class Journal implements AsyncDisposable {
  readonly #path: string;
  readonly #lines: OwnLines;
  readonly #past: PastRun;
  readonly #redact: (text: string) => string;

  constructor(path: string, [lines, past]: readonly [OwnLines, PastRun], {redact}: JournalOptions) {
    this.#path = path;
    this.#lines = lines;
    this.#past = past;
    this.#redact = redact;
  }

  /**
   * Opens a journal, or begins one. No other process can open it before it is disposed of.
   * @param path a file in a folder that exists
   * @throws Failure `local` when it is in use, damaged or not writable, `usage` when it belongs to another run
   */
  static async open(path: string, identity: JournalIdentity, options: JournalOptions): Promise<Journal> {
    const {command, server, account, input, targets} = identity;
    const begun = (options.now?.() ?? new Date()).toISOString();
    const header = `${JSON.stringify({pixelctl_journal: version, command, server, account, input, targets, begun})}\n`;
    try {
      return new Journal(path, await OwnLines.open(path, (file) => readPastRun(file, path, identity), header), options);
    } catch (error) {
      if (error instanceof LockHeld) throw lockedFailure(`the journal ${path}`, error);
      if (systemCode(error) === 'ENOENT') {
        const folder = dirname(resolve(path));
        throw new Failure('local', `Cannot use the journal ${path}: the folder ${folder} does not exist`, {
          hint: `make it first: \`mkdir -p ${shellWord(folder)}\``,
        });
      }
      throw error instanceof Failure ? error : localFailure(`Cannot use the journal ${path}`, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lines[Symbol.asyncDispose]();
  }

  /** Whether the last line was incomplete, and was removed. */
  get wasTorn(): boolean {
    return this.#past.isTorn;
  }

  /** The targets of earlier runs in order, where targets are found by reading. */
  get names(): readonly string[] {
    return this.#past.names;
  }

  pastState(n: number): PastState {
    return this.#past.steps.get(n)?.state ?? 'unsent';
  }

  /** How a step ended that an earlier run began. @throws Failure `local` */
  async pastEnding(n: number): Promise<StepEnding> {
    const span = this.#past.steps.get(n)?.span;
    const line = span && parseLine(lineShape, await this.#textAt(span));
    if (line === undefined || !('outcome' in line) || line.outcome === 'unsent') return {kind: 'unknown', failure: unknownBefore()};
    if (line.outcome === 'done') return {kind: 'done', status: line.status, text: line.text};
    const {code, message, ...details} = line.error;
    const fate = line.outcome === 'unknown' ? line.outcome : undefined;
    return {kind: line.outcome, failure: new Failure(code, message, {...details, fate})};
  }

  /**
   * Records that something is about to be sent.
   * @param isDurable whether to wait until the record is on disk
   * @throws Failure `local`
   */
  async intend(n: number, target: string, isDurable: boolean): Promise<void> {
    await this.#append({n, intent: this.#redact(target)}, isDurable);
  }

  /** @throws Failure `local` */
  async settle(n: number, ending: StepEnding): Promise<void> {
    await this.#append(this.#lineFor(n, ending), false);
  }

  /** Forces everything to disk. @throws Failure `local` */
  async end(): Promise<void> {
    await this.#lines.end().catch((error: unknown) => this.#fail(error));
  }

  #lineFor(n: number, ending: StepEnding): JournalLine {
    if (ending.kind === 'done') {
      const {status, text} = ending;
      return {n, outcome: 'done', status, text: text !== null && text.length <= maxTextLength ? this.#redact(text) : null};
    }
    if (ending.kind === 'unsent') return {n, outcome: 'unsent'};
    const {code, message, details} = ending.failure;
    const {status, method, path, hint} = details;
    const known = errorShape.shape.code.safeParse(code);
    const hidden = (text: string | undefined) => (text === undefined ? undefined : this.#redact(text));
    const error = {code: known.data ?? 'internal', message: this.#redact(message), status, method, path: hidden(path), hint: hidden(hint)};
    return {n, outcome: ending.kind, error};
  }

  async #append(line: JournalLine, isDurable: boolean): Promise<void> {
    await this.#lines.append(`${JSON.stringify(line)}\n`, isDurable).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): never {
    throw localFailure(`Cannot write to the journal ${this.#path}`, error, 'fix this, then run the same command with the same journal');
  }

  async #textAt({offset, length}: Span): Promise<string> {
    const bytes = Buffer.alloc(length);
    await this.#lines.file.read(bytes, 0, length, offset);
    return bytes.toString('utf8');
  }
}
