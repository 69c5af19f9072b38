/** What lists say about each domain that they name. */
import {type DomainFacts, optionalFields, isAtLeast} from '../model/domain-facts.js';
import {compareText, type Location} from '../source/location.js';
import type {ListReference} from '../model/policy.js';
import {shortListName} from '../source/list-origin.js';
import type {ListedDomain, UsedList} from './list.js';

/** What a policy takes of the facts of a list. Equal ones stay one object. */
function takenFrom({fields, maxSeverity}: ListReference): (facts: DomainFacts) => DomainFacts {
  if (fields === undefined && maxSeverity === undefined) return (facts) => facts;
  const left = optionalFields.filter((name) => fields !== undefined && !fields.includes(name));
  const known = new WeakMap<DomainFacts, DomainFacts>();
  return (facts) => {
    const severity = maxSeverity === undefined || isAtLeast(maxSeverity, facts.severity) ? facts.severity : maxSeverity;
    const taken = known.get(facts) ?? {...facts, ...Object.fromEntries(left.map((name) => [name, undefined])), severity};
    known.set(facts, taken);
    return taken;
  };
}

/** Whether an entry is severe enough to count. */
export function isSevereEnough({facts}: ListedDomain, {maxSeverity, minSeverity}: ListReference): boolean {
  // Whoever takes every entry as noop wants nothing of the list blocked.
  return maxSeverity !== 'noop' && isAtLeast(facts.severity, minSeverity);
}

interface Use extends UsedList {
  readonly takeFacts: (facts: DomainFacts) => DomainFacts;
}

/** One entry of one list about a domain. There may be very many, so what only some are asked for is found when it is asked for. */
export class Mention {
  readonly #use: Use;
  readonly #entry: ListedDomain;

  constructor(use: Use, entry: ListedDomain) {
    this.#use = use;
    this.#entry = entry;
  }

  /** The name of the list. */
  get by(): string {
    return this.#use.list.name;
  }

  get location(): Location {
    return {file: this.by, line: this.#entry.line};
  }

  /** Those that the policy takes from the list. */
  get facts(): DomainFacts {
    return this.#use.takeFacts(this.#entry.facts);
  }

  /** Whether it is severe enough to count. */
  get counts(): boolean {
    return isSevereEnough(this.#entry, this.#use.reference);
  }

  /** What is noted on a block that has no comment of its own, with `{date}` for the day on which it is made. */
  get comment(): string | undefined {
    const {privateComment, from} = this.#use.reference;
    return privateComment?.replaceAll('{list}', () => shortListName(from));
  }
}

/** By domain, sorted; those of a domain in the order of the policy. */
export type Mentions = ReadonlyMap<string, readonly Mention[]>;

export function mentionsIn(lists: readonly UsedList[]): Mentions {
  const all = new Map<string, Mention[]>();
  for (const used of lists) {
    const use = {...used, takeFacts: takenFrom(used.reference)};
    for (const entry of used.list.entries) {
      const mention = new Mention(use, entry);
      const known = all.get(entry.domain);
      if (known === undefined) all.set(entry.domain, [mention]);
      else known.push(mention);
    }
  }
  return new Map([...all].sort(([one], [other]) => compareText(one, other)));
}
