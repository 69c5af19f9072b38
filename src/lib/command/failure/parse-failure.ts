/** oclif's complaints about a command line, in our form: its own repeat the arguments, which may be secrets. */
import {Failure} from '../../client/failure.js';

interface ParseError extends Error {
  readonly flags?: unknown;
  readonly args?: unknown;
}

/** What stands before a value: `--token` of `--token=secret`, `-x` of `-xsecret`. */
function nameOnly(flag: string): string {
  return flag.startsWith('--') ? (flag.split('=', 1)[0] ?? flag) : flag.slice(0, 2);
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function argumentNames(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((item) =>
    typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string' ? [item.name] : [],
  );
}

/** A failure of a flag's own parser, without the frame that oclif puts around its words. */
function unframed(failure: Failure): Failure {
  const words = /^Parsing --\S+ \s*([^]*?)\s*(?:See more help with --help)?$/.exec(failure.message)?.[1];
  return words === undefined ? failure : new Failure(failure.code, words, failure.details);
}

/** @param flags the flags that the command has, without dashes */
export async function parseFailure(error: ParseError, command: string, flags: readonly string[]): Promise<Failure | undefined> {
  const help = `see \`pixelctl ${command} --help\``;
  if (error instanceof Failure) return unframed(error);
  switch (error.constructor.name) {
    case 'NonExistentFlagsError': {
      const names = texts(error.flags).map(nameOnly);
      const [first = ''] = names;
      const {nearest} = await import('./nearest.js');
      const near = nearest(first.replace(/^--?/, ''), flags);
      const hint = near === undefined ? help : `did you mean --${near}?`;
      return new Failure('usage', `There is no flag ${names.join(', ')}`, {hint});
    }
    case 'RequiredArgsError':
      return new Failure('usage', `Missing: ${argumentNames(error.args).join(', ')}`, {hint: help});
    case 'UnexpectedArgsError': {
      const count = texts(error.args).length;
      return new Failure('usage', `${count} ${count === 1 ? 'argument' : 'arguments'} too many`, {
        hint: `${help}; quote what contains spaces`,
      });
    }
    case 'FailedFlagValidationError':
    case 'ArgInvalidOptionError':
    case 'FlagInvalidOptionError':
      return new Failure('usage', 'A flag or argument has a value that it cannot have', {hint: help});
    case 'CLIError':
      // "Flag --x expects a value", "Flag --x can only be specified once": these name no value.
      return new Failure('usage', error.message.split('\n', 1)[0] ?? '', {hint: help});
    default:
      return undefined;
  }
}
