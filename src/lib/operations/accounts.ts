/** Finds the ids of accounts and conversations by the names that people write. */
import {commandText} from '../files/command-text.js';
import {getAccountByName, lookUpAccount, verifyCredentials} from '../api/internal.js';
import {lookUpRecipients} from '../api/direct.js';
import {getThread} from '../api/thread.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {isAccountName, isAddress, isIdentifier, placeholder, requestFor, usableIdAt, type Request} from '../client/request.js';
import {at, identifierAt, itemsAt, textAt} from '../json/path.js';
import type {FindExpected} from './expected-ids.js';
import {handleOf, ownName} from './handle.js';
import {handlesOf, idInAddress} from './account-name.js';

export interface OwnAccount {
  /** All digits, also where the server sends a number. */
  readonly id: string;
  /** User name, without the server. */
  readonly acct: string;
}

/**
 * The account that the client's token belongs to; undefined when the server does not offer that.
 * @throws Failure `auth` when the token is refused, with the reason `scope` when it may not read; `bad_answer` without a usable name
 */
export async function whoAmI(client: Client): Promise<OwnAccount | undefined> {
  try {
    const {exact} = await client.call(verifyCredentials, {});
    const id = usableIdAt(exact, ['id']);
    const acct = ownName(identifierAt(exact, ['acct']) ?? '');
    if (id !== undefined && acct !== undefined) return {id, acct};
    throw new Failure('bad_answer', `${client.host}: the response does not name the account of the token`);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The host that a server gives its own accounts; undefined where it does not say. */
export async function hostOfAccounts(client: Client): Promise<string | undefined> {
  const {value} = await client.call(verifyCredentials, {});
  return URL.parse(textAt(value, ['url']) ?? '')?.host;
}

interface Wanted {
  readonly user: string;
  readonly host: string;
}

function isWanted(account: unknown, {user, host}: Wanted, own: string): boolean {
  return handlesOf(account, own).includes(handleOf(`${user}@${host}`, own));
}

type Route = (wanted: Wanted, client: Client) => Promise<string | undefined>;

const askForName = async (request: Request, wanted: Wanted, client: Client): Promise<string | undefined> => {
  const {exact, value} = await client.send(request, getAccountByName.output());
  return isWanted(value, wanted, client.host) ? identifierAt(exact, ['id']) : undefined;
};

const nameRequest = ({user}: Wanted): Request => requestFor(getAccountByName, {path: {name: user}});

const byName: Route = (wanted, client) => askForName({...nameRequest(wanted), neverWaits: true}, wanted, client);

/** Asks by name, and waits for as long as the server says. */
const byNameInTime: Route = (wanted, client) => askForName(nameRequest(wanted), wanted, client);

const byLookUp: Route = async (wanted, client) => {
  const acct = wanted.host === client.host ? `@${wanted.user}` : `@${wanted.user}@${wanted.host}`;
  const {exact, value} = await client.call(lookUpAccount, {query: {acct}});
  return isWanted(value, wanted, client.host) ? identifierAt(exact, ['id']) : undefined;
};

/** The search text: servers find local accounts by a name of at least two letters, others by the whole handle. */
export function searchText({user, host}: Wanted, own: string): string {
  return host === own && user.length > 1 ? user : `@${user}@${host}`;
}

const bySearch: Route = async (wanted, client) => {
  const {exact} = await client.call(lookUpRecipients, {body: {q: searchText(wanted, client.host)}});
  const match = itemsAt(exact, [])?.find((entry) => {
    const accounts = [at(entry, ['account']).value, {acct: textAt(entry, ['name'])}];
    return accounts.some((account) => isWanted(account, wanted, client.host));
  });
  return identifierAt(match, ['id']);
};

const isMissing = ({details: {reason, status}}: Failure): boolean => reason === 'unknown_route' || status === 405;

/** Whether a route fails for every account: the server does not have it, the token may not use it, or its quota is used up. */
const isClosed = (failure: Failure): boolean =>
  isMissing(failure) || failure.code === 'rate_limited' || (failure.code === 'auth' && failure.details.reason === 'scope');

/** Finds ids of accounts and conversations, each once. */
export class AccountDirectory {
  /** Whether nothing is sent: placeholders stand for ids. */
  readonly #isDryRun: boolean;
  readonly #ids = new Map<string, Promise<string>>();
  readonly #conversations = new Map<string, Promise<string>>();
  /** Finds the ids of accounts in the list that named them. */
  expected: FindExpected | undefined;
  /** How routes failed that are not tried now. */
  readonly #closed = new Map<Route, Failure>();

  constructor({dryRun = false}: {readonly dryRun?: boolean | undefined} = {}) {
    this.#isDryRun = dryRun;
  }

  /**
   * The id of an account.
   * @param name as {@link accountName} gives it
   * @throws Failure `not_found` when nobody has exactly that handle
   */
  async idOf(name: string, client: Client): Promise<string> {
    if (!name.startsWith('@')) return isAddress(name) ? idInAddress(name, client.host) : name;
    if (this.#isDryRun) return placeholder(name);
    const handle = handleOf(name, client.host);
    const known = this.#ids.get(handle) ?? this.#find(name, handle, client);
    this.#ids.set(handle, known);
    return known;
  }

  /**
   * The id of a conversation. An account stands for the conversation with it. No conversation is started.
   * @param name as {@link conversationName} gives it
   * @throws Failure `not_found` when there is no account of that name, or no conversation with it
   */
  async conversationOf(name: string, client: Client): Promise<string> {
    if (!isAccountName(name)) return name;
    if (this.#isDryRun) return placeholder(`the conversation with ${name}`);
    const known = this.#conversations.get(name) ?? this.#findConversation(name, client);
    this.#conversations.set(name, known);
    return known;
  }

  async #findConversation(name: string, client: Client): Promise<string> {
    const pid = await this.idOf(name, client);
    const request = requestFor(getThread, {query: {pid}}, [{at: ['id'], is: pid}]);
    const {exact, value: thread} = await client.send(request, getThread.output());
    const id = usableIdAt(exact, ['conversation_id']);
    if (id !== undefined) return id;
    const {present, value} = at(thread, ['conversation_id']);
    if (!present)
      throw new Failure('not_found', `${client.host} does not support conversations`, {
        reason: 'unknown_route',
        hint: `servers before 2026 have threads: \`${commandText('thread get', {args: [name]})}\``,
      });
    if (value === null)
      throw new Failure('not_found', `No conversation with ${name} yet`, {
        hint: `start one with \`${commandText('dm start', {args: [name]})}\``,
      });
    throw new Failure('bad_answer', `${client.host}: the response does not name the conversation with ${name}`);
  }

  async #find(name: string, handle: string, client: Client): Promise<string> {
    const expected = await this.expected?.(handle, client);
    if (expected !== undefined) return expected;
    const [user = '', host = client.host] = name.slice(1).split('@');
    const wanted = {user, host: host.toLowerCase()};
    const isOfServer = wanted.host === client.host;
    const failures: Failure[] = [];
    const ask = (route: Route) => this.#ask(route, wanted, client, failures);
    const named = isOfServer ? await ask(byName) : undefined;
    const closed = isOfServer ? this.#closed.get(byName) : undefined;
    const isLimited = closed?.code === 'rate_limited';
    const offersNames = isOfServer && (closed === undefined || !isMissing(closed));
    // The search finds most names at once, but may hide one behind longer ones: only then it is worth waiting.
    const id =
      named ??
      (offersNames ? undefined : await ask(byLookUp)) ??
      (await ask(bySearch)) ??
      (isLimited ? await ask(byNameInTime) : undefined);
    if (id !== undefined) return id;
    const unanswered = isLimited ? undefined : failures.find(({code}) => code === 'rate_limited' || code === 'auth');
    if (unanswered !== undefined) throw unanswered;
    throw new Failure('not_found', `No account ${name} on ${client.host}`, {
      hint: `search for it: \`${commandText('dm lookup', {args: [searchText(wanted, client.host)]})}\``,
    });
  }

  /** @param failures collects those of unavailable routes */
  async #ask(route: Route, wanted: Wanted, client: Client, failures: Failure[]): Promise<string | undefined> {
    const closed = this.#closed.get(route);
    if (closed !== undefined) {
      failures.push(closed);
      return undefined;
    }
    try {
      const id = await route(wanted, client);
      if (id !== undefined && !isIdentifier(id))
        throw new Failure('bad_answer', `${client.host}: the response does not name the account by a usable id`);
      if (route === byNameInTime) this.#closed.delete(byName);
      return id;
    } catch (error) {
      if (!(error instanceof Failure) || (route === byNameInTime && error.code === 'rate_limited')) throw error;
      if (!isClosed(error) && error.code !== 'not_found' && error.code !== 'refused') throw error;
      if (!isClosed(error)) return undefined;
      this.#closed.set(route, error);
      failures.push(error);
      return undefined;
    }
  }
}
