/** Runs a command for one or several accounts, side by side, and joins their failures into one. */
import {type AccountInUse} from './account-in-use.js';
import {type AdminAccess, hasAdminScopes, tokenVariable} from '../auth/index.js';
import {type AccountFailure, asFailure, Failure} from '../client/failure.js';
import {handleOf, nounFor} from '../operations/handle.js';
import {runInOrder} from '../run/index.js';
import {countNoun, firstOf, withCommas} from '../json/text.js';
import {accountOf, connect, fallbackName, sessionAs, type Connection} from './connection.js';
import {knownProfiles} from './known-profiles.js';
import {failureWithHint, failureWithSignIn, hintFor} from './errors.js';
import {areSeveral, namedProfiles, defaultConcurrency, type AccountsFlags} from './flags.js';
import {accountFlags, type Session} from './session.js';
import type {Items, ItemsEnding, Note, Result} from './sink.js';
import type {CommandRun, ParsedValues} from './command.js';
import {raceAbort} from '../client/paging.js';
import {accountItem, itemsOfResult} from '../print/print.js';

/** An account that a command acts on, or a server, for what all of its accounts share. */
export interface Member {
  /** `ana@pix.example`; the name of the profile if the server does not name the account, or was not asked. */
  readonly account: string;
  /** The same if several accounts are in use, because output has to name them; else undefined. */
  readonly label: string | undefined;
  /** `ana@pix.example`; undefined if the server does not name the account, or was not asked. */
  readonly handle: string | undefined;
  /** `@ana`; undefined in the same cases. */
  readonly acct: string | undefined;
  /** Whether to act on the account's own items or on what all accounts of its server share; undefined: on both. */
  readonly owner?: 'account' | 'server' | undefined;
  /** Why the account cannot be used: the server did not say which account it is, or no token has the scope. */
  readonly unusable?: Failure | undefined;
  readonly connection: Connection;
}

export interface PerAccount<Value> {
  readonly member: Member;
  readonly value: Value;
}

/** The values and failures of all accounts, in their order. */
export interface Gathered<Value> {
  readonly all: readonly (PerAccount<Value> | {readonly member: Member; readonly failure: Failure})[];
  readonly found: readonly PerAccount<Value>[];
  readonly failed: readonly AccountFailure[];
  /** The failure that the command ends with; undefined if no account failed. */
  readonly failure: Failure | undefined;
  /** The noun for several accounts in messages: `['account', 'accounts']`; undefined for a single account. */
  readonly noun: readonly [one: string, several: string] | undefined;
  /** The flags of all accounts, for suggested commands. */
  readonly inUse: AccountInUse;
}

interface Handing {
  /** The accounts to work on; all by default. */
  readonly members?: readonly Member[];
  /** Why the whole run was ended early; undefined while it goes on. */
  readonly interruption: () => Failure | undefined;
  /** The accounts that failed before they had items. */
  readonly failed?: readonly AccountFailure[];
}

/** How many failures a message repeats. */
const maxTold = 3;

type Batch = IteratorResult<readonly unknown[], ItemsEnding | undefined>;

/** Reads all items of an account, while those of earlier accounts are printed. @param ended called once, when there are no more @returns the next batch */
function readAhead(items: Items, ended: () => void): () => Promise<Batch> {
  const ready: Promise<Batch>[] = [];
  const ask = (): void => {
    const next = items.next();
    ready.push(next);
    next.then(({done}) => (done === true ? ended() : ask()), ended);
  };
  ask();
  return () => ready.shift() ?? items.next();
}

/** Notes about printed items stay when an account fails; notes about how many items there are would be wrong. */
const isForPeople = (note: Note): boolean => typeof note === 'object' && note.to === 'people';

/** The accounts that a command uses, each once, with a connection each. */
export class Accounts implements AsyncDisposable {
  readonly members: readonly Member[];
  /** All profiles, also several of one account, in the order given. */
  readonly #profiles: readonly Member[];
  readonly #concurrency: number;
  /** The flags of all accounts, for suggested commands. */
  readonly inUse: AccountInUse;

  constructor(
    members: readonly Member[],
    {profiles = members, concurrency = 1, inUse}: {profiles?: readonly Member[]; concurrency?: number; inUse: AccountInUse},
  ) {
    this.members = members;
    this.#profiles = profiles;
    this.#concurrency = concurrency;
    this.inUse = inUse;
  }

  /** Whether output names the accounts. It depends on the flags alone: one account is shown without its name. */
  get areSeveral(): boolean {
    return this.#profiles.some(({label}) => label !== undefined);
  }

