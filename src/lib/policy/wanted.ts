/** A policy together with what its rules and lists want blocked. */
import {loadLists, type ListAccess} from './lists/load-lists.js';
import {mergeLists, type WantedDomains} from './lists/merge.js';
import {readPolicyFile} from './policy-file.js';
import type {Policy} from './policy.js';

export interface Wanted {
  readonly policy: Policy;
  /** Undefined when the policy says nothing of domains. */
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
