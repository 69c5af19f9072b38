/** A server without a network: what it has is data, and requests change it as real servers do. */
import {Failure} from '../../../src/lib/client/failure.js';
import {handleOf, shownHandle} from '../../../src/lib/operations/handle.js';
import type {Change} from '../../../src/lib/policy/model/change.js';
import {adviceOf} from '../../../src/lib/policy/model/difference.js';
import {requestOf} from '../../../src/lib/policy/plan/requests.js';
import type {AccountState, FilterState, KeywordState, State} from '../../../src/lib/policy/model/server-state.js';

export const host = 'pix.example';
export const now = new Date('2026-11-20T12:00:00.000Z');
export const circumstances = {now, advice: adviceOf()};

const days = 86_400_000;

export function inDays(count: number): string {
  return new Date(now.getTime() + count * days).toISOString();
}

export interface Model {
  readonly domains: readonly string[];
  readonly filters: readonly FilterState[];
  /** As the server writes them: its own accounts without a host. */
  readonly blocks: readonly string[];
  readonly mutes: readonly string[];
}

export const emptyModel: Model = {domains: [], filters: [], blocks: [], mutes: []};

/** In this model the id of an account says who it is. */
const idOf = (acct: string): string => `id:${handleOf(acct, host)}`;

/** A list of accounts, as if it had been read. */
export function accountsOf(...names: readonly string[]): {readonly value: ReadonlyMap<string, AccountState>} {
  const entries = names.map((acct): [string, AccountState] => [handleOf(acct, host), {id: idOf(acct), acct}]);
  return {value: new Map(entries.sort(([one], [other]) => (one < other ? -1 : 1)))};
}

/** Everything that a model has, as if it had been read. */
export function stateOf({domains, filters, blocks, mutes}: Model, rest: Partial<State> = {}): State {
  return {
    server: `https://${host}`,
    host,
    domain_blocks: {value: new Map(domains.map((domain) => [domain, domain]))},
    filters: {value: filters},
    blocks: accountsOf(...blocks),
    mutes: accountsOf(...mutes),
    ...rest,
  };
}

let serial = 1000;

function nextId(): number {
  serial += 1;
  return serial;
}

export function aFilter(
  title: string,
  more: Partial<Omit<FilterState, 'keywords' | 'title'>> & {keywords?: readonly (string | KeywordState)[]} = {},
): FilterState {
  const {keywords = ['word of ' + title.toLowerCase()], ...rest} = more;
  return {
    id: String(nextId()),
    title,
    context: ['home'],
    action: 'warn',
    expiresAt: null,
    ...rest,
    keywords: keywords.map((one) => (typeof one === 'string' ? {id: nextId(), keyword: one, wholeWord: true} : one)),
  };
}

interface Entry {
  readonly id?: number;
  readonly keyword?: string;
  readonly whole_word?: boolean;
  readonly _destroy?: boolean;
}

interface Body {
  readonly domain: string;
  readonly title?: string;
  readonly context?: readonly string[];
  readonly filter_action?: string;
  readonly expires_in?: number;
  readonly keywords_attributes: readonly Entry[];
}

function refuse(why: string): never {
  throw new Failure('refused', why);
}

function keywordsAfter(model: Model, filter: FilterState, entries: readonly Entry[]): KeywordState[] {
  if (entries.length === 0) refuse('keywords_attributes is required');
  const taken = new Set(model.filters.filter(({id}) => id !== filter.id).flatMap(({keywords}) => keywords.map(({keyword}) => keyword)));
  let keywords = [...filter.keywords];
  for (const {id, keyword: text, whole_word: wholeWord, _destroy: destroy} of entries) {
    const keyword = text?.trim().toLowerCase();
    if (keyword !== undefined && taken.has(keyword)) refuse(`duplicate keyword ${keyword}`);
    if (id !== undefined && !keywords.some((one) => one.id === id)) refuse(`no keyword ${id}`);
    if (destroy === true) keywords = keywords.filter((one) => one.id !== id);
    else if (id !== undefined)
      keywords = keywords.map((one) =>
        one.id === id ? {...one, keyword: keyword ?? one.keyword, wholeWord: wholeWord ?? one.wholeWord} : one,
      );
    else if (keyword !== undefined && !keywords.some((one) => one.keyword === keyword)) {
      if (wholeWord === undefined) refuse('whole_word is missing');
      if (keywords.length >= 10) refuse('too many keywords');
      keywords.push({id: nextId(), keyword, wholeWord});
    }
  }
  return keywords;
}

