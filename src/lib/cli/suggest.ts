/** Commands to suggest to people. */
import type {Suggest, SuggestedFlags, SuggestedParts} from '../client/failure.js';
import {shellWord} from '../files/shell-word.js';

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
