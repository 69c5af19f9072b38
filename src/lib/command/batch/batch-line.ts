/** The lines of a batch: one operation each, as JSON. */
import type {Interfaces} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import {parseExact, sourceText} from '../../json/exact.js';
import {fieldTexts} from '../../json/slices.js';
import {globalFlags, pagingFlags, targetFlags, writeFlags} from '../global-flags.js';

type Members = Readonly<Record<string, unknown>>;

export interface BatchLine {
  /** Counted from 1. */
  readonly number: number;
  /** As oclif has it: `filters:delete`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly flags: Members;
  /** The line's own `id` as JSON, digit for digit; absent when it has none. */
  readonly id: string | undefined;
}

const known = ['command', 'args', 'flags', 'id'];

/** Flags that concern the whole batch, or would read what the batch reads: one that is not heeded must not be given. */
const ofTheBatch = new Set([
  ...Object.keys({...globalFlags, ...pagingFlags, ...targetFlags, 'dry-run': writeFlags['dry-run']}),
  'follow',
  'interval',
  'since-file',
  'help',
]);

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && sourceText(value) === undefined;
}

function wordOf(value: unknown, where: string): string {
  const word = typeof value === 'string' ? value : sourceText(value);
  if (word !== undefined) return word;
  throw new Failure('usage', `${where} has to be a text or a number`);
}

function argumentsIn(args: unknown): string[] {
  if (args === undefined) return [];
  if (!Array.isArray(args)) throw new Failure('usage', '"args" has to be a list');
  const words = args.map((value: unknown) => wordOf(value, 'each of "args"'));
  if (words.includes('-')) throw new Failure('usage', 'standard input is the batch itself: "-" cannot stand for it');
  return words;
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
  return {
    number,
    command: command.trim().split(/[ :]+/).join(':'),
    args: argumentsIn(args),
    flags,
    id: fieldTexts(text).get('id'),
  };
}

function flagWords(name: string, value: unknown, flag: Interfaces.FlagInput[string] | undefined): string[] {
  if (!/^[a-z][a-z-]+$/.test(name)) throw new Failure('usage', 'flags have names such as "media-id"');
  if (ofTheBatch.has(name)) throw new Failure('usage', `the flag "${name}" is for the batch, not for one of its lines`);
  if (flag?.type === 'boolean' && typeof value === 'boolean') {
    const negation = flag.allowNo === true ? [`--no-${name}`] : [];
    return value ? [`--${name}`] : negation;
  }
  if (name === 'input' && value === '-') throw new Failure('usage', 'standard input is the batch itself: "input" cannot read it');
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => `--${name}=${wordOf(item, `the flag "${name}"`)}`);
}

/**
 * A line as it would be typed after the command's name.
 * @param known the flags that the command has
 * @throws Failure `usage` for a flag that a line cannot have
 */
export function wordsOf({args, flags}: BatchLine, known: Interfaces.FlagInput): string[] {
  const words = Object.entries(flags).flatMap(([name, value]) => flagWords(name, value, known[name]));
  return args.length === 0 ? words : [...words, '--', ...args];
}
