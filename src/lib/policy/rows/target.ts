/** Accounts and servers that policies are compared with and applied to, and how they are called. */
import {commandText, type FlagValues} from '../../files/command-text.js';
import type {Client} from '../../client/client.js';
import type {Measured} from '../../operations/measures.js';
import {handleOf} from '../../operations/handle.js';
import type {Actual, Fetched, Followed, Kind} from '../sections/policy-kind.js';
import {nameOfServer, type StateName} from '../state/state-places.js';

/** Commands that are suggested on the account that a policy is compared with. */
export interface Advice {
  /** The flags that name the account in what reports print. */
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

/** An account that a policy is compared with or applied to, or a server. */
export interface Target {
  readonly client: Client;
  /** What it has of a kind. @throws Failure */
  readonly read: (kind: Kind) => Promise<Actual>;
  readonly server: URL;
  /** As `@ana`; undefined where the server does not say. */
  readonly account: string | undefined;
  /** Set where it is about either what is the account's own, or what the accounts of the server share; undefined: about both. */
  readonly owner?: Kind['owner'] | undefined;
  readonly own?: {readonly id: string; readonly acct: string} | undefined;
  readonly advice: Advice;
  readonly now: () => Date;
  /** The servers of those that it follows or that follow it. */
  readonly readFollowedAccounts?: ((isAgain?: boolean) => Promise<Fetched<Followed>>) | undefined;
  /** How many follows people of the server have to each domain, where it tells. */
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

/** Reads what an account or a server has of a kind. */
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

/** Whose states it has: undefined for an account that is not known. */
export function stateNameOf({account, server: {host}}: Pick<Target, 'account' | 'server'>, owner: Kind['owner']): StateName | undefined {
  return owner === 'server' ? nameOfServer(host) : account && handleOf(account, host);
}

type Named = Pick<About, 'account' | 'server'>;

/** Whether it is about what the accounts of a server share: that is called by the server's host. */
export const isNamedByHost = ({account, server}: Named): boolean => account === new URL(server).host;

/** `@ana on pix.example`, or `pix.example` for what its accounts share. */
export function whoseText(named: Named): string {
  const {host} = new URL(named.server);
  return isNamedByHost(named) ? host : `${named.account} on ${host}`;
}

/** `ana@pix.example`, or `pix.example` for what its accounts share, or where nobody knows the name. */
export function fullName(named: Named): string {
  const {host} = new URL(named.server);
  return isNamedByHost(named) || named.account === unknownAccount ? host : handleOf(named.account, host);
}
