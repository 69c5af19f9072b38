/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../../client/failure.js';
import {parentsOf} from '../../operations/domains.js';
import type {ExplanationJson} from '../model/documents.js';
import {isThere} from '../model/value.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {kinds} from '../sections/index.js';
import type {Kind, Reason, Row} from '../sections/policy-kind.js';
import {compareKind, type Compared, desiredOf, readKind} from './compare.js';
import {byHandText, detailsJson, shownItem, subjectOf} from './row-text.js';
import {sideText} from './rows.js';
import {readStates} from './states.js';
import type {Shown, Target} from './target.js';
import {policyViews} from './views.js';

function canBe(text: string, kind: Kind): boolean {
  // A text without an @ is no account, though a policy may write accounts so.
  if (kind.shownAs !== undefined && !text.includes('@')) return false;
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
  const asksOfDomains = kinds.some(({key, ofDomains}) => ofDomains && rules.has(key));
  return kinds
    .filter((kind) => canBe(text, kind) && (rules.has(kind.key) || (kind.owner === 'account' && !(asksOfDomains && kind.ofDomains))))
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
  const rules = given.policy.rules.get(key);
  const row = rows.find((one) => one.name === name);
  const value = actual.items.get(name)?.value;
  const there = isThere(value);
  const domains = given.domains.get(key);
  const reasons = rules === undefined ? [] : kind.policy.reasons(name, rules, host, domains);
  if (key === 'filters' && !there && reasons.length === 0) return undefined;
  // One of the rules says the same already.
  const isSaid =
    row !== undefined && reasons.some(({rule, where}) => rule === row.why.rule && where === row.why.where && !desired.want.has(name));
  const held: Reason[] = row?.action === 'held' && row.says !== undefined && !isSaid ? [heldReason(row)] : [];
  // What an apply made is taken back when the policy no longer names it.
  const left: Reason[] = reasons.length === 0 && row?.action === 'remove' ? [{...row.why, says: 'must not stay'}] : [];
  const wants = desired.want.get(name) ?? desiredOf(kind, given, host).want.get(name);
  const parent = kind.ofDomains && parentsOf(name).find((one) => isThere(actual.items.get(one)?.value));
  const status = there ? sideText(kind, value, value) : `not ${kind.words.done}`;
  const isForbidden = desired.never.has(name) || (desired.spared.has(name) && !there) || desired.only !== undefined;
  const facts = domains?.factsOf(name);
  return {
    kind: kind.kind,
    subject: subjectOf({kind, name}, host),
    wanted: wants === undefined ? (isForbidden ? false : null) : isWanted(row, there),
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

const heldReason = ({how, says = '', why}: Row): Reason => ({...why, says: how === 'limit' ? `held back: ${says}` : says});

/** Null: it is unknown. */
function isWanted(row: Row | undefined, isKnown: boolean): boolean | null {
  if (isKnown || row?.action !== 'held') return true;
  return row.how === 'unknown' ? null : false;
}
