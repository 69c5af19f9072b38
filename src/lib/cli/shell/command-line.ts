/** Reorders a command line as oclif reads it: the command, its arguments, flags. */
import {Failure} from '../../client/failure.js';
import {leadingFlags, programFlags} from '../flags.js';

const leading = Object.entries<{readonly type: string; readonly char?: string | undefined}>(leadingFlags);

/** The number of words of a flag with its value: `--server x` and `-vs x` are two; undefined for a flag that is not allowed before the command. */
function lengthOf(word: string): number | undefined {
  const [long = '', ...value] = word.replace(/^--/, '').split('=');
  if (word.startsWith('--')) {
    const [, flag] = leading.find(([name]) => name === long) ?? [];
    return flag && (flag.type === 'option' && value.length === 0 ? 2 : 1);
  }
  for (const [index, letter] of [...word].entries()) {
    if (index === 0) continue;
    const [, flag] = leading.find(([, {char}]) => char === letter) ?? [];
    if (flag === undefined) return undefined;
    if (flag.type === 'option') return index === word.length - 1 ? 2 : 1;
  }
  return 1;
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
    const isFlag = word.length > 1 && word.startsWith('-');
    const length = isFlag ? lengthOf(word) : 1;
    if (word === '--' || length === undefined) break;
    (isFlag ? flags : words).push(...argv.slice(at, at + length));
    at += length;
  }
  const rest = argv.slice(at);
  const [next = ''] = rest;
  if (words[0] === 'help') return words.length === 1 ? ['--help'] : [...words.slice(1), ...flags, ...rest, '--help'];
  if (words.length > 0) return [...words, ...flags, ...rest];
  if (programFlags.includes(next) || argv.length === 0) return [...rest, ...flags];
  // The message does not repeat the value, which may be a secret.
  const name = next.startsWith('--') ? next.replace(/=[^]*$/, '') : next.slice(0, 2);
  throw new Failure('usage', rest.length === 0 ? 'No command given' : `Unknown global flag ${name}`, {
    hint: 'put the flags of a command after it, as in `pixelctl dm list --filter requests`; see `pixelctl --help`',
  });
}
