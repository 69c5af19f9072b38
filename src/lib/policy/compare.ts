/** Compares a policy with what an account has: once, into one list of differences. */
import type {Suggest} from '../client/suggest.js';
import {handleOf, idOrHandle, shownHandle} from '../operations/handles.js';
import {accountChange, accountParts, type Change, domainBlockChange, type Grounds} from './change.js';
import {compareFilters, type FilterComparison} from './compare-filters.js';
import {compareConfig, comparePush, configNotOffered} from './compare-settings.js';
import {type Advice, type Comparison, type Difference, type Kind, type Skipped, unread} from './difference.js';
import type {WantedDomain, WantedDomains} from './lists/merge.js';
import {type DomainFacts, publicFacts} from './domain-facts.js';
import {inOrderOfFiles, type Location, locationText} from './location.js';
import type {Wanted} from './wanted.js';
import type {AccountRules} from './policy.js';
import {knownHandle, type AccountState, type Part, type State} from './state.js';

/** Collects the differences in the parts of a policy. */
class Comparing {
  readonly differences: Difference[] = [];
  readonly skipped: Skipped[] = [];
  matched: ReadonlySet<string> = new Set();

  /** Compares one part, when the policy has rules for it; a part that could not be read is reported as skipped. */
  part<Rules, Value>(
    kind: Kind,
    rules: Rules | undefined,
    part: Part<Value> | undefined,
    compare: (rules: Rules, value: Value) => Comparison,
    notOffered?: (rules: Rules) => Comparison,
  ): void {
    if (rules === undefined) return;
    // A part that was not read must not pass for an empty one.
    if (part === undefined) throw new Error(`What the server has of ${kind} was not read`);
    if ('failure' in part) {
      if (notOffered !== undefined && part.failure.code === 'not_found') this.#take(notOffered(rules));
      else this.skipped.push(unread(kind, part.failure));
    } else this.#take(compare(rules, part.value));
  }

  #take({differences, skipped}: Comparison): void {
    // One by one: the number of arguments of a call is limited.
    for (const one of differences) this.differences.push(one);
    for (const one of skipped) this.skipped.push(one);
  }
}

export interface Circumstances {
  /** Filters that have ended by then count as gone. */
  readonly now: Date;
  readonly advice: Advice;
  /** The account that is compared, as `@ana`, where it is known. */
  readonly account?: string | undefined;
}

/** @throws Failure `usage` when filters have the same title and no id */
export function compare(wanted: Wanted, state: State, {now, advice, account}: Circumstances): FilterComparison {
  const {policy, domains} = wanted;
  const comparing = new Comparing();
  const {suggest} = advice;
  comparing.part('domain_block', domains, state.domainBlocks, (rules, blocked) =>
    compareDomains(rules, blocked, {host: state.host, suggest, wanted}),
  );
  comparing.part('filter', policy.filters, state.filters, (rules, filters) => {
    const comparison = compareFilters(rules, filters, {now, suggest, apply: advice.onPolicy('apply', policy.file)});
    comparing.matched = comparison.matched;
    return comparison;
  });
  const whose = {host: state.host, account, suggest};
  comparing.part('block', policy.blocks, state.blocks, (rules, accounts) => compareAccounts('block', rules, accounts, whose));
  comparing.part('mute', policy.mutes, state.mutes, (rules, accounts) => compareAccounts('mute', rules, accounts, whose));
  comparing.part('push', anyOf(policy.push), state.push, (rules, settings) => comparePush(rules, settings, suggest));
  comparing.part('config', anyOf(policy.config), state.config, compareConfig, configNotOffered);
  return {differences: inOrderOfFiles(comparing.differences), skipped: comparing.skipped, matched: comparing.matched};
}

function anyOf<Rule>(rules: readonly Rule[] | undefined): readonly Rule[] | undefined {
  return rules !== undefined && rules.length > 0 ? rules : undefined;
}

/** What a policy says about an entry of a set, a domain or an account. */
interface WantedEntry {
  readonly rule: string;
  /** One at least. */
  readonly sources: readonly Location[];
  /** Why it is removed, where it is. */
  readonly reason?: 'forbidden' | 'lists' | 'only' | undefined;
}

