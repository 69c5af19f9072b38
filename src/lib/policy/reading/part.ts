/** Parts of a plan: some sections of the policy, and some of what they are about. */
import type {Item} from '../model/items.js';
import type {Policy} from '../model/policy.js';
import type {Section} from '../section/section.js';
import {ownership, sectionOf, sections, sharedSections} from '../sections/index.js';
import {type Selectable, NameSelection} from './selection.js';
import type {PlanPart} from '../lists/wanted.js';

/** The part in words, as its flags are typed: `--only filters --target bad.example`. */
export function partText({only, target, except}: PlanPart): string {
  return [
    ...(only === undefined ? [] : [`--only ${only.join(',')}`]),
    ...(target ?? []).map((text) => `--target ${text}`),
    ...(except ?? []).map((text) => `--except ${text}`),
  ].join(' ');
}

/** A policy with these sections alone. */
export function policyIn(policy: Policy, only: PlanPart['only']): Policy {
  if (only === undefined) return policy;
  const left = sections.flatMap(({key}) => (only.includes(key) ? [] : [[key, undefined] as const]));
  return {...policy, ...Object.fromEntries(left)};
}

/** What earlier applies made in these sections. */
export function ownedIn<One extends Item>(owned: readonly One[], only: PlanPart['only']): readonly One[] {
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

/** Says of domains, accounts, filters and settings whether they are in the part. */
export class Chosen {
  readonly #target: NameSelection | undefined;
  readonly #except: NameSelection | undefined;

  /** @param host of the accounts that are named without one */
  constructor({target, except}: PlanPart, host: string) {
    this.#target = target && new NameSelection(target, host);
    this.#except = except && new NameSelection(except, host);
  }

  readonly has = (one: Selectable): boolean => {
    const isTarget = this.#target?.matches(one) ?? true;
    const isExcepted = this.#except?.matches(one) ?? false;
    return isTarget && !isExcepted;
  };

  /** The names and patterns that matched nothing that {@link has} was asked about. */
  get unmatched(): readonly string[] {
    return [...(this.#target?.unmatched ?? []), ...(this.#except?.unmatched ?? [])];
  }
}
