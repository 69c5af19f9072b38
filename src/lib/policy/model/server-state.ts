/** What an account has on its server, as far as a policy needs it. */
import * as z from 'zod/mini';
import {isIdentifier} from '../../client/request.js';
import {Failure} from '../../client/failure.js';
import {mismatchesIn} from '../../client/mismatch.js';
import {accountKey, handleOf, isId} from '../../operations/handle.js';
import {blockableOf} from '../../operations/domains.js';
import type {DomainsKey} from './policy.js';
import type {Values} from './section-types.js';

export interface KeywordState {
  readonly id: number;
  readonly keyword: string;
  readonly wholeWord: boolean;
}

export interface FilterState {
  readonly id: string;
  readonly title: string;
  /** Sorted, each once. */
  readonly context: readonly string[];
  readonly action: string;
  readonly expiresAt: string | null;
  readonly keywords: readonly KeywordState[];
}

export interface AccountState {
  readonly id: string;
  /** As the server writes it: its own accounts without a host. */
  readonly acct: string;
}

/** A part of the state, or why it could not be read, which never counts as empty. */
export type Fetched<Value> = {readonly failure: Failure} | {readonly value: Value};

/** The accounts that an account follows or that follow it. */
export interface Followed {
  /** How many of them a block of a domain would hit, those on its subdomains included. */
  readonly counts: ReadonlyMap<string, number>;
  readonly readAt: Date;
}

type Parts = {readonly [Key in keyof Values]?: Fetched<Values[Key]> | undefined};

/** A part that was not requested is undefined. */
export interface State extends Parts {
  /** Names the server in findings: `https://pix.example`. */
  readonly server: string;
  readonly host: string;
  /** The account whose state it is, where that is known. */
  readonly own?: AccountState | undefined;
}

/** Ids become parts of paths and of suggested commands: nothing else may pass. */
export const pathId = z.union([z.string().check(z.refine(isIdentifier, 'expected an id')), z.number()]);

/** @throws Failure `bad_answer` on any schema mismatch */
export function trusted<Schema extends z.ZodMiniType>(schema: Schema, value: unknown, host: string, path: string): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  const why = mismatchesIn(schema, value)
    .list.slice(0, 5)
    .map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`));
  throw new Failure('bad_answer', `The response of ${host} cannot be used: ${why.join('; ')}`, {reason: 'shape', method: 'GET', path});
}

/** What a read returns, or why it failed. */
export async function fetched<Value>(read: () => Promise<Value>): Promise<Fetched<Value>> {
  try {
    return {value: await read()};
  } catch (error) {
    if (error instanceof Failure) return {failure: error};
    throw error;
  }
}

/** The form that domains are compared in; an invalid domain is kept unchanged. */
export function comparedDomain(text: string): string {
  try {
    return blockableOf(text);
  } catch {
    return text;
  }
}

/** The value of a part, if it was read. */
export function valueOf<Value>(part: Fetched<Value> | undefined): Value | undefined {
  return part === undefined || 'failure' in part ? undefined : part.value;
}

/** What the server has of a section of domains, by them. */
export function domainsOfState(state: State, key: DomainsKey): ReadonlyMap<string, unknown> | undefined {
  return valueOf<ReadonlyMap<string, unknown>>(state[key]);
}

/** @throws Failure when it could not be read */
export function fetchedValue<Value>(part: Fetched<Value>): Value {
  if ('failure' in part) throw part.failure;
  return part.value;
}

/** The filters that have not expired. */
export function liveFilters(filters: readonly FilterState[], now: Date): FilterState[] {
  return filters.filter(({expiresAt}) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
}

/**
 * The handle of an account, where it may be named by its id. An id that is neither in the set nor that of the own account stays as it is.
 * @param name a handle, or an id
 */
export function knownHandle(
  there: ReadonlyMap<string, AccountState> | undefined,
  name: string,
  {host, own}: Pick<State, 'host' | 'own'>,
): string {
  const key = accountKey(name, host);
  if (!isId(key)) return key;
  if (own?.id === key) return handleOf(own.acct, host);
  for (const [handle, account] of there ?? []) if (account.id === key) return handle;
  return key;
}
