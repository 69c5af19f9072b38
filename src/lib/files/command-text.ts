/** Words of a shell, and commands of pixelctl made of them. */

/** A word of characters that mean nothing to a shell, including zsh, needs no quotes. */
const plainWord = /^[\w@%+:,./-][\w@%+=:,./-]*$/;

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export function shellWord(text: string): string {
  return plainWord.test(text) ? text : singleQuoted(text);
}

/** Values by name of flag: `true` is the flag alone, `false` its `--no-` form. An undefined value is left out. */
export type FlagValues = Readonly<Record<string, boolean | number | string | readonly string[] | undefined>>;

/** The words are cached, because very many commands have the flags of an account. */
const known = new WeakMap<FlagValues, readonly string[]>();

/** The words of flags. A value is joined to its flag, so that it may begin with a dash. */
export function flagWords(flags: FlagValues): readonly string[] {
  const words = known.get(flags) ?? wordsOf(flags);
  known.set(flags, words);
  return words;
}

function wordsOf(flags: FlagValues): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`];
    return [value].flat().map((one) => `--${name}=${shellWord(String(one))}`);
  });
}

/**
 * A command of pixelctl on one line, quoted for a POSIX shell. Where it is printed, it gets the flags of the account in use.
 * @param words its name: `filters delete`
 */
export function commandText(
  words: string,
  {args = [], flags = {}}: {readonly args?: readonly string[] | undefined; readonly flags?: FlagValues | undefined} = {},
): string {
  const options = flagWords(flags);
  const given = args.map(shellWord);
  const hasDash = args.some((arg) => arg.startsWith('-') && arg !== '-');
  return ['pixelctl', words, ...(hasDash ? [...options, '--', ...given] : [...given, ...options])].join(' ');
}
