/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../../client/failure.js';
import {parentsOf} from '../../operations/domains.js';
import {countNoun} from '../../json/text.js';
import {countLists, placeOf, type WantedDomains} from '../lists/merge.js';
import type {ExplanationJson} from '../model/documents.js';
import {type DomainFacts, factsText, publicFacts} from '../model/domain-facts.js';
import {filterText} from '../model/filter-value.js';
import {untilText} from '../model/time.js';
import {isFilter, isThere} from '../model/value.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import type {Desired, Kind, Row, Why} from '../sections/policy-kind.js';
import {locationText} from '../source/location.js';
import {compareKind, type Compared, desiredOf, readKind} from './compare.js';
import {byHandText, detailsJson, shownItem, subjectOf} from './row-text.js';
import {sideText} from './rows.js';
import {readStates} from './states.js';
import type {Shown, Target} from './target.js';
import {policyViews} from './views.js';

/** A rule that is about a name. */
interface Reason extends Pick<Why, 'rule' | 'where'> {
  /** What the rule asks for, and whether it counts. */
  readonly says: string;
  readonly details?: DomainFacts | undefined;
}

function canBe(text: string, kind: Kind): boolean {
  // A text without an @ is no account, though a policy may write accounts so.
  if (kind.noun === 'account' && !text.includes('@')) return false;
  try {
    return kind.nameIn(text, '') !== '';
  } catch {
    return false;
  }
}

/**
 * The kinds that a text may name: those with rules, then those of the account, but no second kind of domains beside one with rules.
 * Filters come first, because any text may be the title of one.
 */
function kindsFor(text: string, {policy: {rules}}: PolicyWithLists): readonly Kind[] {
  const asksOfDomains = kinds.some(({key, noun}) => noun === 'domain' && rules.has(key));
  return kinds
    .filter(
      (kind) => canBe(text, kind) && (rules.has(kind.key) || (kind.owner === 'account' && !(asksOfDomains && kind.noun === 'domain'))),
    )
    .sort((one, other) => Number(other.key === 'filters') - Number(one.key === 'filters'));
}

/**
 * Reads what the policy and the server say about a name.
 * @param text a domain as people write it, an account with its `@`, or the title of a filter
 * @returns one row for each reason, or one without a reason; the notes name items that no rule names
 * @throws Failure `usage` when it is none of them; also when something cannot be read
 */
export async function explain(text: string, all: PolicyWithLists, target: Target) {
  const states = await readStates(all, target);
  const {host} = target.server;
  const given = policyFor(all, target.account, host);
  const shown = {host, advice: target.advice, policy: given.policy.file, showsPrivate: given.showsPrivate};
  const found: {readonly document: ExplanationJson; readonly item: string}[] = [];
  for (const kind of kindsFor(text, given)) {
    const name = kind.nameIn(text, host);
    const {measures} = target;
    const asked: Target = {...target, measures: measures && ((domains) => measures(domains.filter((domain) => domain === name)))};
    const compared = await compareKind(kind, await readKind(kind, target), {given, target: asked, states});
    const document = explanationOf(name, compared, given, shown);
    if (document !== undefined) found.push({document, item: shownItem({kind, name}, host)});
  }
  if (found.length === 0) throw new Failure('usage', `"${text}" is not a domain, an account or the title of a filter`);
  // A text may be a title and a domain: a kind that knows nothing of it is left out if another one does.
  const telling = found.filter(({document: {because, there}}) => because.length > 0 || there);
  const told = telling.length > 0 ? telling : found;
  const documents = told.map(({document}) => document);
  return {
    document: documents,
    at: [],
    rows: documents.flatMap(({because, ...about}): object[] => {
      const said: readonly object[] = [...because, ...(about.by_hand ? [{says: byHandText(about.by_hand)}] : [])];
      return said.length === 0 ? [about] : said.map((one) => ({...about, ...one}));
    }),
    view: policyViews.reasons,
    notes: told.flatMap(({document: {because}, item}) =>
      because.length === 0 ? ({text: `No rule names the ${item}.`, to: 'tables'} as const) : [],
    ),
  };
}

