/** Compares the domains that a policy and its lists want blocked with those that are. */
import {type ComparedSet, compareSet, type SetRules, type WantedEntry} from '../../section/compare-set.js';
import {placeOf} from '../../section/set.js';
import {isTopLevel} from '../../../operations/domains.js';
import type {Change, Grounds} from '../../model/change.js';
import type {Circumstances, Comparison, Difference, Skipped} from '../../model/difference.js';
import {type DomainFacts, type FactsOf, publicFacts} from '../../model/domain-facts.js';
import type {People} from '../../model/by-hand.js';
import type {MadeItem} from '../../model/items.js';
import {forbiddenBy, type WantedDomain, type WantedDomains} from '../../lists/merge.js';
import {counted, firstOf} from '../../../json/text.js';
import type {DomainRules, DomainsKey, Ended} from '../../model/policy.js';
import {locationText} from '../../source/location.js';
import {type Fetched, type State, valueOf} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';

/** What is known of a domain that is blocked or unblocked. */
export interface AboutDomain<Entry> {
  readonly domain: string;
  /** As the server has it, where it has it. */
  readonly stored?: Entry | undefined;
  /** A parent domain that is also blocked: many servers block subdomains with it. */
  readonly coveredBy?: string | undefined;
  /** What the policy and its lists say about it, or how it was blocked before an apply that is reverted. */
  readonly facts?: DomainFacts | undefined;
  /** What the server kept of it while it was not blocked. */
  readonly replaces?: DomainFacts | undefined;
  /** What a list has noted on a block without a comment of its own, with `{date}` for the day on which it is made. */
  readonly listComment?: string | undefined;
}

/** A section of domains, as it is compared and explained. */
export interface ComparedDomains<Entry, Value = true> extends ComparedSet<Value> {
  readonly key: DomainsKey;
  /** By the form that domains are compared in. */
  part(state: State): Fetched<ReadonlyMap<string, Entry>> | undefined;
  changeOf(action: 'add' | 'remove', about: AboutDomain<Entry>, grounds: Grounds): Change;
  /** Where servers keep what is said about a domain; undefined: they keep nothing but its name. */
  judge?(about: Judged): Judge<Value>;
  /** A block for people; undefined: there is no more to say than that it is blocked. */
  statusOf?(entry: Entry): string;
  /** Whether whole top-level domains can be blocked; undefined: they never can. */
  takesTopLevel?(state: State): boolean;
}

/** What is compared. */
export interface Judged {
  readonly rules: WantedDomains;
  readonly wanted: Wanted;
  readonly state: State;
  readonly owned: readonly MadeItem[];
  readonly people?: People | undefined;
}

/** Says what becomes of each domain. */
export interface Judge<Value> {
  /** How a wanted domain is blocked. */
  given(domain: string): DomainFacts & Value;
  /** What lists have noted on a block without a comment of its own. */
  listComment(domain: string): string | undefined;
  /** What the server keeps of a domain that is not blocked. */
  replaced(domain: string): DomainFacts | undefined;
  /** The block above a domain that is one of it as well, once the policy is applied: of which domain, and what it is for people. */
  above(domain: string): {readonly parent: string; readonly status: string} | undefined;
  /** Those that are blocked less than the policy and its lists ask for, because people follow accounts there. */
  capped(): readonly Skipped[];
  omitted: SetRules<Value>['omitted'];
  revised: NonNullable<SetRules<Value>['revised']>;
  asksLess: NonNullable<SetRules<Value>['asksLess']>;
}

/** Why a wanted domain is not blocked. */
export function omittedBy<Entry, Value>(
  {judge, takesTopLevel}: Pick<ComparedDomains<Entry, Value>, 'judge' | 'takesTopLevel'>,
  about: Judged,
  judged: Judge<Value> | undefined = judge?.(about),
): (domain: string, entry: WantedEntry) => ReturnType<Judge<Value>['omitted']> {
  const {rules, wanted, state} = about;
  const ownName = state.host.replace(/:\d+$/, '');
  return (domain, entry) => {
    const {rule, sources} = entry;
    const [source] = sources;
    if (isTopLevel(domain) && takesTopLevel?.(state) !== true)
      return {why: `${state.host} cannot block whole top-level domains`, heldBy: source && {rule, source}};
    if (judged !== undefined) return judged.omitted(domain, entry);
    return domain === ownName
      ? {why: `a server does not block itself (${sources.map(locationText).join(', ')})`}
      : rules.protection.heldBack(domain, wanted);
  };
}

