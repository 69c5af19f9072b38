/** Accounts and servers that policies are compared with and applied to, and their names. */
import {commandText, type FlagValues} from '../../files/command-text.js';
import type {Client} from '../../client/client.js';
import type {Measured} from '../../operations/measures.js';
import {handleOf} from '../../operations/handle.js';
import type {Actual, Fetched, Followed, Kind} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';

/** Suggests commands on the account that a policy is compared with. */
export interface Advice {
  /** The flags that name the account in suggested commands. */
  readonly account: FlagValues;
  /** A command that takes the policy, with the flags that lead to the same lists and the same state. */
  readonly onPolicy: (command: 'apply' | 'plan', file: string, more?: FlagValues) => string;
  /** The command that hands an item of the policy over to people. */
  readonly forget: (subject: string, file: string) => string;
}

/** What a policy from standard input is called in commands that are suggested: no later command can read it there. */
const savedName = 'policy.yml';

/** @param flags of the commands that take a policy */
export function adviceOf(account: FlagValues = {}, flags: FlagValues = {}): Advice {
  return {
    account,
    forget: (subject, policy) => commandText('state forget', {args: [policy, subject], flags: {state: flags['state'], ...account}}),
    onPolicy(command, file, more) {
      const isSaved = file !== '-';
      const words = commandText(command, {args: [isSaved ? file : savedName], flags: {...flags, ...more, ...account}});
      return isSaved ? words : `${words} # save the policy as ${savedName} first`;
    },
  };
}

export interface Target {
  readonly client: Client;
  /** Reads the items of a kind. @throws Failure when they cannot be read */
  readonly read: (kind: Kind) => Promise<Actual>;
  readonly server: URL;
  /** As `@ana`; undefined: the server does not say. */
  readonly account: string | undefined;
  /** Whether only items of the account, or only those of the server, are meant; undefined: both. */
  readonly owner?: Kind['owner'] | undefined;
  readonly own?: {readonly id: string; readonly acct: string} | undefined;
  /** `ana@pix.example`, or the host of a server, in output about several accounts; undefined: there is one account. */
  readonly label?: string | undefined;
  readonly advice: Advice;
  readonly now: () => Date;
  /** The value of `--state`. */
  readonly state: string | undefined;
  /** Tells people, but not programs. */
  readonly warn: (text: string) => void;
  /** Closes a state when the command has ended. */
  readonly use: (file: StateFile) => StateFile;
  /** Counts followed and following accounts by server. `isAgain` reads them anew. */
  readonly readFollowedAccounts?: ((isAgain?: boolean) => Promise<Fetched<Followed>>) | undefined;
  /** How often people of the server follow accounts on each domain; undefined: the server does not say. */
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

export const readerOf =
  ({client, server, own, now}: Pick<Target, 'client' | 'now' | 'own' | 'server'>): Target['read'] =>
  (kind) =>
    kind.read(client, {host: server.host, own, now: now()});

/** Which policy was compared with which account of which server, as documents say it. */
export interface About {
  readonly server: string;
  readonly account: string;
  readonly policy: string;
}

export const unknownAccount = 'unknown';

export const aboutOf = ({account, owner, server}: Pick<Target, 'account' | 'owner' | 'server'>, policy: string): About => ({
  server: server.origin,
  account: owner === 'server' ? server.host : (account ?? unknownAccount),
  policy,
});

type Named = Pick<About, 'account' | 'server'>;

/** Whether a whole server is meant, which is named by its host. */
export const isNamedByHost = ({account, server}: Named): boolean => account === new URL(server).host;

/** `@ana on pix.example`, or `pix.example` for a whole server. */
export function whoseText(named: Named): string {
  const {host} = new URL(named.server);
  return isNamedByHost(named) ? host : `${named.account} on ${host}`;
}

/** `ana@pix.example`, or `pix.example` for a whole server, or an account whose name is not known. */
export function fullName(named: Named): string {
  const {host} = new URL(named.server);
  return isNamedByHost(named) || named.account === unknownAccount ? host : handleOf(named.account, host);
}
