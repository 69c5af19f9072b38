/** Explains a domain, an account or a filter: which rules and list entries are about it, and what the server has. */
import {Failure} from '../client/failure.js';
import type {ExplanationJson} from './model/documents.js';
import {holding, type HoldingSection, ofDomains, pathsOf, shownItem} from './sections/index.js';
import type {Explanation, Section} from './section/section.js';
import type {Target} from './model/difference.js';
import type {Policy} from './model/policy.js';
import type {SectionKey} from './model/section-types.js';
import {comparedDomain, type State} from './model/server-state.js';
import {withFollowed} from './reading/read-wanted.js';
import {withFollows} from './sections/admin-domain-blocks.js';
import {readWhole} from './sections/read-state.js';
import {locationText} from './source/location.js';
import type {Wanted} from './lists/wanted.js';

/** Titles can be anything. */
const titlesFirst = [...holding].sort((one, other) => Number(one.isSet) - Number(other.isSet));

/**
 * Those that a policy has rules for, and those of an account that are like none of these. Not everybody may read what is a whole
 * server's.
 */
function sectionsOf(text: string, policy: Policy): readonly HoldingSection[] {
  const asksOfDomains = ofDomains.some((section) => section.asks(policy));
  const isLikeAsked = (section: HoldingSection) => asksOfDomains && section.ofDomains !== undefined;
  return titlesFirst.filter(
    (section) => section.holding.canBe(text) && (section.asks(policy) || (section.owner === 'account' && !isLikeAsked(section))),
  );
}

/** The sections of the state that a subject can be in. */
export const partsWith = (text: string, policy: Policy): SectionKey[] => sectionsOf(text, policy).map(({key}) => key);

/** The paths that the sections of an account, or of a server, are read from, for descriptions. */
export const pathsFor = (text: string, of: Section['owner'] = 'account'): string =>
  pathsOf(titlesFirst.filter(({owner, holding: {canBe}}) => owner === of && canBe(text)));

/**
 * @param text a domain as people write it, an account with its `@`, or the title of a filter
 * @throws Failure `usage` when it is none of them
 */
export function explain(text: string, wanted: Wanted, state: State, now: Date): Explanation[] {
  const explanations = sectionsOf(text, wanted.policy).flatMap((section) => section.holding.explain(text, wanted, state, now));
  if (explanations.length > 0) return explanations;
  throw new Failure('usage', `"${text}" is not a domain, an account or the title of a filter`);
}

/**
 * Reads what the policy and the server say about a subject.
 * @param text as {@link explain} takes it
 * @throws Failure as {@link explain}, and for what cannot be read
 */
export async function explained(
  text: string,
  asked: Wanted,
  {client, server, now, followed, measures}: Pick<Target, 'client' | 'followed' | 'measures' | 'now' | 'server'>,
): Promise<Explained> {
  const wanted = await withFollowed(asked, followed);
  const state = await readWhole(client, server.origin, partsWith(text, wanted.policy));
  const isMeant = (domain: string) => domain === comparedDomain(text);
  const measured = await withFollows(wanted, state, measures && ((domains) => measures(domains.filter(isMeant))));
  const explanations = explain(text, measured, state, now());
  const documents = explanations.map(explanationJson);
  return {
    documents,
    rows: documents.flatMap(rowsOf),
    unnamed: explanations.flatMap((one) => (one.reasons.length === 0 ? shownItem(one) : [])),
  };
}

/** What `explain` prints. */
interface Explained {
  readonly documents: readonly ExplanationJson[];
  /** One row for each reason, or one without a reason. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** What no rule names, as people call it. */
  readonly unnamed: readonly string[];
}

function explanationJson({kind, subject, isWanted, isThere, actual, reasons, details}: Explanation): ExplanationJson {
  const because = reasons.map(({rule, source, says, ...reason}) => ({rule, source: locationText(source), says, ...reason}));
  return {kind, subject, wanted: isWanted ?? null, there: isThere ?? null, actual, because, ...(details && {details})};
}

function rowsOf({because, ...about}: ExplanationJson): Record<string, unknown>[] {
  return because.length === 0 ? [about] : because.map((reason) => ({...about, ...reason}));
}