/** Domains that a remark names. */
const maxNamed = 5;

/** Whole top-level domains that are wanted and cannot be blocked: those of the policy itself are differences, those of lists are left out. */
function impossibleBlocks({key, kind}: Names, entries: readonly WantedDomain[], {host}: State): Comparison {
  const [own, listed] = [entries.filter(({isOwn}) => isOwn), entries.filter(({isOwn}) => !isOwn)];
  const cannot = `${host} cannot block whole top-level domains`;
  const names = listed.map(({domain}) => domain);
  const why = `${counted(names.length, 'entry', 'entries')} of lists left out, because ${cannot}: ${firstOf(names, maxNamed)}`;
  return {
    differences: own.flatMap(({domain, rule, sources: [source]}) =>
      source === undefined
        ? []
        : {
            rule,
            kind,
            subject: domain,
            wanted: 'blocked as a whole',
            actual: 'not blocked',
            source,
            fix: `drop ${domain} from must: ${cannot}`,
          },
    ),
    skipped: listed.slice(0, 1).flatMap(({sources: [source]}) => (source ? {kind, why, heldBy: {rule: `${key}.lists`, source}} : [])),
  };
}

/** The additions of domains, by what a policy says about them: accounts that want the same share them, because the plans of all are in memory. */
const additions = new WeakMap<FactsOf, Map<string, SharedAddition>>();

interface SharedAddition {
  readonly change: Change;
  readonly coveredBy: string | undefined;
}

/** What the rules wanted until a day that is over, by domain. */
export const endedIn = ({ended = []}: Pick<DomainRules, 'ended'> = {}): ReadonlyMap<string, Ended> =>
  new Map(ended.map((one) => [one.value, one]));

export function compareDomains<Entry, Value>(
  names: ComparedDomains<Entry, Value>,
  wanted: Wanted,
  state: State,
  circumstances: Circumstances,
): Comparison {
  const {now, owned = [], people} = circumstances;
  const rules = wanted.domains.get(names.key);
  if (rules === undefined) throw new Error(`Nothing is known of what the policy says about ${names.key}`);
  const blocked: ReadonlyMap<string, Entry> = valueOf(names.part(state)) ?? new Map();
  const heldBack = (domain: string) => rules.protection.heldBack(domain, wanted);
  const {factsOf} = rules;
  const known = additions.get(factsOf) ?? new Map<string, SharedAddition>();
  additions.set(factsOf, known);
  const takesTopLevel = names.takesTopLevel?.(state) === true;
  const left = new Set(takesTopLevel ? [] : rules.topLevel.filter((domain) => !blocked.has(domain)));
  const impossible = impossibleBlocks(
    names,
    [...left].flatMap((domain) => rules.wanted.get(domain) ?? []),
    state,
  );
  const about = {rules, wanted, state, owned, people};
  const judged = names.judge?.(about);
  // What is sent is not what is shown.
  const shown = (facts: DomainFacts) => (wanted.showsPrivate === true ? facts : publicFacts(facts));
  const {differences, skipped} = compareSet<Value>(
    names,
    placeOf(wanted, state, circumstances),
    {
      wanted: left.size === 0 ? rules.wanted : new Map([...rules.wanted].filter(([domain]) => !left.has(domain))),
      only: rules.only,
      ended: endedIn(rules.rules),
      now,
      mustNot: unblockedBy(names, rules, blocked),
      change(action, domain, grounds) {
        const entry = rules.wanted.get(domain);
        const above = entry?.coveredBy;
        const isMade = (parent: string) =>
          blocked.has(parent) || (heldBack(parent) === undefined && (takesTopLevel || !isTopLevel(parent)));
        const coveredBy = above !== undefined && isMade(above) ? above : undefined;
        const make = () => names.changeOf(action, {domain, stored: blocked.get(domain), coveredBy, facts: factsOf(domain)}, grounds());
        if (judged !== undefined && action === 'add')
          return names.changeOf(
            action,
            {
              domain,
              coveredBy,
              facts: judged.given(domain),
              replaces: judged.replaced(domain),
              listComment: judged.listComment(domain),
            },
            grounds(),
          );
        if (entry === undefined || action === 'remove') return make();
        const same = known.get(domain);
        if (same !== undefined && same.coveredBy === coveredBy) return same.change;
        const change = make();
        known.set(domain, {change, coveredBy});
        return change;
      },
      detailsOf(domain) {
        if (judged === undefined) return factsOf(domain);
        return shown(judged.given(domain));
      },
      namedBy: (domain) =>
        (rules.wanted.get(domain)?.named ?? []).map(({location: source, facts}) => ({source, facts: facts && shown(facts)})),
      omitted: omittedBy(names, about, judged),
      ...(judged && {revised: judged.revised, asksLess: judged.asksLess, given: judged.given}),
    },
    blocked,
  );
  const covered = judged === undefined ? [] : coveredBlocks(names, rules, blocked, judged);
  return {
    differences: [...differences, ...impossible.differences, ...covered],
    skipped: [
      ...skipped,
      ...impossible.skipped,
      ...(judged?.capped() ?? []),
      ...overruledBlocks(names, rules, blocked),
      ...ineffectiveEntries(names, rules),
    ],
  };
}

