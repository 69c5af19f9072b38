/** What a policy and its lists want of an account. */
import type {UsedList} from './list.js';
import type {ListSummary, WantedDomains} from './merge.js';
import type {DomainsKey, Policy} from '../model/policy.js';
import type {Exceptions} from './protection.js';
import type {SectionKey} from '../model/section-types.js';

/** What a plan is limited to. Absent: everything. */
export type PlanPart = Readonly<{only: SectionKey[]}>;

/** In the order of sections. */
export type WantedBySection = ReadonlyMap<DomainsKey, WantedDomains>;

/** The lists of all sections; one that several use in the same way once. */
export function summariesIn(domains: WantedBySection): readonly ListSummary[] {
  const [first = [], ...others] = [...domains.values()].map(({summaries}) => summaries);
  const known = new Map([...first, ...others.flat()].map((summary) => [JSON.stringify(summary), summary]));
  return others.length === 0 ? first : [...known.values()];
}

export interface Wanted extends Exceptions {
  readonly policy: Policy;
  /** By the sections whose items are domains: those that the policy has rules for. */
  readonly domains: WantedBySection;
  /** The lists of the policy for any account, where it is not the same for all. */
  readonly lists?: ReadonlyMap<string, UsedList> | undefined;
  /** What of it is compared; absent: everything. */
  readonly part?: PlanPart | undefined;
  /** Whether what an account has of a filter stays: nobody records what was there before. */
  readonly takesNothing?: boolean | undefined;
  /** Whether only what is missing is made: nothing is removed or changed. */
  readonly onlyAdds?: boolean | undefined;
  /** How many follows people of the server have to accounts on each domain that a rule asks it for; `unknown`: the server does not tell. */
  readonly follows?: ReadonlyMap<string, number> | 'unknown' | undefined;
  /** Whether private comments that are sent are shown, too: others are not in it unless they are. */
  readonly showsPrivate?: boolean | undefined;
}

/** The files that a policy is made of. */
export const sourceFiles = ({policy, domains}: Wanted): string[] => [policy.file, ...summariesIn(domains).map(({list}) => list)];
