/** How lists count towards what they must agree on: copies of a list once. */
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
}

export function voterOf({list: {name}, content = name}: UsedList): Voter {
  return {list: name, content};
}

/** How many lists there are, copies counted once. */
export function countLists(voters: readonly Voter[]): number {
  return voters.length < 2 ? voters.length : new Set(voters.map(({content}) => content)).size;
}

/** @param agree as in a policy: a number of lists, or a share such as `50%` */
export function thresholdOf(agree: number | string): Threshold {
  return typeof agree === 'number' ? {count: agree} : {percent: Number.parseInt(agree, 10)};
}

/** How many lists must name a domain, of so many. A share is rounded up. */
export function neededLists(threshold: Threshold | undefined, total: number): number {
  if (threshold === undefined) return 1;
  return 'count' in threshold ? threshold.count : Math.max(1, Math.ceil((threshold.percent * total) / 100));
}

/** The share of all lists, rounded down, so that it never looks like more than it is: `66.66%`. */
export function shareText(count: number, total: number): string {
  return `${Math.floor((count * 10_000) / Math.max(total, 1)) / 100}%`;
}

/** How far lists agree: `named by 2 lists, 3 needed`. */
export function agreementText(count: number, needed: number): string {
  return `named by ${counted(count, 'list')}, ${needed} needed`;
}

/** Why a number of lists cannot be reached; undefined where it can, and without lists. */
export function unreachable(threshold: Threshold, total: number): string | undefined {
  if (!('count' in threshold) || total === 0 || threshold.count <= total) return undefined;
  return `agree is ${threshold.count}, but there ${total === 1 ? 'is' : 'are'} ${counted(total, 'list')}: nothing would be blocked`;
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
  const message = agree && unreachable(agree.value, countLists(voters));
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
function fingerprint({entries}: DomainList): string {
  const textOf = factsTexts();
  const records = entries.map(({domain, facts}) => `${domain} ${textOf(facts)}`);
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
    size: new Set(list.entries.map(({domain}) => domain)).size,
  }));
  const bySize = Map.groupBy(sized, ({size}) => size);
  return new Map(
    sized.map(({list, size}) => {
      const isAlone = size === 0 || bySize.get(size)?.length === 1;
      return [list.name, isAlone ? `name ${list.name}` : fingerprint(list)];
    }),
  );
}
