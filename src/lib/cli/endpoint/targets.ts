/** Collects and checks the targets of a command that takes many. */
import type {Endpoint} from '../../api/endpoint.js';
import {Failure} from '../../client/failure.js';
import {accountOf, fallbackName, type Connection} from '../connection.js';
import type {Io} from '../io.js';
import {handleOf} from '../../operations/handle.js';
import type {WantedKind} from './piped-item.js';
import {Origin} from './target-origin.js';

export interface CommandTarget {
  /** Undefined where the command takes none, or gets it by `--input`. */
  readonly value: string | undefined;
  /** `Line 3 of standard input`; undefined for an argument. */
  readonly location: string | undefined;
}

export interface Targets {
  readonly targets: readonly CommandTarget[];
  readonly origin: Origin;
  /** Whether exactly one was given, as an argument: then the answer is printed, not a result. */
  readonly isSingle: boolean;
}

interface TargetSources {
  readonly wanted: WantedKind;
  /** The value of `--from`. */
  readonly from?: string | undefined;
  readonly io: Io;
  /** Collects what the lists say, together with other lists of the same command. */
  readonly origin?: Origin;
}

/**
 * Targets from arguments, with `-` read from standard input, and from `--from`; duplicates are sent once.
 * @throws Failure `local` when a file cannot be read, `usage` for a file that is no text
 */
export async function collectTargets(given: readonly string[], {wanted, from, io, origin = new Origin()}: TargetSources): Promise<Targets> {
  const targets = new Map<string, CommandTarget>();
  if (wanted.column !== undefined && from === undefined && !given.includes('-')) {
    throw new Failure('usage', '--column is for lists of targets', {hint: 'pass - to read one from standard input'});
  }
  const addList = async (file: string) => {
    const text = await io.read(file, `the targets in ${file}`);
    const {parseTargets} = await import('./target-list.js');
    const listed = parseTargets(text, wanted, file === '-' ? 'standard input' : file, origin);
    for (const target of listed) if (!targets.has(target.value)) targets.set(target.value, target);
  };
  for (const value of given) {
    if (value === '-') await addList('-');
    else if (!targets.has(value)) targets.set(value, {value, location: undefined});
  }
  if (from !== undefined) await addList(from);
  return {
    targets: [...targets.values()],
    origin,
    isSingle: from === undefined && given.length === 1 && given[0] !== '-',
  };
}

interface Checking<Prepared> {
  /** Converts a target to the form that is sent. @throws Failure `usage` for an invalid one */
  readonly prepare: (target: CommandTarget) => Prepared;
  /** Targets with the same key are sent once. */
  readonly keyOf: (prepared: Prepared) => string;
  readonly skipInvalid: boolean;
  readonly warn: (text: string) => void;
}

/**
 * Prepares the targets, each once.
 * @throws Failure `usage` with every mistake, unless invalid targets are left out
 */
export function prepareTargets<Prepared>(
  {targets, origin: {mistakes}}: Pick<Targets, 'origin' | 'targets'>,
  {prepare, keyOf, skipInvalid, warn}: Checking<Prepared>,
): readonly Prepared[] {
  const valid = new Map<string, Prepared>();
  for (const target of targets) {
    try {
      const prepared = prepare(target);
      const key = keyOf(prepared);
      if (!valid.has(key)) valid.set(key, prepared);
    } catch (error) {
      if (!(error instanceof Failure) || target.location === undefined) throw error;
      mistakes.add(`${target.location}:`, error.message, error.details.hint);
    }
  }
  if (mistakes.count > 0) {
    if (!skipInvalid) {
      const better =
        mistakes.advice ??
        (mistakes.hasTable ? 'print the list with -o ndjson, or name a column of CSV with --column NAME' : 'correct them');
      throw new Failure('usage', `${mistakes.text}: nothing was sent`, {hint: `${better}, or skip them with --skip-invalid`});
    }
    warn(`skipped: ${mistakes.text}`);
  }
  return [...valid.values()];
}

/** The acting account, as lists of several accounts name it. @throws Failure when the server refuses to say */
async function actingAccount(connection: Connection): Promise<string> {
  const account = await accountOf(connection);
  return account === undefined ? fallbackName(connection) : handleOf(account, connection.server.host);
}

/**
 * Refuses items of other accounts, which lists of several accounts contain, and remembers the ids that accounts have in the lists.
 * @param list the endpoint that lists what the command acts on, if there is one
 * @throws Failure `usage` for an item of another account
 */
export async function tellOrigin({accounts, expected}: Origin, connection: Connection, list?: Endpoint): Promise<void> {
  const {identity, session} = connection;
  if (expected.size > 0)
    (await connection.accounts()).expected = (await import('../../operations/expected-ids.js')).expectIds(expected, list);
  // A dry run does not ask the server whose token it is.
  if (accounts.size === 0 || (session.dryRun && !identity.profile?.account)) return;
  const acting = await actingAccount(connection);
  const other = [...accounts].find((account) => account.replace(/^@/, '').toLowerCase() !== acting.toLowerCase());
  if (other === undefined) return;
  throw new Failure('usage', `The list has items of ${other}, but the command acts as ${acting}: nothing was sent`, {
    hint: 'select the items of one account with jq, and its profile with --profile',
  });
}

/**
 * Returns a function that tells whether a target is the acting account itself, which lists can contain. The server is asked for the account
 * only if a list names targets.
 * @returns undefined if the account is not known
 * @throws Failure when the server refuses to say whose token it is
 */
export async function ownAccountIn({isTold, expected}: Origin, connection: Connection): Promise<((target: string) => boolean) | undefined> {
  const isKnown = connection.identity.profile?.account !== null && connection.identity.profile?.account !== undefined;
  if (!isKnown && (!isTold || connection.session.dryRun)) return undefined;
  const own = await connection.ownAccount();
  if (own === undefined) return undefined;
  const {host} = connection.server;
  const handle = handleOf(own.acct, host);
  return (target) => {
    if (!target.includes('@')) return target === own.id;
    const isOwnId = expected.get(target)?.id === own.id;
    return handleOf(target, host) === handle || (isOwnId && handleOf(target, host).startsWith(`${own.acct.toLowerCase()}@`));
  };
}
