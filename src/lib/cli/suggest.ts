/** Commands to suggest to people. */
import type {EndpointUse} from '../api/endpoint.js';
import type {Suggest, SuggestedFlags, SuggestedParts} from '../client/failure.js';
import {shellWord} from '../files/shell-word.js';

/** The commands that records point people to. */
const commands: Readonly<Record<string, string>> = {
  'get admin domain block': 'admin domain-blocks get',
  'get configuration': 'config',
  'get conversation': 'dm get',
  'get filter': 'filters get',
  // It has no command of its own.
  'get instance': 'api GET /api/v1/instance',
  'get thread': 'thread get',
  'hide conversation': 'dm hide',
  'list autospam': 'autospam list',
  'list conversations': 'dm list',
  'list filters': 'filters list',
  'list messages': 'dm messages',
  'list settings': 'admin settings list',
  'read user': 'users get',
};

/** The commands that look for something in a list. */
const searches: Readonly<Record<string, string>> = {
  'list blocks': 'blocks contains',
  'list domain blocks': 'domain-blocks contains',
  'list mutes': 'mutes contains',
};

/** The words of the command of an endpoint; of a record that nobody wrote down here, those of the list of all commands. */
const commandOf = ({endpoint, item}: EndpointUse): string[] =>
  ((item === undefined ? commands : searches)[endpoint] ?? 'commands').split(' ');

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
  const use = (one: EndpointUse): string => {
    const words = commandOf(one);
    // A group alone shows its commands, of whatever account.
    if (one.isGroup === true) return ['pixelctl', ...words.slice(0, -1)].join(' ');
    return suggest(words, {args: [one.of ?? one.item ?? []].flat(), flags: one.query});
  };
  return Object.assign(suggest, {...inUse, use});
}
