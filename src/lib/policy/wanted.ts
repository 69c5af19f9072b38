/** A policy together with what its rules and lists want blocked. */
import {loadLists, type FetchList} from './lists/load-lists.js';
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
 * @param fetchList fetches lists on the web; absent where that is not allowed
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readWanted(file: string, fetchList?: FetchList): Promise<Wanted> {
  const policy = await readPolicyFile(file);
  const lists = await loadLists(policy, fetchList);
  return {policy, domains: policy.domainBlocks && mergeLists(policy.domainBlocks, lists)};
}
