/** What several audits have in common, which a page shows once. */
import type {Difference, FindingJson, Skipped} from '../model/difference.js';
import {locationText} from '../source/location.js';
import type {AuditReport, CheckedRule} from './report.js';
import {numbered, statusOf} from './since.js';

/** The lists of an audit. */
export interface Lists {
  readonly findings: readonly Difference[];
  readonly skipped: readonly Skipped[];
  readonly resolved: readonly FindingJson[];
  readonly held: readonly CheckedRule[];
}

/** An audit, with what is not shown once for all. */
export interface OwnPart {
  readonly report: AuditReport;
  readonly own: Lists;
}

/** What all audits with one policy that could be made have in common. */
export interface SharedPart {
  readonly policy: string;
  /** Two at least. */
  readonly reports: readonly AuditReport[];
  /** How many audits there are with the policy, with those that could not be made. */
  readonly total: number;
  readonly shared: Lists;
}

/** @returns what is the same in all lists, and what each has besides */
function divided<Item>(lists: readonly (readonly Item[])[], keyOf: (item: Item, list: number) => string) {
  const keyed = (list: readonly Item[], index: number) => numbered(list, (item) => keyOf(item, index));
  const [first = []] = lists;
  let common = new Map(keyed(first, 0));
  for (const [index, list] of lists.entries()) {
    if (index === 0) continue;
    const next = new Map<string, Item>();
    for (const [key] of keyed(list, index)) {
      const item = common.get(key);
      if (item !== undefined) next.set(key, item);
    }
    common = next;
  }
  const shared = [...keyed(first, 0)].flatMap(([key, item]) => (common.has(key) ? [item] : []));
  const own = lists.map((list, index) =>
    common.size === 0 ? list : [...keyed(list, index)].flatMap(([key, item]) => (common.has(key) ? [] : [item])),
  );
  return {shared, own};
}

function listsOf({findings, skipped, since, rules}: AuditReport): Lists {
  return {findings, skipped, resolved: since?.resolved ?? [], held: rules.filter(({outcome}) => outcome === 'held')};
}

/** Takes what all audits with one policy have in common out of them. What could not be read has nothing in common with others. */
export function partsOf(reports: readonly AuditReport[]): {readonly shared: readonly SharedPart[]; readonly own: readonly OwnPart[]} {
  const shared: SharedPart[] = [];
  const own = new Map<AuditReport, Lists>(reports.map((report) => [report, listsOf(report)]));
  for (const [policy, same] of Map.groupBy(reports, (report) => report.policy)) {
    const readable = same.filter(({failure}) => failure === undefined);
    if (readable.length < 2) continue;
    const lists = readable.map(listsOf);
    const findings = divided(
      lists.map((one) => one.findings),
      (one, index) => {
        const {rule, kind, subject, wanted, actual, source} = one;
        const status = readable[index] && statusOf(readable[index], one);
        return JSON.stringify([rule, kind, subject, wanted, actual, locationText(source), status]);
      },
    );
    const skipped = divided(
      lists.map((one) => one.skipped),
      ({kind, subject, why}) => JSON.stringify([kind, subject, why]),
    );
    const resolved = divided(
      lists.map((one) => one.resolved),
      ({rule, kind, subject, wanted}) => JSON.stringify([rule, kind, subject, wanted]),
    );
    const held = divided(
      lists.map((one) => one.held),
      ({rule, subject, source}) => JSON.stringify([rule, subject, locationText(source)]),
    );
    shared.push({
      policy,
      reports: readable,
      total: same.length,
      shared: {findings: findings.shared, skipped: skipped.shared, resolved: resolved.shared, held: held.shared},
    });
    for (const [index, report] of readable.entries())
      own.set(report, {
        findings: findings.own[index] ?? [],
        skipped: skipped.own[index] ?? [],
        resolved: resolved.own[index] ?? [],
        held: held.own[index] ?? [],
      });
  }
  return {shared, own: [...own].map(([report, lists]) => ({report, own: lists}))};
}
