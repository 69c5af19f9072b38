/** Adds the flags of the account in use to the commands that messages suggest. */
import {type FlagValues, flagWords} from '../files/command-text.js';

/** The account that a run acts on, as commands and hints name it. */
export interface AccountInUse {
  /** The flags that select the account in another command; none for the default account. */
  readonly flags: FlagValues;
  /** The variable to put a new token in, if signing in would not replace the token in use. */
  readonly tokenVariable?: string | undefined;
  /** Whether no profile is in use, and only the environment can define one. */
  readonly needsProfile?: boolean | undefined;
  /** The origin of the server in use. */
  readonly server?: string | undefined;
  readonly profile?: string | undefined;
  /** The flags of a sign-in that makes the profile in use anew. */
  readonly signIn?: FlagValues | undefined;
  /** The environment variables that the server (or the profile) and the token come from. */
  readonly from?: {readonly server?: string | undefined; readonly token?: string | undefined} | undefined;
  /** The command that lists objects of a kind, `filters list` for `filter`; undefined if no command does, or several do. */
  readonly listOf?: ((kind: string) => string | undefined) | undefined;
}

export const defaultAccount: AccountInUse = {flags: {}};

/** `--server` for a suggested sign-in, because the active profile may be of another server; empty if PIXELCTL_SERVER names it. */
export function serverFlag({server, from}: AccountInUse): FlagValues {
  return server === undefined || from?.server === 'PIXELCTL_SERVER' ? {} : {server};
}

/** Words as `shellWord` writes them: quoted parts may have spaces and backticks. */
const shellWords = /(?:'[^']*'|\\.|[^\s'\\`])+/g;

/** Suggested commands stand in backticks, or after a colon at the end of a text. */
const commands = /(?<=`)pixelctl(?: (?:'[^']*'|\\.|[^\s'\\`])+)*(?=`)|(?<=: )pixelctl(?: (?:'[^']*'|\\.|[^\s'\\`])+)*$/g;

const withoutAccount = /^pixelctl(?: help| sandbox| completion| commands| auth switch|$| .*--help$)/;

/** The flags of a suggested sign-in, which is to one profile. An admin signs in with a profile of its own, unless that is the one in use. */
function signInFlags(own: ReadonlySet<string>, {flags, signIn = {}}: AccountInUse): FlagValues {
  const {profile: named, 'all-profiles': _, ...common} = flags;
  const profile = typeof named === 'string' ? named : undefined;
  const isOther = own.has('admin') && signIn['admin'] !== true;
  return isOther ? common : {profile, ...signIn, ...common};
}

/** Adds the flags of the account to a command; the flags that it has stay as they are. */
export function completeCommand(command: string, account: AccountInUse): string {
  if (withoutAccount.test(command)) return command;
  const words: readonly string[] = command.match(shellWords) ?? [];
  const own = new Set(words.flatMap((one) => /^--(?:no-)?([a-z-]+)/.exec(one)?.[1] ?? []));
  // Either of the two flags names the accounts.
  if (own.has('profile') || own.has('all-profiles')) own.add('profile').add('all-profiles');
  const isSignIn = command.startsWith('pixelctl auth login');
  // A sign-in needs an address, and takes none from profiles.
  const hasAddress = isSignIn && !/^(?:-|<|$)/.test(words[3] ?? '');
  const ofSignIn = isSignIn ? {...signInFlags(own, account), ...(!hasAddress && serverFlag(account))} : undefined;
  const wanted = ofSignIn ?? account.flags;
  const missing = flagWords(Object.fromEntries(Object.entries(wanted).filter(([name]) => !own.has(name))));
  // Flags go before `--`, a file for standard input, and a comment.
  const end = words.findIndex((one) => ['--', '<', '#'].includes(one));
  return words.toSpliced(end === -1 ? words.length : end, 0, ...missing).join(' ');
}

/** Adds the flags of the account to each command that a text suggests. */
export function completeCommands(text: string, account: AccountInUse): string {
  return text.replace(commands, (command) => completeCommand(command, account));
}
