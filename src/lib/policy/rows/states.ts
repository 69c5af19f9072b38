/** Finds, reads and opens the states of one policy for one account and its server. */
import {Failure} from '../../client/failure.js';
import type {States} from './compare.js';
import {keyOf, type Kind} from '../sections/policy-kind.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import {stateNameOf, type Target} from './target.js';
import {readAnyState, readStateAt, StateFile} from '../state/file.js';
import {makeStateFolder, nameOfServer, refuseOneFile, stateAt, statesOf} from '../state/state-places.js';
import type {State} from '../model/policy-state.js';

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
  const kept = await readReadableStates(policy.file, owner, host, chosen);
  return own.filter((kind) => kept.some((state) => holds(state, keyOf(kind, '')))).map(({key}) => key);
}

/** Whether a state owns items of a kind, or has changes to them that an undo would take back. */
const holds = (state: State, prefix: string): boolean =>
  [...state.owned.keys(), ...state.open.keys(), ...state.takeBack().map(({key}) => key)].some((key) => key.startsWith(prefix));

/** The states of accounts, or of a server; those that cannot be read are skipped. */
async function readReadableStates(policy: string, owner: Kind['owner'], host: string, chosen: string | undefined): Promise<State[]> {
  const found = await statesOf(policy, chosen);
  const states = await Promise.all(found.map((path) => readAnyState(path).catch(() => undefined)));
  const isMeant = (of: string) => (owner === 'server' ? of === nameOfServer(host) : !of.startsWith('@') && of.endsWith(`@${host}`));
  return states.filter((state) => state !== undefined).filter(({of}) => isMeant(of));
}

/** The names of the states of a run. An account has one only if the policy, or a state of it, is about accounts. */
async function namesFor(given: PolicyWithLists, target: Target, chosen: string | undefined): Promise<{account?: string; server?: string}> {
  const {
    owner,
    server: {host},
  } = target;
  const isMeant = async (one: Kind['owner']) =>
    owner === one || (owner === undefined && (await sectionsMeant(given, one, host, chosen)).length > 0);
  const [isOfServer, isOfAccount] = [await isMeant('server'), await isMeant('account')];
  const account = isOfAccount || !isOfServer ? stateNameOf(target, 'account') : undefined;
  return {...(account !== undefined && {account}), ...(isOfServer && {server: nameOfServer(host)})};
}

/** Reads the states of a policy without locking them. @throws Failure `local` for a state that is damaged or another account's */
export async function readStates(given: PolicyWithLists, target: Target, chosen: string | undefined): Promise<States> {
  const {account, server} = await namesFor(given, target, chosen);
  refuseOneFile(
    [account, server].filter((name) => name !== undefined),
    chosen,
  );
  const read = async (name: string | undefined) =>
    name === undefined ? undefined : StateFile.inMemory(name, await readStateAt(stateAt(given.policy.file, name, chosen), name));
  return {account: await read(account), server: await read(server)};
}

interface Opening {
  /** The value of `--state`. */
  readonly chosen: string | undefined;
  /** Whether the policy comes from standard input, so that no state is written. */
  readonly isNameless: boolean;
}

/** @throws Failure `auth` for an account that is not known; `local` for a state that is damaged, locked or another account's */
export async function openStates(given: PolicyWithLists, target: Target, {chosen, isNameless}: Opening): Promise<States> {
  const {account, server} = await namesFor(given, target, chosen);
  const isAbout = target.owner !== 'server' && (server === undefined || account !== undefined);
  if (isAbout && account === undefined)
    throw new Failure('auth', 'The server did not return the account of this token: nothing was sent', {
      hint: 'sign in again with a token that has the scope read',
    });
  // In the order of their names, so that two runs never wait for each other.
  const names = [account, server].filter((name) => name !== undefined).sort();
  refuseOneFile(names, chosen);
  if (!isNameless) await makeStateFolder(chosen);
  const files = await openEach(names.map((of) => ({of, path: isNameless ? undefined : stateAt(given.policy.file, of, chosen)})));
  const fileOf = (name: string | undefined) => files.find(({state}) => state.of === name);
  return {account: fileOf(account), server: fileOf(server)};
}

/** Opens and locks all existing states of a policy. @throws Failure `local` for a state that is damaged or locked */
export async function openForgetting(policy: string, chosen: string | undefined): Promise<StateFile[]> {
  const paths = await statesOf(policy, chosen);
  const states = await Promise.all(paths.map(async (path) => ({path, of: (await readAnyState(path))?.of})));
  return openEach(states.flatMap(({path, of}) => (of === undefined ? [] : {path, of})));
}

/** Opens states. If one cannot be opened, none stays locked. */
async function openEach(places: readonly {readonly of: string; readonly path: string | undefined}[]): Promise<StateFile[]> {
  const files: StateFile[] = [];
  try {
    for (const {of, path} of places) files.push(path === undefined ? StateFile.inMemory(of) : await StateFile.open(path, of));
  } catch (error) {
    for (const file of files) await file[Symbol.asyncDispose]();
    throw error;
  }
  return files;
}

/** @param file a policy that does not exist @throws Failure `usage` if it has no state either: then its name is mistyped */
export async function refuseUnknown(file: string, chosen: string | undefined): Promise<void> {
  if ((await statesOf(file, chosen)).length > 0) return;
  throw new Failure('usage', `There is no policy ${file}, and no state of it: nothing was sent`, {
    hint: 'name the policy as `pixelctl apply` was given it; where its state is elsewhere, name that with --state',
  });
}
