/** The accounts of a command, one or several: which ones, side by side, and how they fail together. */
import {type AccountInUse} from './account-in-use.js';
import {type AdminAccess, hasAdminScopes, tokenVariable} from '../auth/index.js';
import {type AccountFailure, asFailure, Failure} from '../client/failure.js';
import {handleOf, nounFor} from '../operations/handle.js';
import {inOrder} from '../run/index.js';
import {counted, firstOf} from '../json/text.js';
import {accountOf, connect, fallbackName, sessionAs, type Connection} from './connection.js';
import {knownProfiles} from './known-profiles.js';
import {hintFor} from './errors.js';
import {areSeveral, namedProfiles, defaultConcurrency, type AccountsFlags} from './flags.js';
import {accountFlags, type Session} from './session.js';
import type {Items, Note, Result} from './sink.js';
import type {CommandRun, ParsedValues} from './command.js';
import {unlessAborted} from '../client/paging.js';
import {at} from '../json/path.js';
import {accountItem, itemsOfResult} from '../print/print.js';

export interface Member {
  /** `ana@pix.example`; the name of the profile where the server does not name the account, or was not asked. */
  readonly account: string;
  /** `ana@pix.example`; undefined where the server does not name the account, or was not asked. */
  readonly handle: string | undefined;
  /** `@ana`; undefined likewise. */
  readonly acct: string | undefined;
  /** Set where it is about what is the account's own, or about what the accounts of its server share; undefined: about both. */
  readonly owner?: 'account' | 'server' | undefined;
  /** Why it is not known which account it is, where the server's answer to that cannot be used. */
  readonly unusable?: Failure | undefined;
  readonly connection: Connection;
}

/** What is about to be done to an account, or was found out about it. */
export interface PerAccount<Value> {
  readonly member: Member;
  readonly value: Value;
}

/** The accounts that a command uses, each once, with a connection each. */
export class Accounts implements AsyncDisposable {
  readonly members: readonly Member[];
  /** All profiles, also several of one account, in the order given. */
  readonly #profiles: readonly Member[];
  /** Whether what is printed names them. It depends on the flags alone: one account is shown without its name. */
  readonly areNamed: boolean;
  /** Accounts at the same time, at most. */
  readonly concurrency: number;
  /** All of them, as suggested commands name them. */
  readonly inUse: AccountInUse;

  constructor(
    members: readonly Member[],
    profiles: readonly Member[],
    {areNamed, concurrency, inUse}: Pick<Accounts, 'areNamed' | 'concurrency' | 'inUse'>,
  ) {
    this.members = members;
    this.#profiles = profiles;
    this.areNamed = areNamed;
    this.concurrency = concurrency;
    this.inUse = inUse;
  }

