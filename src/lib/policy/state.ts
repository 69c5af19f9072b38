/** What an account has on its server, as far as a policy needs it. */
import {createHash} from 'node:crypto';
import * as z from 'zod/mini';
import {listBlocks, listDomainBlocks, listMutes} from '../api/blocks.js';
import {getConfiguration} from '../api/config.js';
import {listFilters} from '../api/filters.js';
import {getPushState} from '../api/push.js';
import type {Client} from '../client/client.js';
import {isIdentifier} from '../client/request.js';
import {Failure} from '../client/failure.js';
import {mismatchesIn} from '../client/mismatch.js';
import {accountKey, handleOf, isId} from '../operations/handles.js';
import {hostOf} from '../operations/domains.js';
import {everyItem} from '../client/paging.js';
import {compareText} from './location.js';
import {storedKeyword} from './policy.js';

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
export type Part<Value> = {readonly failure: Failure} | {readonly value: Value};

/** The accounts that an account follows or that follow it. */
export interface Followed {
  /** How many of them a block of a domain would hit, those on its subdomains included. */
  readonly counts: ReadonlyMap<string, number>;
  readonly readAt: Date;
}

export type PartName = 'blocks' | 'config' | 'domain_blocks' | 'filters' | 'mutes' | 'push';

/** A part that was not requested is undefined. */
export interface State {
  /** Names the server in findings: `https://pix.example`. */
  readonly server: string;
  readonly host: string;
  /** By the form that domains are compared in, sorted: as the server writes them. */
  readonly domainBlocks?: Part<ReadonlyMap<string, string>> | undefined;
  readonly filters?: Part<readonly FilterState[]> | undefined;
  /** By handle, `user@host`, sorted. */
  readonly blocks?: Part<ReadonlyMap<string, AccountState>> | undefined;
  readonly mutes?: Part<ReadonlyMap<string, AccountState>> | undefined;
  readonly push?: Part<Readonly<Record<string, boolean>>> | undefined;
  readonly config?: Part<unknown> | undefined;
}

/** Ids become parts of paths and of suggested commands: nothing else may pass. */
const identifier = z.union([z.string().check(z.refine(isIdentifier, 'expected an id')), z.number()]);
const keywordId = z.union([z.number(), z.string().check(z.regex(/^\d+$/))]);

/** The fields that are used, and nothing else: any mismatch is an error. */
const shapes = {
  domains: z.array(z.string()),
  accounts: z.array(z.looseObject({id: identifier, acct: z.string()})),
  filters: z.array(
    z.looseObject({
      id: identifier,
      title: z.string(),
      context: z.array(z.string()),
      filter_action: z.string(),
      expires_at: z.nullable(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time'))),
      keywords: z.array(z.looseObject({id: keywordId, keyword: z.string(), whole_word: z.boolean()})),
    }),
  ),
  push: z.looseObject({
    notify_enabled: z.boolean(),
    notify_like: z.boolean(),
    notify_follow: z.boolean(),
    notify_mention: z.boolean(),
    notify_comment: z.boolean(),
  }),
  config: z.looseObject({}),
};

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
export async function partOf<Value>(read: () => Promise<Value>): Promise<Part<Value>> {
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
    return hostOf(text);
  } catch {
    return text;
  }
}

function filterState(filter: z.output<typeof shapes.filters>[number]): FilterState {
  return {
    id: String(filter.id),
    title: filter.title,
    context: [...new Set(filter.context)].sort(compareText),
    action: filter.filter_action,
    expiresAt: filter.expires_at,
    keywords: filter.keywords.map(({id, keyword, whole_word: wholeWord}) => ({id: Number(id), keyword: storedKeyword(keyword), wholeWord})),
  };
}

const jsonOf = (text: string): unknown => JSON.parse(text);

