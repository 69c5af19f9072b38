/** Exports the state as a policy without differences, or as lists for other tools. */
import {Failure} from '../client/failure.js';
import {openYaml} from '../print/yaml.js';
import {isHandle, isId} from '../operations/handles.js';
import {isDomain} from '../operations/domains.js';
import {csvLine} from '../files/csv.js';
import {blocked, optionalFields, publicFacts} from './domain-facts.js';
import {
  blockedOnly,
  isDomainListFormat,
  type ListSetting,
  lostBy,
  noopText,
  type WritableDomain,
  writeDomainList,
} from './lists/write-list.js';
import {compareText} from './location.js';
import {contexts, filterActions, type PolicyFile} from './schema.js';
import {type AccountState, type FilterState, liveFilters, type Part, type PartName, readPart, type State} from './state.js';

export interface Export {
  /** YAML, the same for the same state. */
  readonly text: string;
  /** What a policy cannot express, and is left out. */
  readonly leftOut: readonly string[];
}

/** As the server writes them. */
function namesOf(part: Part<ReadonlyMap<string, AccountState>>): string[] {
  return [...readPart(part).values()].map(({acct}) => acct);
}

/** In a policy digits alone are an id. */
const writtenAs = (acct: string): string => (isId(acct) ? `@${acct}` : acct);

/**
 * Exports every part of the state that was read.
 * @throws Failure when a part could not be read: a policy without it would be wrong
 */
export function exportPolicy(state: State, now: Date): Export {
  const leftOut: string[] = [];
  const kept = (texts: Iterable<string>, kind: string, isFit: (text: string) => boolean): string[] =>
    [...texts]
      .filter((text) => {
        if (!isFit(text)) leftOut.push(`${kind} ${text}`);
        return isFit(text);
      })
      .sort(compareText);
  const accounts = (part: Part<ReadonlyMap<string, AccountState>> | undefined, kind: string) =>
    part && {must: kept(namesOf(part).map(writtenAs), kind, isHandle)};
  const filters = state.filters && filterEntries(liveFilters(readPart(state.filters), now), leftOut);
  const policy: PolicyFile = {
    version: 1,
    server: state.server,
    ...(state.domainBlocks && {domain_blocks: {must: kept(readPart(state.domainBlocks).keys(), 'domain block', isDomain)}}),
    ...(filters && {filters: {must: filters}}),
    ...(state.blocks && {blocks: accounts(state.blocks, 'block')}),
    ...(state.mutes && {mutes: accounts(state.mutes, 'mute')}),
    ...(state.push && {push: {...readPart(state.push)}}),
    ...(state.config && {config: Object.fromEntries(configEntries(readPart(state.config)))}),
  };
  const text = openYaml({isList: false}).items([JSON.stringify(policy)]);
  return {text, leftOut};
}

type FilterEntry = NonNullable<NonNullable<PolicyFile['filters']>['must']>[number];

function known<Name extends string>(names: readonly Name[], text: string): Name | undefined {
  return names.find((name) => name === text);
}

function filterEntries(filters: readonly FilterState[], leftOut: string[]): FilterEntry[] {
  const sorted = filters.toSorted((one, other) => compareText(one.title.trim(), other.title.trim()) || compareText(one.id, other.id));
  return sorted.flatMap((filter) => {
    const title = filter.title.trim();
    const context = contexts.filter((one) => filter.context.includes(one));
    const action = known(filterActions, filter.action);
    const isFit =
      title !== '' &&
      context.length > 0 &&
      context.length === filter.context.length &&
      filter.keywords.every(({keyword}) => keyword !== '');
    if (!isFit || action === undefined) {
      leftOut.push(`filter ${filter.id} "${title}"`);
      return [];
    }
    const hasTwin = filters.some((other) => other !== filter && other.title.trim() === title);
    const expires = filter.expiresAt === null ? 'never' : new Date(filter.expiresAt).toISOString();
    return [{title, ...(hasTwin && {id: filter.id}), context, action, ...keywordEntries(filter), expires}];
  });
}

/** Only `keywords_at_least` can describe a filter with a repeated keyword. */
function keywordEntries({keywords}: FilterState): Pick<FilterEntry, 'keywords' | 'keywords_at_least'> {
  const once = new Map(keywords.toReversed().map((one) => [one.keyword, one]));
  const entries = [...once.values()]
    .sort((one, other) => compareText(one.keyword, other.keyword))
    .map(({keyword, wholeWord}) => (wholeWord ? keyword : {keyword, whole_word: false}));
  return once.size === keywords.length ? {keywords: entries} : {keywords_at_least: entries};
}

type ConfigEntries = NonNullable<PolicyFile['config']>;

