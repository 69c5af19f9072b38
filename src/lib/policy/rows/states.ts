/** The states of a policy: a file for each account, and one for the blocks of each server. The name of the file alone says which policy it is of. */
import {existsSync} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {asFailure, Failure, localFailure} from '../../client/failure.js';
import {absent} from '../../files/system-error.js';
import type {State} from '../model/policy-state.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import {keyOf, type Kind} from '../sections/policy-kind.js';
import {compareText} from '../source/location.js';
import {handleOf} from '../../operations/handle.js';
import {StateFile} from '../state/file.js';
import type {Target} from './target.js';

/** The states of a run: of the account, and of its server. A run that writes nothing has them in memory. */
export interface States {
  readonly account?: StateFile | undefined;
  readonly server?: StateFile | undefined;
}

export const filesIn = ({account, server}: States): StateFile[] => [account, server].filter((file) => file !== undefined);

const fileEnding = '.state.ndjson';

const beginningOf = (policy: string): string => `${policy === '-' ? 'policy' : basename(policy)}.`;

/** Writes any character but letters, digits and `._@-` as its bytes, so that different names get different files. */
function inFileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._@-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  );
}

const isFile = (chosen: string | undefined): chosen is string => chosen?.endsWith('.ndjson') === true;

/** @param name `ana@pix.example`, or `@pix.example` for a server @param chosen the value of `--state` */
const stateAt = (policy: string, name: string, chosen: string | undefined): string =>
  isFile(chosen) ? chosen : join(chosen ?? dirname(policy), `${beginningOf(policy)}${inFileName(name)}${fileEnding}`);

/** The existing state files of a policy. @throws Failure `local` when the folder cannot be read */
export async function statesOf(policy: string, chosen: string | undefined): Promise<string[]> {
  if (isFile(chosen)) return existsSync(chosen) ? [chosen] : [];
  const folder = chosen ?? dirname(policy);
  const names = await readdir(folder)
    .catch(absent)
    .catch((error: unknown) => {
      throw localFailure(`Cannot look for states in ${folder}`, error);
    });
  return (names ?? [])
    .filter((name) => name.startsWith(beginningOf(policy)) && name.endsWith(fileEnding) && name.includes('@'))
    .sort(compareText)
    .map((name) => join(folder, name));
}

/** Whether a policy comes from standard input, and no flag says where its state is. */
const isStateless = (policy: string, chosen: string | undefined): boolean => policy === '-' && chosen === undefined;

/** @throws Failure `usage` for a policy from standard input without `--state` */
export function refuseStateless(policy: string, chosen: string | undefined): void {
  if (isStateless(policy, chosen))
    throw new Failure('usage', 'A policy from standard input has no state beside it', {hint: 'name it with --state'});
}

/** The sections that a policy has rules for; if it has none, those that an earlier apply of it changed. @param chosen the value of `--state` @throws Failure `local` */
export async function sectionsMeant(
  given: PolicyWithLists,
  owner: Kind['owner'],
  host: string,
  chosen: string | undefined,
): Promise<readonly string[]> {
  const {policy, only} = given;
  const own = kinds.filter((kind) => kind.owner === owner && only?.includes(kind.key) !== false);
  const all = owner === 'server' ? [policyFor(given, undefined, host).policy] : [policy, ...(policy.variants?.values() ?? [])];
  const asked = own.filter(({key}) => all.some(({rules}) => rules.has(key)));
  if (asked.length > 0) return asked.map(({key}) => key);
  const isMeant = ({of}: State) => (owner === 'server' ? of === `@${host}` : !of.startsWith('@') && of.endsWith(`@${host}`));
  // A state that cannot be read is reported where it is used.
  const read = await Promise.all((await statesOf(policy.file, chosen)).map((path) => StateFile.read(path).catch(() => undefined)));
  const kept = read.flatMap((file) => (file !== undefined && isMeant(file.state) ? file.state : []));
  return own.filter((kind) => kept.some((state) => holds(state, keyOf(kind, '')))).map(({key}) => key);
}

/** Whether a state owns items of a kind, or has changes to them that an undo would take back. */
const holds = (state: State, prefix: string): boolean =>
  [...state.owned.keys(), ...state.open.keys(), ...state.takeBack().map(({key}) => key)].some((key) => key.startsWith(prefix));

/**
 * Opens the states of a policy for an account and its server. An account has one only if the policy, or a state of it, is about accounts.
 * @param isWriting whether they are locked, and made where they are missing
 * @throws Failure `local` for a state that is damaged, locked or another account's; `auth` for an account that is not known; `usage` when `--state` names one file for several
 */
export async function openStates(given: PolicyWithLists, target: Target, isWriting: boolean): Promise<States> {
  const {owner, server, state: chosen, use} = target;
  const {file} = given.policy;
  const serverName = `@${server.host}`;
  const isMeant = async (one: Kind['owner']) =>
    owner === one || (owner === undefined && (await sectionsMeant(given, one, server.host, chosen)).length > 0);
  const isOfServer = await isMeant('server');
  const isOfAccount = !isOfServer || (await isMeant('account'));
  const account = isOfAccount && target.account !== undefined ? handleOf(target.account, server.host) : undefined;
  if (isWriting && isOfAccount && account === undefined)
    throw new Failure('auth', 'The server did not return the account of this token: nothing was sent', {
      hint: 'sign in again with a token that has the scope read',
    });
  // All runs lock in the order of the names.
  const names = [account, isOfServer ? serverName : undefined].filter((name) => name !== undefined).sort();
  if (isFile(chosen) && names.length > 1)
    throw new Failure(
      'usage',
      `--state ${chosen} is one file, and this run has ${names.length} states (${names.join(', ')}): nothing was sent`,
      {hint: 'name a folder with --state'},
    );
  const files: StateFile[] = [];
  for (const name of names) {
    const path = stateAt(file, name, chosen);
    if (isStateless(file, chosen)) files.push(StateFile.inMemory(name));
    else if (isWriting) files.push(use(await StateFile.open(path, name)));
    else files.push((await StateFile.read(path, name)) ?? StateFile.inMemory(name, [], path));
  }
  const fileOf = (name: string | undefined) => files.find(({state}) => state.of === name);
  return {account: fileOf(account), server: fileOf(serverName)};
}

/** Reads the states of a policy. If one cannot be read, people are warned, and the result is undefined. @throws Failure `usage` as {@link openStates} does */
export async function readStates(given: PolicyWithLists, target: Target): Promise<States | undefined> {
  try {
    return await openStates(given, target, false);
  } catch (error) {
    const failure = asFailure(error);
    if (failure.code !== 'local') throw error;
    target.warn(`${failure.message.replace(/: nothing was sent$/, '')}: nothing counts as made by apply`);
    return undefined;
  }
}

/** Now, or the moment after the latest time in the states, so that later runs have later times. */
export function timeAfter(files: readonly StateFile[], now: Date): string {
  const last = files.map(({state: {at}}) => at).reduce((one, other) => (one > other ? one : other), '');
  const time = now.toISOString();
  return time > last ? time : new Date(Date.parse(last) + 1).toISOString();
}