/** Reads the parts one after another: they share the rate limits of the server. */
export async function readState(client: Client, server: string, parts: ReadonlySet<PartName>): Promise<State> {
  const {host} = client;
  const readers = {
    domainBlocks: async () => {
      const domains = trusted(shapes.domains, (await everyItem(client, listDomainBlocks)).map(jsonOf), host, listDomainBlocks.path);
      return new Map(
        domains.map((text): [string, string] => [comparedDomain(text), text]).sort(([one], [other]) => compareText(one, other)),
      );
    },
    filters: async () => trusted(shapes.filters, (await client.call(listFilters, {})).value, host, listFilters.path).map(filterState),
    accounts: async (list: typeof listBlocks | typeof listMutes) => {
      const accounts = trusted(shapes.accounts, (await everyItem(client, list)).map(jsonOf), host, list.path);
      const named = accounts.map(({id, acct}): [string, AccountState] => [
        handleOf(acct, host),
        {id: String(id), acct: acct.replace(/^@/, '')},
      ]);
      return new Map(named.sort(([one], [other]) => compareText(one, other)));
    },
    push: async () => {
      const {notify_enabled, notify_like, notify_follow, notify_mention, notify_comment} = trusted(
        shapes.push,
        (await client.call(getPushState, {})).value,
        host,
        getPushState.path,
      );
      return {notify_enabled, notify_like, notify_follow, notify_mention, notify_comment};
    },
    config: async () => trusted(shapes.config, (await client.call(getConfiguration, {})).value, host, getConfiguration.path),
  };
  return {
    server,
    host,
    domainBlocks: parts.has('domain_blocks') ? await partOf(readers.domainBlocks) : undefined,
    filters: parts.has('filters') ? await partOf(readers.filters) : undefined,
    blocks: parts.has('blocks') ? await partOf(() => readers.accounts(listBlocks)) : undefined,
    mutes: parts.has('mutes') ? await partOf(() => readers.accounts(listMutes)) : undefined,
    push: parts.has('push') ? await partOf(readers.push) : undefined,
    config: parts.has('config') ? await partOf(readers.config) : undefined,
  };
}

/** Reads the parts. @throws Failure of the first one that cannot be read */
export async function readWhole(client: Client, server: string, parts: Iterable<PartName>): Promise<State> {
  const state = await readState(client, server, new Set(parts));
  const {domainBlocks, filters, blocks, mutes, push, config} = state;
  for (const one of [domainBlocks, blocks, mutes, filters, push, config]) if (one !== undefined) readPart<unknown>(one);
  return state;
}

/** The value of a part, if it was read. */
export function valueOf<Value>(part: Part<Value> | undefined): Value | undefined {
  return part === undefined || 'failure' in part ? undefined : part.value;
}

/** @throws Failure when it could not be read */
export function readPart<Value>(part: Part<Value>): Value {
  if ('failure' in part) throw part.failure;
  return part.value;
}

/** The filters that have not expired. */
export function liveFilters(filters: readonly FilterState[], now: Date): FilterState[] {
  return filters.filter(({expiresAt}) => expiresAt === null || Date.parse(expiresAt) > now.getTime());
}

function filterFacts({id, title, context, action, expiresAt, keywords}: FilterState): unknown[] {
  return [
    id,
    title,
    context,
    action,
    expiresAt,
    keywords.map((one) => [one.id, one.keyword, one.wholeWord]).sort(([one], [other]) => Number(one) - Number(other)),
  ];
}

/** Identifies everything that a plan can change, whatever the order in which a server returns it. */
export function fingerprint({domainBlocks, filters, blocks, mutes, push}: State): string {
  const settings = valueOf(push);
  const names = (part: Part<ReadonlyMap<string, unknown>> | undefined) => [...(valueOf(part)?.keys() ?? [])].sort(compareText);
  const facts = {
    domains: names(domainBlocks),
    blocks: names(blocks),
    mutes: names(mutes),
    filters:
      valueOf(filters)
        ?.toSorted((one, other) => compareText(one.id, other.id))
        .map(filterFacts) ?? [],
    push: settings ? Object.entries(settings).sort(([one], [other]) => compareText(one, other)) : [],
  };
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/**
 * The handle of an account in a set, where it may be named by its id. An id that is not in the set stays as it is.
 * @param name a handle, or an id
 */
export function knownHandle(there: ReadonlyMap<string, AccountState> | undefined, name: string, host: string): string {
  const key = accountKey(name, host);
  if (isId(key)) for (const [handle, account] of there ?? []) if (account.id === key) return handle;
  return key;
}
