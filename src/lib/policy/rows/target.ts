/** Accounts and servers that policies are compared with and applied to, and their names. */
import {commandText, type FlagValues} from '../../files/command-text.js';
import type {Client} from '../../client/client.js';
import type {Measured} from '../../operations/measures.js';
import {handleOf} from '../../operations/handle.js';
import type {Failure} from '../../client/failure.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import type {Actual, Kind} from '../sections/policy-kind.js';
import type {StateFile} from '../state/file.js';

export interface Advice {
  readonly account: FlagValues;
  /** Those that lead to the same lists and the same state. */
  readonly policy: FlagValues;
}

/** A command that takes the policy, with the same lists and the same state. */
export const suggest = (
  {advice, policy}: {readonly advice: Advice; readonly policy: string},
  command: 'apply' | 'plan',
  more?: FlagValues,
): string => commandText(command, {args: [policy], flags: {...advice.policy, ...more, ...advice.account}});

export interface Known {
  readonly server: URL;
  /** As `@ana`; undefined: the server does not say. */
  readonly account: string | undefined;
  /** Whether only items of the account, or only those of the server, are meant; undefined: both. */
  readonly owner?: Kind['owner'] | undefined;
  /** `ana@pix.example`, or the host of a server, in output about several accounts; undefined: there is one account. */
  readonly label?: string | undefined;
  readonly advice: Advice;
  readonly now: () => Date;
}

export interface Target extends Known {
  readonly client: Client;
  /** Reads the items of a kind; only tests give it. @throws Failure when they cannot be read */
  readonly read?: ((kind: Kind) => Promise<Actual>) | undefined;
  readonly own?: {readonly id: string; readonly acct: string} | undefined;
  readonly state: string | undefined;
  /** Tells people, but not programs. */
  readonly warn: (text: string) => void;
  /** Closes a state when the command has ended. */
  readonly use: (file: StateFile) => StateFile;
  /** Counts followed and following accounts by domain. `isAgain` reads them anew. @throws Failure */
  readonly readFollowedAccounts: (isAgain?: boolean) => Promise<ReadonlyMap<string, number>>;
  /** How often people of the server follow accounts on each domain; undefined: the server does not say. */
  readonly measures?: ((domains: readonly string[]) => Promise<Measured | undefined>) | undefined;
}

/** What to call several accounts: `['account', 'accounts']`; undefined: there is one. */
export type Noun = readonly [one: string, several: string] | undefined;

/** What came of work on each account, in their order. */
interface Gathered<Value> {
  readonly all: readonly ({readonly value: Value} | {readonly target: Known; readonly failure: Failure})[];
  /** The failure that the command ends with; undefined: no account failed. */
  readonly failure: Failure | undefined;
  readonly noun: Noun;
  /** For commands on all of these accounts. */
  readonly advice: Advice;
}

export interface Accounts {
  /**
   * Reads all that policies are for, side by side.
   * @param needsName whether an account that its server does not name is a failure
   * @throws Failure of a single account; `usage` when a policy is not for one of them
   */
  gather<Value>(
    policies: readonly PolicyWithLists[],
    work: (target: Target) => Promise<Value>,
    needsName?: boolean,
  ): Promise<Gathered<Value>>;
}

/** Which policy was compared with which account of which server, as documents say it. */
export interface About {
  readonly server: string;
  readonly account: string;
  readonly policy: string;
}

/** What shows a comparison: rows name accounts and commands by it. */
export interface Shown {
  /** The server of accounts that are shown without one: `@ana`. */
  readonly host: string;
  readonly advice: Advice;
  readonly policy: string;
  readonly showsPrivate?: boolean | undefined;
}

export const unknownAccount = 'unknown';

/** `ana@pix.example`, or the host of a whole server, or of an account whose name is not known. */
export function fullName({account, server}: Pick<About, 'account' | 'server'>): string {
  const {host} = new URL(server);
  return account.startsWith('@') ? handleOf(account, host) : host;
}