/** The rules about a set, by the form that its entries are compared in, and how to name and change an entry. */
interface SetRules {
  readonly kind: 'block' | 'domain_block' | 'mute';
  /** Of the policy: `domain_blocks`. */
  readonly section: string;
  readonly wanted: ReadonlyMap<string, WantedEntry>;
  readonly mustNot: ReadonlyMap<string, WantedEntry>;
  /** Where the policy says that nothing else may be there; undefined: it does not. */
  readonly only: Location | undefined;
  readonly nameOf: (entry: string) => string;
  /** The command that adds or removes an entry. */
  readonly command: (action: 'add' | 'remove', entry: string) => string;
  readonly change: (action: 'add' | 'remove', entry: string, grounds: Grounds) => Change;
  /** What the rules say about a wanted entry besides its name, where they say anything. */
  readonly detailsOf?: ((entry: string) => DomainFacts | undefined) | undefined;
  /** Why an entry is not added, if it is not: a server blocks neither itself nor the account its own account, and rules hold blocks back. */
  readonly omitted: (entry: string, wanted: WantedEntry) => Pick<Skipped, 'heldBy' | 'why'> | undefined;
}

/** An entry that is missing or unwanted. There may be very many, so what is said about one is made when it is read. */
class SetDifference implements Difference {
  readonly #rules: SetRules;
  readonly #entry: string;
  /** What the policy and its lists ask for, or what forbids it. */
  readonly #ground: WantedEntry;

  constructor(rules: SetRules, entry: string, ground: WantedEntry) {
    this.#rules = rules;
    this.#entry = entry;
    this.#ground = ground;
  }

  get rule(): string {
    return this.#ground.rule;
  }

  get source(): Location {
    const [first] = this.#ground.sources;
    if (first === undefined) throw new Error(`${this.rule} has no source`);
    return first;
  }

  get kind(): SetRules['kind'] {
    return this.#rules.kind;
  }

  get subject(): string {
    return this.#rules.nameOf(this.#entry);
  }

  get wanted(): string {
    return this.#word(this.#isMissing);
  }

  get actual(): string {
    return this.#word(!this.#isMissing);
  }

  get fix(): string {
    return this.#rules.command(this.#action, this.#entry);
  }

  get details(): DomainFacts | undefined {
    return this.#isMissing ? this.#rules.detailsOf?.(this.#entry) : undefined;
  }

  get change(): Change {
    return this.#rules.change(this.#action, this.#entry, this.#grounds);
  }

  get #isMissing(): boolean {
    return this.#rules.wanted.get(this.#entry) === this.#ground;
  }

  get #action(): 'add' | 'remove' {
    return this.#isMissing ? 'add' : 'remove';
  }

  get #grounds(): Grounds {
    const because = `${this.rule}: ${this.#ground.sources.map(locationText).join(', ')}`;
    if (this.#isMissing) return {reason: this.rule.endsWith('.lists') ? 'lists' : 'must', because};
    return {reason: this.#ground.reason ?? 'forbidden', because};
  }

  #word(isThere: boolean): string {
    const word = this.kind === 'mute' ? 'muted' : 'blocked';
    return isThere ? word : `not ${word}`;
  }
}

function compareSet(rules: SetRules, there: ReadonlyMap<string, unknown>): Comparison {
  const {kind, wanted, mustNot, only, nameOf} = rules;
  const differences: Difference[] = [];
  const skipped: Skipped[] = [];
  for (const [entry, one] of wanted) {
    if (there.has(entry)) continue;
    const omitted = rules.omitted(entry, one);
    if (omitted !== undefined) skipped.push({kind, subject: nameOf(entry), ...omitted});
    else differences.push(new SetDifference(rules, entry, one));
  }
  for (const [entry, ground] of mustNot) if (there.has(entry)) differences.push(new SetDifference(rules, entry, ground));
  const forbidden = only && ({rule: `${rules.section}.only`, sources: [only], reason: 'only'} as const);
  if (forbidden)
    for (const entry of there.keys())
      if (!wanted.has(entry) && !mustNot.has(entry)) differences.push(new SetDifference(rules, entry, forbidden));
  return {differences, skipped};
}

/** The additions of domains: accounts that want the same share them, because the plans of all are in memory. */
const additions = new WeakMap<
  WantedDomain,
  {
    readonly change: Change;
    readonly coveredBy: string | undefined;
    readonly factsOf: WantedDomains['factsOf'];
    readonly showsPrivate: boolean;
  }
>();