  /** The accounts of a run with other members; their connections are closed with these accounts. */
  withMembers(members: readonly Member[]): Accounts {
    return new Accounts(members, this.#profiles, this);
  }

  /** The account of a command that uses one, and shows it without its name. */
  get alone(): Member | undefined {
    return this.areNamed ? undefined : this.members[0];
  }

  /** One account, shown without its name. */
  static of(connection: Connection): Accounts {
    const {inUse} = connection;
    const member = {connection, handle: undefined, acct: undefined, account: fallbackName(connection)};
    return new Accounts([member], [member], {areNamed: false, concurrency: 1, inUse});
  }

  /** The profiles of each server, by its origin. */
  get byServer(): ReadonlyMap<string, readonly Member[]> {
    return Map.groupBy(this.#profiles, ({connection}) => connection.server.origin);
  }

  /**
   * Works on the accounts side by side, except those of which it is not known which account they are.
   * @param members those that it is about, all by default
   * @returns the results in the order of the accounts; a Failure for those that failed
   */
  async each<Result>(work: (member: Member) => Promise<Result>, members = this.members): Promise<(Failure | Result)[]> {
    const safely = async (member: Member) => {
      try {
        if (member.unusable !== undefined) throw member.unusable;
        return {result: await work(member)};
      } catch (error) {
        return {result: this.areNamed ? failureAs(member, error) : asFailure(error)};
      }
    };
    const results: (Failure | Result)[] = [];
    const queue = inOrder(members, safely, {concurrency: this.concurrency, stop: new AbortController().signal});
    for await (const {result} of queue) results.push(result);
    return results;
  }

  /**
   * Works on the accounts side by side, as {@link each} does, and returns results and failures apart.
   * @throws Failure of an account that is the only one: among several, one that fails does not stop the others
   */
  async eachApart<Result>(work: (member: Member) => Promise<Result>, members = this.members): Promise<Apart<Result>> {
    const apart = partition(members, await this.each(work, members));
    const [alone] = apart.failed;
    if (alone !== undefined && !this.areNamed) throw alone.failure;
    return apart;
  }

  /** How a command ends when some accounts failed; undefined when none did. */
  failureOf(failed: readonly AccountFailure[]): Failure | undefined {
    return this.areNamed ? failureOfAccounts(failed, this.members, this.inUse) : failed[0]?.failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...new Set([...this.members, ...this.#profiles])].map(({connection}) => connection.close()));
  }
}

interface Apart<Result> {
  readonly found: readonly PerAccount<Result>[];
  readonly failed: readonly AccountFailure[];
}

function partition<Result>(members: readonly Member[], results: readonly (Failure | Result)[]): Apart<Result> {
  const found: PerAccount<Result>[] = [];
  const failed: AccountFailure[] = [];
  for (const [index, member] of members.entries()) {
    const result = results[index];
    if (result instanceof Failure) failed.push({account: member.account, failure: result});
    else if (result !== undefined) found.push({member, value: result});
  }
  return {found, failed};
}

/** The failure of one of several accounts: its hint acts on this account. */
export function failureAs({connection}: Member, error: unknown): Failure {
  const failure = asFailure(error);
  const hint = hintFor(failure, connection.inUse);
  return hint === undefined ? failure : failure.saying('', {hint});
}

/** Accounts whose failures a message tells. */
const maxTold = 3;

function failureOfAccounts(failed: readonly AccountFailure[], members: readonly Member[], inUse: AccountInUse): Failure | undefined {
  const [first] = failed;
  if (first === undefined) return undefined;
  const told = failed.map(({account, failure}) => `${account}: ${failure.message}`);
  const [one, several] = nounFor(members);
  return new Failure(
    'partial',
    `${failed.length} of ${counted(members.length, one, several)} failed: ${firstOf(told, maxTold, {between: '; '})}`,
    {
      accounts: failed,
      hint: failed.length === 1 ? hintFor(first.failure, inUse) : `the other ${several} were not affected`,
    },
  );
}

/**
 * The session of each account that the flags name.
 * @throws Failure `usage` for flags and variables that mean one account, and when there are none
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
  // First: what the environment defines may be in the way of the token in it, too.
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

/** Accounts without a name in their profile are asked for it. */
async function memberOf(connection: Connection): Promise<Member> {
  const {server} = connection;
  let unusable: Failure | undefined;
  const acct = await accountOf(connection).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    // Not every token may ask for it. An answer that cannot be used could be of anyone.
    if (error.code === 'bad_answer') unusable = error;
    return undefined;
  });
  const handle = acct === undefined ? undefined : handleOf(acct, server.host);
  return {connection, handle, acct, unusable, account: handle ?? fallbackName(connection)};
}

/** What two profiles of one account have in common. */
function keysOf({account, connection: {identity, server}}: Member): string[] {
  const {profile} = identity;
  return [`name ${server.origin} ${account}`, ...(profile?.account ? [`id ${server.origin} ${profile.account.id}`] : [])];
}

/** The first profile that is not known to lack the scope of admins. */
export function firstAdmin(members: readonly Member[], access: AdminAccess): Member | undefined {
  return members.find(({connection: {identity}}) => identity.profile === undefined || hasAdminScopes(identity.profile, access) !== false);
}

/** The profiles of each account, in the order given. */
function byAccount(members: readonly Member[]): Member[][] {
  const known = new Map<string, Member[]>();
  for (const member of members) {
    const keys = keysOf(member);
    const same = keys.flatMap((key) => known.get(key) ?? []);
    const all = members.filter((one) => one === member || same.includes(one));
    for (const key of all.flatMap(keysOf)) known.set(key, all);
  }
  return [...new Set(known.values())];
}

/** Keeps the first profile of each account. */
function eachOnce(members: readonly Member[], session: Session): Member[] {
  const nameOf = ({connection}: Member) => connection.identity.profile?.name ?? '';
  const kept = new Set<Member>();
  for (const [first, ...others] of byAccount(members)) {
    if (first === undefined) continue;
    kept.add(first);
    for (const other of others)
      session.tellUnlessQuiet(
        `The profiles ${nameOf(first)} and ${nameOf(other)} are the same account, ${first.account}: only ${nameOf(first)} is used.`,
      );
  }
  return members.filter((member) => kept.has(member));
}

/** Those that may be admins, where all profiles are meant; all of them where none may. */
function thatMay(members: readonly Member[], session: Session): readonly Member[] {
  const admins = members.filter(({connection: {identity}}) => identity.isAdmin !== false);
  if (admins.length === 0) return members;
  const others = members.filter((member) => !admins.includes(member));
  const names = others.map(({connection}) => connection.identity.profile?.name).join(', ');
  if (others.length > 0) session.tellUnlessQuiet(`Skipped, because their tokens lack admin scopes: ${names}.`);
  return members.filter((member) => admins.includes(member));
}

/** How a command reads one account. @param stop aborted when somebody stops the command */
export type ReadAccount = (connection: Connection, stop: () => AbortSignal) => Promise<Result>;

/**
 * Runs a reading command for each account that the flags name. That of one account is its result as it is; of several, each item comes with
 * the name of its account, in the order of the accounts, and one that fails does not stop the others.
 * @param shape what is known of the result before anything is read
 * @throws Failure as {@link openAccounts} does; of the only account
 */
export async function readAccounts(
  {flags, session, opened, stop}: Pick<CommandRun<ParsedValues, AccountsFlags>, 'flags' | 'opened' | 'session' | 'stop'>,
  read: ReadAccount,
  {asAdmin, ...shape}: Pick<Result, 'documented' | 'hides' | 'next' | 'view'> & {readonly asAdmin?: boolean},
): Promise<Result> {
  if (!areSeveral(flags)) return {...shape, ...(await read(opened.use(await connect(session)), stop))};
  const accounts = opened.use(await openAccounts(flags, session, asAdmin));
  const next = shape.next && ((item: unknown) => shape.next?.(at(item, ['item']).value));
  return {...shape, next, areOfAccounts: true, fetchesAhead: true, items: itemsOf(accounts, read, stop())};
}

/** Batches that are read before they can be printed, because those of an earlier account come first. */
const maxAhead = 8;

/** Reads batches ahead of what is asked for. */
class Ahead {
  readonly #items: Items;
  #coming: readonly ReturnType<Items['next']>[] = [];

  constructor(items: Items, count: number) {
    this.#items = items;
    this.#coming = Array.from({length: count}, () => items.next());
    // Each is awaited when it is its turn.
    for (const one of this.#coming) one.catch(() => {});
  }

  next(): ReturnType<Items['next']> {
    const coming = this.#items.next();
    coming.catch(() => {});
    const [next, ...others] = [...this.#coming, coming];
    this.#coming = others;
    return next ?? coming;
  }
}

/** The items of an account. @throws Failure where there are none */
async function* itemsOfOne({connection, unusable}: Member, read: ReadAccount, signal: AbortSignal): Items {
  if (unusable !== undefined) throw unusable;
  const {items, ...result} = await unlessAborted(
    read(connection, () => signal),
    signal,
  );
  if (items !== undefined) return yield* items;
  yield await itemsOfResult(result);
  return result;
}

/** Whether it is about what was printed, and not about what was not. */
const isForPeople = (note: Note): boolean => typeof note === 'object' && note.to === 'people';

/** The items of accounts, in their order. While those of one are printed, those of the next ones are read. */
async function* itemsOf(accounts: Accounts, read: ReadAccount, signal: AbortSignal): Items {
  const {members, concurrency} = accounts;
  const begun: Ahead[] = [];
  const failed: AccountFailure[] = [];
  const notes: Note[] = [];
  const advice = new Set<string>();
  let isWhole = true;
  for (const [index, member] of members.entries()) {
    for (const one of members.slice(begun.length, index + concurrency))
      begun.push(new Ahead(itemsOfOne(one, read, signal), begun.length === index ? 0 : maxAhead));
    const {account} = member;
    const toldAs = (note: Note): Note =>
      typeof note === 'string' ? `${account}: ${note}` : {...note, text: `${account}: ${note.text}`, advice: undefined};
    try {
      for (;;) {
        const turn = await begun[index]?.next();
        if (turn === undefined) break;
        if (turn.done !== true) {
          yield turn.value.map((item) => accountItem(account, item));
          continue;
        }
        const {notes: own = [], failure, isWhole: isOwnWhole = true} = turn.value ?? {};
        notes.push(...own.map(toldAs));
        for (const note of own) if (typeof note === 'object' && note.advice !== undefined) advice.add(note.advice);
        isWhole &&= isOwnWhole;
        if (failure !== undefined) throw failure;
        break;
      }
    } catch (error) {
      if (signal.aborted) return {notes, failure: asFailure(signal.reason)};
      failed.push({account, failure: failureAs(member, error)});
    }
  }
  const failure = accounts.failureOf(failed);
  const more = [...advice].map((text) => ({text, to: 'all'}) as const);
  return {isWhole, failure, notes: failure === undefined ? [...notes, ...more] : notes.filter(isForPeople)};
}

/**
 * Connects to the accounts that the flags name. A single one is not asked for its name.
 * @param session without a profile where several are meant
 * @param asAdmin whether it is about what admins alone may read: of all profiles, those that are known to lack its scope are left out
 * @throws Failure `usage` when a profile does not exist, or flags and environment name one account
 */
export async function openAccounts(flags: AccountsFlags, session: Session, asAdmin = false): Promise<Accounts> {
  const connections: Connection[] = [];
  for (const one of await sessionsOf(flags, session)) connections.push(await connect(one));
  const [first] = connections;
  if (first !== undefined && !areSeveral(flags)) return Accounts.of(first);
  const all = await Promise.all(connections.map(memberOf));
  const isAll = flags['all-profiles'] === true;
  const meant = isAll && asAdmin ? thatMay(all, session) : all;
  const members = eachOnce(meant, session);
  const profile = isAll ? {'all-profiles': true} : {profile: namedProfiles(flags)};
  const inUse = {flags: {...accountFlags(session.flags, session.io.env), profile: undefined, ...profile}};
  const concurrency = flags.concurrency ?? defaultConcurrency;
  return new Accounts(members, all, {areNamed: true, concurrency, inUse});
}
