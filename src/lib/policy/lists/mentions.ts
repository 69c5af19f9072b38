/** What lists say about each domain that they name. */
import {type DomainFacts, optionalFields} from '../domain-facts.js';
import {compareText, type Location} from '../location.js';
import type {ListReference} from '../policy.js';
import {isAtLeast} from '../severity.js';
import type {Voter} from './agreement.js';
import {type DomainList, type ListedDomain, locationIn} from './list.js';

/** One entry of one list about a domain. */
export interface Mention {
  readonly by: Voter;
  readonly location: Location;
  /** Those that the policy takes from the list. */
  readonly facts: DomainFacts;
  /** Whether it is severe enough to count. */
  readonly counts: boolean;
}

/** One use of a list. */
export interface ListUse {
  readonly reference: ListReference;
  readonly list: DomainList;
  readonly by: Voter;
}

interface Use extends ListUse {
  /** What the policy takes of the facts of the list. */
  readonly taken: (facts: DomainFacts) => DomainFacts;
}

function mentionOf({by, list, reference, taken}: Use, entry: ListedDomain): Mention {
  return {by, location: locationIn(list, entry), facts: taken(entry.facts), counts: isSevereEnough(entry, reference)};
}

/** What a policy takes of the facts of a list. Equal ones stay one object. */
function takenFrom({fields, maxSeverity}: ListReference): (facts: DomainFacts) => DomainFacts {
  if (fields === undefined && maxSeverity === undefined) return (facts) => facts;
  const left = optionalFields.filter((name) => fields !== undefined && !fields.includes(name));
  const known = new WeakMap<DomainFacts, DomainFacts>();
  return (facts) => {
    const taken = known.get(facts) ?? {
      ...facts,
      ...Object.fromEntries(left.map((name) => [name, undefined])),
      severity: maxSeverity === undefined || isAtLeast(maxSeverity, facts.severity) ? facts.severity : maxSeverity,
    };
    known.set(facts, taken);
    return taken;
  };
}

/** Whether an entry is severe enough to count. */
export function isSevereEnough({facts}: ListedDomain, {maxSeverity, minSeverity}: ListReference): boolean {
  // Whoever takes every entry as noop wants nothing of the list blocked.
  return maxSeverity !== 'noop' && isAtLeast(facts.severity, minSeverity);
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

  constructor(uses: readonly ListUse[]) {
    this.#uses = uses.map((use) => ({...use, taken: takenFrom(use.reference)}));
    const domains: string[] = [];
    this.#firsts = uses.map(({list}) => {
      const first = domains.length;
      for (const {domain} of list.entries) domains.push(domain);
      return first;
    });
    this.#order = Uint32Array.from(domains.keys()).sort(
      (one, other) => compareText(domains[one] ?? '', domains[other] ?? '') || one - other,
    );
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
    const {use: firstUse, entry: first} = this.#entryAt(position);
    const all = [mentionOf(firstUse, first)];
    for (let at = position + 1; at < this.#order.length; at++) {
      const {use, entry} = this.#entryAt(at);
      if (entry.domain !== first.domain) break;
      all.push(mentionOf(use, entry));
    }
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

  #entryAt(at: number) {
    const number = this.#order[at] ?? 0;
    const index = this.#firsts.findLastIndex((first) => first <= number);
    const use = this.#uses[index];
    const entry = use?.list.entries[number - (this.#firsts[index] ?? 0)];
    if (use === undefined || entry === undefined) throw new RangeError(`There is no entry ${number}`);
    return {use, entry};
  }
}
