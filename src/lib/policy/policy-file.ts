/** Reads policy files: into a policy, or every mistake in it. */
import * as z from 'zod/mini';
import {Failure} from '../client/failure.js';
import {readTextFile} from '../client/text-input.js';
import {accountKey, handleIn, handleOf} from '../operations/handles.js';
import {hostOf} from '../operations/domains.js';
import {usualMerge} from './domain-facts.js';
import {thresholdOf, unreachable, uselessAgree} from './lists/agreement.js';
import {domainsAlone, domainsAndLists, listReference, ownDomain, sparingList} from './lists/reference.js';
import {compareText, type Location, locationText} from './location.js';
import {complaintsOf, type Mistake, mostKept, refuseMistakes} from './mistakes.js';
import {
  type AccountRules,
  type ConfigRule,
  type DomainBlockRules,
  type FilterRules,
  type ListReference,
  type Located,
  type Policy,
  storedKeyword,
  type WantedFilter,
  type WantedKeyword,
} from './policy.js';
import {type PolicyFile, policySchema, type Sections} from './schema.js';
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
  const complaints = complaintsOf(policySchema, value);
  const first = complaints.slice(0, mostKept).map(({path, key, message}) => ({file, ...source.position(path, key), message}));
  refuseMistakes(file, {first, count: complaints.length});
  return readAll(z.parse(policySchema, value), source);
}

/** The policy, and what it is for each account of `for`. */
function readAll(data: PolicyFile, source: YamlSource): Policy {
  const base = {data, path: []};
  const reader = new PolicyReader(source, [base]);
  const policy = reader.read();
  const server = data.server === undefined ? undefined : reader.server(data.server);
  const accounts = data.accounts && reader.accounts(data.accounts);
  const named = accounts && new Set(accounts.map(({value}) => value));
  const mistakes = [...reader.mistakes];
  const variants = new Map<string, Policy>();
  for (const [name, own] of Object.entries(data.for ?? {})) {
    const complain = (message: string) => mistakes.push({file: source.file, ...source.position(['for'], name), message});
    const account = accountIn(name);
    if (account === undefined) complain(notAnAccount(name));
    else if (variants.has(account)) complain(`${account} is repeated`);
    else if (named?.has(account) === false) complain(`${account} is not one of the accounts of this policy; add it to accounts`);
    const variant = new PolicyReader(source, [base, {data: own, path: ['for', name]}]);
    variants.set(account ?? name, {...variant.read(), server, accounts});
    // Those of the policy itself are found again.
    const known = new Set(mistakes.map((mistake) => JSON.stringify(mistake)));
    mistakes.push(...variant.mistakes.filter((mistake) => !known.has(JSON.stringify(mistake))));
  }
  mistakes.push(...uselessAgree([policy, ...variants.values()]));
  refuseMistakes(source.file, mistakes);
  return {...policy, server, accounts, variants: variants.size > 0 ? variants : undefined};
}

/** An account with its server: a policy is used with accounts of several servers. */
function accountIn(text: string): string | undefined {
  const handle = handleIn(text);
  return handle?.includes('@', 1) === true ? handleOf(handle, '') : undefined;
}

function notAnAccount(text: string): string {
  return `"${text.trim()}" is not an account with its server, as in ana@pix.example`;
}

/**
 * @param server the one that the policy is about to be used with
 * @throws Failure `usage` when the policy is for another one
 */
export function refuseOtherServer({server}: Policy, other: URL): void {
  if (server === undefined || server.value.origin === other.origin) return;
  throw new Failure('usage', `The policy is for ${server.value.host} (${locationText(server.location)}), not for ${other.host}`);
}

/** @param account as in `ana@pix.example`; undefined where it is not known @throws Failure `usage` when the policy is not for it */
export function refuseOtherAccount({file, accounts, variants}: Policy, account: string | undefined): void {
  if (account === undefined) {
    if (accounts === undefined && variants === undefined) return;
    throw new Failure('usage', `${file} names accounts, and the server did not return the account of this token: nothing was sent`, {
      hint: 'sign in again with a token that has the scope read',
    });
  }
  if (accounts === undefined || accounts.some(({value}) => value === account)) return;
  const [first] = accounts;
  const where = first === undefined ? file : locationText(first.location);
  throw new Failure('usage', `The policy is not for ${account}: its accounts (${where}) do not include it`, {
    hint: 'use the profile of one of its accounts, or add this one to accounts',
  });
}

