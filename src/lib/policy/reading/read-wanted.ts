/** Reads what a policy and its lists want of an account. */
import {policyName, type Target} from '../model/difference.js';
import {defaultMerge} from '../model/domain-facts.js';
import {refuseUnreachable} from '../lists/agreement.js';
import type {UsedList} from '../lists/list.js';
import {type ListAccess, loadLists} from '../lists/load-lists.js';
import {mergeLists, type WantedDomains} from '../lists/merge.js';
import {policyIn} from './part.js';
import type {ListReference, Policy} from '../model/policy.js';
import {readPolicy, readPolicyFile} from './policy-file.js';
import type {Followed, Fetched} from '../model/server-state.js';
import type {Wanted} from '../lists/wanted.js';

/** The same list, used the same way. */
function keyOf(reference: ListReference): string {
  return JSON.stringify(reference);
}

function referencesIn({domain_blocks}: Policy): ListReference[] {
  return [...(domain_blocks?.lists ?? []), ...(domain_blocks?.allowLists ?? []), ...(domain_blocks?.protectLists ?? [])];
}

function listsOf(policy: Policy, loaded: ReadonlyMap<string, UsedList>): UsedList[] {
  return referencesIn(policy).flatMap((reference) => loaded.get(keyOf(reference)) ?? []);
}

function merged(policy: Policy, loaded: ReadonlyMap<string, UsedList>, other?: WantedDomains): WantedDomains | undefined {
  if (policy.domain_blocks === undefined) return undefined;
  return mergeLists(policy.domain_blocks, listsOf(policy, loaded), other);
}

/**
 * Reads a policy and every list that it names, each once however many accounts use it.
 * @param text of the policy, where it was read already: a pipe can be read only once
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readWanted(file: string, access?: ListAccess, text?: string): Promise<Wanted> {
  const policy = text === undefined ? await readPolicyFile(file) : readPolicy(text, file);
  const all = [policy, ...(policy.variants?.values() ?? [])].flatMap(referencesIn);
  const references = new Map(all.map((reference) => [keyOf(reference), reference]));
  const rules = policy.domain_blocks ?? {must: [], mustNot: [], merge: defaultMerge};
  const used = await loadLists({...policy, domain_blocks: {...rules, lists: [...references.values()]}}, access);
  const loaded = new Map(used.map((one) => [keyOf(one.reference), one]));
  for (const one of [policy, ...(policy.variants?.values() ?? [])]) {
    if (one.domain_blocks)
      refuseUnreachable(
        one.domain_blocks,
        listsOf(one, loaded).filter(({reference}) => reference.spares === undefined),
      );
  }
  const domains = merged(policy, loaded);
  return {policy, domains, ...(policy.variants && {lists: loaded})};
}

/** What the policy wants of one account, in the part of it that is meant. What is the same as for the others is shared with them. */
export function wantedFor(wanted: Wanted, target: Pick<Target, 'account' | 'server'>): Wanted {
  const {policy, domains} = wantedOf(wanted, target);
  const {part, allowed, showsPrivate} = wanted;
  const narrowed = policyIn(policy, part?.only);
  return {policy: narrowed, domains: narrowed.domain_blocks && domains, part, allowed, showsPrivate};
}

function wantedOf(wanted: Wanted, target: Pick<Target, 'account' | 'server'>): Wanted {
  const policy = wanted.policy.variants?.get(policyName(target) ?? '');
  if (policy === undefined) return wanted;
  const {domains, lists = new Map()} = wanted;
  const keysIn = ({domain_blocks}: Policy) => (domain_blocks?.lists ?? []).map(keyOf).join('\n');
  const isSame = keysIn(policy) === keysIn(wanted.policy);
  return {policy, domains: merged(policy, lists, isSame ? domains : undefined)};
}

/** What a policy wants, with what is known of those that the account follows or is followed by, where the policy protects them. */
export async function withFollowed(wanted: Wanted, read: (() => Promise<Fetched<Followed>>) | undefined): Promise<Wanted> {
  if (wanted.domains?.protection.minFollowed === undefined || read === undefined) return wanted;
  return {...wanted, followed: await read()};
}
