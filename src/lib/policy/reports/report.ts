/** One audit, for reports in any format. */
import type {AuditHead} from '../model/documents.js';
import {Failure, type Mistake} from '../../client/failure.js';
import type {FindingJson} from '../model/documents.js';
import {
  type About,
  type Advice,
  type Circumstances,
  type Comparison,
  type Difference,
  findingJson,
  type Skipped,
  heldBackJson,
  skippedJson,
  unread,
} from '../model/difference.js';
import {blindness} from '../sections/blindness.js';
import {listJson, type ListSummary, type WantedDomains} from '../lists/merge.js';
import {compareText} from '../source/location.js';
import {summariesIn, type Wanted} from '../lists/wanted.js';
import type {Policy} from '../model/policy.js';
import {byKind} from '../model/items.js';
import type {ItemKind} from '../model/section-types.js';
import {comparedName, sections} from '../sections/index.js';
import type {Rule} from '../section/section.js';
import {type FindingStatus, type Since, statusOf} from './since.js';
import {LongDocument, withItems} from '../../print/print.js';

/** One account of one server compared with one policy. */
export interface AuditReport extends About {
  readonly findings: readonly Difference[];
  readonly skipped: readonly Skipped[];
  /** Whether nothing differs and all could be read. */
  readonly ok: boolean;
  /** Why the account, or a part of it, could not be read. */
  readonly failure: Failure | undefined;
  readonly rules: readonly CheckedRule[];
  /** Summaries of the lists of the policy. */
  readonly lists: readonly ListSummary[];
  /** Which lists, together, want which domains blocked, by the sections whose items are domains. */
  readonly origins: readonly Origins[];
  readonly advice: Advice;
  readonly when: Date;
  /** Set when it was compared with an earlier report. */
  readonly since?: Since | undefined;
}

/** @param outcome of the comparison, or why there was none */
export function auditReport(
  {server, account, policy}: About,
  wanted: Wanted,
  outcome: Comparison | Failure,
  {now, advice}: Circumstances,
): AuditReport {
  const comparison = outcome instanceof Failure ? nothingSeen(wanted.policy, outcome) : outcome;
  const {differences: findings, skipped} = comparison;
  const {host} = new URL(server);
  let origins: readonly Origins[] | undefined;
  let rules: readonly CheckedRule[] | undefined;
  const failure = outcome instanceof Failure ? outcome : blindness(skipped, host);
  return {
    server,
    account,
    policy,
    ok: findings.length === 0 && failure === undefined,
    failure,
    findings,
    skipped,
    // Only some reports need these.
    get rules() {
      return (rules ??= checkedRules(wanted.policy, comparison, this.origins, host));
    },
    get origins() {
      return (origins ??= [...wanted.domains.values()].map((domains) => originsOf(domains, findings)));
    },
    lists: summariesIn(wanted.domains),
    advice,
    when: now,
  };
}

/** Every kind of rule of the policy as one that could not be compared. */
function nothingSeen(policy: Policy, failure: Failure): Comparison {
  const kinds = new Set(rulesOf(policy).map(({kind}) => kind));
  return {differences: [], skipped: [...kinds].map((kind) => unread(kind, failure))};
}

/** A finding with what it is since an earlier report. */
export function findingWithStatus(
  finding: Difference,
  report: Pick<AuditReport, 'since'>,
): FindingJson & {readonly status?: FindingStatus} {
  const status = statusOf(report, finding);
  return {...(status && {status}), ...findingJson(finding)};
}

/** One audit in JSON, with no findings yet. */
function auditDocumentOf(report: AuditReport): AuditHead & {readonly findings: readonly []} {
  const {server, account, policy, ok, failure, skipped, since, lists} = report;
  return {
    server,
    account,
    policy,
    ok,
    findings: [],
    skipped: skipped.filter(({limit}) => limit === undefined).map(skippedJson),
    ...heldBackJson(skipped),
    ...(lists.length > 0 && {lists: lists.map(listJson)}),
    ...(since && {since: since.file, resolved: since.resolved, unread: since.unread}),
    ...(failure && {error: {code: failure.code, message: failure.message}}),
  };
}

/** What `audit --json` prints: one audit as it is, several as a list. */
export function auditDocument(reports: readonly AuditReport[]): LongDocument {
  const documents = reports.map((report) => {
    const items = report.findings.values().map((finding) => findingWithStatus(finding, report));
    return withItems(auditDocumentOf(report), {list: 'findings', items});
  });
  const [only] = documents;
  return only !== undefined && documents.length === 1 ? only : new LongDocument('[', documents, ']');
}

/** The domains that exactly these files want blocked. */
export interface Contribution {
  /** Lists, and the policy itself for what it names; sorted. */
  readonly files: readonly string[];
  /** Sorted. */
  readonly domains: readonly string[];
  /** How many of them are not blocked, or not as they are to be. */
  readonly missing: number;
}

/** Where the blocks of a section come from. */
export interface Origins {
  readonly kind: ItemKind;
  /** The largest first. */
  readonly contributions: readonly Contribution[];
  readonly lists: readonly ListSummary[];
  /** The names of its rules. */
  readonly rules: {readonly lists: string; readonly mustNot: string};
}

