/** The lines of a batch: one operation each, as JSON. */
import {Failure} from '../../client/failure.js';
import {parseExact, sourceText} from '../../json/exact.js';
import {fieldTexts} from '../../json/slices.js';

export interface BatchLine {
  /** Counted from 1. */
  readonly number: number;
  /** As oclif has it: `filters:delete`. */
  readonly command: string;
  readonly argv: readonly string[];
  /** The line's own `id` as JSON, digit for digit; absent when it has none. */
  readonly id: string | undefined;
}

type Members = Readonly<Record<string, unknown>>;

const known = ['command', 'args', 'flags', 'id'];

/** Flags that concern the whole batch, or would read what the batch reads. */
const ofTheBatch = /^(all|max|resume-from|follow|interval|since-file|from|skip-invalid|concurrency|rate|fail-fast|max-failures|journal|resend-unknown|dry-run)$/;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && sourceText(value) === undefined;
}

function wordOf(value: unknown, where: string): string {
  const word = typeof value === 'string' ? value : sourceText(value);
  if (word !== undefined) return word;
  throw new Failure('usage', `${where} has to be a text or a number`);
}

function flagWords(name: string, value: unknown): string[] {
  if (!/^[a-z][a-z-]*$/.test(name)) throw new Failure('usage', 'flags have names such as "media-id"');
  if (ofTheBatch.test(name)) throw new Failure('usage', `the flag "${name}" is for the batch, not for one of its lines`);
  if (value === true) return [`--${name}`];
  if (value === false) return [`--no-${name}`];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => `--${name}=${wordOf(item, `the flag "${name}"`)}`);
}

function argumentWords(args: unknown): string[] {
  if (args === undefined) return [];
  if (!Array.isArray(args)) throw new Failure('usage', '"args" has to be a list');
  const words = args.map((value: unknown) => wordOf(value, 'each of "args"'));
  if (words.includes('-')) throw new Failure('usage', 'standard input is the batch itself: "-" cannot stand for it');
  return words.length === 0 ? [] : ['--', ...words];
}

/** @throws Failure `usage` for a line that is no operation */
export function parseBatchLine(text: string, number: number): BatchLine {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    throw new Failure('usage', 'it is not valid JSON');
  }
  if (!isMembers(value)) throw new Failure('usage', 'it has to be a JSON object');
  const stranger = Object.keys(value).find((name) => !known.includes(name));
  if (stranger !== undefined) throw new Failure('usage', `it has a member "${stranger}"; known are ${known.join(', ')}`);
  const {command, args, flags = {}} = value;
  if (typeof command !== 'string' || command.trim() === '') throw new Failure('usage', 'it names no "command"');
  if (!isMembers(flags)) throw new Failure('usage', '"flags" has to be an object');
  const words = Object.entries(flags).flatMap(([name, given]) => flagWords(name, given));
  return {
    number,
    command: command.trim().split(/[ :]+/).join(':'),
    argv: [...words, ...argumentWords(args)],
    id: fieldTexts(text).get('id'),
  };
}
