/** Reads policy files: into a policy, or every mistake in it. */
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {readTextFile} from '../client/text-input.js';
import {handleIn, handleOf} from '../operations/handles.js';
import {hostOf} from '../operations/domains.js';
import {type ListAccess, loadLists} from './lists/load-lists.js';
import {mergeLists, type WantedDomains} from './lists/merge.js';
import {compareText, type Location, locationText} from './location.js';
import {complaintsOf, type Mistake, refuseMistakes} from './mistakes.js';
import {
  type AccountRules,
  type ConfigRule,
  type DomainBlockRules,
  type FilterRules,
  type Located,
  type Policy,
  storedKeyword,
  type WantedFilter,
  type WantedKeyword,
} from './policy.js';
import {type PolicyFile, policySchema} from './schema.js';
import {durationOf, durationText, endTolerance, expiryOf} from './time.js';
import {YamlSource} from './yaml-source.js';

/** @throws Failure `local` when it cannot be read, `usage` with every mistake in it */
export async function readPolicyFile(file: string): Promise<Policy> {
  return readPolicy(await readTextFile(file, `the policy ${file}`), file);
}

/**
 * @param file names it in messages and findings
 * @throws Failure `usage` with every mistake in it
 */
export function readPolicy(text: string, file: string): Policy {
  const source = new YamlSource(text, file);
  refuseMistakes(file, source.mistakes);
  const value = source.value;
  if (value === null) throw new Failure('usage', `${file} is empty`, {hint: 'a policy begins with `version: 1`'});
  const mistakes = complaintsOf(policySchema, value).map(({path, key, message}) => ({file, ...source.position(path, key), message}));
  refuseMistakes(file, mistakes);
  return new PolicyReader(source).read(z.parse(policySchema, value));
}

/**
 * @param server the one that the policy is about to be used with
 * @throws Failure `usage` when the policy is for another one
 */
export function refuseOtherServer({server}: Policy, other: URL): void {
  if (server === undefined || server.value.origin === other.origin) return;
  throw new Failure('usage', `The policy is for ${server.value.host} (${locationText(server.location)}), not for ${other.host}`);
}

/** Reads what matches the schema, and collects the mistakes that a schema cannot find. */
class PolicyReader {
  readonly #source: YamlSource;
  readonly #mistakes: Mistake[] = [];

  constructor(source: YamlSource) {
    this.#source = source;
  }