/** @param blocked the domains that are blocked, by the form they are compared in */
function compareDomains(
  rules: WantedDomains,
  blocked: ReadonlyMap<string, string>,
  {host, suggest, wanted}: {readonly host: string; readonly suggest: Suggest; readonly wanted: Wanted},
): Comparison {
  const heldBack = (domain: string) => rules.protection.heldBack(domain, wanted);
  const {showsPrivate = false} = wanted;
  // Plans and reports are published: what is written of a private comment is added where it is printed as data.
  const factsOf = (domain: string) => (showsPrivate ? rules.factsOf(domain) : publicFacts(rules.factsOf(domain)));
  const ownName = host.replace(/:\d+$/, '');
  const {differences, skipped} = compareSet(
    {
      ...rules,
      kind: 'domain_block',
      section: 'domain_blocks',
      mustNot: unblockedBy(rules, blocked),
      nameOf: (domain) => domain,
      command: (action, domain) => suggest(['domain-blocks', action], {args: [domain]}),
      change(action, domain, grounds) {
        const entry = rules.wanted.get(domain);
        const known = entry && action === 'add' ? additions.get(entry) : undefined;
        const above = entry?.coveredBy;
        const coveredBy = above !== undefined && (blocked.has(above) || heldBack(above) === undefined) ? above : undefined;
        if (known?.factsOf === rules.factsOf && known.coveredBy === coveredBy && known.showsPrivate === showsPrivate) return known.change;
        const about = {domain, stored: blocked.get(domain), coveredBy, facts: factsOf(domain)};
        const change = domainBlockChange(action, about, grounds);
        if (entry && action === 'add') additions.set(entry, {change, coveredBy, factsOf: rules.factsOf, showsPrivate});
        return change;
      },
      detailsOf: factsOf,
      omitted: (domain, entry) =>
        domain === ownName ? {why: `a server does not block itself (${entry.sources.map(locationText).join(', ')})`} : heldBack(domain),
    },
    blocked,
  );
  return {differences, skipped: [...skipped, ...overruledBlocks(rules, blocked)]};
}

/** What is blocked although the policy, or a list that unblocks, forbids it. */
function unblockedBy({mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): ReadonlyMap<string, WantedEntry> {
  const found = new Map<string, WantedEntry>();
  for (const domain of blocked.keys()) {
    const forbidden = mustNot.get(domain);
    if (forbidden === undefined || forbidden.list === 'holds back') continue;
    const reason = forbidden.list === undefined ? 'forbidden' : 'lists';
    found.set(domain, {rule: 'domain_blocks.must_not', sources: [forbidden.location], reason});
  }
  return found;
}

/** What lists name and must_not forbids. What is blocked is a difference, or kept. */
function overruledBlocks({overruled, mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): Skipped[] {
  return overruled.flatMap((domain) => {
    const source = mustNot.get(domain)?.location;
    if (source === undefined || blocked.has(domain)) return [];
    const why = `lists name it, but must_not forbids blocking it (${source.file})`;
    return [{kind: 'domain_block', subject: domain, why, heldBy: {rule: 'domain_blocks.must_not', source}}];
  });
}

export type AccountKind = 'block' | 'mute';

function compareAccounts(
  kind: AccountKind,
  rules: AccountRules,
  there: ReadonlyMap<string, AccountState>,
  {host, account, suggest}: {readonly host: string; readonly account: string | undefined; readonly suggest: Suggest},
): Comparison {
  const section = accountParts[kind];
  const own = account === undefined ? undefined : handleOf(account, host);
  const {differences, skipped} = compareSet(
    {
      kind,
      section,
      wanted: new Map(
        rules.must.map(({value, location}) => [knownHandle(there, value, host), {rule: `${section}.must`, sources: [location]}]),
      ),
      mustNot: new Map(
        rules.mustNot.map(({value, location}) => [knownHandle(there, value, host), {rule: `${section}.must_not`, sources: [location]}]),
      ),
      only: rules.only,
      nameOf: (handle) => shownHandle(handle, host),
      command: (action, handle) => suggest([section, action], {args: [idOrHandle(shownHandle(handle, host))]}),
      change: (action, handle, grounds) =>
        accountChange(action, {kind, subject: shownHandle(handle, host), id: there.get(handle)?.id}, grounds),
      omitted: (handle) => (handle === own ? {why: 'it is the account itself'} : undefined),
    },
    there,
  );
  return {differences: [...differences, ...tooMany(kind, rules, there.size, suggest)], skipped};
}

/** @param count how many accounts are on the list */
export function tooMany(kind: AccountKind, {atMost}: AccountRules, count: number, suggest: Suggest): Difference[] {
  if (atMost === undefined || count <= atMost.value) return [];
  const section = accountParts[kind];
  return [
    {
      rule: `${section}.at_most`,
      kind,
      subject: section,
      wanted: `at most ${atMost.value}`,
      actual: String(count),
      source: atMost.location,
      fix: suggest([section, 'list'], {flags: {all: true}}),
    },
  ];
}
