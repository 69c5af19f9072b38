/** Reorders a command line as oclif reads it: the command, its arguments, flags. */
import {Failure} from '../../client/failure.js';
import {leadingFlags, programFlags} from '../flags.js';
import {nearest} from '../../json/nearest.js';

const leading: Readonly<Record<string, {readonly type: string; readonly char?: string | undefined}>> = leadingFlags;

const longProgramFlags = programFlags.flatMap((flag) => (flag.startsWith('--') ? [flag.slice(2)] : []));

const takesValue = (name: string): boolean => leading[name]?.type === 'option';

/** The number of words of a flag with its value; undefined for a flag that is not allowed before the command. */
function lengthOf(word: string): number | undefined {
  const [long, ...value] = word.replace(/^--/, '').split('=');
  if (word.startsWith('--')) {
    if (long === undefined || !Object.hasOwn(leading, long)) return undefined;
    return takesValue(long) && value.length === 0 ? 2 : 1;
  }
  const names = new Map(Object.entries(leading).map(([name, {char}]) => [char, name]));
  // `-vy` are two flags, `-spix.example` is one with its value.
  for (let at = 1; at < word.length; at += 1) {
    const name = names.get(word[at]);
    if (name === undefined) return undefined;
    if (takesValue(name)) return at === word.length - 1 ? 2 : 1;
  }
  return 1;
}

const isFlag = (word: string): boolean => word.length > 1 && word.startsWith('-');

/** The message does not repeat the value, which may be a secret. */
function refuseFlag(word: string): never {
  const name = word.startsWith('--') ? word.replace(/=[^]*$/, '') : word.slice(0, 2);
  const near = nearest(name.replace(/^-+/, ''), [...Object.keys(leading), ...longProgramFlags]);
  const hint =
    near === undefined ? 'put the flags of a command after it, as in `pixelctl dm list --filter requests`' : `did you mean --${near}?`;
  throw new Failure('usage', `Unknown global flag ${name}`, {hint});
}

/** Whether the words are nothing but global flags and their values. */
export function areGlobalFlags(words: readonly string[]): boolean {
  for (let at = 0; at < words.length;) {
    const length = isFlag(words[at] ?? '') ? lengthOf(words[at] ?? '') : undefined;
    if (length === undefined) return false;
    at += length;
  }
  return true;
}

/**
 * `--json blocks list` and `blocks --json list` are `blocks list --json`, `help blocks list` is `blocks list --help`.
 * @throws Failure `usage` for flags without a command, and for a flag before the command that only some commands have
 */
export function commandFirst(argv: readonly string[]): string[] {
  const [words, flags]: [string[], string[]] = [[], []];
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    const length = isFlag(word) && word !== '--' ? lengthOf(word) : 0;
    if (word === '--' || length === undefined) break;
    if (length === 0) words.push(word);
    else flags.push(...argv.slice(at, at + length));
    at += Math.max(1, length);
  }
  const rest = argv.slice(at);
  const [next] = rest;
  if (words[0] === 'help') return words.length === 1 ? ['--help'] : [...words.slice(1), ...flags, ...rest, '--help'];
  if (words.length > 0) return [...words, ...flags, ...rest];
  if (next !== undefined && next !== '--' && !programFlags.includes(next)) refuseFlag(next);
  if (next !== undefined || flags.length === 0) return [...rest, ...flags];
  throw new Failure('usage', 'No command given', {hint: 'see `pixelctl --help`; `pixelctl --version` prints the version'});
}