function endAfter(seconds: number | undefined, before: string | null): string | null {
  if (seconds === undefined) return before;
  return seconds === 0 ? null : new Date(now.getTime() + seconds * 1000).toISOString();
}

/** Carries one change out, by the request that it is sent as. @throws Failure as servers refuse */
export function carriedOut(model: Model, planned: Change): Model {
  const isUnknown = (planned.kind === 'block' || planned.kind === 'mute') && planned.details.id === undefined;
  const change = isUnknown ? {...planned, details: {id: idOf(planned.subject)}} : planned;
  const {endpoint, input} = requestOf(change, now);
  const id = String(input.path?.['id']);
  // What a server reads is what came as JSON.
  const body: Body = JSON.parse(JSON.stringify(input.body ?? {}));
  const filter = model.filters.find((one) => one.id === id);
  switch (endpoint.name) {
    case 'add domain block': {
      if (!body.domain.startsWith('https://')) refuse('not a URL');
      const domain = new URL(body.domain).hostname;
      if (domain === host) refuse('own server');
      return model.domains.includes(domain) ? model : {...model, domains: [...model.domains, domain]};
    }
    case 'remove domain block':
      return {...model, domains: model.domains.filter((domain) => domain !== body.domain)};
    case 'create filter': {
      const made: FilterState = {
        id: String(nextId()),
        title: body.title ?? refuse('title is required'),
        context: [...(body.context ?? refuse('context is required'))].sort(),
        action: body.filter_action ?? 'warn',
        expiresAt: endAfter(body.expires_in, null),
        keywords: [],
      };
      return {...model, filters: [...model.filters, {...made, keywords: keywordsAfter(model, made, body.keywords_attributes)}]};
    }
    case 'update filter': {
      if (!filter) return refuse(`no filter ${id}`);
      const changed: FilterState = {
        ...filter,
        title: body.title ?? filter.title,
        context: [...(body.context ?? filter.context)].sort(),
        action: body.filter_action ?? filter.action,
        expiresAt: endAfter(body.expires_in, filter.expiresAt),
        keywords: keywordsAfter(model, filter, body.keywords_attributes),
      };
      return {...model, filters: model.filters.map((one) => (one === filter ? changed : one))};
    }
    case 'delete filter':
      if (!filter) return refuse(`no filter ${id}`);
      return {...model, filters: model.filters.filter((one) => one !== filter)};
    case 'add block':
      return {...model, blocks: [...model.blocks.filter((one) => idOf(one) !== id), shownHandle(id.slice(3), host)]};
    case 'remove block':
      return {...model, blocks: model.blocks.filter((one) => idOf(one) !== id)};
    case 'add mute':
      return {...model, mutes: [...model.mutes.filter((one) => idOf(one) !== id), shownHandle(id.slice(3), host)]};
    case 'remove mute':
      return {...model, mutes: model.mutes.filter((one) => idOf(one) !== id)};
    default:
      throw new Error(`The model knows no ${endpoint.name}`);
  }
}

/** What people see of a model: without ids, which come new with what is made again, and in one order. */
export function seen({domains, filters, blocks, mutes}: Model): unknown {
  return {
    domains: domains.toSorted(),
    filters: filters
      .map(({title, context, action, expiresAt, keywords}) => ({
        title,
        context,
        action,
        expiresAt,
        keywords: keywords.map(({keyword, wholeWord}) => `${keyword} ${wholeWord}`).sort(),
      }))
      .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    blocks: blocks.map((one) => handleOf(one, host)).sort(),
    mutes: mutes.map((one) => handleOf(one, host)).sort(),
  };
}
