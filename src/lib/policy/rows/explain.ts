/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import type {ExplanationJson} from '../model/documents.js';
import {Failure} from '../../client/failure.js';
import {parentsOf} from '../../operations/domains.js';
import {type Compared, compareSection, desiredOf, type States} from './compare.js';
import type {Kind, Row} from '../model/kind.js';
import {type PolicyWithLists, policyFor} from '../reading/read-policy.js';
import {rowJson, shownItem, type Shown, subjectOf} from './row-text.js';
import {pathsOf, sections} from '../sections/index.js';
import type {Reason, Section} from '../sections/section.js';
import {publicFacts} from '../model/domain-facts.js';
import type {Target} from './target.js';
import {isNothing} from '../model/value.js';

/** Titles can be anything. */
const titlesFirst = sections.toSorted((one, other) => Number(other.key === 'filters') - Number(one.key === 'filters'));

/**
 * Those that a policy has rules for, and those of an account that are like none of these. Not everybody may read what is a whole server's.
 */
function sectionsFor(text: string, {policy}: PolicyWithLists): readonly Section[] {
  const asksOfDomains = sections.some(({key, hasLists}) => hasLists && policy.rules.has(key));
  return titlesFirst.filter(({key, kind, hasLists, canBe}) => {
    if (!canBe(text)) return false;
    return policy.rules.has(key) || (kind.owner === 'account' && !(asksOfDomains && hasLists));
  });
}

/** The paths that the sections of an account, or of a server, are read from, for descriptions. */
export const pathsFor = (text: string, of: Kind['owner'] = 'account'): string =>
  pathsOf(titlesFirst.filter(({kind, canBe}) => kind.owner === of && canBe(text)));

/** What `explain` prints. */
export interface Explained {
  readonly documents: readonly ExplanationJson[];
  /** One row for each reason, or one without a reason. */
  readonly rows: readonly Readonly<globalThis.Record<string, unknown>>[];
  /** What no rule names, as people call it. */
  readonly unnamed: readonly string[];
}

/**
 * Reads what the policy and the server say about a name.
 * @param text a domain as people write it, an account with its `@`, or the title of a filter
 * @throws Failure `usage` when it is none of them, and for what cannot be read
 */
export async function explain(text: string, all: PolicyWithLists, target: Target, states: States, shown: Shown): Promise<Explained> {
  const given = policyFor(all, target.account, target.server.host);
  const found: {document: ExplanationJson; item: string; isNamed: boolean}[] = [];
  for (const section of sectionsFor(text, given)) {
    const name = section.nameIn(text, target.server.host);
    const actual = await target.read(section.kind);
    const isMeant = (domains: readonly string[]) => domains.filter((domain) => domain === name);
    const measured = {
      ...target,
      measures: target.measures && ((domains: readonly string[]) => target.measures?.(isMeant(domains)) ?? Promise.resolve(undefined)),
    };
    const compared = await compareSection(section, actual, {given, target: measured, states, followed: target.readFollowedAccounts});
    const document = explanationOf(name, compared, {given, host: target.server.host, shown, states});
    if (document !== undefined)
      found.push({document, item: shownItem({kind: section.kind, name}, target.server.host), isNamed: document.because.length > 0});
  }
  if (found.length === 0) throw new Failure('usage', `"${text}" is not a domain, an account or the title of a filter`);
  // A title is also a name of domains: what says nothing is left out beside what does.
  const telling = found.filter(({document: {because, there}}) => because.length > 0 || there);
  const told = telling.length > 0 ? telling : found;
  const documents = told.map(({document}) => document);
  return {documents, rows: documents.flatMap(rowsOf), unnamed: told.flatMap(({item, isNamed}) => (isNamed ? [] : item))};
}

interface Around {
  readonly given: PolicyWithLists;
  readonly host: string;
  readonly shown: Shown;
  readonly states: States;
}

/** Undefined where neither the rules nor the server know a filter of that title. */
function explanationOf(
  name: string,
  {section, actual, desired, rows}: Compared,
  {given, host, shown}: Around,
): ExplanationJson | undefined {
  const {kind, key} = section;
  const rules = given.policy.rules.get(key);
  const row = rows.find((one) => one.name === name);
  const item = actual.items.get(name);
  const isThere = !isNothing(item?.value ?? null);
  const reasons = rules === undefined ? [] : section.reasons(name, rules, host, given.domains.get(key));
  // A reason of its own says it already.
  const isSaid =
    row !== undefined && reasons.some(({rule, where}) => rule === row.why.rule && where === row.why.where && !desired.want.has(name));
  const held: Reason[] = row?.action === 'held' && row.says !== undefined && !isSaid ? [heldReason(row)] : [];
  const wants = desired.want.get(name) ?? desiredOf(section, given, host).want.get(name);
  if (key === 'filters' && !isThere && reasons.length === 0) return undefined;
  const parent = section.hasLists ? parentsOf(name).find((one) => !isNothing(actual.items.get(one)?.value ?? null)) : undefined;
  const value = item?.value;
  const status = value === undefined || !isThere ? `not ${kind.words.done}` : kind.status?.(value, value) || kind.text(value);
  const isForbidden = desired.never.has(name) || (desired.spared.has(name) && !isThere) || desired.only !== undefined;
  const facts = given.domains.get(key)?.factsOf(name);
  return {
    kind: kind.kind,
    subject: subjectOf({kind, name}, host),
    wanted: wants === undefined ? (isForbidden ? false : null) : isWanted(row, isThere),
    there: isThere,
    actual: parent === undefined ? status : `${status}; its parent ${parent} is blocked`,
    because: [...held, ...reasons].map(({details, ...reason}) => ({
      ...reason,
      ...(details && {details: shown.showsPrivate === true ? details : publicFacts(details)}),
    })),
    ...(facts && {details: shown.showsPrivate === true ? facts : publicFacts(facts)}),
    ...(row?.byHand && {by_hand: rowJson(row, shown).by_hand}),
  };
}

const heldReason = ({how, says = '', why}: Row): Reason => ({...why, says: how === 'limit' ? `held back: ${says}` : says});

/** Null where it is unknown. */
function isWanted(row: Row | undefined, isThere: boolean): boolean | null {
  if (isThere || row?.action !== 'held') return true;
  return row.how === 'unknown' ? null : false;
}

function rowsOf({because, ...about}: ExplanationJson): globalThis.Record<string, unknown>[] {
  return because.length === 0 ? [about] : because.map((reason) => ({...about, ...reason}));
}