type Names = Pick<ComparedDomains<never>, 'key' | 'kind'>;

const mustNotOf = ({key}: Names): string => `${key}.must_not`;

/** What is blocked although the policy itself forbids it. */
function unblockedBy(names: Names, {mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): ReadonlyMap<string, WantedEntry> {
  const found = new Map<string, WantedEntry>();
  for (const domain of blocked.keys()) {
    const forbidden = mustNot.get(domain);
    if (forbidden === undefined || forbidden.isListed) continue;
    found.set(domain, {rule: mustNotOf(names), sources: [forbidden.location], reason: 'forbidden'});
  }
  return found;
}

/** What must not be blocked and is, by the block of a domain above it: nothing but the end of that one changes this. */
function coveredBlocks<Value>(
  names: Names,
  {mustNot}: WantedDomains,
  blocked: ReadonlyMap<string, unknown>,
  judged: Judge<Value>,
): Difference[] {
  return [...mustNot].flatMap(([domain, {location, isListed}]): Difference[] => {
    const above = blocked.has(domain) || isListed ? undefined : judged.above(domain);
    if (above === undefined) return [];
    return [
      {
        rule: mustNotOf(names),
        kind: names.kind,
        subject: domain,
        wanted: 'not blocked',
        actual: `${above.status} with its parent ${above.parent}`,
        source: location,
        fix: `unblock ${above.parent}, or drop ${domain} from must_not`,
      },
    ];
  });
}

/** What lists name and must_not forbids. What is blocked is a difference, or kept. */
function overruledBlocks(names: Names, {overruled, mustNot}: WantedDomains, blocked: ReadonlyMap<string, unknown>): Skipped[] {
  return overruled.flatMap((domain) => {
    const name = forbiddenBy(domain, mustNot) ?? domain;
    const source = mustNot.get(name)?.location;
    if (source === undefined || blocked.has(domain)) return [];
    const why =
      name === domain
        ? `lists name it, but must_not forbids blocking it (${source.file})`
        : `lists name it, but it is below ${name}, and must_not forbids blocking that (${source.file})`;
    return [{kind: names.kind, subject: domain, why, heldBy: {rule: mustNotOf(names), source}}];
  });
}

/** What a list of must_not names and the policy itself wants blocked. */
function ineffectiveEntries(names: Names, {ineffective}: WantedDomains): Skipped[] {
  return [...ineffective].map(([subject, source]) => {
    const why = `the policy names it in must, so a list of must_not does not hold it back (${source.file})`;
    return {kind: names.kind, subject, why, heldBy: {rule: mustNotOf(names), source, how: 'ineffective'}};
  });
}
