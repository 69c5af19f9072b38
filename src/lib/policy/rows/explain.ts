/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {countLists, placeOf, type WantedDomains} from '../lists/merge.js';
import type {ExplanationJson} from '../model/documents.js';
import {type DomainFacts, factsText, publicFacts} from '../model/domain-facts.js';
import {filterText} from '../model/filter-value.js';
import {untilText} from '../model/time.js';
import {isFilter, isThere} from '../model/value.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds, nameIn} from '../sections/index.js';
import {type Desired, type Kind, kindName, type Row, type Why} from '../sections/policy-kind.js';
import {compareKind, type Compared, desiredOf, readKind} from './compare.js';
import {byHandText, shownItem, subjectOf} from './row-text.js';
import {sideText} from './rows.js';
import {readStates} from './states.js';
import type {Shown, Target} from './target.js';
import {policyViews} from './views.js';

/** A rule that is about a name. */
interface Reason extends Pick<Why, 'rule' | 'where'> {
  /** What the rule asks for, and whether it counts. */
  readonly says: string;
}

/** A text without an @ is no account, though a policy may write accounts so. */
const canBe = (text: string, kind: Kind): boolean =>
  (kind.section.noun !== 'account' || text.includes('@')) && Boolean(nameIn(kind, text, ''));

/**
 * The kinds that a text may name: those with rules, then those of the account, but no second kind of domains beside one with rules.
 * Filters come first, because any text may be the title of one.
 */
function kindsFor(text: string, {policy: {rules}}: PolicyWithLists): readonly Kind[] {
  const asksOfDomains = kinds.some(({key, section}) => section.noun === 'domain' && rules.has(key));
  return kinds
    .filter(
      (kind) =>
        canBe(text, kind) && (rules.has(kind.key) || (kind.owner === 'account' && !(asksOfDomains && kind.section.noun === 'domain'))),
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
    const name = kind.section.nameIn(text, host);
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
  {host, showsPrivate}: Shown,
): ExplanationJson | undefined {
  const row = rows.find((one) => one.name === name);
  const value = actual.items.get(name)?.value;
  const there = isThere(value);
  const asked = desiredOf(kind, given, host);
  const domains = given.domains.get(kind.key);
  const textOf = (facts: DomainFacts) => factsText(showsPrivate === true ? facts : publicFacts(facts));
  const reasons = reasonsOf(kind, name, {...asked, domains, textOf});
  if (kind.key === 'filters' && !there && reasons.length === 0) return undefined;
  const isForbidden = desired.never.has(name) || (desired.spared.has(name) && !there) || desired.only !== undefined;
  const wants = desired.want.get(name) ?? asked.want.get(name);
  return {
    kind: kindName(kind),
    subject: subjectOf({kind, name}, host),
    wanted: wants === undefined ? (isForbidden ? false : null) : there || row?.action !== 'held',
    there,
    actual: row?.texts?.actual ?? (there ? sideText(kind, value, value) : `not ${kind.done}`),
    because: [...(row === undefined || isSaid(row, reasons, desired) ? [] : [reasonOf(row)]), ...reasons],
    // What was made stricter is held, which the reason of the row says.
    ...(row?.byHand && row.action !== 'held' && {by_hand: row.byHand}),
  };
}

/** Whether one of the rules says the same as a row. */
const isSaid = ({name, says, why}: Row, reasons: readonly Reason[], {want}: Desired): boolean =>
  (says === undefined || !want.has(name)) && reasons.some(({rule, where}) => rule === why.rule && where === why.where);

/** What was held back, or is left of an earlier apply. */
const reasonOf = ({how, says = 'must not stay as it is', why: {rule, where}}: Row): Reason => ({
  rule,
  where,
  says: how === 'limit' ? `held back: ${says}` : says,
});

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
    reasons.push({rule: `${key}.must`, where: must.where, says});
  }
  for (const mention of domains?.mentions.get(name) ?? []) {
    if (!mention.used.reference.spares || placeOf(mention) === spare?.why.where) continue;
    const says = `a list of must_not names it${must === undefined ? '' : ', but must goes before it'}`;
    reasons.push({rule: `${key}.must_not`, where: placeOf(mention), says});
  }
  if (domains !== undefined) reasons.push(...mentionsOf(key, name, domains, textOf));
  if (only !== undefined && asked === undefined && forbidden === undefined) reasons.push({...only, says: `nothing else may be ${done}`});
  return reasons;
}

/** The entries of lists about a domain. */
function mentionsOf(key: string, domain: string, {factsOf, mentions, needed, wanted}: WantedDomains, textOf: Said['textOf']): Reason[] {
  const own = mentions.get(domain)?.filter(({used}) => !used.reference.spares) ?? [];
  const agreement = `named by ${countNoun(countLists(own.filter(({counts}) => counts)), 'list')}, ${needed} needed`;
  const isNoop = !wanted.has(domain) && factsOf(domain)?.severity === 'noop';
  return own.map((mention) => {
    const {counts} = mention;
    const merged = counts && isNoop ? ['not blocked: the merged severity is noop'] : [];
    const says = [textOf(mention.facts), counts ? agreement : 'less than min_severity', ...merged].join('; ');
    return {rule: `${key}.lists`, where: placeOf(mention), says};
  });
}
