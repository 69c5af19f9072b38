/** Writes lists of domains for other tools. Reading one gives what was written, as far as its format has a column for it. */
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
  /** What is before each name in the header; undefined: there is no header. */
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

/** Formats of rows, of which columns can be chosen. */
type DomainTableFormat = keyof typeof layouts;

export type DomainListFormat = DomainTableFormat | 'pixelfed-instances';

/** Formats of other tools, of domains and of what else they moderate. */
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

/** Sorted by domain, and more than once iterable. There may be very many, so each may be made when it is asked for. */
export type WritableDomains = Iterable<WritableDomain>;

/** The fields are columns in this order; undefined: all that the format has. */
export type ListSetting = Pick<ItemSetting, 'fields' | 'header' | 'spreadsheetSafe'> & Partial<Pick<ItemSetting, 'now'>>;

export interface WrittenList {
  readonly text: string;
  /** What the format cannot hold, in words. What chosen fields leave out is not in it. */
  readonly leftOut: readonly string[];
}

function cellOf({domain, facts}: WritableDomain, column: Column, isSafe: boolean): string {
  if (column === 'domain') return domain;
  const value = facts[column] ?? (column.endsWith('_comment') ? '' : false);
  const text = String(value);
  return isSafe && csvFormula.test(text) ? `'${text}` : text;
}

/** @throws Failure `usage` for a field that the format lacks, or without the domain */
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

/** Rows that are in memory one by one, before they are joined. */
const portion = 1000;

/** Without those of severity noop, which are not blocked: without a column for severities they would be. */
export function* listBlocked(entries: WritableDomains): Generator<WritableDomain> {
  for (const entry of entries) if (entry.facts.severity !== 'noop') yield entry;
}

/** What is said of how many entries are of a kind; undefined when none is. */
function countText(entries: WritableDomains, isMeant: (entry: WritableDomain) => boolean, said: (count: number) => string) {
  let count = 0;
  for (const entry of entries) if (isMeant(entry)) count += 1;
  return count === 0 ? undefined : said(count);
}

export const noopText = (entries: WritableDomains): string | undefined =>
  countText(
    entries,
    ({facts}) => facts.severity === 'noop',
    (count) => `${countNoun(count, 'domain')} with the severity noop`,
  );

/** Servers may store what is not a domain. */
const noDomainText = (entries: WritableDomains): string | undefined =>
  countText(
    entries,
    ({domain}) => !isBlockable(domain),
    (count) => countNoun(count, 'entry that is not a domain', 'entries that are not domains'),
  );

const topLevelText = (entries: WritableDomains): string | undefined =>
  countText(
    entries,
    ({domain}) => isTopLevel(domain),
    (count) => countNoun(count, 'whole top-level domain'),
  );

const untilsText = (entries: WritableDomains): string | undefined =>
  countText(
    entries,
    ({until}) => until !== undefined,
    (count) => `until of ${countNoun(count, 'domain')}`,
  );

/** Whether something is said besides the name. */
function isSaid(name: keyof DomainFacts, facts: DomainFacts): boolean {
  return name === 'severity' ? facts.severity !== blocked.severity : facts[name] !== undefined && facts[name] !== false;
}

/** What entries say that these columns do not hold: `severity of 3 domains, obfuscate of 1 domain`. */
export function describeLoss(columns: readonly string[], entries: WritableDomains): string | undefined {
  const missing = (['severity', ...optionalFields] as const).filter((name) => !columns.includes(name));
  const counts = new Map<keyof DomainFacts, number>();
  for (const {facts} of missing.length === 0 ? [] : entries)
    for (const name of missing) if (isSaid(name, facts)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const lost = missing.flatMap((name) => (counts.has(name) ? `${name} of ${countNoun(counts.get(name) ?? 0, 'domain')}` : []));
  return lost.length === 0 ? undefined : lost.join(', ');
}

/**
 * The entries as a list.
 * @throws Failure `usage` for fields that the format lacks
 */
export function writeDomainList(
  format: DomainListFormat,
  entries: WritableDomains,
  {fields, header = true, spreadsheetSafe = false, now}: ListSetting = {},
): WrittenList {
  if (!isDomainTableFormat(format)) {
    const leftOut = [
      noopText(entries),
      noDomainText(entries),
      topLevelText(entries),
      describeLoss(['domain', 'severity'], listBlocked(entries)),
      untilsText(entries),
    ];
    return {text: pixelfedInstancesText(entries, {fields, now}), leftOut: leftOut.filter((one) => one !== undefined)};
  }
  const {mark}: Layout = layouts[format];
  const columns = chosenColumns(format, fields);
  const hasSeverities = columns.includes('severity');
  const writableEntries = () => (hasSeverities ? entries : listBlocked(entries));
  const row = (entry: WritableDomain) => csvLine(columns.map((column) => cellOf(entry, column, spreadsheetSafe)));
  let text = mark === undefined || !header ? '' : csvLine(columns.map((column) => mark + column));
  let rows: string[] = [];
  for (const entry of writableEntries()) {
    rows.push(row(entry));
    if (rows.length < portion) continue;
    text += rows.join('');
    rows = [];
  }
  text += rows.join('');
  const leftOut = [
    hasSeverities ? undefined : noopText(entries),
    fields === undefined ? describeLoss(columns, writableEntries()) : undefined,
    untilsText(entries),
  ];
  return {text, leftOut: leftOut.filter((one) => one !== undefined)};
}