  read(data: PolicyFile): Policy {
    const {file} = this.#source;
    const policy: Policy = {
      file,
      server: data.server === undefined ? undefined : this.#server(data.server),
      domainBlocks: data.domain_blocks && this.#domainBlocks(data.domain_blocks),
      filters: data.filters && readFilterRules(data.filters, this.#source, (...given) => this.#complain(...given)),
      blocks: data.blocks && this.#accounts(data.blocks, 'blocks'),
      mutes: data.mutes && this.#accounts(data.mutes, 'mutes'),
      push:
        data.push &&
        Object.entries(data.push).flatMap(([setting, wanted]) =>
          wanted === undefined ? [] : [{location: this.#source.location('push', setting), setting, wanted}],
        ),
      config: data.config && Object.entries(data.config).map((rule) => this.#config(...rule)),
    };
    refuseMistakes(file, this.#mistakes);
    return policy;
  }

  #complain(path: readonly PropertyKey[], message: string): void {
    this.#mistakes.push({file: this.#source.file, ...this.#source.position(path), message});
  }

  #server(text: string): Located<URL> | undefined {
    const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
    if (URL.canParse(address)) return {value: new URL(new URL(address).origin), location: this.#source.location('server')};
    this.#complain(['server'], `"${text}" is not the address of a server, as in https://pix.example`);
    return undefined;
  }

  /** Every text once, in the form that it is compared in. */
  #located(texts: readonly string[] | undefined, path: readonly PropertyKey[], read: (text: string) => string): Located<string>[] {
    const seen = new Map<string, Located<string>>();
    for (const [index, text] of (texts ?? []).entries()) {
      try {
        const value = read(text);
        if (!seen.has(value)) seen.set(value, {value, location: this.#source.location(...path, index)});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#complain([...path, index], error.message);
      }
    }
    return [...seen.values()];
  }

  #refuseContradictions(must: readonly Located<string>[], mustNot: readonly Located<string>[], section: string): void {
    const forbidden = new Map(mustNot.map(({value, location}) => [value, location]));
    for (const {value, location} of must) {
      const other = forbidden.get(value);
      if (other)
        this.#mistakes.push({...location, message: `${value} is in must, and in must_not of ${section} at ${locationText(other)}`});
    }
  }

  #domainBlocks(data: NonNullable<PolicyFile['domain_blocks']>): DomainBlockRules {
    const section = 'domain_blocks';
    const must = this.#located(data.must, [section, 'must'], hostOf);
    const mustNot = this.#located(data.must_not, [section, 'must_not'], hostOf);
    this.#refuseContradictions(must, mustNot, section);
    const lists = (data.lists ?? []).map((list, index) => ({
      location: this.#source.location(section, 'lists', index),
      from: list.url === undefined ? {file: list.file ?? ''} : {url: list.url},
      minSeverity: list.min_severity ?? 'silence',
      mostMistakes: mostMistakes(list.on_mistake),
      takesWildcards: list.wildcards === 'domain',
      mayBeEmpty: list.may_be_empty === true,
      sha256: list.sha256?.toLowerCase(),
    }));
    const agree = data.agree ?? 1;
    if (lists.length > 0 && agree > lists.length) {
      this.#complain(
        [section, 'agree'],
        `agree is ${agree}, but there ${lists.length === 1 ? 'is 1 list' : `are ${lists.length} lists`}: nothing would be blocked`,
      );
    }
    return {must, mustNot, only: this.#onlyLocation(data.only, section), lists, agree};
  }

  #onlyLocation(only: boolean | undefined, section: string): Location | undefined {
    return only === true ? this.#source.location(section, 'only') : undefined;
  }

  #config(path: string, value: NonNullable<PolicyFile['config']>[string]): ConfigRule {
    const location = this.#source.location('config', path);
    if (typeof value === 'object' && 'is' in value) return {location, path, wanted: value.is, isOptional: value.if_offered === true};
    return {location, path, wanted: value, isOptional: false};
  }

  #accounts(data: NonNullable<PolicyFile['blocks']>, section: 'blocks' | 'mutes'): AccountRules {
    const read = (text: string) => {
      const handle = handleIn(text);
      if (handle !== undefined) return handle;
      throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
    };
    const must = this.#located(data.must, [section, 'must'], read);
    const mustNot = this.#located(data.must_not, [section, 'must_not'], read);
    const inOneForm = (all: readonly Located<string>[]) => all.map(({value, location}) => ({value: handleOf(value, ''), location}));
    this.#refuseContradictions(inOneForm(must), inOneForm(mustNot), section);
    const atMost = data.at_most === undefined ? undefined : {value: data.at_most, location: this.#source.location(section, 'at_most')};
    return {must, mustNot, only: this.#onlyLocation(data.only, section), atMost};
  }
}

type ListData = NonNullable<NonNullable<PolicyFile['domain_blocks']>['lists']>[number];

function mostMistakes(onMistake: ListData['on_mistake']): number {
  if (typeof onMistake === 'object') return onMistake.max;
  return onMistake === 'skip' ? Infinity : 0;
}

type FiltersData = NonNullable<PolicyFile['filters']>;
type FilterData = NonNullable<FiltersData['must']>[number];
type KeywordData = NonNullable<FilterData['keywords']>[number];
type Complain = (path: readonly PropertyKey[], message: string) => void;

function readFilterRules(data: FiltersData, source: YamlSource, complain: Complain): FilterRules {
  const within = data.expire_within === undefined ? undefined : durationOf(data.expire_within);
  const must = (data.must ?? []).map((filter, index) => {
    const path = ['filters', 'must', index];
    const wanted = wantedFilter(filter, source.location(...path), (message) =>
      complain([...path, 'keywords' in filter ? 'keywords' : 'keywords_at_least'], message),
    );
    // Otherwise every apply would renew it.
    if (within !== undefined && wanted.expires?.kind === 'within' && wanted.expires.seconds <= within + endTolerance) {
      complain(
        [...path, 'expires'],
        `${durationText(wanted.expires.seconds)} is not longer than expire_within, which is ${durationText(within)}`,
      );
    }
    return wanted;
  });
  refuseTwins(must, complain);
  const mustNot = (data.must_not ?? []).map((title, index) => ({
    value: title.trim(),
    location: source.location('filters', 'must_not', index),
  }));
  for (const {value, location} of mustNot) {
    const index = must.findIndex(({title}) => title === value);
    if (index !== -1) complain(['filters', 'must', index, 'title'], `"${value}" is in must, and in must_not at ${locationText(location)}`);
  }
  return {
    must: must.toSorted((one, other) => compareText(one.title, other.title) || compareText(one.id ?? '', other.id ?? '')),
    mustNot,
    only: data.only === true ? source.location('filters', 'only') : undefined,
    expireWithin: within === undefined ? undefined : {value: within, location: source.location('filters', 'expire_within')},
  };
}

function wantedFilter(data: FilterData, location: Location, complain: (message: string) => void): WantedFilter {
  return {
    location,
    id: data.id === undefined ? undefined : String(data.id),
    title: data.title.trim(),
    context: [...new Set(data.context)].sort(compareText),
    action: data.action,
    keywords: wantedKeywords(data.keywords ?? data.keywords_at_least ?? [], complain),
    exactly: data.keywords !== undefined,
    expires: data.expires === undefined ? undefined : expiryOf(data.expires),
  };
}

function wantedKeywords(data: readonly KeywordData[], complain: (message: string) => void): WantedKeyword[] {
  const keywords = new Map<string, WantedKeyword>();
  for (const entry of data) {
    const {keyword: text, whole_word: wholeWord = true} = typeof entry === 'string' ? {keyword: entry} : entry;
    const keyword = storedKeyword(text);
    if (keywords.has(keyword)) complain(`the keyword "${keyword}" is repeated`);
    keywords.set(keyword, {keyword, wholeWord});
  }
  return [...keywords.values()].sort((one, other) => compareText(one.keyword, other.keyword));
}

/** Filters with the same title need an id each. */
function refuseTwins(must: readonly WantedFilter[], complain: Complain): void {
  for (const [index, {title, id}] of must.entries()) {
    const isTwin = (other: WantedFilter) => other.title === title && (other.id === id || other.id === undefined || id === undefined);
    const twin = must.slice(0, index).find(isTwin);
    if (twin === undefined) continue;
    const advice = 'give each its own `id:`, as `pixelctl filters list` shows it';
    complain(['filters', 'must', index], `two filters are titled "${title}" (the other at ${locationText(twin.location)}); ${advice}`);
  }
}

export interface Wanted {
  readonly policy: Policy;
  /** Undefined when the policy has no rules about domains. */
  readonly domains?: WantedDomains | undefined;
}

/**
 * Reads a policy and every list that it names.
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readWanted(file: string, access?: ListAccess): Promise<Wanted> {
  const policy = await readPolicyFile(file);
  const lists = await loadLists(policy, access);
  return {policy, domains: policy.domainBlocks && mergeLists(policy.domainBlocks, lists)};
}
