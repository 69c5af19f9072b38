/** How suggested commands get the flags of the account in use. */
import {type FlagValues, flagWords} from '../files/command-text.js';

/** The account that a run acts on, as commands and hints name it. */
export interface AccountInUse {
  /** The flags that lead to it from any shell; none for the default one. */
  readonly flags: FlagValues;
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
  /** The command that lists objects of a kind, `filters list` of `filter`; undefined where none does, or several do. */
  readonly listOf?: ((kind: string) => string | undefined) | undefined;
}

export const defaultAccount: AccountInUse = {flags: {}};

/** The server in use, for a command that signs in to it: that is not always the one of the active profile. */
export function serverFlag({server, from}: AccountInUse): FlagValues {
  return server === undefined || from?.server === 'PIXELCTL_SERVER' ? {} : {server};
}

/** Words as `shellWord` writes them: quoted parts may have spaces and backticks. */
const shellWords = /(?:'[^']*'|\\.|[^\s'\\`])+/g;

/** In backticks, or at the end of a text behind a colon. */
const commands = /(?<=`)pixelctl(?: (?:'[^']*'|\\.|[^\s'\\`])+)*(?=`)|(?<=: )pixelctl(?: (?:'[^']*'|\\.|[^\s'\\`])+)*$/g;

const withoutAccount = /^pixelctl(?: help| sandbox| completion| commands| auth switch|$| .*--help$)/;

/** The command with the flags of the account; its own flags stay as they are. */
export function completeCommand(command: string, {flags, from, server}: AccountInUse): string {
  if (withoutAccount.test(command)) return command;
  const words: readonly string[] = command.match(shellWords) ?? [];
  const own = new Set(words.flatMap((one) => /^--(?:no-)?([a-z-]+)/.exec(one)?.[1] ?? []));
  // One names the account as well as the other.
  if (own.has('profile') || own.has('all-profiles')) own.add('profile').add('all-profiles');
  const isSignIn = command.startsWith('pixelctl auth login');
  if (isSignIn) own.add('profile');
  // A sign-in does not read PIXELCTL_PROFILE.
  const wanted = isSignIn && from?.server === 'PIXELCTL_PROFILE' ? {...flags, server} : flags;
  const missing = flagWords(Object.fromEntries(Object.entries(wanted).filter(([name]) => !own.has(name))));
  // Arguments after dashes, or a comment.
  const end = words.findIndex((one) => one === '--' || one === '#');
  return words.toSpliced(end === -1 ? words.length : end, 0, ...missing).join(' ');
}

/** The text with the flags of the account in each command that it suggests. */
export function completeCommands(text: string, account: AccountInUse): string {
  return text.replace(commands, (command) => completeCommand(command, account));
}