function originsOf({rules, wanted, summaries}: WantedDomains, differences: readonly Difference[]): Origins {
  const {key, kind} = rules.of;
  const ofMissing = (one: Difference): boolean => one.kind === kind && one.wanted !== 'not blocked';
  const missing = new Set(differences.filter(ofMissing).map(({subject}) => subject));
  const groups = new Map<string, {files: readonly string[]; domains: string[]; missing: number}>();
  for (const {domain, sources} of wanted.values()) {
    const files = [...new Set(sources.map(({file}) => file))].sort(compareText);
    const name = JSON.stringify(files);
    const group = groups.get(name) ?? {files, domains: [], missing: 0};
    groups.set(name, group);
    group.domains.push(domain);
    if (missing.has(domain)) group.missing += 1;
  }
  const contributions = [...groups]
    .sort(([one, some], [other, others]) => others.domains.length - some.domains.length || compareText(one, other))
    .map(([, group]) => group);
  return {kind, contributions, lists: summaries, rules: {lists: `${key}.lists`, mustNot: `${key}.must_not`}};
}

/** In the order of the sections of a policy. */
function rulesOf(policy: Policy): Rule[] {
  return sections.flatMap((section) => section.rulesOf(policy));
}

export interface CheckedRule extends Rule {
  /** Unchecked: the server did not say, or the rule does not apply here; `skipped` says why. */
  readonly outcome: 'failed' | 'held' | 'unchecked';
}

/** @param host of the accounts that are written without one */
function checkedRules(policy: Policy, {differences, skipped}: Comparison, origins: readonly Origins[], host: string): CheckedRule[] {
  const unseen = new Set(skipped.flatMap(({kind, failure}) => (failure ? kind : [])));
  const nameOf = ({kind, subject, isList = false}: Pick<Rule, 'isList' | 'subject'> & Pick<Difference, 'kind'>) =>
    JSON.stringify([kind, subject === undefined || isList ? subject : comparedName({kind, subject}, host)]);
  const idle = new Map(
    skipped.flatMap((one) =>
      one.heldBy?.how === 'ineffective' || one.heldBy?.how === 'ending' ? [] : [[nameOf(one), one.heldBy?.rule] as const],
    ),
  );
  // Those of lists are not about a rule of their own.
  const [listRules, allowRules] = [new Set(origins.map(({rules}) => rules.lists)), new Set(origins.map(({rules}) => rules.mustNot))];
  const ofRules = differences.filter(({kind, rule}) => kind !== 'unchecked' && !listRules.has(rule));
  // By their places, because a rule may name an account by its id, and a difference never does.
  const omitted = new Set(skipped.map(({source}) => source));
  const failed = new Set(ofRules.map(({source}) => source));
  const open = new Set(differences.filter(({kind}) => kind === 'unchecked').map(({rule, subject}) => JSON.stringify([rule, subject])));
  const openRules = new Set(differences.flatMap(({kind, rule}) => (kind === 'unchecked' ? rule : [])));
  const failedRules = new Set(differences.flatMap(({kind, rule}) => (kind === 'unchecked' ? [] : rule)));
  const useOf = (rule: string, list: string) => JSON.stringify([rule, list]);
  const usesWhere = (isMeant: (one: Contribution, of: Origins) => boolean) =>
    new Set(
      origins.flatMap((of) =>
        of.contributions.flatMap((one) => (isMeant(one, of) ? one.files.map((file) => useOf(of.rules.lists, file)) : [])),
      ),
    );
  const failedLists = usesWhere(({missing}) => missing > 0);
  const unknown = byKind(skipped.filter(({heldBy}) => heldBy?.how === 'unknown'));
  const unknownOf = new Map(origins.map(({kind}) => [kind, new Set(unknown(kind).map(({subject}) => subject))]));
  const openLists = usesWhere(({domains}, {kind}) => domains.some((one) => unknownOf.get(kind)?.has(one)));
  const failedAllowLists = new Set(differences.flatMap(({rule, source}) => (allowRules.has(rule) ? useOf(rule, source.file) : [])));
  const hasFailed = ({rule, subject, source}: Rule): boolean => {
    if (subject === undefined) return failedRules.has(rule);
    if (listRules.has(rule)) return failedLists.has(useOf(rule, subject));
    return failed.has(source) || failedAllowLists.has(useOf(rule, subject));
  };
  const outcomeOf = (rule: Rule): CheckedRule['outcome'] => {
    if (unseen.has(rule.kind)) return 'unchecked';
    if (hasFailed(rule)) return 'failed';
    const name = nameOf(rule);
    // A rule that holds something back holds itself.
    const isOpen =
      open.has(JSON.stringify([rule.rule, rule.subject])) ||
      openRules.has(rule.rule) ||
      (listRules.has(rule.rule) && openLists.has(useOf(rule.rule, rule.subject ?? '')));
    const isIdle = omitted.has(rule.source) || (idle.has(name) && idle.get(name) !== rule.rule);
    return isIdle || isOpen ? 'unchecked' : 'held';
  };
  return outcomesOf(policy).map((byOutcome) => byOutcome[outcomeOf(byOutcome.held)]);
}

/** The rules of policies with each of their outcomes: accounts with one policy share them, because there may be very many. */
const knownRules = new WeakMap<Policy, readonly Readonly<Record<CheckedRule['outcome'], CheckedRule>>[]>();

function outcomesOf(policy: Policy): readonly Readonly<Record<CheckedRule['outcome'], CheckedRule>>[] {
  const known = knownRules.get(policy);
  if (known !== undefined) return known;
  const rules = rulesOf(policy).map((rule) => ({
    failed: {...rule, outcome: 'failed' as const},
    held: {...rule, outcome: 'held' as const},
    unchecked: {...rule, outcome: 'unchecked' as const},
  }));
  knownRules.set(policy, rules);
  return rules;
}

/** Policies that cannot be used: then there is no audit. */
export interface Unusable {
  readonly mistakes: readonly Mistake[];
  readonly when: Date;
}