/** A value of the policy, and where it is in the file. */
interface Entry<Value> {
  readonly value: Value;
  readonly path: readonly PropertyKey[];
}

/** Rules that apply together, the later ones in addition to the earlier ones. */
interface Layer {
  readonly data: Sections;
  readonly path: readonly PropertyKey[];
}

/** Reads what matches the schema, and collects the mistakes that a schema cannot find. */
class PolicyReader {
  readonly #source: YamlSource;
  readonly #layers: readonly Layer[];
  readonly mistakes: Mistake[] = [];

  constructor(source: YamlSource, layers: readonly Layer[]) {
    this.#source = source;
    this.#layers = layers;
  }

  read(): Omit<Policy, 'accounts' | 'server' | 'variants'> {
    return {
      file: this.#source.file,
      domainBlocks: this.#has('domain_blocks') ? this.#domainBlocks() : undefined,
      filters: this.#has('filters') ? this.#filters() : undefined,
      blocks: this.#has('blocks') ? this.#accountRules('blocks') : undefined,
      mutes: this.#has('mutes') ? this.#accountRules('mutes') : undefined,
      push: this.#has('push')
        ? this.#members(({push}) => push, 'push').map(([setting, {value, path}]) => ({location: this.#at(path), setting, wanted: value}))
        : undefined,
      config: this.#has('config') ? this.#members(({config}) => config, 'config').map((rule) => this.#config(...rule)) : undefined,
    };
  }