/** Undefined where neither the rules nor the server know a filter of that title. */
function explanationOf(
  name: string,
  {kind, actual, desired, rows}: Compared,
  given: PolicyWithLists,
  shown: Shown,
): ExplanationJson | undefined {
  const {key} = kind;
  const {host} = shown;
  const row = rows.find((one) => one.name === name);
  const value = actual.items.get(name)?.value;
  const there = isThere(value);
  const domains = given.domains.get(key);
  const wanted = desiredOf(kind, given, host);
  const textOf = (facts: DomainFacts) => factsText(shown.showsPrivate === true ? facts : publicFacts(facts));
  const reasons = reasonsOf(kind, name, {...wanted, domains, textOf});
  if (key === 'filters' && !there && reasons.length === 0) return undefined;
  // One of the rules says the same already.
  const isSaid =
    row !== undefined && reasons.some(({rule, where}) => rule === row.why.rule && where === row.why.where && !desired.want.has(name));
  const held: Reason[] = row?.action === 'held' && row.says !== undefined && !isSaid ? [heldReason(row)] : [];
  // What an apply made is taken back when the policy no longer names it.
  const left: Reason[] = reasons.length === 0 && row?.action === 'remove' ? [{...row.why, says: 'must not stay'}] : [];
  const wants = desired.want.get(name) ?? wanted.want.get(name);
  const parents = kind.noun === 'domain' ? parentsOf(name) : [];
  const parent = parents.find((one) => isThere(actual.items.get(one)?.value));
  const status = there ? sideText(kind, value, value) : `not ${kind.done}`;
  const isForbidden = desired.never.has(name) || (desired.spared.has(name) && !there) || desired.only !== undefined;
  const facts = domains?.factsOf(name);
  return {
    kind: kind.kind,
    subject: subjectOf({kind, name}, host),
    wanted: wants === undefined ? (isForbidden ? false : null) : there || row?.action !== 'held',
    there,
    actual: parent === undefined ? status : `${status}; its parent ${parent} is blocked`,
    because: [...held, ...reasons, ...left].map(({details, rule, where, says}) => ({
      rule,
      where,
      says,
      ...(details && {details: detailsJson(details, shown)}),
    })),
    ...(facts && {details: detailsJson(facts, shown)}),
    ...(row?.byHand && {by_hand: row.byHand}),
  };
}

/** What policy and lists say, and how facts are put into words: without private comments, unless they are asked for. */
interface Said extends Desired {
  readonly domains: WantedDomains | undefined;
  readonly textOf: (facts: DomainFacts) => string;
}

/** The rules and the entries of lists that are about a name. */
function reasonsOf({key, done}: Kind, name: string, {want, never, spared, only, rules, domains, textOf}: Said): Reason[] {
  const reasons: Reason[] = [];
  const asked = want.get(name);
  const must = domains === undefined ? asked && {...asked, ...asked.why} : rules?.must.find(({value}) => value === name);
  const [forbidden, spare] = [never.get(name), spared.get(name)];
  if (forbidden !== undefined) {
    const {note} = rules?.mustNot.find(({value}) => value === name) ?? {};
    reasons.push({...forbidden, says: `must not be ${done}${note === undefined ? '' : `: ${note}`}`});
  }
  if (spare !== undefined) {
    const says = spare.how === 'kept' ? `a list of must_not names it: it is not ${done}; what a person ${done} stays` : spare.says;
    reasons.push({...spare.why, says});
  }
  if (must !== undefined) {
    const said = isFilter(asked?.value) ? filterText(asked.value) : must.facts && textOf(must.facts);
    const says = `must be ${done}${untilText(must.until)}${said === undefined ? '' : `: ${said}`}`;
    reasons.push({rule: `${key}.must`, where: must.where, says, details: must.facts});
  }
  for (const {list} of domains?.allowLists ?? [])
    for (const {domain, line} of list.entries) {
      const where = locationText({file: list.name, line});
      if (domain !== name || spare?.why.where === where) continue;
      const says = `a list of must_not names it${must === undefined ? '' : ', but must goes before it'}`;
      reasons.push({rule: `${key}.must_not`, where, says});
    }
  if (domains !== undefined) reasons.push(...mentionsOf(key, name, domains, textOf));
  if (only !== undefined && asked === undefined && forbidden === undefined) reasons.push({...only, says: `nothing else may be ${done}`});
  return reasons;
}

/** The entries of lists about a domain, and what is wanted of its parents. */
function mentionsOf(
  key: string,
  domain: string,
  {factsOf, mentions: all, needed, wanted}: WantedDomains,
  textOf: Said['textOf'],
): Reason[] {
  const mentions = all.get(domain) ?? [];
  const agreement = `named by ${countNoun(countLists(mentions.filter(({isSevereEnough}) => isSevereEnough)), 'list')}, ${needed} needed`;
  const isNoop = !wanted.has(domain) && factsOf(domain)?.severity === 'noop';
  return [
    ...mentions.map((mention): Reason => {
      const {isSevereEnough: counts} = mention;
      const merged = counts && isNoop ? ['not blocked: the merged severity is noop'] : [];
      const says = [textOf(mention.facts), counts ? agreement : 'less than min_severity', ...merged].join('; ');
      return {rule: `${key}.lists`, where: placeOf(mention), says, details: mention.facts};
    }),
    ...parentsOf(domain).flatMap((parent) => {
      const {rule, where} = wanted.get(parent) ?? {};
      return rule === undefined || where === undefined ? [] : {rule, where, says: `its parent ${parent} must be blocked`};
    }),
  ];
}

const heldReason = ({how, says = '', why}: Row): Reason => ({...why, says: how === 'limit' ? `held back: ${says}` : says});
