/** How lists count towards what they must agree on. */
import {countNoun} from '../../json/text.js';
import type {Mistake} from '../source/mistakes.js';
import type {DomainRules, Threshold} from '../model/policy.js';

/** How many lists there are: one that is named twice counts once. */
export const countLists = (names: readonly string[]): number => (names.length < 2 ? names.length : new Set(names).size);

/** @param agree as in a policy: a number of lists, or a share such as `50%` */
export function thresholdOf(agree: number | string): Threshold {
  return typeof agree === 'number' ? {count: agree} : {percent: Number.parseInt(agree, 10)};
}

/** How many lists must name a domain, of so many. A share is rounded up. */
export function neededLists(threshold: Threshold | undefined, total: number): number {
  if (threshold === undefined) return 1;
  return 'count' in threshold ? threshold.count : Math.max(1, Math.ceil((threshold.percent * total) / 100));
}

/** How far lists agree: `named by 2 lists, 3 needed`. */
export function agreementText(count: number, needed: number): string {
  return `named by ${countNoun(count, 'list')}, ${needed} needed`;
}

/** Why a number of lists cannot be reached; undefined where it can, and without lists. */
export function unreachable(threshold: Threshold, total: number): string | undefined {
  if (!('count' in threshold) || total === 0 || threshold.count <= total) return undefined;
  return `agree is ${threshold.count}, but there ${total === 1 ? 'is' : 'are'} ${countNoun(total, 'list')}: nothing would be blocked`;
}

/** `agree` of a section that names no list for any account. @param rules of the section, for each of them */
export function uselessAgree(rules: readonly DomainRules[]): Mistake[] {
  if (rules.some(({lists}) => lists.length > 0)) return [];
  const agree = rules.map((one) => one.agree).find((one) => one !== undefined);
  if (agree === undefined || !('count' in agree.value) || agree.value.count === 1) return [];
  return [{...agree.location, message: `agree is ${agree.value.count}, but there are no lists`}];
}
