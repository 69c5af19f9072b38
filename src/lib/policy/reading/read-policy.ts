/** Reads a policy and every list that it names, each once however many accounts use it; and tells policies from lists. */
import {cannotRead, Failure} from '../../client/failure.js';
import {readGivenText} from '../../files/read-text.js';
import {handleOf} from '../../operations/handle.js';
import type {List, UsedList} from '../lists/list.js';
import {isPixelfedInstances} from '../lists/pixelfed-instances.js';
import {readList, refuseRowMistakes} from '../lists/read-list.js';
import {headerOf} from '../lists/table-list.js';
import {type ListAccess, loadLists} from '../lists/load-lists.js';
import {leftOutTexts, mergeLists, summaryOf, type WantedDomains} from '../lists/merge.js';
import type {DomainRules, ListReference, Policy, Rules} from '../model/policy.js';
import {parsePolicy, type PolicySetting} from './policy-file.js';
import {domainRulesIn, isOfDomains, kinds} from '../sections/index.js';
import type {CountJson, ListJson} from '../model/documents.js';
import {mistakesFailure, refuseUnusable} from '../source/mistakes.js';

type Loaded = ReadonlyMap<string, UsedList>;

/** A policy, and what it and its lists say of domains. */
export interface PolicyWithLists {
  readonly policy: Policy;
  /** By section. */
  readonly domains: ReadonlyMap<string, WantedDomains>;
  /** Where accounts have rules of their own, which are merged when they are asked for. */
  readonly lists?: Loaded | undefined;
  /** The only sections that are meant; undefined: all. */
  readonly only?: readonly string[] | undefined;
  /** Whether private comments are shown. */
  readonly showsPrivate?: boolean | undefined;
  /** Whether nothing may become less: there is no state that could set it back. */
  readonly takesNothing?: boolean | undefined;
  /** Whether nothing that is there changes: a restore. */
  readonly onlyAdds?: boolean | undefined;
}

/** Equal for references that use one list in one way. */
const keyOf = (reference: ListReference): string => JSON.stringify(reference);

const referencesIn = ({lists, allowLists = []}: DomainRules): ListReference[] => [...lists, ...allowLists];

function listsOf(rules: DomainRules, loaded: Loaded): UsedList[] {
  return referencesIn(rules).flatMap((reference) => loaded.get(keyOf(reference)) ?? []);
}

const blockListsOf = ({lists}: DomainRules) => lists.map(keyOf).join('\n');

/** @param others what is the same is shared with them */
function mergeRules(policy: Policy, loaded: Loaded, others?: PolicyWithLists['domains']): PolicyWithLists['domains'] {
  return new Map(
    domainRulesIn(policy).map((rules) => {
      const {key} = rules.of;
      const other = others?.get(key);
      const isSame = other !== undefined && blockListsOf(other.rules) === blockListsOf(rules);
      return [key, mergeLists(rules, listsOf(rules, loaded), isSame ? other : undefined)];
    }),
  );
}

/**
 * @param text of the policy, where it was read already, because a pipe can be read only once
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicy(
  file: string,
  access?: ListAccess,
  {text, ...setting}: PolicySetting & {readonly text?: string | undefined} = {},
): Promise<PolicyWithLists> {
  const {policy, mistakes} = parsePolicy(text ?? (await readGivenText(file).catch(cannotRead(`the policy ${file}`))), file, setting);
  const all = [policy, ...(policy.variants?.values() ?? [])].flatMap(domainRulesIn);
  const references = new Map(all.flatMap(referencesIn).map((reference) => [keyOf(reference), reference]));
  // What is wrong with lists is said as well, but nothing is fetched for it.
  const meant = [...references.values()].filter(({from}) => mistakes.length === 0 || 'file' in from);
  const {used, unusable} = await loadLists(meant, file, access);
  const failure = mistakes.length === 0 ? [] : [{file, line: 1, failure: mistakesFailure(file, mistakes)}];
  refuseUnusable([...failure, ...unusable]);
  const loaded = new Map(used.map((one) => [keyOf(one.reference), one]));
  const showsPrivate = setting.comments === 'all';
  return {policy, domains: mergeRules(policy, loaded), ...(policy.variants && {lists: loaded}), ...(showsPrivate && {showsPrivate})};
}

/** The files that it was read from. */
export function sourceFiles({policy: {file}, domains}: PolicyWithLists): string[] {
  return [file, ...[...domains.values()].flatMap(({summaries}) => summaries.map(({list}) => list))];
}

