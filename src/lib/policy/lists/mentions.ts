/** What lists say about each domain that they name. */
import {type DomainFacts, optionalFields, isAtLeast} from '../model/domain-facts.js';
import {compareText, type Location} from '../source/location.js';
import type {ListReference} from '../model/policy.js';
import {shortListName} from '../source/list-origin.js';
import {type ListedDomain, locationIn, type UsedList} from './list.js';

/** One entry of one list about a domain. */
export interface Mention {
  /** The name of the list. */
  readonly by: string;
  readonly location: Location;
  /** Those that the policy takes from the list. */
  readonly facts: DomainFacts;
  /** Whether it is severe enough to count. */
  readonly counts: boolean;
  /** What is noted on a block that has no comment of its own, with `{date}` for the day on which it is made. */
  readonly comment?: string | undefined;
}

interface Use extends UsedList {
  /** What the policy takes of the facts of the list. */
  readonly taken: (facts: DomainFacts) => DomainFacts;
  readonly comment: string | undefined;
}

/** What a policy takes of the facts of a list. Equal ones stay one object. */
function takeFacts({fields, maxSeverity}: ListReference): (facts: DomainFacts) => DomainFacts {
  if (fields === undefined && maxSeverity === undefined) return (facts) => facts;
  const left = optionalFields.filter((name) => fields !== undefined && !fields.includes(name));
  const known = new WeakMap<DomainFacts, DomainFacts>();
  return (facts) => {
    const severity = maxSeverity === undefined || isAtLeast(maxSeverity, facts.severity) ? facts.severity : maxSeverity;
    if (severity === facts.severity && left.every((name) => facts[name] === undefined)) return facts;
    const taken = known.get(facts) ?? {...facts, ...Object.fromEntries(left.map((name) => [name, undefined])), severity};
    known.set(facts, taken);
    return taken;
  };
}

const commentFrom = ({privateComment, from}: ListReference): string | undefined =>
  privateComment?.replaceAll('{list}', () => shortListName(from));

/** Whether an entry is severe enough to count. */
export function isSevereEnough({facts}: ListedDomain, {maxSeverity, minSeverity}: ListReference): boolean {
  // Whoever takes every entry as noop wants nothing of the list blocked.
  return maxSeverity !== 'noop' && isAtLeast(facts.severity, minSeverity);
}

/** Characters that fit into a number. */
const inNumber = 7;

/** A number for the beginning of a domain, which is ASCII: in the order of the domains, or the same. */
function rankOf(domain: string): number {
  let rank = 0;
  for (let at = 0; at < inNumber; at += 1) rank = rank * 128 + (at < domain.length ? domain.charCodeAt(at) : 0);
  return rank;
}

/**
 * By domain, sorted; those of a domain in the order of the policy. Lists may have millions of entries: in memory is only their order,
 * and a mention is made when it is asked for.
 */
export class Mentions {
  readonly #uses: readonly Use[];
  /** The number of the first entry of each use. */
  readonly #firsts: readonly number[];
  /** The numbers of all entries. */
  readonly #order: Uint32Array;
  /** By position: whether the entry has the same domain as the one before it. */
  readonly #isSame: Uint8Array;

  constructor(uses: readonly UsedList[]) {
    this.#uses = uses.map((use) => ({...use, taken: takeFacts(use.reference), comment: commentFrom(use.reference)}));
    let count = 0;
    this.#firsts = uses.map(({list}) => {
      const first = count;
      count += list.entries.length;
      return first;
    });
    // Most are told apart without a look at the texts, which are all over the memory.
    const ranks = new Float64Array(count).map((_, number) => rankOf(this.#entry(number).entry.domain));
    const compareTexts = (one: number, other: number) => compareText(this.#entry(one).entry.domain, this.#entry(other).entry.domain);
    this.#order = new Uint32Array(count)
      .map((_, number) => number)
      .sort((one, other) => (ranks[one] ?? 0) - (ranks[other] ?? 0) || compareTexts(one, other) || one - other);
    this.#isSame = new Uint8Array(count).map((_, at) => Number(at > 0 && this.#domainAt(at) === this.#domainAt(at - 1)));
  }

  /** None for a domain that no list names. */
  get(domain: string): Mention[] {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#domainAt(middle) < domain) low = middle + 1;
      else high = middle;
    }
    return low < this.#order.length && this.#domainAt(low) === domain ? this.at(low) : [];
  }

  /** Those of the domain that begins at a position. */
  at(position: number): Mention[] {
    const all = [this.#mentionAt(position)];
    for (let at = position + 1; this.#isSame[at] === 1; at += 1) all.push(this.#mentionAt(at));
    return all;
  }

  /** Each domain, the position where its mentions begin, and these. */
  *[Symbol.iterator](): Generator<[domain: string, all: Mention[], position: number]> {
    for (let at = 0; at < this.#order.length;) {
      const all = this.at(at);
      yield [this.#domainAt(at), all, at];
      at += all.length;
    }
  }

  #domainAt(at: number): string {
    return this.#entryAt(at).entry.domain;
  }

  #mentionAt(at: number): Mention {
    const {use, entry} = this.#entryAt(at);
    const {list, reference, taken, comment} = use;
    return {by: list.name, location: locationIn(list, entry), facts: taken(entry.facts), counts: isSevereEnough(entry, reference), comment};
  }

  #entryAt(at: number) {
    return this.#entry(this.#order[at] ?? 0);
  }

  #entry(number: number) {
    let index = this.#firsts.length - 1;
    while ((this.#firsts[index] ?? 0) > number) index -= 1;
    const use = this.#uses[index];
    const entry = use?.list.entries[number - (this.#firsts[index] ?? 0)];
    if (use === undefined || entry === undefined) throw new RangeError(`There is no entry ${number}`);
    return {use, entry};
  }
}
