/** The lines of a journal: what is written, and what is read back. */
import {createHash} from 'node:crypto';
import * as z from 'zod/mini';
import {Failure, type FailureDetails} from '../client/failure.js';

/** Raised when what stands in a journal changes its meaning. */
const version = 1;

/** What a journal was begun for; it is of use for the same only. */
export interface JournalIdentity {
  /** Without `pixelctl`: `dm accept`. */
  readonly command: string;
  /** Origin. */
  readonly server: string;
  /** Whose token, as far as it is known: the name of a profile. */
  readonly account: string | null;
  /** Digest of everything else that decides what is sent, the targets among them: see {@link digestOf}. */
  readonly input: string;
  /** How many targets. */
  readonly targets: number;
}

const headerShape = z.object({
  pixelctl_journal: z.literal(version),
  command: z.string(),
  server: z.string(),
  account: z.nullable(z.string()),
  input: z.string(),
  targets: z.number(),
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

const lineShape = z.union([
  z.object({n: index, intent: z.string()}),
  z.object({n: index, outcome: z.literal('done'), status: z.number(), text: z.nullable(z.string())}),
  z.object({n: index, outcome: z.enum(['failed', 'unknown']), error: errorShape}),
  z.object({n: index, outcome: z.literal('unsent')}),
]);

/** What a line says of one target; `unsent` takes an intent back. */
export type JournalLine = z.infer<typeof lineShape>;
type JournalError = z.infer<typeof errorShape>;

/** Bytes of one answer that are kept; of a longer one only that it came. */
export const longestText = 64 * 1024;

/** How every header begins: by this a journal is told from any other file. */
export const headerStart = '{"pixelctl_journal":';

/** A digest of texts, in this order and so divided. */
export function digestOf(texts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest('hex');
}

export function headerLine(identity: JournalIdentity, now: Date): string {
  const {command, server, account, input, targets} = identity;
  return `${JSON.stringify({pixelctl_journal: version, command, server, account, input, targets, begun: now.toISOString()})}\n`;
}

function parsed<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** What differs between the identity in a header and the wanted one, in words; undefined when the text is no header. */
export function differences(text: string, wanted: JournalIdentity): string[] | undefined {
  const found = parsed(headerShape, text);
  if (found === undefined) return undefined;
  const named = (['command', 'server', 'account'] as const).flatMap((part) =>
    found[part] === wanted[part] ? [] : [`its ${part} is ${found[part] ?? 'not named'}, not ${wanted[part] ?? 'unnamed'}`],
  );
  if (found.targets !== wanted.targets) return [...named, `it has ${found.targets} targets, not ${wanted.targets}`];
  return found.input === wanted.input ? named : [...named, 'its targets or options are others'];
}

/** Undefined when the text is no line of a journal. */
export function parseLine(text: string): JournalLine | undefined {
  return parsed(lineShape, text);
}

export function formatLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** @param redact takes secrets out of a text */
export function errorIn({code, message, details}: Failure, redact: (text: string) => string): JournalError {
  const {status, method, path, hint} = details;
  // A hint that suggests a command is made anew, for whoever goes on with the journal.
  const words = typeof hint === 'function' ? undefined : hint;
  const known = errorShape.shape.code.safeParse(code);
  return {
    code: known.success ? known.data : 'internal',
    message: redact(message),
    ...(status !== undefined && {status}),
    ...(method !== undefined && {method}),
    ...(path !== undefined && {path: redact(path)}),
    ...(words !== undefined && {hint: redact(words)}),
  };
}

export function failureIn({code, message, ...details}: JournalError, more: FailureDetails): Failure {
  return new Failure(code, message, {...details, ...more});
}
