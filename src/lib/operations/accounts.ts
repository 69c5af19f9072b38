/** Finds the ids of accounts and conversations by the names that people write. */
import {getAccountByName, lookUpAccount, verifyCredentials} from '../api/internal.js';
import type {Endpoint} from '../api/endpoint.js';
import {lookUpRecipients} from '../api/direct.js';
import {getThread} from '../api/thread.js';
import type {Client} from '../client/client.js';
import {Failure} from '../client/failure.js';
import {isAccountName, isAddress, isIdentifier, placeholder, requestFor} from '../client/request.js';
import {at, identifierAt, itemsAt, textAt} from '../json/path.js';
import {type ExpectedId, ExpectedIds} from './expected-ids.js';
import {handleOf, handlesOf, idInAddress, ownName, ownNameWarning} from './handles.js';

/** The account that a token belongs to. */
export interface OwnAccount {
  /** All digits, also where the server sends a number. */
  readonly id: string;
  /** User name, without the server. */
  readonly acct: string;
}

/**
 * The account that the client's token belongs to; undefined when the server does not offer that.
 * @param warn called when the server says that the account is on another host
 * @throws Failure `auth` when the token is refused, with the reason `scope` when it may not read; `bad_answer` without a usable name
 */
export async function whoAmI(client: Client, warn: (text: string) => void = () => {}): Promise<OwnAccount | undefined> {
  try {
    const {text} = await client.call(verifyCredentials, {});
    const id = identifierAt(text, ['id']);
    const name = ownName(identifierAt(text, ['acct']) ?? '', client.host);
    if (name?.otherHost !== undefined) warn(ownNameWarning(name, client.host));
    if (id !== undefined && isIdentifier(id) && name !== undefined) return {id, acct: name.user};
    throw new Failure('bad_answer', `${client.host}: the response does not name the account of the token`);
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return undefined;
    throw error;
  }
}

interface Wanted {
  readonly user: string;
  readonly host: string;
}

function isWanted(account: unknown, {user, host}: Wanted, own: string): boolean {
  return handlesOf(account, own).includes(handleOf(`${user}@${host}`, own));
}

type Route = (wanted: Wanted, client: Client) => Promise<string | undefined>;

const byName: Route = (wanted, client) => askedByName(wanted, client, {neverWaits: true});

/** The same, waiting for as long as the server says. */
const byNameInTime: Route = (wanted, client) => askedByName(wanted, client, {});

const askedByName = async (wanted: Wanted, client: Client, more: {readonly neverWaits?: true}): Promise<string | undefined> => {
  const request = requestFor(getAccountByName, {path: {name: wanted.user}});
  const {text, value} = await client.send({...request, ...more}, getAccountByName.output());
  return isWanted(value, wanted, client.host) ? identifierAt(text, ['id']) : undefined;
};

const byLookUp: Route = async (wanted, client) => {
  const acct = wanted.host === client.host ? `@${wanted.user}` : `@${wanted.user}@${wanted.host}`;
  const {text, value} = await client.call(lookUpAccount, {query: {acct}});
  return isWanted(value, wanted, client.host) ? identifierAt(text, ['id']) : undefined;
};

/** The search text: servers find local accounts by a name of at least two letters, others by the whole handle. */
function query({user, host}: Wanted, own: string): string {
  return host === own && user.length > 1 ? user : `@${user}@${host}`;
}

const bySearch: Route = async (wanted, client) => {
  const {text, value} = await client.call(lookUpRecipients, {body: {q: query(wanted, client.host)}});
  const match = (itemsAt(value, []) ?? []).findIndex((entry) => {
    const accounts = [at(entry, ['account']).value, {acct: textAt(entry, ['name'])}];
    return accounts.some((account) => isWanted(account, wanted, client.host));
  });
  return match === -1 ? undefined : identifierAt(text, [match, 'id']);
};

/** @throws Failure `bad_answer` for an id that no request can carry */
function usableId(id: string | undefined, {host}: Client): string | undefined {
  if (id === undefined || isIdentifier(id)) return id;
  throw new Failure('bad_answer', `${host}: the response does not name the account by a usable id`);
}

/** Whether a route is not available for any account: not offered, not allowed for this token, or over its quota. */
function isClosed({code, details: {reason, status}}: Failure): boolean {
  return reason === 'unknown_route' || status === 405 || code === 'rate_limited' || (code === 'auth' && reason === 'scope');
}

/** Whether another route may still find the account. */
function leadsOn(failure: Failure): boolean {
  return isClosed(failure) || failure.code === 'not_found' || failure.code === 'refused';
}

export interface AccountsOptions {
  /** Sends nothing: placeholders stand for ids. */
  readonly dryRun?: boolean | undefined;
  /** The account of the token, where it is known. */
  readonly self?: OwnAccount | null | undefined;
}

