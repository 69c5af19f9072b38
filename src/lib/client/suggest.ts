/** Commands to suggest to people. */
import {shellWord} from '../files/shell-word.js';

/** Values by name of flag: `true` is the flag alone, `false` its `--no-` form; what is undefined is left out. */
export type SuggestedFlags = Readonly<Record<string, boolean | number | string | readonly string[] | undefined>>;

export interface SuggestedParts {
  readonly args?: readonly string[] | undefined;
  readonly flags?: SuggestedFlags | undefined;
}

/**
 * A pixelctl command on one line for a POSIX shell, which acts on the account in use.
 * @param words the command: `['filters', 'delete']`
 */
export interface Suggest {
  (words: readonly string[], parts?: SuggestedParts): string;
  /** The variable that a new token is to be put in, where signing in would not change the one in use. */
  readonly tokenVariable?: string | undefined;
  /** No profile is in use, and only the environment can define one. */
  readonly needsProfile?: boolean | undefined;
  /** The origin of the server in use. */
  readonly server?: string | undefined;
  /** The name of the profile in use. */
  readonly profile?: string | undefined;
  /** The variables that the server, or the profile, and the token come from. */
  readonly from?: {readonly server?: string | undefined; readonly token?: string | undefined} | undefined;
}

function flagWords(flags: SuggestedFlags): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === 'boolean') return [value ? `--${name}` : `--no-${name}`];
    // With the equals sign a value may begin with a dash.
    return [value].flat().map((one) => `--${name}=${shellWord(String(one))}`);
  });
}

/** @param account the flags that name the account in use, where it is not the default one */
export function suggester(
  account: SuggestedFlags = {},
  inUse: Pick<Suggest, 'from' | 'needsProfile' | 'profile' | 'server' | 'tokenVariable'> = {},
): Suggest {
  const accountWords = flagWords(account);
  const suggest = (words: readonly string[], {args = [], flags}: SuggestedParts = {}): string => {
    const command = ['pixelctl', ...words];
    // The command's own flags come first, and take precedence.
    const options = flags === undefined ? accountWords : flagWords({...flags, ...account, ...flags});
    const given = args.map(shellWord);
    const hasDash = args.some((arg) => arg.startsWith('-'));
    return (hasDash ? [...command, ...options, '--', ...given] : [...command, ...given, ...options]).join(' ');
  };
  return Object.assign(suggest, inUse);
}