/** The lists of all sections; one that several use in the same way once. */
export function summariesIn(domains: PolicyWithLists['domains']): readonly ListJson[] {
  const [first = [], ...others] = [...domains.values()].map(({summaries}) => summaries);
  const known = new Set(first.map((summary) => JSON.stringify(summary)));
  return [...first, ...others.flat().filter((summary) => !known.has(JSON.stringify(summary)))];
}

/** What of its lists is left out, for people. */
export const notesOf = ({domains}: PolicyWithLists): string[] => summariesIn(domains).flatMap(leftOutTexts);

/** What the policy wants of each account of `for:`, by its name. */
function byAccount(given: PolicyWithLists): ReadonlyMap<string, PolicyWithLists> {
  return new Map([...(given.policy.variants ?? [])].map(([account, policy]) => [account, withPolicy(given, policy)]));
}

/** What the policy wants of one account. @param account as `@ana`; undefined where it is not known @param host of its server */
export function policyFor(given: PolicyWithLists, account: string | undefined, host: string): PolicyWithLists {
  const policy = variantFor(given.policy, account === undefined ? undefined : handleOf(account, host), host);
  return policy === given.policy ? given : withPolicy(given, policy);
}

/** What is the same as for the others is shared with them. */
function withPolicy(given: PolicyWithLists, policy: Policy): PolicyWithLists {
  const {domains, lists = new Map<string, UsedList>()} = given;
  return {...given, policy, domains: mergeRules(policy, lists, domains)};
}

/** What the accounts of a server share is the same for all of them, even for one for which nothing else differs. */
function variantFor(policy: Policy, account: string | undefined, host: string): Policy {
  const {variants} = policy;
  if (variants === undefined) return policy;
  const own = variants.get(account ?? '');
  if (own !== undefined) return own;
  const [, other] = [...variants].find(([name]) => name.endsWith(`@${host}`)) ?? [];
  const shared = kinds.flatMap(({key, owner}) => (owner === 'server' && other?.rules.has(key) ? key : []));
  if (other === undefined || shared.length === 0) return policy;
  const rules = new Map(policy.rules);
  for (const key of shared) {
    const found = other.rules.get(key);
    if (found !== undefined) rules.set(key, found);
  }
  return {...policy, rules};
}

/** The sections that have rules, and for each account of `for:` those whose rules differ. */
export function countWanted(given: PolicyWithLists): CountJson[] {
  const {policy} = given;
  const text = (rules: Rules | undefined) => JSON.stringify(rules);
  const all = (one: PolicyWithLists, account: string | null) =>
    kinds.flatMap(({key}) => {
      const rules = one.policy.rules.get(key);
      if (rules === undefined || (account !== null && text(rules) === text(policy.rules.get(key)))) return [];
      return countOf(key, rules, one, account);
    });
  return [...all(given, null), ...[...byAccount(given)].flatMap(([account, own]) => all(own, account))];
}

function countOf(section: string, rules: Rules, {policy, domains}: PolicyWithLists, account: string | null): CountJson {
  const merged = domains.get(section);
  const lists = isOfDomains(rules) ? rules.lists.length + (rules.allowLists?.length ?? 0) : 0;
  const [wanted, forbidden] = [merged?.wanted.size ?? rules.must.length, merged?.mustNot.size ?? rules.mustNot.length];
  return {policy: policy.file, account, section, wanted, forbidden, lists};
}

/** A list that is named on the command line, and what of it is left out, for people. @throws Failure `usage` for what is none, or has mistakes */
export function readGivenList(text: string, name: string): {readonly list: List; readonly notes: readonly string[]} {
  const list = readList(text, name);
  refuseRowMistakes(list);
  return {list, notes: list.kind === 'domains' ? leftOutTexts(summaryOf(list)) : []};
}

/** A policy names the version of its format, and of lists only one format does. */
export function isPolicy(text: string): boolean {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  // A comment in a table may have any lines.
  return headerOf(first) === undefined && !isPixelfedInstances(text) && /^[ \t{]*["']?version["']?[ \t]*:/m.test(text);
}

/** Characters of a policy from the web: reading YAML takes a thousand times the memory of its text. */
const maxFetched = 256 * 1024;

/**
 * @param name the path or address of the policy
 * @throws Failure `usage` for a policy from the web that is larger than any that a person writes
 */
export function refuseLargeFetched(name: string, text: string): void {
  if (!/^https?:\/\//i.test(name) || text.length <= maxFetched) return;
  throw new Failure('usage', `The policy ${name} is larger than ${maxFetched / 1024} KiB`, {
    hint: 'save it as a file, check it, and name the file',
  });
}
