/** How lists count towards what they must agree on: each with its weight, and copies of a list once. */
import {createHash} from 'node:crypto';
import {counted} from '../../json/text.js';
import type {DomainFacts} from '../model/domain-facts.js';
import type {DomainList, UsedList} from './list.js';
import {compareText} from '../source/location.js';
import {type Mistake, refuseMistakes} from '../source/mistakes.js';
import type {DomainRules, Threshold} from '../model/policy.js';

/** One use of a list. */
export interface Voter {
  readonly list: string;
  /** Equal for a list that is named twice, and for its copies: they count once. */
  readonly content: string;
  /** At least 1. */
  readonly weight: number;
}

export interface Tally {
  /** How many lists, and what they weigh together. */
  readonly count: number;
  readonly weight: number;
}

export function voterOf({reference: {weight = 1}, list: {name}, content = name}: UsedList): Voter {
  return {list: name, content, weight};
}

/** The weight of each list: of the uses of one, the heaviest counts. */
function weightsOf(voters: readonly Voter[]): number[] {
  const weights = new Map<string, number>();
  for (const {content, weight} of voters) weights.set(content, Math.max(weight, weights.get(content) ?? 0));
  return [...weights.values()];
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}

export function tallyOf(voters: readonly Voter[]): Tally {
  const [only] = voters;
  if (only !== undefined && voters.length === 1) return {count: 1, weight: only.weight};
  const weights = weightsOf(voters);
  return {count: weights.length, weight: sumOf(weights)};
}

/** @param agree as in a policy: a number of lists, or a share such as `50%` */
export function thresholdOf(agree: number | string): Threshold {
  return typeof agree === 'number' ? {count: agree} : {percent: Number.parseInt(agree, 10)};
}

/** What the lists that name a domain must weigh together, of lists that weigh so much. A share is rounded up. */
export function neededWeight(threshold: Threshold | undefined, total: number): number {
  if (threshold === undefined) return 1;
  return 'count' in threshold ? threshold.count : Math.max(1, Math.ceil((threshold.percent * total) / 100));
}

/** The share of all lists, rounded down, so that it never looks like more than it is: `66.66%`. */
export function shareText(weight: number, total: number): string {
  return `${Math.floor((weight * 10_000) / Math.max(total, 1)) / 100}%`;
}

/** How far lists agree: `named by 2 lists, 3 needed`. */
export function agreementText({weight}: Tally, {needed, total}: {readonly needed: number; readonly total: Tally}): string {
  return total.weight === total.count
    ? `named by ${counted(weight, 'list')}, ${needed} needed`
    : `total weight of the lists: ${weight}, needed: ${needed}`;
}

/** Why a number of lists cannot be reached; undefined where it can, and without lists. */
export function unreachable(threshold: Threshold, weights: readonly number[]): string | undefined {
  const total = sumOf(weights);
  if (!('count' in threshold) || weights.length === 0 || threshold.count <= total) return undefined;
  const [are, weigh] = weights.length === 1 ? ['is', 'weighs'] : ['are', 'weigh'];
  const sum = total === weights.length ? '' : `, which ${weigh} ${total}`;
  return `agree is ${threshold.count}, but there ${are} ${counted(weights.length, 'list')}${sum}: nothing would be blocked`;
}

/** `agree` of a section that names no list for any account. @param rules of the section, for each of them */
export function uselessAgree(rules: readonly DomainRules[]): Mistake[] {
  if (rules.some(({lists}) => lists.length > 0)) return [];
  const agree = rules.map((one) => one.agree).find((one) => one !== undefined);
  if (agree === undefined || !('count' in agree.value) || agree.value.count === 1) return [];
  return [{...agree.location, message: `agree is ${agree.value.count}, but there are no lists`}];
}

/** @throws Failure `usage` at the line of `agree`, when it cannot be reached because copies count once */
export function refuseUnreachable({agree}: DomainRules, lists: readonly UsedList[]): void {
  const voters = lists.map(voterOf);
  const message = agree && unreachable(agree.value, weightsOf(voters));
  if (agree === undefined || message === undefined) return;
  const copies = [...duplicatesAmong(voters)].map(([{list}, original]) => copyText(list, original));
  refuseMistakes(agree.location.file, [{...agree.location, message: [message, ...copies].join('; ')}]);
}

/** The copies among uses of lists, with the list that each is a copy of: itself where it is named twice. The first by name is none. */
export function duplicatesAmong(voters: readonly Voter[]): ReadonlyMap<Voter, string> {
  const originals = new Map<string, string>();
  const copies = new Map<Voter, string>();
  for (const voter of voters.toSorted((one, other) => compareText(one.list, other.list))) {
    const original = originals.get(voter.content);
    if (original === undefined) originals.set(voter.content, voter.list);
    else copies.set(voter, original);
  }
  return copies;
}

export function copyText(list: string, other: string): string {
  return list === other ? `${list} is named more than once, and counts once` : `${list} has the same entries as ${other}, and counts once`;
}

/** Equal ones are mostly one object. */
function factsTexts(): (facts: DomainFacts) => string {
  const texts = new Map<DomainFacts, string>();
  return (facts) => {
    const {severity, public_comment, private_comment, reject_media, reject_reports, obfuscate} = facts;
    const text = texts.get(facts) ?? JSON.stringify([severity, public_comment, private_comment, reject_media, reject_reports, obfuscate]);
    texts.set(facts, text);
    return text;
  };
}

/** Equal for lists with equal records, in any order and format. */
function fingerprint({entries, wildcards}: DomainList): string {
  const textOf = factsTexts();
  const records = [
    ...entries.map(({domain, facts}) => `${domain} ${textOf(facts)}`),
    ...wildcards.map(({domain, facts}) => `*.${domain} ${textOf(facts)}`),
  ];
  const hash = createHash('sha256');
  for (const record of [...new Set(records)].sort()) hash.update(`${record}\n`);
  return hash.digest('hex');
}

/**
 * A key for each list, which it shares with its copies. A list without entries has no copies: others without any are no sign of one source.
 * Only lists with as many domains as another one are compared, because that takes long.
 */
export function contentKeys(lists: readonly DomainList[]): ReadonlyMap<string, string> {
  const byName = new Map(lists.map((list) => [list.name, list]));
  if (byName.size < 2) return new Map([...byName.keys()].map((name) => [name, `name ${name}`]));
  const sized = [...byName.values()].map((list) => ({
    list,
    size: new Set([...list.entries, ...list.wildcards].map(({domain}) => domain)).size,
  }));
  const bySize = Map.groupBy(sized, ({size}) => size);
  return new Map(
    sized.map(({list, size}) => {
      const isAlone = size === 0 || bySize.get(size)?.length === 1;
      return [list.name, isAlone ? `name ${list.name}` : fingerprint(list)];
    }),
  );
}
