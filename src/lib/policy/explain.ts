/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../client/failure.js';
import {handleIn, shownHandle} from '../operations/handles.js';
import {hostOf, parentsOf} from '../operations/domains.js';
import {withinCap} from './cap.js';
import {compare} from './compare.js';
import type {Skipped} from './difference.js';
import {filterText} from './filters.js';
import {type DomainFacts, factsText} from './domain-facts.js';
import {agreementText} from './lists/agreement.js';
import {agreeing} from './lists/merge.js';
import type {Location} from './location.js';
import type {Wanted} from './wanted.js';
import type {Located} from './policy.js';
import {knownHandle, liveFilters, type PartName, type State, valueOf} from './state.js';

export interface Reason {
  readonly rule: string;
  readonly source: Location;
  /** What it asks for, and whether it counts. */
  readonly says: string;
  /** What it says about the domain. */
  readonly details?: DomainFacts | undefined;
}

export interface Explanation {
  readonly kind: 'block' | 'domain_block' | 'filter' | 'mute';
  readonly subject: string;
  /** Whether the policy wants it; undefined: no rule is about it, or it is unknown. */
  readonly isWanted: boolean | undefined;
  readonly reasons: readonly Reason[];
  /** Whether it exists; undefined when that was not read. */
  readonly isThere: boolean | undefined;
  readonly actual: string;
  /** What the reasons that count say about the domain, merged. */
  readonly details?: DomainFacts | undefined;
}

/** The handle in a text that may also be a domain or a title. */
function accountIn(text: string): string | undefined {
  return text.includes('@') ? handleIn(text) : undefined;
}

/** The parts of the state that a subject can be in. */
export function partsOf(text: string): readonly PartName[] {
  return accountIn(text) === undefined ? ['domain_blocks', 'filters'] : ['blocks', 'mutes', 'filters'];
}

/**
 * @param text a domain as people write it, an account with its `@`, or the title of a filter
 * @throws Failure `usage` when it is none of them
 */
export function explain(text: string, wanted: Wanted, state: State, now: Date): Explanation[] {
  const filters = explainFilter(text.trim(), wanted, state, now);
  const account = accountIn(text);
  if (account !== undefined)
    return [...filters, ...(['block', 'mute'] as const).map((kind) => explainAccount(kind, account, wanted, state))];
  try {
    const domain = hostOf(text);
    return [...filters, explainDomain(domain, wanted, state, now)];
  } catch (error) {
    if (filters.length > 0 || !(error instanceof Failure)) return filters;
    throw new Failure('usage', `"${text}" is not a domain, an account or the title of a filter`, {cause: error});
  }
}

/** Set where the cap of the policy holds a domain back. */
function heldByCap(domain: string, wanted: Wanted, state: State, now: Date): Skipped | undefined {
  const {file, domainBlocks} = wanted.policy;
  if (domainBlocks?.limit === undefined) return undefined;
  const own = {...wanted, policy: {file, domainBlocks}};
  const advice = {suggest: () => '', onPolicy: () => ''};
  return withinCap(compare(own, state, {now, advice}).differences, own, state).held.find(({subject}) => subject === domain);
}