  /** The profile that reads or changes what the accounts of a server share: the first one that is not known to lack the scope. */
  adminOf({connection: {server}}: Member, access: AdminAccess): Member | undefined {
    return this.#profiles
      .filter(({connection}) => connection.server.origin === server.origin)
      .find(({connection: {identity}}) => identity.profile === undefined || hasAdminScopes(identity.profile, access) !== false);
  }

  /**
   * Finds the accounts and servers that a policy has rules for: each server once, with the first profile whose token has the scope.
   * @param keysOf returns the sections of the policy for accounts of a server, or for the server itself
   * @param tell receives which profile is used for a server, and which are not
   */
  async findMeant(
    keysOf: (owner: 'account' | 'server', host: string) => Promise<readonly string[]>,
    access: AdminAccess,
    tell: (text: string) => void,
  ): Promise<Accounts> {
    if (!this.areSeveral) return this;
    const [accounts, servers]: [Member[], Member[]] = [[], []];
    for (const member of this.members)
      if ((await keysOf('account', member.connection.server.host)).length > 0) accounts.push({...member, owner: 'account'});
    for (const [, [first, ...others]] of Map.groupBy(this.#profiles, ({connection}) => connection.server.origin)) {
      if (first === undefined) continue;
      const keys = await keysOf('server', first.connection.server.host);
      if (keys.length > 0) servers.push(this.#serverOf([first, ...others], {keys: keys.join(', '), access, tell}));
    }
    // Without any rule, the run is about all accounts.
    const members = accounts.length + servers.length === 0 ? this.members : [...accounts, ...servers];
    return new Accounts(members, {profiles: this.#profiles, concurrency: this.#concurrency, inUse: this.inUse});
  }

  #serverOf(
    own: readonly [Member, ...Member[]],
    {keys, access, tell}: {readonly keys: string; readonly access: AdminAccess; readonly tell: (text: string) => void},
  ): Member {
    const [first] = own;
    const {host} = first.connection.server;
    const chosen = this.adminOf(first, access);
    const profiles = (some: readonly Member[]) => some.map(({connection: {identity}}) => identity.profile?.name).join(', ');
    const others = own.filter((one) => one !== chosen);
    if (chosen !== undefined && others.length > 0)
      tell(
        `What the accounts of ${host} share (${keys}) is done once, with the profile ${profiles([chosen])}; not with ${profiles(others)}.`,
      );
    const doing = access === 'read' ? 'read' : 'change';
    const nobody = new Failure('auth', `None of the profiles in use may ${doing} ${keys} of ${host}: their tokens lack admin scopes`, {
      hint: 'sign in as an admin with `pixelctl auth login --admin`, and use that profile too',
    });
    // The failure is told once, not for each profile.
    const {connection} = chosen ?? first;
    const unusable = chosen === undefined ? nobody : undefined;
    return {connection, handle: undefined, acct: host, account: host, label: host, unusable, owner: 'server'};
  }

  /**
   * Works on the accounts side by side, except those that cannot be used.
   * @throws Failure of the only account; if there are several, an account that fails does not stop the others
   */
  async gather<Value>(work: (member: Member) => Promise<Value>, members = this.members): Promise<Gathered<Value>> {
    const safely = async (member: Member) => {
      try {
        if (member.unusable !== undefined) throw member.unusable;
        return {member, value: await work(member)};
      } catch (error) {
        return {member, failure: failureAs(member, error)};
      }
    };
    const all: Gathered<Value>['all'][number][] = [];
    const queue = runInOrder(members, safely, {concurrency: this.#concurrency, stop: new AbortController().signal});
    for await (const one of queue) all.push(one);
    const failed = all.flatMap((one) => ('failure' in one ? {account: one.member.account, failure: one.failure} : []));
    const found = all.flatMap((one) => ('value' in one ? one : []));
    const [alone] = failed;
    if (alone !== undefined && !this.areSeveral) throw alone.failure;
    const noun = this.areSeveral ? nounFor(this.members) : undefined;
    return {all, found, failed, failure: this.failureOf(failed), noun, inUse: this.inUse};
  }

  /**
   * The failure that a command ends with when some accounts failed; undefined when none did. If all that happened is that differences
   * were found, it is `drift`.
   */
  failureOf(all: readonly AccountFailure[]): Failure | undefined {
    if (!this.areSeveral) return all[0]?.failure;
    const tell = (some: readonly AccountFailure[]) => some.map(({account, failure}) => `${account}: ${failure.message}`);
    const [drifts, failed] = [all.filter(({failure}) => failure.code === 'drift'), all.filter(({failure}) => failure.code !== 'drift')];
    const [first] = failed;
    if (first === undefined) {
      const hints = new Set(drifts.flatMap(({failure}) => hintFor(failure, this.inUse) ?? []));
      return drifts.length === 0 ? undefined : new Failure('drift', tell(drifts).join('; '), {hint: [...hints].join('; ') || undefined});
    }
    const [one, several] = nounFor(this.members);
    const count = `${withCommas(failed.length)} of ${countNoun(this.members.length, one, several)} failed`;
    const hint = failed.length === 1 ? hintFor(first.failure, this.inUse) : `the other ${several} were not affected`;
    const told = [firstOf(tell(failed), maxTold, {between: '; '}), ...tell(drifts)].join('; ');
    return new Failure('partial', `${count}: ${told}`, {accounts: failed, hint});
  }

  /**
   * Works on the accounts side by side, and yields their items in the order of the accounts. If there are several, each item has the name
   * of its account, and an account that fails does not stop the others.
   * @throws Failure of the only account, if it has no items
   */
  async *items(work: (member: Member) => Items, {members = this.members, interruption, failed: before = []}: Handing): Items {
    const lanes: {readonly items: Items; readonly next: () => Promise<Batch>}[] = [];
    let running = 0;
    const begin = (): void => {
      for (const member of members.slice(lanes.length)) {
        if (running >= this.#concurrency || interruption() !== undefined) return;
        running += 1;
        const items = itemsOf(member, work);
        const ended = () => {
          running -= 1;
          begin();
        };
        // The items of a single account are not read before they are wanted.
        lanes.push({items, next: this.areSeveral ? readAhead(items, ended) : () => items.next()});
      }
    };
    const failed = [...before];
    const notes: Note[] = [];
    let isWhole = true;
    begin();
    try {
      for (const [index, member] of members.entries()) {
        const lane = lanes[index];
        // After an interruption nothing more is begun.
        if (lane === undefined) break;
        const {account, label} = member;
        let hasItems = false;
        try {
          let batch = await lane.next();
          for (; batch.done !== true; batch = await lane.next()) {
            hasItems = true;
            yield label === undefined ? batch.value : batch.value.map((item) => accountItem(label, item));
          }
          const {notes: own = [], failure, isWhole: isOwnWhole = true} = batch.value ?? {};
          notes.push(...own.map((note) => labelNote(label, note)));
          isWhole &&= isOwnWhole;
          if (failure !== undefined) failed.push({account, failure: failureAs(member, failure)});
        } catch (error) {
          const failure = failureAs(member, error);
          if (label === undefined && !hasItems) throw failure;
          failed.push({account, failure});
        }
      }
    } finally {
      for (const {items} of lanes) void items.return(undefined).catch(() => {});
    }
    const failure = interruption() ?? this.failureOf(failed);
    return {isWhole, failure, notes: failure === undefined || !this.areSeveral ? notes : notes.filter(isForPeople)};
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...new Set([...this.members, ...this.#profiles])].map(({connection}) => connection.close()));
  }
}

async function* itemsOf(member: Member, work: (member: Member) => Items): Items {
  if (member.unusable !== undefined) throw member.unusable;
  return yield* work(member);
}

function labelNote(label: string | undefined, note: Note): Note {
  if (label === undefined) return note;
  return typeof note === 'string' ? `${label}: ${note}` : {...note, text: `${label}: ${note.text}`};
}

function failureAs({connection, label}: Member, error: unknown): Failure {
  return label === undefined ? failureWithSignIn(error, connection.session) : failureWithHint(asFailure(error), connection.session);
}

/**
 * The session of each account that the flags name.
 * @throws Failure `usage` for flags and variables that mean one account, and when there are no profiles
 */
export async function sessionsOf(flags: AccountsFlags, session: Session): Promise<readonly Session[]> {
  if (!areSeveral(flags)) return [session];
  const {
    flags: {server},
    io,
  } = session;
  const named = namedProfiles(flags);
  const all = flags['all-profiles'] === true;
  if (all && named.length > 0) throw new Failure('usage', '--profile and --all-profiles cannot be used together');
  if (server !== undefined)
    throw new Failure('usage', '--server cannot be used with several profiles: each profile has its own server', {
      hint: 'leave out --server',
    });
  // Read before the token is checked: PIXELCTL_PROFILES may be wrong, which is told first.
  const known = await knownProfiles(session);
  const variable = tokenVariable(io.env);
  if (variable !== undefined)
    throw new Failure('usage', `${variable} cannot be used with several profiles`, {
      hint: `unset ${variable}`,
    });
  const names = all ? (await known.list()).profiles.map(({name}) => name) : named;
  if (names.length === 0) throw new Failure('usage', 'No saved profiles', {hint: 'sign in with `pixelctl auth login`'});
  return names.map((profile) => sessionAs(profile, session));
}

/** Asks the server for the name of the account, if the profile does not have it. */
async function memberOf(connection: Connection): Promise<Member> {
  const {server} = connection;
  let unusable: Failure | undefined;
  const acct = await accountOf(connection).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    // A token that may not ask is still usable. A malformed answer could be about any account.
    if (error.code === 'bad_answer') unusable = error;
    return undefined;
  });
  const handle = acct === undefined ? undefined : handleOf(acct, server.host);
  const account = handle ?? fallbackName(connection);
  return {connection, handle, acct, unusable, account, label: account};
}

/** What identifies an account: two profiles that share one of these keys are the same account. */
function keysOf({account, connection: {identity, server}}: Member): string[] {
  const {profile} = identity;
  return [`name ${server.origin} ${account}`, ...(profile?.account ? [`id ${server.origin} ${profile.account.id}`] : [])];
}

function keepFirstProfiles(members: readonly Member[], session: Session): Member[] {
  const nameOf = ({connection}: Member) => connection.identity.profile?.name ?? '';
  const known = new Map<string, Member>();
  return members.filter((member) => {
    const keys = keysOf(member);
    const first = keys.map((key) => known.get(key)).find((one) => one !== undefined);
    for (const key of keys) if (!known.has(key)) known.set(key, first ?? member);
    if (first === undefined) return true;
    session.tellUnlessQuiet(
      `The profiles ${nameOf(first)} and ${nameOf(member)} are the same account, ${first.account}: only ${nameOf(first)} is used.`,
    );
    return false;
  });
}

/** How a command reads one account. @param stop aborted when somebody stops the command */
export type ReadAccount = (connection: Connection, stop: () => AbortSignal) => Promise<Result>;

/**
 * Runs a reading command for each account that the flags name. The result of one account is returned as it is. With several accounts each item
 * has the name of its account, in the order of the accounts, and if one fails, the others still run.
 * @param shape what is known of the result before anything is read
 * @param check of every account before anything is read of any
 * @throws Failure as {@link openAccounts} and `check` do, and that of the only account
 */
export async function readAccounts(
  {flags, session, opened, stop}: Pick<CommandRun<ParsedValues, AccountsFlags>, 'flags' | 'opened' | 'session' | 'stop'>,
  read: ReadAccount,
  shape: Pick<Result, 'documented' | 'hides' | 'view'>,
  check?: (connection: Connection) => Promise<void>,
): Promise<Result> {
  const accounts = opened.use(await openAccounts(flags, session));
  for (const {connection} of accounts.members) await check?.(connection);
  const [only] = accounts.members;
  if (only !== undefined && !accounts.areSeveral) return {...shape, ...(await read(only.connection, stop))};
  const signal = stop();
  const items = accounts.items(({connection}) => readOne(read, connection, signal), {
    interruption: () => (signal.aborted ? asFailure(signal.reason) : undefined),
  });
  return {...shape, areOfAccounts: true, items};
}

async function* readOne(read: ReadAccount, connection: Connection, signal: AbortSignal): Items {
  const {items, ...result} = await raceAbort(
    read(connection, () => signal),
    signal,
  );
  if (items !== undefined) return yield* items;
  yield await itemsOfResult(result);
  return result;
}

/**
 * Connects to the accounts that the flags name. The server of a single account is not asked for its name.
 * @param session has no profile if several are meant
 * @param signal ends all requests
 * @throws Failure `usage` when a profile does not exist, or flags and environment name one account
 */
export async function openAccounts(flags: AccountsFlags, session: Session, signal?: AbortSignal): Promise<Accounts> {
  const connections: Connection[] = [];
  for (const one of await sessionsOf(flags, session)) connections.push(await connect(one, {signal}));
  const [first] = connections;
  if (first !== undefined && !areSeveral(flags)) {
    const member = {connection: first, handle: undefined, acct: undefined, account: fallbackName(first), label: undefined};
    return new Accounts([member], {inUse: first.session.inUse});
  }
  const all = await Promise.all(connections.map(memberOf));
  const members = keepFirstProfiles(all, session);
  const inUse = {listOf: session.listOf, flags: accountFlags(session.flags, session.io.env)};
  const concurrency = flags.concurrency ?? defaultConcurrency;
  return new Accounts(members, {profiles: all, concurrency, inUse});
}
