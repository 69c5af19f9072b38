/** What a policy and its lists want of an account. */
import type {UsedList} from './list.js';
import type {WantedDomains} from './merge.js';
import type {Policy} from '../model/policy.js';
import type {Exceptions} from './protection.js';
import type {SectionKey} from '../model/section-types.js';

/** What a plan is limited to. Absent: everything. */
export type PlanPart = Readonly<{
  only?: SectionKey[] | undefined;
  /** Names and patterns of domains, accounts, filters and settings. */
  target?: string[] | undefined;
  except?: string[] | undefined;
}>;

export interface Wanted extends Exceptions {
  readonly policy: Policy;
  /** Undefined when the policy has no rules about domains. */
  readonly domains?: WantedDomains | undefined;
  /** The lists of the policy for any account, where it is not the same for all. */
  readonly lists?: ReadonlyMap<string, UsedList> | undefined;
  /** What of it is compared; absent: everything. */
  readonly part?: PlanPart | undefined;
  /** Whether private comments are shown wherever public ones are. */
  readonly showsPrivate?: boolean | undefined;
}
