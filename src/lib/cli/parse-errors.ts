/** Turns oclif's parse errors into failures. Their own messages repeat the arguments, which may be secrets. */
import {Failure} from '../client/failure.js';
import {membersOf} from '../api/schema.js';
import {at, textAt} from '../json/path.js';

interface ParseError extends Error {
  readonly flags?: unknown;
  readonly args?: unknown;
  readonly parse?: unknown;
}

/** A flag without its value: `--token` of `--token=secret`, `-x` of `-xsecret`. */
function nameOnly(flag: string): string {
  return flag.startsWith('--') ? flag.replace(/=[^]*$/, '') : flag.slice(0, 2);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function argumentNames(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((item) => textAt(item, ['name']) ?? []);
}

/** A failure of a flag's parser, without the text that oclif adds around its message. */
function removeFrame(failure: Failure): Failure {
  const framed = /^Parsing --\S+ ([^]*)$/.exec(failure.message)?.[1]?.trim();
  if (framed === undefined) return failure;
  return new Failure(failure.code, framed.replace(/See more help with --help$/, '').trimEnd(), failure.details);
}

function missingFlags({parse}: ParseError): string[] {
  const given = at(parse, ['output', 'flags']).value;
  return Object.entries(membersOf(at(parse, ['input', 'flags']).value)).flatMap(([name, flag]) =>
    at(flag, ['required']).value === true && !at(given, [name]).present ? [`--${name}`] : [],
  );
}

/** Takes the allowed values from oclif's `Expected --as=x to be one of: a, b`, without the given one, which may be secret. */
function allowedValues({message}: ParseError, args: Parsed['args']): string {
  const name = /^Expected (--[\w-]+)=/.exec(message)?.[1] ?? Object.keys(args).find((one) => args[one]?.options !== undefined);
  const mark = ' to be one of: ';
  const at = message.lastIndexOf(mark);
  const [known = ''] = at === -1 ? [] : message.slice(at + mark.length).split('\n', 1);
  return `${name} takes one of ${known}`;
}

/** A hint for people who give `--json` a value, because gh takes fields there. */
export const jsonHint = 'to choose fields, use --fields; to filter, --jq';

interface Parsed {
  /** The name with spaces: `dm list`. */
  readonly command: string;
  readonly flags: readonly string[];
  readonly words: readonly string[];
  readonly args: Readonly<Record<string, {readonly description?: string | undefined; readonly options?: readonly string[] | undefined}>>;
  readonly pipeHint: (argument: string) => string | undefined;
}

/** Turns an error of oclif's parser into a failure; undefined for any other error. */
export async function parseFailure(error: ParseError, {command, flags, words, args, pipeHint}: Parsed): Promise<Failure | undefined> {
  const help = `see \`pixelctl ${command} --help\``;
  const insteadOfFlag = async (name: string) => (await import('./guesses.js')).insteadOfFlag(name, command, flags, Object.keys(args));
  if (error instanceof Failure) return removeFrame(error);
  switch (error.constructor.name) {
    case 'NonExistentFlagsError': {
      const names = texts(error.flags).map(nameOnly);
      const [first = ''] = names;
      const dash = Object.keys(args).length > 0 ? '; put -- before an argument that begins with a dash' : '';
      const hint = (await insteadOfFlag(first.replace(/^--?/, ''))) ?? help + dash;
      return new Failure('usage', `Unknown flag ${names.join(', ')}`, {hint});
    }
    case 'RequiredArgsError': {
      const names = argumentNames(error.args);
      const readable = names.find((name) => args[name]?.description?.includes('(-: standard input'));
      return new Failure('usage', `Missing: ${names.join(', ')}`, {hint: (readable && pipeHint(readable)) ?? help});
    }
    case 'UnexpectedArgsError': {
      const unexpected = texts(error.args);
      const advice = Object.keys(args).length > 0 ? `${help}; quote what contains spaces` : `it takes no arguments: ${help}`;
      const {insteadOf} = await import('./guesses.js');
      // A long flag with one dash, as Terraform has it: `-out`.
      const dashed = words.find((word) => /^-[a-z]{2}/.test(word));
      const known = dashed === undefined ? insteadOf([command, ...unexpected])?.advice : await insteadOfFlag(dashed.slice(1));
      const isOfJson = words.some((word, index) => word === '--json' && unexpected.includes(words[index + 1] ?? ''));
      return new Failure('usage', `Too many arguments (${unexpected.length} unexpected)`, {
        hint: isOfJson ? jsonHint : (known ?? advice),
      });
    }
    case 'FailedFlagValidationError':
      // No flag depends on others, or excludes them, so a required one is missing.
      return new Failure('usage', `Missing: ${missingFlags(error).join(', ')}`, {hint: help});
    case 'ArgInvalidOptionError':
    case 'FlagInvalidOptionError':
      return new Failure('usage', allowedValues(error, args), {hint: help});
    case 'CLIError':
      // Such as "Flag --x expects a value". These messages contain no values.
      return new Failure('usage', error.message.split('\n', 1)[0] ?? '', {hint: help});
    default:
      return undefined;
  }
}
