/** The targets of a command that takes many. */
import type {FieldFacts} from '../api/schema.js';
import {Failure} from '../client/failure.js';
import {accountOf, type Connection} from './connection.js';
import type {Io} from './io.js';
import type {InputField} from './fields.js';
import {Mistakes, parseTargets, type Holders} from './target-list.js';

export interface Target {
  /** Undefined where the command takes none, or gets it by `--input`. */
  readonly value: string | undefined;
  /** `Line 3 of standard input`; undefined for an argument. */
  readonly location: string | undefined;
}

export interface Targets {
  readonly targets: readonly Target[];
  /** The accounts that the items belong to, in a list of several accounts: `ana@pix.example`. */
  readonly accounts: ReadonlySet<string>;
  /** Errors in the input. */
  readonly mistakes: Mistakes;
  /** Exactly one was given as an argument: its answer is printed, not a result. */
  readonly isSingle: boolean;
}

/** Whose other fields name what an id is of: a notification names an account, a message its conversation. */
const naming: Readonly<Record<NonNullable<FieldFacts['names']>, readonly string[]>> = {
  account: ['account.id'],
  conversation: ['conversation_id'],
};

/** Where ids for a field stand in piped objects, besides `target` and `id`. */
export function namedIn(field: InputField | undefined): readonly string[] {
  const names = field?.facts?.names;
  return names === undefined ? [] : naming[names];
}

export interface TargetSources extends Holders {
  /** Value of `--from`. */
  readonly from?: string | undefined;
  readonly io: Io;
}

/**
 * Targets from arguments, with `-` read from standard input, and from `--from`; what comes twice goes once.
 * @throws Failure `local` when a file cannot be read, `usage` for what is no text
 */
export async function collectTargets(given: readonly string[], {from, io, ...holders}: TargetSources): Promise<Targets> {
  const targets = new Map<string, Target>();
  const accounts = new Set<string>();
  const mistakes = new Mistakes();
  const addList = async (file: string) => {
    const text = await io.read(file, `the targets in ${file}`);
    const listed = parseTargets(text, holders, file === '-' ? 'standard input' : file, mistakes);
    for (const target of listed.targets) if (!targets.has(target.value)) targets.set(target.value, target);
    for (const account of listed.accounts) accounts.add(account);
  };
  for (const value of given) {
    if (value === '-') await addList('-');
    else if (!targets.has(value)) targets.set(value, {value, location: undefined});
  }
  if (from !== undefined) await addList(from);
  return {
    targets: [...targets.values()],
    accounts,
    mistakes,
    isSingle: from === undefined && given.length === 1 && given[0] !== '-',
  };
}

/** How targets are checked. */
interface Checking<Prepared> {
  /** Makes of a target what is needed to send it. @throws Failure `usage` for an invalid one */
  readonly prepare: (target: Target) => Prepared;
  /** Targets with the same key are sent once. */
  readonly keyOf: (prepared: Prepared) => string;
  /** Whether to leave out what is invalid. */
  readonly skipInvalid: boolean;
  readonly warn: (text: string) => void;
}

/**
 * The targets, each prepared and once.
 * @throws Failure `usage` with all that is wrong, unless that is left out
 */
export function prepareTargets<Prepared>(
  {targets, mistakes}: Targets,
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
      mistakes.add(`${target.location}:`, error.message);
    }
  }
  if (mistakes.count > 0) {
    if (!skipInvalid) {
      const better = mistakes.hasTable ? 'print the list with -o ndjson' : 'correct them';
      throw new Failure('usage', `${mistakes.text}: nothing was sent`, {hint: `${better}, or skip them with --skip-invalid`});
    }
    warn(`skipped: ${mistakes.text}`);
  }
  return [...valid.values()];
}

/**
 * Refuses items of other accounts, which lists of several accounts contain.
 * @throws Failure `usage` for an item of another account
 */
export async function refuseOtherAccounts(named: ReadonlySet<string>, connection: Connection): Promise<void> {
  const {identity, session, server} = connection;
  // A dry run does not ask the server whose token it is.
  if (named.size === 0 || (session.dryRun && !identity.profile?.account)) return;
  const acting = `${(await accountOf(connection)) ?? 'unknown'}@${server.host}`.replace(/^@/, '');
  const other = [...named].find((account) => account.replace(/^@/, '').toLowerCase() !== acting.toLowerCase());
  if (other === undefined) return;
  throw new Failure('usage', `The list has items of ${other}, but the command acts as ${acting}: nothing was sent`, {
    hint: 'select the items of one account with jq, and its profile with --profile',
  });
}