/** Finds ids of accounts and conversations, each once. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #ids = new Map<string, Promise<string>>();
  readonly #expected = new ExpectedIds();
  readonly #conversations = new Map<string, Promise<string>>();
  /** Routes that are not tried again. */
  readonly #closed = new Map<Route, Failure>();
  #self: Promise<OwnAccount | undefined> | undefined;

  constructor(options: AccountsOptions = {}) {
    this.#options = options;
  }

  /**
   * The id of an account.
   * @param name as {@link accountName} gives it
   * @throws Failure `not_found` when nobody has exactly that handle
   */
  async idOf(name: string, client: Client): Promise<string> {
    if (!name.startsWith('@')) return isAddress(name) ? idInAddress(name, client.host) : name;
    if (this.#options.dryRun) return placeholder(name);
    const handle = handleOf(name, client.host);
    const known = this.#ids.get(handle) ?? this.#idOf(name, handle, client);
    this.#ids.set(handle, known);
    return known;
  }

  /**
   * Tells which ids accounts have where they were listed.
   * @param expected by name, with the server: `@ana@pix.example`
   * @param list where to look for them; without one, each is asked for
   */
  expect(expected: ReadonlyMap<string, ExpectedId>, list?: Endpoint): void {
    this.#expected.lookIn(list);
    for (const [name, one] of expected) this.#expected.add(name, one);
  }

  async #idOf(name: string, handle: string, client: Client): Promise<string> {
    return (await this.#expected.idOf(handle, client)) ?? this.#find(name, client);
  }

  /**
   * The id of a conversation. An account stands for the conversation with it. No conversation is started.
   * @param name as {@link conversationName} gives it
   * @throws Failure `not_found` when there is no account of that name, or no conversation with it
   */
  async conversationOf(name: string, client: Client): Promise<string> {
    if (!isAccountName(name)) return name;
    if (this.#options.dryRun) return placeholder(`the conversation with ${name}`);
    const known = this.#conversations.get(name) ?? this.#findConversation(name, client);
    this.#conversations.set(name, known);
    return known;
  }

  /**
   * A plain failure for messages to oneself: servers report only that there is no such account.
   * @param ids the accounts that a request names
   */
  async explain(error: unknown, ids: readonly string[], client: Client): Promise<unknown> {
    const isMissing = error instanceof Failure && error.code === 'not_found' && error.details.reason !== 'unknown_route';
    if (!isMissing) return error;
    this.#self ??= this.#options.self ? Promise.resolve(this.#options.self) : whoAmI(client).catch(() => undefined);
    const own = await this.#self;
    if (own === undefined || ids.some((id) => id !== own.id)) return error;
    return new Failure('usage', `@${own.acct} is your own account; you cannot message yourself: nothing was sent`, {
      ...error.details,
      hint: 'name another account',
    });
  }

  async #findConversation(name: string, client: Client): Promise<string> {
    const pid = await this.idOf(name, client);
    const {text, value: thread} = await client.call(getThread, {query: {pid}}).catch(async (error: unknown) => {
      throw await this.explain(error, [pid], client);
    });
    const id = identifierAt(text, ['conversation_id']);
    if (id !== undefined && isIdentifier(id)) return id;
    const {present, value} = at(thread, ['conversation_id']);
    if (!present)
      throw new Failure('not_found', `${client.host} does not support conversations`, {
        hint: (suggest) => `servers before 2026 have threads: \`${suggest(['thread', 'get'], {args: [name]})}\``,
      });
    if (value === null)
      throw new Failure('not_found', `No conversation with ${name} yet`, {
        hint: (suggest) => `start one with \`${suggest(['dm', 'start'], {args: [name]})}\``,
      });
    throw new Failure('bad_answer', `${client.host}: the response does not name the conversation with ${name}`);
  }

  async #find(name: string, client: Client): Promise<string> {
    const [user = '', host = client.host] = name.slice(1).split('@');
    const wanted = {user, host: host.toLowerCase()};
    const isOfServer = wanted.host === client.host;
    const closed: Failure[] = [];
    const by = (route: Route) => this.#by(route, wanted, client, closed);
    const named = isOfServer ? await by(byName) : undefined;
    const offersNames = isOfServer && !closed.some(({details: {reason, status}}) => reason === 'unknown_route' || status === 405);
    const isLimited = offersNames && closed.some(({code}) => code === 'rate_limited');
    // The search finds most names at once, but may hide one behind longer ones: only then it is worth waiting.
    const id =
      named ?? (offersNames ? undefined : await by(byLookUp)) ?? (await by(bySearch)) ?? (isLimited ? await by(byNameInTime) : undefined);
    if (id !== undefined) return id;
    const unanswered = isLimited ? undefined : closed.find(({code}) => code === 'rate_limited' || code === 'auth');
    if (unanswered !== undefined) throw unanswered;
    throw new Failure('not_found', `No account ${name} on ${client.host}`, {
      hint: (suggest) => `search for it: \`${suggest(['dm', 'lookup'], {args: [query(wanted, client.host)]})}\``,
    });
  }

  /** @param closed collects the failures of unavailable routes */
  async #by(route: Route, wanted: Wanted, client: Client, closed: Failure[]): Promise<string | undefined> {
    try {
      if (!this.#closed.has(route)) return usableId(await route(wanted, client), client);
    } catch (error) {
      if (!(error instanceof Failure) || !leadsOn(error)) throw error;
      // This limit is for two minutes; the others are for longer than a run.
      if (route === byName && error.code === 'rate_limited') closed.push(error);
      else if (route === byNameInTime && error.code === 'rate_limited') throw error;
      else if (isClosed(error)) this.#closed.set(route, error);
    }
    const failure = this.#closed.get(route);
    if (failure !== undefined) closed.push(failure);
    return undefined;
  }
}
