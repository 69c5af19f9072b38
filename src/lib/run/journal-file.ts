/** Formats and reads the lines of a journal. Memory holds only the state of each target, and where in the file its outcome is. */
import {createHash} from 'node:crypto';
import type {FileHandle} from 'node:fs/promises';
import * as z from 'zod/mini';
import {Failure, type FailureDetails} from '../client/failure.js';
import {linesOf, type Span} from '../files/lines.js';
import {isJson, shorten} from '../json/text.js';

/** It has to be increased when the format changes. */
const version = 1;

/** The run that a journal was begun for. Another run cannot use it. */
export interface JournalIdentity {
  /** Without the program's name: `dm accept`. */
  readonly command: string;
  /** The origin of the server. */
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
  begun: z.string(),
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

const lineShape = z.union([
  z.object({n: index, intent: z.string()}),
  z.object({n: index, outcome: z.literal('done'), status: z.number(), text: z.nullable(answerText)}),
  z.object({n: index, outcome: z.enum(['failed', 'unknown']), error: errorShape}),
  z.object({n: index, outcome: z.literal('unsent')}),
]);

/** What a line says about one target; `unsent` revokes an intent. */
export type JournalLine = z.infer<typeof lineShape>;
type JournalError = z.infer<typeof errorShape>;

/** Messages show at most this many characters of a value in another run's header. */
const maxShown = 100;

/** The longest answer that is recorded, in bytes. A longer one is recorded without its text. */
export const maxTextLength = 64 * 1024;

/** How every header begins, which distinguishes a journal from any other file. */
export const headerStart = '{"pixelctl_journal":';

export function digestOf(texts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest('hex');
}

export function headerLine(identity: JournalIdentity, now: Date): string {
  const {command, server, account, input, targets} = identity;
  return `${JSON.stringify({pixelctl_journal: version, command, server, account, input, targets, begun: now.toISOString()})}\n`;
}

function parseLine<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** How the identity in a header differs from the wanted one, in words; undefined when the text is not a header. */
export function differences(text: string, wanted: JournalIdentity): string[] | undefined {
  const found = parseLine(headerShape, text);
  if (found === undefined) return undefined;
  const named = (['command', 'server', 'account'] as const).flatMap((part) =>
    found[part] === wanted[part] ? [] : [`its ${part} is ${shorten(found[part] ?? 'unknown', maxShown)}, not ${wanted[part] ?? 'unknown'}`],
  );
  if (found.targets !== wanted.targets && found.targets !== null && wanted.targets !== null)
    return [...named, `it has ${found.targets} targets, not ${wanted.targets}`];
  return found.input === wanted.input ? named : [...named, 'its targets or options differ'];
}

/** @returns undefined when the text is not a line of a journal */
export function parseJournalLine(text: string): JournalLine | undefined {
  return parseLine(lineShape, text);
}

export function formatLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** @param redact removes secrets from a text */
export function errorIn({code, message, details}: Failure, redact: (text: string) => string): JournalError {
  const {status, method, path, hint} = details;
  const known = errorShape.shape.code.safeParse(code);
  return {
    code: known.success ? known.data : 'internal',
    message: redact(message),
    ...(status !== undefined && {status}),
    ...(method !== undefined && {method}),
    ...(path !== undefined && {path: redact(path)}),
    ...(hint !== undefined && {hint: redact(hint)}),
  };
}

export function failureIn({code, message, ...details}: JournalError, more: FailureDetails): Failure {
  return new Failure(code, message, {...details, ...more});
}

/** `unsent`: nothing was sent according to the journal. `unknown`: an intent without an outcome, or of unknown fate. */
export type PastState = 'done' | 'failed' | 'unknown' | 'unsent';

export interface PastRun {
  /** How the step for each target ended, by the number of the target, and where in the file that is written. */
  readonly steps: ReadonlyMap<number, {readonly state: PastState; readonly span: Span | undefined}>;
  /** The targets in order, where earlier runs found them by reading, so that they are not given again. */
  readonly names: readonly string[];
  /** Whether the last line is incomplete, after a crash or on a full disk. */
  readonly isTorn: boolean;
  /** Bytes up to the end of the last complete line; 0 without a header. */
  readonly length: number;
}

/**
 * @param name of the file, for messages
 * @throws Failure `usage` when it is not a journal or belongs to another run, `local` when it is damaged
 */
export async function readPastRun(file: FileHandle, name: string, identity: JournalIdentity): Promise<PastRun> {
  const steps = new Map<number, {readonly state: PastState; readonly span: Span | undefined}>();
  const names: string[] = [];
  let length = 0;
  let number = 0;
  for await (const {text, offset, length: bytes, isWhole} of linesOf(file)) {
    number += 1;
    if (number === 1) checkHeader(text, isWhole, name, identity);
    if (!isWhole) return {steps, names, length, isTorn: true};
    length = offset + bytes + 1;
    if (number === 1) continue;
    const line = parseJournalLine(text);
    if (line !== undefined && 'intent' in line && identity.targets === null && line.n === names.length) names.push(line.intent);
    if (line === undefined || line.n >= (identity.targets ?? names.length)) {
      throw new Failure('local', `Line ${number} of the journal ${name} is damaged: nothing was sent`, {
        hint: 'to start over, move it away, after checking which requests it records as sent',
      });
    }
    const state = 'outcome' in line ? line.outcome : 'unknown';
    steps.set(line.n, {state, span: 'outcome' in line && state !== 'unsent' ? {offset, length: bytes} : undefined});
  }
  return {steps, names, length, isTorn: false};
}

function checkHeader(text: string, isWhole: boolean, name: string, identity: JournalIdentity): void {
  const isCut = !isWhole && (headerStart.startsWith(text) || text.startsWith(headerStart));
  if (isCut) return;
  const found = text.startsWith(headerStart) && isWhole ? differences(text, identity) : undefined;
  if (found === undefined) {
    throw new Failure('usage', `${name} is not a journal of this version of pixelctl: nothing was sent`, {hint: 'choose another file'});
  }
  if (found.length === 0) return;
  throw new Failure('usage', `The journal ${name} belongs to another run: ${found.join('; ')}: nothing was sent`, {
    hint: 'run the command that started it, or choose another file',
  });
}
