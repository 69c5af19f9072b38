/** Where state files are: which one has a record, or is going to have it. */
import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, dirname, isAbsolute, relative, resolve, sep} from 'node:path';
import {isOf, nameOfOwner} from './ownership.js';
import {lastApply, lockOn, type Owner, type OwnershipRecord, ownershipIn} from './state-file.js';
import {Failure, localFailure} from '../../client/failure.js';
import {knownAccount, ownersOf, type Target, whoseText} from '../model/difference.js';
import type {Touched} from '../model/items.js';
import type {ItemKind} from '../model/section-types.js';
import {compareText} from '../source/location.js';

const stateFileEnding = '.state.json';

/** @param chosen the value of `--state` */
export function stateFileFor(policy: string, chosen: string | undefined): string {
  return chosen ?? policy + stateFileEnding;
}

/** @param name of an account or a server */
function ownStateFile(policy: string, name: string): string {
  return `${policy}.${name.replaceAll(/[^\p{L}\p{N}._@-]/gu, '-')}${stateFileEnding}`;
}

/** Whose records: an account's, or those of a server. */
type Whose = Pick<Owner, 'account' | 'server'>;

/** How it is named in the names of files: `ana@pix.example`, or `@pix.example` for the server; undefined for an unknown account. */
function nameInFiles({account, server}: Whose): string | undefined {
  if (account === undefined) return `@${nameOfOwner({server})}`;
  return knownAccount(account) && nameOfOwner({account, server});
}

/** The state files that an account or a server may have under a policy, its own one first. */
function stateFilesOf(policy: string, whose: Whose): string[] {
  const name = nameInFiles(whose);
  return [...(name === undefined ? [] : [ownStateFile(policy, name)]), stateFileFor(policy, undefined)];
}

/** The state file that has a record; undefined: none. @throws Failure `local` when a state file cannot be read */
async function stateFileWith(owner: Owner, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths.filter((one) => existsSync(one))) {
    const {records} = await ownershipIn(path);
    if (records.some((one) => isOf(one, {...owner, policy: nameInState(owner.policy, path)}))) return path;
  }
  return undefined;
}

/** The kinds of what earlier applies of a policy made of what the accounts of a server share. @param chosen the value of `--state` */
export async function keptOfServer(policy: string, {origin: server}: URL, chosen: string | undefined): Promise<ReadonlySet<ItemKind>> {
  const paths = chosen === undefined ? stateFilesOf(policy, {server}) : [chosen];
  const all = await recordsUnder(
    policy,
    paths.filter((path) => existsSync(path)),
  );
  const own = all.filter(({record}) => record.server === server && record.account === undefined);
  return new Set(own.flatMap(({record}) => [...record.owned, ...openItems(record)].map(({kind}) => kind)));
}

/** Whether earlier applies of a policy made something of accounts' own. @param chosen the value of `--state` */
export async function isKeptOfAccounts(policy: string, chosen: string | undefined): Promise<boolean> {
  const paths = (await stateFilesFor(policy, chosen)).filter((path) => existsSync(path));
  const all = await recordsUnder(policy, paths);
  return all.some(({record}) => record.account !== undefined && record.owned.length + openItems(record).length > 0);
}

/** Of an apply that was interrupted. */
function openItems(record: OwnershipRecord): Touched {
  const last = lastApply(record);
  return last?.isFinished === false ? last.items : [];
}

/** A record, and the state file where it is or is going to be. */
export interface RecordPlace {
  readonly path: string;
  /** With the policy as the file names it. */
  readonly owner: Owner;
}

/**
 * Where the records of a run are: in the state files that have them. A new one is in a file of its own among several accounts, and else
 * in the one beside the policy.
 * @param chosen the value of `--state`
 * @param server whether the policy is about what the accounts of a server share; undefined: only where an earlier apply was
 * @throws Failure `local` when a state file cannot be read
 */
export async function placesFor(
  policy: string,
  target: Pick<Target, 'account' | 'owner' | 'server'>,
  {chosen, isOfSeveral, server}: {readonly chosen: string | undefined; readonly isOfSeveral: boolean; readonly server: boolean | undefined},
): Promise<RecordPlace[]> {
  const places: RecordPlace[] = [];
  // Beside an account that has a file of its own, so has its server: the other accounts of it find that.
  let isApart = isOfSeveral;
  for (const whose of ownersOf(target)) {
    const isAccount = whose.account !== undefined;
    if (!isAccount && server === false) continue;
    const paths = chosen === undefined ? stateFilesOf(policy, whose) : [chosen];
    const found = await stateFileWith({...whose, policy}, paths);
    if (found === undefined && !isAccount && target.owner === undefined && server !== true) continue;
    const path = found ?? (isApart ? paths[0] : undefined) ?? stateFileFor(policy, chosen);
    places.push({path, owner: {...whose, policy: nameInState(policy, path)}});
    isApart ||= isAccount && chosen === undefined && path !== stateFileFor(policy, undefined);
  }
  return places;
}

/** The name of a policy in a state file: its relative path, which is the same in every checkout. */
export function nameInState(policy: string, stateFile: string): string {
  const way = relative(dirname(resolve(stateFile)), resolve(policy));
  return way.startsWith('..') || isAbsolute(way) ? basename(policy) : way.split(sep).join('/');
}

