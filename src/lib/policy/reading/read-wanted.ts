/** Reads what a policy and its lists want of an account. */
import {policyName, type Target} from '../model/difference.js';
import {refuseUnreachable} from '../lists/agreement.js';
import type {UsedList} from '../lists/list.js';
import {type ListAccess, loadLists} from '../lists/load-lists.js';
import {mergeLists} from '../lists/merge.js';
import {policyIn} from './part.js';
import type {DomainRules, ListReference, Policy} from '../model/policy.js';
import {type PolicySetting, readPolicy, readPolicyFile} from './policy-file.js';
import type {Followed, Fetched} from '../model/server-state.js';
import {domainRulesIn, ownership, sections, sharedSections} from '../sections/index.js';
import type {Wanted, WantedBySection} from '../lists/wanted.js';

/** Equal for references that use one list in one way. */
function keyOf(reference: ListReference): string {
  return JSON.stringify(reference);
}

function referencesIn({lists, allowLists = []}: DomainRules): ListReference[] {
  return [...lists, ...allowLists];
}

type Loaded = ReadonlyMap<string, UsedList>;

function listsOf(rules: DomainRules, loaded: Loaded): UsedList[] {
  return referencesIn(rules).flatMap((reference) => loaded.get(keyOf(reference)) ?? []);
}

const blockListsOf = ({lists}: DomainRules) => lists.map(keyOf).join('\n');

/** @param others what is the same is shared with them */
function merged(policy: Policy, loaded: Loaded, others?: WantedBySection): WantedBySection {
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
 * Reads a policy and every list that it names, each once however many accounts use it.
 * @param given `text`: of the policy, where it was read already, because a pipe can be read only once
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readWanted(
  file: string,
  access?: ListAccess,
  {text, ...setting}: PolicySetting & {readonly text?: string | undefined} = {},
): Promise<Wanted> {
  const policy = text === undefined ? await readPolicyFile(file, setting) : readPolicy(text, file, setting);
  const all = [policy, ...(policy.variants?.values() ?? [])].flatMap(domainRulesIn);
  const references = new Map(all.flatMap(referencesIn).map((reference) => [keyOf(reference), reference]));
  const used = await loadLists([...references.values()], policy.file, access);
  const loaded = new Map(used.map((one) => [keyOf(one.reference), one]));
  for (const rules of all)
    refuseUnreachable(
      rules,
      listsOf(rules, loaded).filter(({reference}) => reference.spares === undefined),
    );
  const showsPrivate = setting.comments === 'all';
  return {policy, domains: merged(policy, loaded), ...(policy.variants && {lists: loaded}), ...(showsPrivate && {showsPrivate})};
}

/** What the policy wants of each account of `for:`, by its name. */
export function wantedByAccount(wanted: Wanted): ReadonlyMap<string, Wanted> {
  return new Map([...(wanted.policy.variants ?? [])].map(([account, policy]) => [account, wantedIn(wanted, policy)]));
}

/** What the policy wants of one account, in the part of it that is meant. What is the same as for the others is shared with them. */
export function wantedFor(wanted: Wanted, target: Whose): Wanted {
  const {policy, domains} = wantedOf(wanted, target);
  const {part, onlyAdds, showsPrivate, takesNothing} = wanted;
  const narrowed = policyOf(policyIn(policy, part?.only), target.owner);
  const meant = new Map([...domains].filter(([key]) => narrowed[key] !== undefined));
  return {policy: narrowed, domains: meant, part, onlyAdds, showsPrivate, takesNothing};
}

type Whose = Pick<Target, 'account' | 'owner' | 'server'>;

/** A policy with only what is about an account itself, or about what the accounts of a server share. */
function policyOf(policy: Policy, owner: Target['owner']): Policy {
  if (owner === undefined) return policy;
  const left = sections.flatMap((section) => (ownership(section) === owner ? [] : [[section.key, undefined] as const]));
  return {...policy, ...Object.fromEntries(left)};
}

function wantedOf(wanted: Wanted, target: Whose): Wanted {
  const policy = policyFor(wanted.policy, target);
  return policy === wanted.policy ? wanted : wantedIn(wanted, policy);
}

/** @param policy of one account */
function wantedIn({domains, lists = new Map()}: Wanted, policy: Policy): Wanted {
  return {policy, domains: merged(policy, lists, domains)};
}

/** What the accounts of a server share is the same for all of them, even for one for which nothing else differs. */
function policyFor(policy: Policy, target: Whose): Policy {
  const {variants} = policy;
  if (variants === undefined) return policy;
  const own = variants.get(policyName(target) ?? '');
  if (own !== undefined) return own;
  const [, other] = [...variants].find(([name]) => name.endsWith(`@${target.server.host}`)) ?? [];
  if (other === undefined || sharedSections.every(({key}) => other[key] === undefined)) return policy;
  return Object.assign({}, policy, ...sharedSections.map(({key}) => ({[key]: other[key]})));
}

/** What a policy wants, with what is known of those that the account follows or is followed by, where the policy protects them. */
export async function withFollowed(wanted: Wanted, read: (() => Promise<Fetched<Followed>>) | undefined): Promise<Wanted> {
  const protects = [...wanted.domains.values()].some(({protection}) => protection.minFollowed !== undefined);
  return protects && read !== undefined ? {...wanted, followed: await read()} : wanted;
}
