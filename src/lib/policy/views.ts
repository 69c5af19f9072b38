/** Columns of what audit, plan, explain and diff print for people. */
import {isObject, membersOf} from '../api/schema.js';
import type {Column, ListView} from '../api/view.js';
import {byHandTextIn} from './model/by-hand.js';
import type {NamedJson} from './model/documents.js';
import {whereText} from './model/difference.js';
import {wantedText} from './reports/text.js';
import {sharedSections, shownSubject} from './sections/index.js';

/** What a row is about. */
export const what: Column = {
  header: 'what',
  path: 'subject',
  key: true,
  text(row) {
    const {kind, subject} = isObject(row) ? row : {};
    if (typeof kind !== 'string' || typeof subject !== 'string') return undefined;
    return shownSubject({kind, subject});
  },
};

/** Whether servers keep what is said of such an item for everybody. */
const isKept = (kind: unknown): boolean => sharedSections.some((one) => one.kind === kind);

/** What a finding wants, with what is said of it where servers keep that. */
function wantedIn(row: unknown): string | undefined {
  const {kind, wanted, details} = membersOf(row);
  if (typeof wanted !== 'string' || !isObject(details)) return undefined;
  return isKept(kind) ? wantedText({wanted, details}) : wanted;
}

const isNamed = (one: unknown): one is NamedJson => typeof membersOf(one)['source'] === 'string';

/** Where a finding comes from, with what is said there, unless what is wanted says that. */
function whereIn(row: unknown): string | undefined {
  const {kind, source, details, named_by} = membersOf(row);
  if (typeof source !== 'string') return undefined;
  if (Array.isArray(named_by)) return whereText({source, named_by: named_by.filter(isNamed)});
  const isSaid = isObject(details) && Object.keys(details).some((name) => name !== 'severity');
  return isSaid && !isKept(kind) ? whereText({source, named_by: [{source, ...details}]}) : undefined;
}

/** A text of a row, with what people did where it is their doing. */
const withByHand =
  (name: string) =>
  (row: unknown): string | undefined => {
    const {[name]: text, by_hand} = membersOf(row);
    const said = byHandTextIn(by_hand);
    return typeof text === 'string' && said !== undefined ? `${text}, ${said}` : undefined;
  };

/** Of which account of several a row is. */
const accountColumns: readonly Column[] = [
  {header: 'server', path: 'server', key: true},
  {header: 'account', path: 'account', key: true},
];

const since: Column = {header: 'since', path: 'status', stays: true};

const findingFields: readonly Column[] = [
  {header: 'rule', path: 'rule', priority: 4},
  what,
  {header: 'wanted', path: 'wanted', text: wantedIn, stays: true},
  {header: 'actual', path: 'actual', text: withByHand('actual'), stays: true},
  // The line number at the end matters most.
  {header: 'where', path: 'source', text: whereIn, flexible: true, keep: 'end', wraps: true, least: 20, priority: 2},
  // Not flexible: a command that is cut short cannot be run. The column is left out where it does not fit.
  {header: 'how to fix it', path: 'fix', priority: 5},
];

interface FindingsShown {
  /** Of several audits: each row says of which. */
  readonly ofSeveral: boolean;
  /** Compared with an earlier report: each row says whether it is new. */
  readonly withStatus: boolean;
}

function findings({ofSeveral, withStatus}: FindingsShown): ListView {
  return {
    kind: 'list',
    columns: [...(ofSeveral ? accountColumns : []), ...(withStatus ? [since] : []), ...findingFields],
    fields: [
      ...(ofSeveral ? ['server', 'account', 'policy'] : []),
      ...(withStatus ? ['status'] : []),
      'rule',
      'kind',
      'subject',
      'wanted',
      'actual',
      'source',
      'fix',
      'details',
      'named_by',
      'by_hand',
    ],
    empty: 'No differences.',
  };
}

const changes: ListView = {
  kind: 'list',
  columns: [
    {header: 'action', path: 'action', stays: true},
    {header: 'kind', path: 'kind', priority: 2},
    what,
    {header: 'because', path: 'because', text: withByHand('because'), flexible: true, priority: 3},
  ],
  fields: ['action', 'kind', 'subject', 'details', 'because', 'by_hand'],
  empty: 'Nothing to do.',
};

const changesOfAccounts: ListView = {
  ...changes,
  columns: [...accountColumns, ...(changes.columns ?? [])],
  fields: ['server', 'account', 'policy', ...(changes.fields ?? [])],
};

const reasons: ListView = {
  kind: 'list',
  columns: [
    {header: 'kind', path: 'kind', priority: 4},
    what,
    {header: 'wanted', path: 'wanted', words: ['yes', 'no'], none: 'no rule', stays: true},
    {header: 'actual', path: 'actual', stays: true},
    {header: 'rule', path: 'rule', none: '', stays: true},
    {header: 'where', path: 'source', none: '', flexible: true, keep: 'end', wraps: true},
    {header: 'says', path: 'says', none: '', stays: true},
  ],
  fields: ['kind', 'subject', 'wanted', 'there', 'actual', 'rule', 'source', 'says'],
  empty: 'No rule names it.',
};

const counts: ListView = {
  kind: 'list',
  columns: [
    {header: 'policy', path: 'policy', priority: 2},
    {header: 'account', path: 'account', none: 'any', priority: 3},
    {header: 'section', path: 'section', key: true},
    {header: 'wanted', path: 'wanted', stays: true},
    {header: 'forbidden', path: 'forbidden', stays: true},
    {header: 'lists', path: 'lists', stays: true},
  ],
  fields: ['policy', 'account', 'section', 'wanted', 'forbidden', 'lists'],
  empty: 'No rules.',
};

/** @param left the name of the first side @param right that of the second one */
const differences = (left: string, right: string): ListView => ({
  kind: 'list',
  columns: [
    {header: 'kind', path: 'kind', priority: 2},
    what,
    {header: left, path: 'left', stays: true},
    {header: right, path: 'right', stays: true},
  ],
  fields: ['kind', 'subject', 'left', 'right'],
  empty: 'No differences.',
});

/** Tables of audit, plan, explain and diff, by what their rows are. */
export const policyViews = {findings, changes, changesOfAccounts, reasons, counts, differences} as const;
