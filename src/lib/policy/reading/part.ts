/** Parts of a plan: some sections of the policy. */
import type {Item} from '../model/items.js';
import type {Policy} from '../model/policy.js';
import type {Section} from '../section/section.js';
import {ownership, sectionOf, sections, sharedSections} from '../sections/index.js';
import type {PlanPart} from '../lists/wanted.js';

/** The part in words, as its flag is typed: `--only filters`. */
export function partText({only}: PlanPart): string {
  return `--only ${only.join(',')}`;
}

/** A policy with these sections alone. */
export function policyIn(policy: Policy, only: PlanPart['only'] | undefined): Policy {
  if (only === undefined) return policy;
  const left = sections.flatMap(({key}) => (only.includes(key) ? [] : [[key, undefined] as const]));
  return {...policy, ...Object.fromEntries(left)};
}

/** What earlier applies made in these sections. */
export function ownedIn<One extends Item>(owned: readonly One[], only: PlanPart['only'] | undefined): readonly One[] {
  if (only === undefined) return owned;
  return owned.filter(({kind}) => only.some((key) => key === sectionOf(kind)?.key));
}

/**
 * Whether a policy, or the part of it that is meant, is about what the accounts of a server share; undefined where it has no rules about
 * that, but may have had some.
 */
export function asksServer(policy: Policy, part: PlanPart | undefined): boolean | undefined {
  if (!includes(part, 'server')) return false;
  return sharedSections.some(({asks}) => asks(policyIn(policy, part?.only))) || undefined;
}

/** Whether a part has sections of an account, or of a server. */
export function includes(part: PlanPart | undefined, owner: Section['owner']): boolean {
  const only = part?.only;
  return only === undefined || sections.some((section) => only.includes(section.key) && ownership(section) === owner);
}
