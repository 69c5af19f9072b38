/** Writes lists of domains for other tools. Such a list can be read again, with all that its format has columns for. */
import {createHash} from 'node:crypto';
import {Failure} from '../../client/failure.js';
import {toJson} from '../../json/php.js';
import {countNoun} from '../../json/text.js';
import {csvFormula, csvLine} from '../../files/csv.js';
import {isDomain} from '../../operations/domains.js';
import type {ItemSetting} from '../../print/format.js';
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
  // The file in which admins of Pixelfed servers export and import their decisions about other servers.
  'pixelfed-instances': {columns: ['domain', 'severity']},
  plain: {columns: ['domain']},
} as const satisfies Readonly<Record<string, Layout>>;

type DomainListFormat = keyof typeof layouts;

/** Formats of other tools, for domains and for other items. */
export const listFormats = ['mastodon-csv', 'mastodon-admin', 'mastodon-json', 'fediblockhole', 'pixelfed-instances', 'plain'] as const;
export type ListFormat = (typeof listFormats)[number];

export const isDomainListFormat = (name: string): name is DomainListFormat => Object.hasOwn(layouts, name);

/** Formats with columns, which --fields chooses. */
export const isDomainTableFormat = (name: string): boolean => isDomainListFormat(name) && name !== 'pixelfed-instances';

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

/** @throws Failure `usage` for a field that the format lacks, or when the domain is not chosen */
function chosenColumns(format: DomainListFormat, fields: readonly string[] | undefined): readonly Column[] {
  const {columns}: Layout = layouts[format];
  if (fields === undefined) return columns;
  if (!isDomainTableFormat(format)) throw new Failure('usage', `--fields: ${format} has no columns`);
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
export const holdsPrivate = (format: ListFormat, fields: readonly string[] | undefined): boolean =>
  isDomainListFormat(format) && chosenColumns(format, fields).includes('private_comment');

/** Leaves out entries of severity noop: a list without a column for severities would block them. */
export const listBlocked = (entries: readonly WritableDomain[]): readonly WritableDomain[] =>
  entries.filter(({facts}) => facts.severity !== 'noop');

/** What {@link listBlocked} leaves out, in words; empty: nothing. */
export function countNoop(entries: readonly WritableDomain[]): string[] {
  const count = entries.length - listBlocked(entries).length;
  return count === 0 ? [] : [countNoun(count, 'domain with the severity noop', 'domains with the severity noop')];
}

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
export function writeDomainList(format: DomainListFormat, entries: readonly WritableDomain[], setting: ListSetting = {}): WrittenList {
  const {fields} = setting;
  const columns = chosenColumns(format, fields);
  const isTable = isDomainTableFormat(format);
  const holdsNoop = isTable && columns.includes('severity');
  const written = holdsNoop ? entries : listBlocked(entries);
  // Servers may store entries that are not domains.
  const fitting = isTable ? written : written.filter(({domain}) => isDomain(domain));
  const odd = written.length - fitting.length;
  const lost = fields === undefined ? (describeLoss(columns, fitting) ?? []) : [];
  return {
    text: isTable ? tableText(layouts[format], columns, fitting, setting) : instancesText(fitting, setting),
    leftOut: [
      holdsNoop ? [] : countNoop(entries),
      odd === 0 ? [] : countNoun(odd, 'entry that is not a domain', 'entries that are not domains'),
      lost,
    ].flat(),
  };
}

function tableText(
  {mark}: Layout,
  columns: readonly Column[],
  entries: readonly WritableDomain[],
  {header = true, spreadsheetSafe = false}: ListSetting,
): string {
  const cellOf = ({domain, facts}: WritableDomain, column: Column): string => {
    if (column === 'domain') return domain;
    const text = String(facts[column] ?? (column.endsWith('_comment') ? '' : false));
    return spreadsheetSafe && csvFormula.test(text) ? `'${text}` : text;
  };
  const rows = entries.map((entry) => csvLine(columns.map((column) => cellOf(entry, column))));
  const head = mark === undefined || !header ? [] : [csvLine(columns.map((column) => mark + column))];
  return [...head, ...rows].join('');
}

/** The file of Pixelfed, without a line break at its end. Content warnings are no block. */
function instancesText(entries: readonly WritableDomain[], {now}: ListSetting): string {
  const [unlisted, banned] = (['silence', 'suspend'] as const).map((severity) =>
    entries.flatMap(({domain, facts}) => (facts.severity === severity ? domain : [])),
  );
  // In whole seconds, as PHP writes it.
  const content = {
    version: 1,
    auto_cw: [],
    unlisted,
    banned,
    ...(now && {
      created_at: now()
        .toISOString()
        .replace(/\.\d+Z$/, '+00:00'),
    }),
  };
  const how = {pretty: true, plainSlashes: true};
  return toJson({...content, _sha256: createHash('sha256').update(toJson(content, how)).digest('hex')}, how);
}
