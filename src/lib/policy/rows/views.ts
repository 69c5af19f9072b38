/** Columns of what audit, plan, explain and diff print for people. */
import {isObject, membersOf} from '../../api/schema.js';
import type {Column, ListView} from '../../api/view.js';
import {inert} from '../../print/inert.js';
import {factsText} from '../model/domain-facts.js';
import {kindOf} from '../sections/index.js';
import {shownName} from '../sections/policy-kind.js';
import {byHandText} from './row-text.js';

export const what: Column = {
  header: 'what',
  path: 'subject',
  key: true,
  text(row) {
    const {kind, subject} = membersOf(row);
    if (typeof kind !== 'string' || typeof subject !== 'string') return undefined;
    const found = kindOf(kind);
    return found === undefined ? subject : shownName({kind: found, name: subject}, '');
  },
};

/** What a finding wants; of a server's block also comments and flags. */
function readWanted(row: unknown): string | undefined {
  const {kind, wanted, details} = membersOf(row);
  if (typeof wanted !== 'string' || typeof kind !== 'string' || !isObject(details)) return undefined;
  const said = kindOf(kind)?.owner === 'server' ? factsText(details) : '';
  return said === '' ? wanted : `${wanted} (${said})`;
}

function whereIn(row: unknown): string | undefined {
  const {where, lists} = membersOf(row);
  return Array.isArray(lists) ? lists.join(', ') : typeof where === 'string' ? where : undefined;
}

/** What the server has, and how somebody changed it by hand. */
function actualIn(row: unknown): string | undefined {
  const {actual, by_hand: byHand} = membersOf(row);
  const {set, found, since} = membersOf(byHand);
  if (typeof actual !== 'string' || typeof set !== 'string' || typeof since !== 'string') return undefined;
  return `${actual}, ${byHandText({set, found: typeof found === 'string' ? found : null, since})}`;
}

const accountColumns: readonly Column[] = [
  {header: 'server', path: 'server', key: true},
  {header: 'account', path: 'account', key: true},
];

/** @param withStatus whether there is an earlier report: then each row says whether it is new */
const rows = ({
  ofSeveral,
  withStatus = false,
  empty = 'No differences.',
}: {
  readonly ofSeveral: boolean;
  readonly withStatus?: boolean;
  readonly empty?: string;
}): ListView => ({
  kind: 'list',
  columns: [
    ...(ofSeveral ? accountColumns : []),
    ...(withStatus ? [{header: 'since', path: 'status', stays: true} as const] : []),
    {header: 'rule', path: 'rule', priority: 4},
    what,
    {header: 'wanted', path: 'wanted', text: readWanted, stays: true},
    {header: 'actual', path: 'actual', text: actualIn, stays: true},
    // The line number at the end matters most.
    {header: 'where', path: 'where', text: whereIn, flexible: true, wraps: true, least: 20, priority: 2},
    // Not flexible: a command that is cut short cannot be run. The column is left out where it does not fit.
    {header: 'how to fix it', path: 'fix', priority: 5},
  ],
  fields: [
    ...(ofSeveral ? ['server', 'account', 'policy'] : []),
    ...(withStatus ? ['status'] : []),
    'action',
    'kind',
    'subject',
    'rule',
    'where',
    'wanted',
    'actual',
    'fix',
    'details',
    'lists',
    'by_hand',
  ],
  empty,
});

const reasons: ListView = {
  kind: 'list',
  columns: [
    {header: 'kind', path: 'kind', priority: 4},
    what,
    {header: 'wanted', path: 'wanted', words: ['yes', 'no'], none: 'no rule', stays: true},
    {header: 'actual', path: 'actual', stays: true},
    {header: 'rule', path: 'rule', none: '', stays: true},
    {header: 'where', path: 'where', none: '', flexible: true, wraps: true},
    {header: 'says', path: 'says', none: '', stays: true},
  ],
  fields: ['kind', 'subject', 'wanted', 'there', 'actual', 'rule', 'where', 'says'],
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
    {header: inert(left), path: 'left', stays: true},
    {header: inert(right), path: 'right', stays: true},
  ],
  fields: ['kind', 'subject', 'left', 'right'],
  empty: 'No differences.',
});

const items: ListView = {
  kind: 'list',
  columns: [
    {header: 'kind', path: 'kind', priority: 3},
    what,
    {header: 'since', path: 'since', kind: 'time', priority: 4},
    {header: 'account', path: 'account', key: true},
    {header: 'policy', path: 'policy', flexible: true, priority: 2},
    {header: 'state', path: 'file', priority: 5},
  ],
  fields: ['kind', 'subject', 'id', 'was', 'since', 'account', 'policy', 'file'],
  empty: '',
};

export const policyViews = {rows, reasons, counts, differences, items} as const;
