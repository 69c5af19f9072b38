/** What reports show of audits: the first findings of each rule, and how many more there are. */
import type {AuditReport} from '../rows/audit.js';
import type {RowJson} from '../model/documents.js';
import type {Kind, Row} from '../model/kind.js';
import {byHandText, heldText, rowJson, shownName} from '../rows/row-text.js';
import {newFirst} from './since.js';

/** How many findings of a kind a report shows. */
export const mostOfKind = 500;

/** How many of each list are shown where there is room for so many of all: the short ones are whole. */
export function shares(sizes: readonly number[], most: number): number[] {
  const given = sizes.map(() => 0);
  let left = most;
  for (let isGiven = true; isGiven && left > 0;) {
    isGiven = false;
    for (const [index, size] of sizes.entries()) {
      const had = given[index] ?? 0;
      if (had >= size || left === 0) continue;
      given[index] = had + 1;
      left -= 1;
      isGiven = true;
    }
  }
  return given;
}

/** The findings of one rule in one audit. */
export interface Group {
  readonly report: AuditReport;
  readonly kind: Kind;
  readonly rule: string;
  readonly count: number;
  readonly shown: readonly Row[];
  /** How many more there are. */
  readonly rest: number;
}

/**
 * In the order of reports and rules, what is new first.
 * @param findingsOf those of a report
 * @param room for findings: of each kind, or of all
 */
export function groupsOf(
  reports: readonly AuditReport[],
  room: {readonly ofKind: number} | {readonly ofAll: number} = {ofKind: mostOfKind},
  findingsOf: (report: AuditReport) => readonly Row[] = ({findings}) => findings,
): Group[] {
  const groups = reports.flatMap((report) =>
    Array.from(Map.groupBy(newFirst(findingsOf(report), report), ({kind}) => kind)).flatMap(([kind, some]) =>
      Array.from(Map.groupBy(some, ({why}) => why.rule)).map(([rule, rows]) => ({report, kind, rule, rows})),
    ),
  );
  const sets = 'ofAll' in room ? [groups] : [...Map.groupBy(groups, ({kind}) => kind).values()];
  const shown = new Map<(typeof groups)[number], number>();
  for (const set of sets) {
    const given = shares(
      set.map(({rows}) => rows.length),
      'ofAll' in room ? room.ofAll : room.ofKind,
    );
    for (const [index, group] of set.entries()) shown.set(group, given[index] ?? 0);
  }
  return groups.map((group) => {
    const {report, kind, rule, rows} = group;
    const count = shown.get(group) ?? 0;
    return {report, kind, rule, count: rows.length, shown: rows.slice(0, count), rest: rows.length - count};
  });
}

/** A finding as reports say it. */
export interface Told extends RowJson {
  /** For people: `@ana`. */
  readonly name: string;
  /** All places that ask for it. */
  readonly places: string;
}

export function told(row: Row, {shown}: Pick<AuditReport, 'shown'>): Told {
  const json = rowJson(row, shown);
  const actual = row.byHand === undefined ? json.actual : `${json.actual}, ${byHandText(row.byHand)}`;
  return {...json, actual, name: shownName(row, shown.host), places: (json.lists ?? [json.where]).join(', ')};
}

/** The line that a place names. What is no place is about the policy as a whole. */
export function placeIn(where: string, policy: string): {readonly file: string; readonly line: number} {
  const [, file, line] = /^(.+):(\d+)$/s.exec(where) ?? [];
  return file === undefined ? {file: policy, line: 1} : {file, line: Number(line)};
}

/** What was not compared, or is held back. */
export interface Untold {
  readonly kind: string;
  /** Empty where it is about all of the kind. */
  readonly name: string;
  readonly why: string;
  /** Set where it could not be read. */
  readonly code?: string | undefined;
}

/** What could not be read comes first. */
export function* untoldIn({unread, held, shown}: AuditReport): Generator<Untold> {
  for (const {section, failure} of unread) yield {kind: section.kind.kind, name: '', why: failure.message, code: failure.code};
  for (const row of held) yield {kind: row.kind.kind, name: row.name === '' ? '' : shownName(row, shown.host), why: heldText(row, shown)};
}

/** The first of many, and how many more there are. */
export function firstOnes<Item>(items: Iterable<Item>, most = mostOfKind): {readonly items: readonly Item[]; readonly rest: number} {
  const first: Item[] = [];
  let rest = 0;
  for (const item of items) {
    if (first.length < most) first.push(item);
    else rest += 1;
  }
  return {items: first, rest};
}