/**
 * Locks the applies of a policy to an account or to what its server's accounts share: the first one alone and the first one among
 * several have different state files.
 * @returns undefined for an unknown account
 * @throws Failure `local` when another process holds the lock, or the folder cannot be written to
 */
export async function lockFor(policy: string, whose: Whose): Promise<Disposable | undefined> {
  const name = nameInFiles(whose);
  if (name === undefined) return undefined;
  return lockOn(ownStateFile(policy, name).slice(0, -stateFileEnding.length), `${policy} for ${nameOfOwner(whose)}`);
}

/**
 * The state files of a policy, which may have one for each account, or without a policy those of the working folder.
 * @param chosen the value of `--state`
 * @throws Failure `local` when the folder cannot be read
 */
export async function stateFilesFor(policy: string | undefined, chosen: string | undefined): Promise<string[]> {
  if (chosen !== undefined) return [chosen];
  const folder = policy === undefined ? '.' : dirname(policy);
  const names = await readdir(folder).catch((error: unknown) => {
    throw localFailure(`Cannot look for state files in ${policy === undefined ? 'this folder' : folder}`, error);
  });
  const prefix = policy === undefined ? '' : `${basename(policy)}.`;
  const found = names.filter((name) => name.startsWith(prefix) && name.endsWith(stateFileEnding)).sort(compareText);
  return policy === undefined ? found : found.map((name) => policy + name.slice(prefix.length - 1));
}

/** A record, and the state file that has it. */
export interface FoundRecord {
  readonly path: string;
  readonly record: OwnershipRecord;
}

/** The records of state files; of one policy, where it is named. @throws Failure `local` when one cannot be read */
export async function recordsUnder(policy: string | undefined, paths: readonly string[]): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const path of paths)
    for (const record of (await ownershipIn(path)).records)
      if (policy === undefined || record.policy === nameInState(policy, path)) found.push({path, record});
  return found;
}

/** The records whose last apply would be reverted next: that of an account, that of its server, or both where one apply changed both. */
interface LastApply {
  /** As the state files name it. */
  readonly policy: string;
  readonly places: readonly RecordPlace[];
  /** Of what it changed. */
  readonly kinds: ReadonlySet<ItemKind>;
}

/** Which applies are looked for. */
interface Looked {
  /** Undefined: all in this folder. */
  readonly policy: string | undefined;
  /** The value of `--state`. */
  readonly chosen: string | undefined;
}

type Of = Pick<Target, 'account' | 'owner' | 'server'>;

/** @throws Failure `not_found` when there is none; as {@link findLastApply} */
export async function lastApplyTo(looked: Looked, target: Of): Promise<LastApply> {
  const found = await findLastApply(looked, target);
  if (found !== undefined) return found;
  const paths = await pathsOf(looked, target);
  const kept = (await recordsUnder(looked.policy, paths)).filter(({record}) => isOfTarget(record, target));
  const why =
    kept.length > 0
      ? `left to revert for ${whoseText(target)}: every apply in ${[...new Set(kept.map(({path}) => path))].join(', ')} was reverted`
      : `to revert for ${whoseText(target)}: ${withoutApply(paths)}`;
  const isNamed = kept.length > 0 && looked.policy !== undefined;
  throw new Failure('not_found', `Nothing ${why}`, {hint: isNamed ? undefined : 'name the policy, or its state file with --state'});
}

/** Whether a record is of the target, or of what its server's accounts share. */
const isOfTarget = (record: OwnershipRecord, target: Of): boolean =>
  ownersOf(target).some(({server, account}) => record.server === server && record.account === account);

/** The usual one is last. */
async function pathsOf({policy, chosen}: Looked, target: Of): Promise<string[]> {
  if (chosen !== undefined) return [chosen];
  if (policy === undefined) return stateFilesFor(undefined, undefined);
  const paths = ownersOf(target).flatMap((whose) => stateFilesOf(policy, whose));
  return [...new Set(paths.toReversed())].toReversed();
}

/**
 * Finds the policy whose last apply to the account, or to what its server's accounts share, is the latest one.
 * @throws Failure `local` when a state file cannot be read
 */
export async function findLastApply(looked: Looked, target: Of): Promise<LastApply | undefined> {
  const at = ({record}: FoundRecord) => lastApply(record)?.at ?? '';
  const found = (await recordsUnder(looked.policy, await pathsOf(looked, target)))
    .filter((one) => at(one) !== '' && isOfTarget(one.record, target))
    .sort((one, other) => compareText(at(one), at(other)));
  const latest = found.at(-1);
  if (latest === undefined) return undefined;
  const {policy} = latest.record;
  const same = found.filter((one) => at(one) === at(latest) && one.record.policy === policy);
  const kinds = same.flatMap(({record}) => lastApply(record)?.items.map(({kind}) => kind) ?? []);
  return {
    policy,
    places: same.map(({path, record: {server, account}}) => ({path, owner: {server, account, policy}})),
    kinds: new Set(kinds),
  };
}

/** @param looked the state files in question, the usual one last */
function withoutApply(looked: readonly string[]): string {
  const there = looked.filter((path) => existsSync(path));
  if (there.length > 0) return `${there.join(', ')} ${there.length === 1 ? 'has' : 'have'} none`;
  const usual = looked.at(-1);
  return `there is no ${usual ?? 'state file in this folder'}`;
}