/** All values except the version, which changes with every update of the server. */
function configEntries(config: unknown, path: readonly string[] = []): [string, ConfigEntries[string]][] {
  if (typeof config === 'boolean' || typeof config === 'number' || typeof config === 'string')
    return path.join('.') === 'version' ? [] : [[path.join('.'), config]];
  if (Array.isArray(config)) return config.every((one) => typeof one === 'string') ? [[path.join('.'), config.toSorted(compareText)]] : [];
  if (typeof config !== 'object' || config === null) return [];
  return Object.entries(config)
    .filter(([name]) => !name.includes('.'))
    .sort(([one], [other]) => compareText(one, other))
    .flatMap(([name, value]: [string, unknown]) => configEntries(value, [...path, name]));
}

export const listFormats = ['mastodon-csv', 'mastodon-admin', 'mastodon-json', 'fediblockhole', 'plain'] as const;
export type ListFormat = (typeof listFormats)[number];

/** The servers of a state, as a list: a server keeps no more than their names. */
function entriesOf(domains: Iterable<string>): WritableDomain[] {
  return [...domains].map((domain) => ({domain, facts: blocked}));
}

/**
 * Exports one part of the state as a list for another tool.
 * @throws Failure `usage` when the format cannot hold it
 */
export function exportList(format: ListFormat, part: PartName, state: State, now: Date, setting?: ListSetting): string {
  if (part === 'domain_blocks' && state.domainBlocks && isDomainListFormat(format))
    return writeDomainList(format, entriesOf(readPart(state.domainBlocks).keys()), setting).text;
  if (format === 'mastodon-csv') {
    const withHost = (accounts: readonly string[]) =>
      accounts.map((account) => (account.includes('@') ? account : `${account}@${state.host}`)).sort(compareText);
    if (part === 'blocks' && state.blocks) return mastodonBlocks(withHost(namesOf(state.blocks)));
    if (part === 'mutes' && state.mutes) return mastodonMutes(withHost(namesOf(state.mutes)));
  }
  if (part === 'filters' && format === 'mastodon-json' && state.filters) {
    const filters = liveFilters(readPart(state.filters), now);
    return mastodonFilters(filters.toSorted((one, other) => compareText(one.title, other.title) || compareText(one.id, other.id)));
  }
  throw new Failure('usage', `${format} cannot hold ${part}`, {
    hint: 'mastodon-csv: domain_blocks, blocks, mutes; mastodon-json: filters; the others: domain_blocks',
  });
}

/** Domains as they may be published, and which private comments that leaves out, in words. */
export function publicEntries(entries: readonly WritableDomain[]): {
  readonly entries: WritableDomain[];
  readonly leftOut?: string | undefined;
} {
  const columns = ['severity', ...optionalFields].filter((name) => name !== 'private_comment');
  return {
    entries: entries.map(({domain, facts}) => ({domain, facts: publicFacts(facts)})),
    leftOut: lostBy(columns, blockedOnly(entries)),
  };
}

/** Exports domains as a policy that wants them blocked, with what is said about them. */
export function exportDomains(entries: readonly WritableDomain[]): Export {
  const wanted = blockedOnly(entries).sort((one, other) => compareText(one.domain, other.domain));
  const must = wanted.map(({domain, facts: {severity, ...facts}}) => {
    const said = Object.entries(facts).filter(([, value]) => value !== undefined);
    const entry = {domain, ...(severity !== blocked.severity && {severity}), ...Object.fromEntries(said)};
    return Object.keys(entry).length === 1 ? domain : entry;
  });
  const noop = noopText(entries);
  return {
    text: openYaml({isList: false}).items([JSON.stringify({version: 1, domain_blocks: {must}})]),
    leftOut: noop === undefined ? [] : [noop],
  };
}

/** One account a line, the format of Mastodon's export of blocks. */
export function mastodonBlocks(accounts: readonly string[]): string {
  return accounts.map((account) => csvLine([account])).join('');
}

export function mastodonMutes(accounts: readonly string[]): string {
  return csvLine(['Account address', 'Hide notifications']) + accounts.map((account) => csvLine([account, 'true'])).join('');
}

/** The format of Mastodon's export of filters. */
export function mastodonFilters(filters: readonly FilterState[]): string {
  const exported = filters.map(({title, expiresAt, context, action, keywords}) => ({
    title,
    expire_at: expiresAt,
    context,
    action,
    keywords_attributes: keywords.map(({keyword, wholeWord}) => ({keyword, whole_word: wholeWord})),
    statuses: [],
  }));
  return `${JSON.stringify({custom_filters: exported}, null, 2)}\n`;
}