function explainDomain(domain: string, wanted: Wanted, state: State, now: Date): Explanation {
  const {policy, domains} = wanted;
  const blocked = valueOf(state.domainBlocks);
  const isThere = blocked?.has(domain);
  const parent = parentsOf(domain).find((one) => blocked?.has(one));
  const status = isThere === undefined ? 'not read' : isThere ? 'blocked' : 'not blocked';
  const explanation = {
    kind: 'domain_block',
    subject: domain,
    isThere,
    actual: parent === undefined ? status : `${status}; its parent ${parent} is blocked`,
  } as const;
  if (domains === undefined) return {...explanation, isWanted: undefined, reasons: []};
  const forbidden = domains.mustNot.get(domain);
  const held = domains.protection.heldBack(domain, wanted);
  const own = domains.wanted.get(domain);
  const capped = own && heldByCap(domain, wanted, state, now);
  const mentions = domains.mentions.get(domain);
  const merged = domains.factsOf(domain);
  const isNoop = own === undefined && merged?.severity === 'noop';
  const covering = parentsOf(domain).flatMap((one) => domains.wanted.get(one) ?? []);
  const must = policy.domainBlocks?.must.find(({value}) => value === domain);
  const isHeldOnly = forbidden?.list === 'holds back';
  const reasons: Reason[] = [
    ...(forbidden
      ? [
          {
            rule: 'domain_blocks.must_not',
            source: forbidden.location,
            says: isHeldOnly ? 'never blocked, whatever a list says; what a person blocked stays' : 'never blocked, whatever a list says',
          },
        ]
      : []),
    ...(held ? [{rule: held.heldBy.rule, source: held.heldBy.source, says: held.why}] : []),
    ...(capped?.heldBy ? [{rule: capped.heldBy.rule, source: capped.heldBy.source, says: `held back: ${capped.why}`}] : []),
    ...(must
      ? [
          {
            rule: 'domain_blocks.must',
            source: must.location,
            says: `must be blocked${must.facts ? `: ${factsText(must.facts)}` : ''}`,
            details: must.facts,
          },
        ]
      : []),
    ...mentions.map(({location, facts, counts}) => ({
      rule: 'domain_blocks.lists',
      source: location,
      says: [
        factsText(facts),
        counts ? agreementText(agreeing(mentions), domains) : 'less than min_severity',
        ...(counts && isNoop ? ['not blocked: the merged severity is noop'] : []),
      ].join('; '),
      details: facts,
    })),
    ...covering.flatMap(({domain: above, rule, sources}) =>
      sources.slice(0, 1).map((source) => ({rule, source, says: `its parent ${above} must be blocked`})),
    ),
    ...(domains.only && !own && !forbidden
      ? [{rule: 'domain_blocks.only', source: domains.only, says: 'nothing else may be blocked'}]
      : []),
  ];
  const isUnwanted = (forbidden !== undefined && !(isHeldOnly && isThere === true)) || domains.only !== undefined;
  return {
    ...explanation,
    isWanted: own ? isWantedWhere(isThere === true, held ?? capped) : isUnwanted ? false : undefined,
    reasons,
    details: merged,
  };
}

/** Undefined where it is unknown. */
function isWantedWhere(isThere: boolean, held: Pick<Skipped, 'heldBy'> | undefined): boolean | undefined {
  if (!isThere && held?.heldBy?.how === 'unknown') return undefined;
  return isThere || held === undefined;
}

function explainAccount(kind: 'block' | 'mute', account: string, {policy}: Wanted, state: State): Explanation {
  const [section, done] = kind === 'block' ? (['blocks', 'blocked'] as const) : (['mutes', 'muted'] as const);
  const there = valueOf(state[section]);
  const handle = knownHandle(there, account, state.host);
  const rules = policy[section];
  const isNamed = ({value}: Located<string>) => knownHandle(there, value, state.host) === handle;
  const [must, forbidden] = [rules?.must.find(isNamed), rules?.mustNot.find(isNamed)];
  const isThere = there?.has(handle);
  const reasons: Reason[] = [
    ...(must ? [{rule: `${section}.must`, source: must.location, says: `must be ${done}`}] : []),
    ...(forbidden ? [{rule: `${section}.must_not`, source: forbidden.location, says: `must not be ${done}`}] : []),
    ...(rules?.only && !must && !forbidden ? [{rule: `${section}.only`, source: rules.only, says: `no other account may be ${done}`}] : []),
  ];
  const isUnwanted = forbidden !== undefined || rules?.only !== undefined;
  return {
    kind,
    subject: shownHandle(handle, state.host),
    isWanted: must ? true : isUnwanted ? false : undefined,
    reasons,
    isThere,
    actual: isThere === undefined ? 'not read' : isThere ? done : `not ${done}`,
  };
}

function explainFilter(title: string, {policy}: Wanted, state: State, now: Date): Explanation[] {
  const rules = policy.filters;
  const live = valueOf(state.filters);
  const there = live && liveFilters(live, now).filter((filter) => filter.title.trim() === title);
  const must = rules?.must.filter((one) => one.title === title) ?? [];
  const forbidden = rules?.mustNot.find(({value}) => value === title);
  if (must.length === 0 && forbidden === undefined && (there?.length ?? 0) === 0) return [];
  const reasons: Reason[] = [
    ...must.map((one) => ({rule: 'filters.must', source: one.location, says: filterText(one)})),
    ...(forbidden ? [{rule: 'filters.must_not', source: forbidden.location, says: 'must not exist'}] : []),
    ...(rules?.only && must.length === 0 && !forbidden
      ? [{rule: 'filters.only', source: rules.only, says: 'no other filter may exist'}]
      : []),
  ];
  const isUnwanted = forbidden !== undefined || rules?.only !== undefined;
  const actual =
    there === undefined
      ? 'not read'
      : there.length === 0
        ? 'not there'
        : there.map(({id, keywords}) => `filter ${id} with ${keywords.length} keywords`).join('; ');
  return [
    {
      kind: 'filter',
      subject: title,
      isWanted: must.length > 0 ? true : isUnwanted ? false : undefined,
      reasons,
      isThere: there && there.length > 0,
      actual,
    },
  ];
}
