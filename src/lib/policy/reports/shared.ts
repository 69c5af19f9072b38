/** What several audits have in common, which a page shows once. */
import type {FindingJson} from '../model/documents.js';
import {actualText, type Difference, type Skipped} from '../model/difference.js';
import {locationText} from '../source/location.js';
import type {AuditReport, CheckedRule} from './report.js';
import {statusOf} from './since.js';

/** The lists of an audit. */
export interface Lists {
  readonly findings: readonly Difference[];
  readonly skipped: readonly Skipped[];
  readonly resolved: readonly FindingJson[];
  readonly held: readonly CheckedRule[];
}

/** An audit, with what is not shown once for all. */
interface OwnPart {
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

/** What tells items of a list apart. Few have the same name. */
type Traits = readonly [name: string, ...others: readonly (string | undefined)[]];

/**
 * There may be very many, so texts are compared, and none are made.
 * @returns what is the same in all lists, and what each has besides
 */
function divided<Item>(lists: readonly (readonly Item[])[], traitsOf: (item: Item, list: number) => Traits) {
  const [first = [], ...others] = lists;
  const traits = first.map((item) => traitsOf(item, 0));
  const placesOf = Map.groupBy(traits.keys(), (place) => traits[place]?.[0]);
  const isShared = new Uint8Array(first.length).fill(1);
  const same = others.map((list, index) => {
    const isFound = new Uint8Array(first.length);
    const found = new Int32Array(list.length).fill(-1);
    for (const [at, item] of list.entries()) {
      const own = traitsOf(item, index + 1);
      const place = placesOf.get(own[0])?.find((one) => isFound[one] === 0 && areEqual(traits[one] ?? [], own));
      if (place === undefined) continue;
      found[at] = place;
      isFound[place] = 1;
    }
    for (const [place, is] of isFound.entries()) if (is === 0) isShared[place] = 0;
    return found;
  });
  const own = others.map((list, index) => list.filter((_, at) => isShared[same[index]?.[at] ?? -1] !== 1));
  return {
    shared: first.filter((_, place) => isShared[place] === 1),
    own: [first.filter((_, place) => isShared[place] !== 1), ...own],
  };
}

function areEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

function listsOf({findings, skipped, since, rules}: AuditReport): Lists {
  return {findings, skipped, resolved: since?.resolved ?? [], held: rules.filter(({outcome}) => outcome === 'held')};
}

/** Takes what all audits with one policy have in common out of them. What could not be read has nothing in common with others. */
export function sharedParts(reports: readonly AuditReport[]): {readonly shared: readonly SharedPart[]; readonly own: readonly OwnPart[]} {
  const shared: SharedPart[] = [];
  const own = new Map<AuditReport, Lists>(reports.map((report) => [report, listsOf(report)]));
  for (const [policy, same] of Map.groupBy(reports, (report) => report.policy)) {
    const readable = same.filter(({failure}) => failure === undefined);
    if (readable.length < 2) continue;
    const lists = readable.map(listsOf);
    const findings = divided(
      lists.map((one) => one.findings),
      (one, index) => {
        const {rule, kind, subject, wanted, source} = one;
        const status = readable[index] && statusOf(readable[index], one);
        return [subject, rule, kind, wanted, actualText(one), locationText(source), status];
      },
    );
    const skipped = divided(
      lists.map((one) => one.skipped),
      ({kind, subject, why}) => [subject ?? kind, subject, kind, why],
    );
    const resolved = divided(
      lists.map((one) => one.resolved),
      ({rule, kind, subject, wanted}) => [subject, rule, kind, wanted],
    );
    const held = divided(
      lists.map((one) => one.held),
      ({rule, subject, source}) => [subject ?? rule, subject, rule, locationText(source)],
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
