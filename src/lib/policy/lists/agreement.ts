/** How many lists must name a domain: a number of them, or a share such as `50%`. */
import {countNoun} from '../../json/text.js';
import type {Mistake} from '../source/mistakes.js';
import type {DomainRules} from '../model/policy.js';

/** How many lists there are: one that is named twice counts once. */
export const countLists = (names: readonly string[]): number => (names.length < 2 ? names.length : new Set(names).size);

/** How many lists must name a domain, of so many. A share is rounded up. */
export const neededLists = (agree: number | string = 1, total: number): number =>
  typeof agree === 'number' ? agree : Math.max(1, Math.ceil((Number.parseInt(agree, 10) * total) / 100));

/** Why a number of lists cannot be reached; undefined where it can, and without lists. */
export function unreachable(agree: number | string, total: number): string | undefined {
  if (typeof agree === 'string' || total === 0 || agree <= total) return undefined;
  return `agree is ${agree}, but there ${total === 1 ? 'is' : 'are'} ${countNoun(total, 'list')}: nothing would be blocked`;
}

/** `agree` of a section that names no list for any account. @param rules of the section, for each of them */
export function uselessAgree(rules: readonly DomainRules[]): Mistake[] {
  const agree = rules.map((one) => one.agree).find((one) => one !== undefined);
  if (agree === undefined || typeof agree.value === 'string' || agree.value === 1) return [];
  if (rules.some(({lists}) => lists.length > 0)) return [];
  return [{...agree.location, message: `agree is ${agree.value}, but there are no lists`}];
}