  server(text: string): Located<URL> | undefined {
    const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
    if (URL.canParse(address)) return {value: new URL(new URL(address).origin), location: this.#source.location('server')};
    this.#complain(['server'], `"${text}" is not the address of a server, as in https://pix.example`);
    return undefined;
  }

  accounts(texts: readonly string[]): Located<string>[] {
    const entries = texts.map((value, index) => ({value, path: ['accounts', index]}));
    return this.#located(entries, (text) => {
      const account = accountIn(text);
      if (account !== undefined) return {value: account};
      throw new Failure('usage', notAnAccount(text));
    });
  }

  #has(section: keyof Sections): boolean {
    return this.#layers.some(({data}) => data[section] !== undefined);
  }

  /** The items of a list: those of all layers. */
  #listed<Value>(pick: (data: Sections) => readonly Value[] | undefined, ...path: readonly PropertyKey[]): Entry<Value>[] {
    return this.#layers.flatMap(({data, path: outer}) =>
      (pick(data) ?? []).map((value, index) => ({value, path: [...outer, ...path, index]})),
    );
  }

  /** A single value: that of the last layer that has it. */
  #single<Value>(pick: (data: Sections) => Value | undefined, ...path: readonly PropertyKey[]): Entry<Value> | undefined {
    return this.#layers
      .flatMap(({data, path: outer}) => {
        const value = pick(data);
        return value === undefined ? [] : [{value, path: [...outer, ...path]}];
      })
      .at(-1);
  }

  /** The members of an object, each a single value. */
  #members<Value>(
    pick: (data: Sections) => Readonly<Record<string, Value | undefined>> | undefined,
    section: string,
  ): (readonly [string, Entry<Value>])[] {
    const names = new Set(this.#layers.flatMap(({data}) => Object.keys(pick(data) ?? {})));
    return [...names].flatMap((name) => {
      const entry = this.#single((data) => pick(data)?.[name], section, name);
      return entry === undefined ? [] : [[name, entry] as const];
    });
  }

  #at(path: readonly PropertyKey[]): Location {
    return this.#source.location(...path);
  }

  #complain(path: readonly PropertyKey[], message: string): void {
    this.mistakes.push({file: this.#source.file, ...this.#source.position(path), message});
  }

  /** Every entry once, by the form that it is compared in. */
  #located<Value, Read extends {readonly value: string}>(
    entries: readonly Entry<Value>[],
    read: (value: Value) => Read,
  ): (Read & {readonly location: Location})[] {
    const seen = new Map<string, Read & {readonly location: Location}>();
    for (const {value, path} of entries) {
      try {
        const found = read(value);
        if (!seen.has(found.value)) seen.set(found.value, {...found, location: this.#at(path)});
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.#complain(path, error.message);
      }
    }
    return [...seen.values()];
  }

  #refuseContradictions(must: readonly Located<string>[], mustNot: readonly Located<string>[], section: string): void {
    const forbidden = new Map(mustNot.map(({value, location}) => [value, location]));
    for (const {value, location} of must) {
      const other = forbidden.get(value);
      if (other) this.mistakes.push({...location, message: `${value} is in must, and in must_not of ${section} at ${locationText(other)}`});
    }
  }

  #domainBlocks(): DomainBlockRules {
    const section = 'domain_blocks';
    const must = this.#located(
      this.#listed(({domain_blocks}) => domain_blocks?.must, section, 'must'),
      ownDomain,
    );
    const {domains: mustNot, lists: allowLists} = this.#domainSet('must_not');
    this.#refuseContradictions(must, mustNot, section);
    const {domains: protect, lists: protectLists} = this.#domainSet('protect');
    const followed = this.#single(({domain_blocks}) => domain_blocks?.protect_followed, section, 'protect_followed');
    const lists = this.#listed(({domain_blocks}) => domain_blocks?.lists, section, 'lists').map(({value: list, path}) => ({
      ...listReference(list, this.#at(path)),
      minSeverity: list.min_severity ?? 'silence',
      maxSeverity: list.max_severity,
      fields: list.fields,
      weight: list.weight ?? 1,
    }));
    const limit = this.#single(({domain_blocks}) => domain_blocks?.limit, section, 'limit');
    const agree = this.#single(({domain_blocks}) => domain_blocks?.agree, section, 'agree');
    const weights = lists.map(({weight}) => weight);
    const unreached = agree && unreachable(thresholdOf(agree.value), weights);
    if (agree && unreached !== undefined) this.#complain(agree.path, unreached);
    const merge = {
      comments: this.#single(({domain_blocks}) => domain_blocks?.comments, section, 'comments')?.value ?? usualMerge.comments,
      severity: this.#single(({domain_blocks}) => domain_blocks?.severity, section, 'severity')?.value ?? usualMerge.severity,
    };
    return {
      must,
      mustNot,
      protect: protect.length > 0 ? protect : undefined,
      protectLists: protectLists.length > 0 ? protectLists : undefined,
      protectFollowed: followed && followed.value > 0 ? {value: followed.value, location: this.#at(followed.path)} : undefined,
      allowLists: allowLists.length > 0 ? allowLists : undefined,
      only: this.#onlyLocation(section),
      limit: limit && {value: limit.value, location: this.#at(limit.path)},
      lists,
      agree: agree && {value: thresholdOf(agree.value), location: this.#at(agree.path)},
      merge,
    };
  }

  /** Domains that stand in the policy, and lists of them. */
  #domainSet(name: 'must_not' | 'protect'): {readonly domains: Located<string>[]; readonly lists: ListReference[]} {
    const section = 'domain_blocks';
    const setIn = (data: Sections) => data[section]?.[name];
    const plain = this.#listed((data) => domainsAlone(setIn(data)), section, name);
    const inner = this.#listed((data) => domainsAndLists(setIn(data))?.domains, section, name, 'domains');
    const lists = this.#listed((data) => domainsAndLists(setIn(data))?.lists, section, name, 'lists');
    return {
      domains: this.#located([...plain, ...inner], (text) => ({value: hostOf(text)})),
      lists: lists.map(({value, path}) => sparingList(value, name, this.#at(path))),
    };
  }

  #onlyLocation(section: 'blocks' | 'domain_blocks' | 'filters' | 'mutes'): Location | undefined {
    const only = this.#single((data) => data[section]?.only, section, 'only');
    return only?.value === true ? this.#at(only.path) : undefined;
  }

  #config(name: string, {value, path}: Entry<NonNullable<PolicyFile['config']>[string]>): ConfigRule {
    const location = this.#at(path);
    if (typeof value === 'object' && 'is' in value) return {location, path: name, wanted: value.is, isOptional: value.if_offered === true};
    return {location, path: name, wanted: value, isOptional: false};
  }

  #accountRules(section: 'blocks' | 'mutes'): AccountRules {
    const read = (text: string) => {
      const handle = handleIn(text);
      if (handle !== undefined) return {value: handle};
      throw new Failure('usage', `"${text.trim()}" is not an account, as in ana@pix.example`);
    };
    const must = this.#located(
      this.#listed((data) => data[section]?.must, section, 'must'),
      read,
    );
    const mustNot = this.#located(
      this.#listed((data) => data[section]?.must_not, section, 'must_not'),
      read,
    );
    const inOneForm = (all: readonly Located<string>[]) => all.map(({value, location}) => ({value: accountKey(value, ''), location}));
    this.#refuseContradictions(inOneForm(must), inOneForm(mustNot), section);
    const atMost = this.#single((data) => data[section]?.at_most, section, 'at_most');
    return {
      must,
      mustNot,
      only: this.#onlyLocation(section),
      atMost: atMost && {value: atMost.value, location: this.#at(atMost.path)},
    };
  }

  #filters(): FilterRules {
    const expireWithin = this.#single(({filters}) => filters?.expire_within, 'filters', 'expire_within');
    const within = expireWithin && durationOf(expireWithin.value);
    const must = this.#listed(({filters}) => filters?.must, 'filters', 'must').map(({value: filter, path}) => {
      const wanted = wantedFilter(filter, this.#at(path), (message) =>
        this.#complain([...path, 'keywords' in filter ? 'keywords' : 'keywords_at_least'], message),
      );
      // Otherwise every apply would renew it.
      if (within !== undefined && wanted.expires?.kind === 'within' && wanted.expires.seconds <= within + endTolerance) {
        this.#complain(
          [...path, 'expires'],
          `${durationText(wanted.expires.seconds)} is not longer than expire_within, which is ${durationText(within)}`,
        );
      }
      return {value: wanted, path};
    });
    refuseTwins(must, (...given) => this.#complain(...given));
    const mustNot = this.#listed(({filters}) => filters?.must_not, 'filters', 'must_not').map(({value: title, path}) => ({
      value: title.trim(),
      location: this.#at(path),
    }));
    for (const {value, location} of mustNot) {
      const forbidden = must.find(({value: {title}}) => title === value);
      if (forbidden) this.#complain([...forbidden.path, 'title'], `"${value}" is in must, and in must_not at ${locationText(location)}`);
    }
    return {
      must: must
        .map(({value}) => value)
        .sort((one, other) => compareText(one.title, other.title) || compareText(one.id ?? '', other.id ?? '')),
      mustNot,
      only: this.#onlyLocation('filters'),
      expireWithin: expireWithin && within !== undefined ? {value: within, location: this.#at(expireWithin.path)} : undefined,
    };
  }
}

type FiltersData = NonNullable<PolicyFile['filters']>;
type FilterData = NonNullable<FiltersData['must']>[number];
type KeywordData = NonNullable<FilterData['keywords']>[number];
type Complain = (path: readonly PropertyKey[], message: string) => void;

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
function refuseTwins(must: readonly Entry<WantedFilter>[], complain: Complain): void {
  for (const [index, {value: filter, path}] of must.entries()) {
    const {title, id} = filter;
    const isTwin = ({value: other}: Entry<WantedFilter>) =>
      other.title === title && (other.id === id || other.id === undefined || id === undefined);
    const twin = must.slice(0, index).find(isTwin);
    if (twin === undefined) continue;
    const advice = 'give each its own `id:`, as `pixelctl filters list` shows it';
    complain(path, `two filters are titled "${title}" (the other at ${locationText(twin.value.location)}); ${advice}`);
  }
}
