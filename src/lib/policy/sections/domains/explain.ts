/** Explains a domain: which rules and list entries are about it, and whether the server blocks it. */
import {type ComparedDomains, compareDomains, endedIn, omittedBy} from './compare.js';
import {type Explanation, type RuleReason, reasonOfMust, reasonsNamed} from '../../section/section.js';
import {isTopLevel, parentsOf, readDomain} from '../../../operations/domains.js';
import {withinCap} from './cap.js';
import {heldBy} from '../../section/compare-set.js';
import type {Skipped} from '../../model/difference.js';
import {factsText} from '../../model/domain-facts.js';
import {agreementText} from '../../lists/agreement.js';
import {countAgreeing, forbiddenBy} from '../../lists/merge.js';
import {type State, valueOf} from '../../model/server-state.js';
import type {Wanted} from '../../lists/wanted.js';

/** Set where the cap of the policy holds a domain back. */
function heldByCap<Entry, Value>(
  names: ComparedDomains<Entry, Value>,
  domain: string,
  wanted: Wanted,
  state: State,
  now: Date,
): Skipped | undefined {
  const own = wanted.domains.get(names.key);
  if (own?.rules.limit === undefined || valueOf(names.part(state)) === undefined) return undefined;
  const advice = {account: {}, onPolicy: () => '', forget: () => ''};
  const {differences} = compareDomains(names, wanted, state, {now, advice});
  return withinCap(differences, {domains: new Map([[names.key, own]])}, state).held.find(({subject}) => subject === domain);
}

/** @param text that is a domain, or it is not about one */
export function explainDomain<Entry, Value>(
  names: ComparedDomains<Entry, Value>,
  text: string,
  wanted: Wanted,
  state: State,
  now: Date,
): Explanation[] {
  const read = readDomain(text, true);
  if (!('domain' in read)) return [];
  const {domain} = read;
  const rules = wanted.domains.get(names.key);
  const isNamed = rules !== undefined && (rules.wanted.has(domain) || rules.mustNot.has(domain) || rules.mentions.get(domain).length > 0);
  // Any word can be a whole top-level domain, and the title of a filter.
  const isAbout = !isTopLevel(domain) || isNamed || valueOf(names.part(state))?.has(domain) === true;
  return isAbout ? [explanationOf(names, domain, wanted, state, now)] : [];
}

function explanationOf<Entry, Value>(
  names: ComparedDomains<Entry, Value>,
  domain: string,
  wanted: Wanted,
  state: State,
  now: Date,
): Explanation {
  const domains = wanted.domains.get(names.key);
  const blocked = valueOf(names.part(state));
  const entry = blocked?.get(domain);
  const isThere = blocked?.has(domain);
  const parent = parentsOf(domain).find((one) => blocked?.has(one));
  const status = isThere === undefined ? 'not read' : entry === undefined ? 'not blocked' : (names.statusOf?.(entry) ?? 'blocked');
  const explanation = {
    kind: names.kind,
    subject: domain,
    isThere,
    actual: parent === undefined ? status : `${status}; its parent ${parent} is blocked`,
  } as const;
  if (domains === undefined) return {...explanation, isWanted: undefined, reasons: []};
  const own = domains.wanted.get(domain);
  const forbiddenName = own === undefined ? forbiddenBy(domain, domains.mustNot) : undefined;
  const forbidden = domains.mustNot.get(forbiddenName ?? '');
  const omitted = own && omittedBy(names, {rules: domains, wanted, state, owned: []})(domain, own);
  const held = omitted ? {...omitted, heldBy: omitted.heldBy ?? heldBy(own)} : domains.protection.heldBack(domain, wanted);
  const capped = own && heldByCap(names, domain, wanted, state, now);
  const mentions = domains.mentions.get(domain);
  const merged = domains.factsOf(domain);
  const isNoop = own === undefined && merged?.severity === 'noop';
  const covering = parentsOf(domain).flatMap((one) => domains.wanted.get(one) ?? []);
  const must = domains.rules.must.find(({value}) => value === domain);
  const {note: said} = domains.rules.mustNot.find(({value}) => value === domain) ?? {};
  const note = said === undefined ? '' : `: ${said}`;
  const isHeldOnly = forbidden !== undefined && (forbidden.isListed || forbiddenName !== domain);
  const reasons: RuleReason[] = [
    ...reasonsNamed(names, [
      [
        'must_not',
        forbidden?.location,
        `${forbiddenName === domain ? '' : `below ${forbiddenName}, and `}never blocked, even if a list names it${isHeldOnly ? '; what a person blocked stays' : ''}${note}`,
      ],
    ]),
    ...(held?.heldBy ? [{rule: held.heldBy.rule, source: held.heldBy.source, says: held.why}] : []),
    ...(capped?.heldBy ? [{rule: capped.heldBy.rule, source: capped.heldBy.source, says: `held back: ${capped.why}`}] : []),
    ...reasonOfMust(names, 'blocked', {must, ended: endedIn(domains.rules).get(domain)}),
    ...mentions.map(({location, facts, counts}) => ({
      rule: `${names.key}.lists`,
      source: location,
      says: [
        factsText(facts),
        counts ? agreementText(countAgreeing(mentions), domains.needed) : 'less than min_severity',
        ...(counts && isNoop ? ['not blocked: the merged severity is noop'] : []),
      ].join('; '),
      details: facts,
    })),
    ...covering.flatMap(({domain: above, rule, sources}) =>
      sources.slice(0, 1).map((source) => ({rule, source, says: `its parent ${above} must be blocked`})),
    ),
    ...reasonsNamed(names, [['only', own || forbidden ? undefined : domains.only, 'nothing else may be blocked']]),
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
