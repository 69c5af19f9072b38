/** Collects and checks the targets of a command that takes many. */
import {statSync} from 'node:fs';
import type {Endpoint} from '../../api/endpoint.js';
import {Failure} from '../../client/failure.js';
import {shellWord} from '../../files/command-text.js';
import {firstOf, shorten, withOthersLikeIt} from '../../json/text.js';
import {isFileName} from '../../operations/domains.js';
import {handleOf} from '../../operations/handle.js';
import {accountOf, fallbackName, type Connection} from '../connection.js';
import type {Session} from '../session.js';
import type {Mistaken, Named, WantedKind} from './piped-item.js';

/** Where a target is listed: a line of a text, or an item of a list in it. */
export interface Place {
  readonly unit: 'Item' | 'Line';
  readonly number: number;
  /** The name of the text in messages. */
  readonly source: string;
}

export interface Target extends Named {
  readonly place?: Place;
}

/** Collects the mistakes in lists, and reports the first of each kind with a count. */
export class Mistakes {
  readonly #most = 5;
  readonly #found = new Map<string, {location: string; count: number}>();
  count = 0;
  /** The advice of the first mistake that has any. */
  advice: string | undefined;

  /** Mistakes with the same words are counted together. @param colon stands between the place and a whole sentence */
  add({unit, number, source}: Place, {mistake, advice}: Mistaken, colon = ''): void {
    this.count += 1;
    this.advice ??= advice;
    const known = this.#found.get(mistake);
    if (known !== undefined) known.count += 1;
    else if (this.#found.size < this.#most) this.#found.set(mistake, {location: `${unit} ${number} of ${source}${colon}`, count: 1});
  }

  /** `Line 2 of ids.txt names no filter, and 3 more like it`. */
  get text(): string {
    const shown = [...this.#found].map(([mistake, {location, count}]) => withOthersLikeIt(`${location} ${mistake}`, count));
    const rest = this.count - [...this.#found.values()].reduce((sum, {count}) => sum + count, 0);
    return firstOf(shown, shown.length, {all: shown.length + rest, between: '; '});
  }
}

export interface Targets {
  readonly targets: readonly Target[];
  readonly mistakes: Mistakes;
  /** Whether exactly one was given, as an argument: then the answer is printed, not a result. */
  readonly isSingle: boolean;
}

/** What is read of a run that takes targets. */
interface TargetRun {
  readonly flags: {readonly from?: string | undefined; readonly column?: string | undefined; readonly 'skip-invalid'?: boolean | undefined};
  readonly session: Session;
}

/**
 * Targets from arguments, with `-` read from standard input, and from `--from`.
 * @throws Failure `local` when a file cannot be read, `usage` for a file that is no text
 */
export async function collectTargets(
  given: readonly string[],
  wanted: Omit<WantedKind, 'column'>,
  {flags: {from, column}, session: {io}}: TargetRun,
): Promise<Targets> {
  const [targets, mistakes]: [Target[], Mistakes] = [[], new Mistakes()];
  if (column !== undefined && from === undefined && !given.includes('-')) {
    throw new Failure('usage', '--column is for lists of targets', {hint: 'pass - to read one from standard input'});
  }
  const addList = async (file: string) => {
    const text = await io.read(file, `the targets in ${file}`);
    const {parseTargets} = await import('./target-list.js');
    for (const target of parseTargets(text, {...wanted, column}, file === '-' ? 'standard input' : file, mistakes)) targets.push(target);
  };
  for (const value of given) {
    if (value === '-') await addList('-');
    else targets.push({value});
  }
  if (from !== undefined) await addList(from);
  return {targets, mistakes, isSingle: from === undefined && given.length === 1 && given[0] !== '-'};
}

/**
 * Prepares the targets, each once.
 * @param prepare converts a target to the form that is sent; throws a Failure `usage` for an invalid one
 * @param keyOf targets with the same key are sent once
 * @throws Failure `usage` with every mistake, unless invalid targets are left out
 */
export function prepareTargets<Prepared>(
  {targets, mistakes}: Pick<Targets, 'mistakes' | 'targets'>,
  {flags, session}: TargetRun,
  prepare: (target: Target) => Prepared,
  keyOf: (prepared: Prepared) => string,
): readonly Prepared[] {
  const valid = new Map<string, Prepared>();
  const profiles = new Map<string, string>();
  for (const target of targets) {
    const {value, place, profile} = target;
    const earlier = profiles.get(value) ?? profile;
    if (earlier !== undefined) profiles.set(value, earlier);
    if (place !== undefined && profile !== undefined && profile !== earlier) {
      mistakes.add(place, {mistake: `has another account id than an earlier ${value}`});
      continue;
    }
    try {
      const prepared = prepare(target);
      const key = keyOf(prepared);
      if (!valid.has(key)) valid.set(key, prepared);
    } catch (error) {
      if (!(error instanceof Failure) || place === undefined) throw error;
      mistakes.add(place, {mistake: error.message, advice: error.details.hint}, ':');
    }
  }
  if (mistakes.count > 0) {
    if (flags['skip-invalid'] !== true)
      throw new Failure('usage', `${mistakes.text}: nothing was sent`, {
        hint: `${mistakes.advice ?? 'correct them'}, or skip them with --skip-invalid`,
      });
    session.warn(`skipped: ${mistakes.text}`);
  }
  return [...valid.values()];
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/**
 * Refuses the name of a file where a domain is expected: `blocklist.txt` could be a domain, too, and would be blocked.
 * @param takesLists whether the command reads domains from files
 * @throws Failure `usage`
 */
export function refuseFileName(text: string, takesLists: boolean): void {
  // A number is the id of an entry, even if a file has that name.
  const isThere = !/^\d+$/.test(text) && isFile(text);
  if (!isThere && !isFileName(text)) return;
  const file = isThere ? shellWord(text) : 'FILE';
  throw new Failure('usage', `${shorten(text)} is ${isThere ? 'a file' : 'the name of a file, not a domain'}: nothing was sent`, {
    hint: takesLists ? `to read the domains in it: --from ${file}` : 'name one domain',
  });
}

/** By target, the id of the account on the server that listed it. */
const expectedIn = (listed: readonly Target[]) => new Map(listed.flatMap(({value, expected}) => (expected ? [[value, expected]] : [])));

/**
 * Refuses items of other accounts, which lists of several accounts contain, and remembers the ids that accounts have in the lists.
 * @param list the endpoint that lists what the command acts on, if there is one
 * @throws Failure `usage` for an item of another account; as the server does when it refuses to say which account acts
 */
export async function refuseOtherAccounts(listed: readonly Target[], connection: Connection, list?: Endpoint): Promise<void> {
  const {identity, session, server} = connection;
  const expected = expectedIn(listed);
  if (expected.size > 0)
    (await connection.accounts()).expected = (await import('../../operations/expected-ids.js')).expectIds(expected, list);
  const accounts = new Set(listed.flatMap(({account}) => account ?? []));
  // A dry run does not ask the server whose token it is.
  if (accounts.size === 0 || (session.dryRun && !identity.profile?.account)) return;
  const own = await accountOf(connection);
  const acting = own === undefined ? fallbackName(connection) : handleOf(own, server.host);
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
export async function ownAccountIn(listed: readonly Target[], connection: Connection): Promise<((target: string) => boolean) | undefined> {
  const {identity, session, server} = connection;
  const isTold = listed.some((target) => target.isTold === true);
  if (!identity.profile?.account && (!isTold || session.dryRun)) return undefined;
  const own = await connection.ownAccount();
  if (own === undefined) return undefined;
  const expected = expectedIn(listed);
  const handle = handleOf(own.acct, server.host);
  return (target) => {
    if (!target.includes('@')) return target === own.id;
    const named = handleOf(target, server.host);
    return named === handle || (expected.get(target)?.id === own.id && named.startsWith(`${own.acct.toLowerCase()}@`));
  };
}
