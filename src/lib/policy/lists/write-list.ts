/** Writes lists of domains for other tools. Such a list can be read again, with all that its format has columns for. */
import {Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {csvFormula, csvLine} from '../../files/csv.js';
import {isBlockable, isTopLevel} from '../../operations/domains.js';
import type {ItemSetting} from '../../print/format.js';
import {pixelfedInstancesText} from './pixelfed-instances.js';
import {blocked, type DomainFacts, optionalFields} from '../model/domain-facts.js';

type Column = 'domain' | keyof DomainFacts;

interface Layout {
  readonly columns: readonly [Column, ...Column[]];
  /** The text before each name in the header; undefined: there is no header. */
  readonly mark?: string;
}

const layouts = {
  'mastodon-csv': {columns: ['domain']},
  'mastodon-admin': {columns: ['domain', 'severity', 'reject_media', 'reject_reports', 'public_comment', 'obfuscate'], mark: '#'},
  fediblockhole: {
    columns: ['domain', 'severity', 'public_comment', 'private_comment', 'reject_media', 'reject_reports', 'obfuscate'],
    mark: '',
  },
  plain: {columns: ['domain']},
} as const satisfies Readonly<Record<string, Layout>>;

/** Formats with columns, which --fields chooses. */
type DomainTableFormat = keyof typeof layouts;

type DomainListFormat = DomainTableFormat | 'pixelfed-instances';

/** Formats of other tools, for domains and for other items. */
export const listFormats = ['mastodon-csv', 'mastodon-admin', 'mastodon-json', 'fediblockhole', 'pixelfed-instances', 'plain'] as const;
export type ListFormat = (typeof listFormats)[number];

export function isDomainTableFormat(name: string): name is DomainTableFormat {
  return Object.hasOwn(layouts, name);
}

export function isDomainListFormat(name: string): name is DomainListFormat {
  return isDomainTableFormat(name) || name === 'pixelfed-instances';
}

export interface WritableDomain {
  readonly domain: string;
  readonly facts: DomainFacts;
  /** The last day on which it is blocked, which only a policy can say. */
  readonly until?: string | undefined;
}

/** The fields are columns in this order; undefined: all that the format has. */
export type ListSetting = Pick<ItemSetting, 'fields' | 'header' | 'spreadsheetSafe'> & Partial<Pick<ItemSetting, 'now'>>;

export interface WrittenList {
  readonly text: string;
  /** What the format cannot hold, in words. Columns that the user did not choose are not mentioned. */
  readonly leftOut: readonly string[];
}

function cellOf({domain, facts}: WritableDomain, column: Column, isSafe: boolean): string {
  if (column === 'domain') return domain;
  const value = facts[column] ?? (column.endsWith('_comment') ? '' : false);
  const text = String(value);
  return isSafe && csvFormula.test(text) ? `'${text}` : text;
}

/** @throws Failure `usage` for a field that the format lacks, or when the domain is not chosen */
function chosenColumns(format: DomainTableFormat, fields: readonly string[] | undefined): readonly Column[] {
  const {columns}: Layout = layouts[format];
  if (fields === undefined) return columns;
  const hint = `it has: ${columns.join(', ')}`;
  const chosen = fields.map((name) => {
    const column = columns.find((one) => one === name);
    if (column === undefined) throw new Failure('usage', `--fields: ${format} has no column "${name}"`, {hint});
    return column;
  });
  if (!chosen.includes('domain')) throw new Failure('usage', '--fields: a list needs the column domain', {hint});
  return chosen;
}

/** Whether a list has private comments. @throws Failure `usage` for a field that the format lacks */
export function holdsPrivate(format: ListFormat, fields: readonly string[] | undefined): boolean {
  return isDomainTableFormat(format) && chosenColumns(format, fields).includes('private_comment');
}

/** Leaves out entries of severity noop: a list without a column for severities would block them. */
export const listBlocked = (entries: readonly WritableDomain[]): readonly WritableDomain[] =>
  entries.filter(({facts}) => facts.severity !== 'noop');

/** Entries that some formats cannot hold, and the words that count them. Servers may store entries that are not domains. */
const remarks = {
  noop: [({facts}: WritableDomain) => facts.severity === 'noop', 'domain with the severity noop', 'domains with the severity noop'],
  other: [({domain}: WritableDomain) => !isBlockable(domain), 'entry that is not a domain', 'entries that are not domains'],
  topLevel: [({domain}: WritableDomain) => isTopLevel(domain), 'whole top-level domain', 'whole top-level domains'],
} as const;

export const countTexts = (entries: readonly WritableDomain[], kinds: readonly (keyof typeof remarks)[]): string[] =>
  kinds.flatMap((kind) => {
    const [isMeant, one, several] = remarks[kind];
    const count = entries.filter(isMeant).length;
    return count === 0 ? [] : countNoun(count, one, several);
  });

/** What entries say that these columns do not hold: `severity of 3 domains, obfuscate of 1 domain`; undefined: nothing. */
export function describeLoss(columns: readonly string[], entries: readonly WritableDomain[]): string | undefined {
  const lost = (['severity', ...optionalFields, 'until'] as const).flatMap((name) => {
    const said = entries.filter(({facts, until}) => {
      const value = name === 'until' ? until : facts[name];
      return value !== undefined && value !== (name === 'severity' ? blocked.severity : false);
    });
    return columns.includes(name) || said.length === 0 ? [] : `${name} of ${countNoun(said.length, 'domain')}`;
  });
  return lost.length === 0 ? undefined : lost.join(', ');
}

/**
 * @param entries sorted by domain
 * @throws Failure `usage` for fields that the format lacks
 */
export function writeDomainList(
  format: DomainListFormat,
  entries: readonly WritableDomain[],
  {fields, header = true, spreadsheetSafe = false, now}: ListSetting = {},
): WrittenList {
  if (!isDomainTableFormat(format)) {
    const lost = describeLoss(['domain', 'severity'], listBlocked(entries)) ?? [];
    const leftOut = [countTexts(entries, ['noop', 'other', 'topLevel']), lost].flat();
    return {text: pixelfedInstancesText(entries, {fields, now}), leftOut};
  }
  const {mark}: Layout = layouts[format];
  const columns = chosenColumns(format, fields);
  const hasSeverities = columns.includes('severity');
  const written = hasSeverities ? entries : listBlocked(entries);
  const rows = written.map((entry) => csvLine(columns.map((column) => cellOf(entry, column, spreadsheetSafe))));
  const head = mark === undefined || !header ? [] : [csvLine(columns.map((column) => mark + column))];
  const lost = fields === undefined ? (describeLoss(columns, written) ?? []) : [];
  return {text: [...head, ...rows].join(''), leftOut: [hasSeverities ? [] : countTexts(entries, ['noop']), lost].flat()};
}
