/** Reads lists in JSON: those of Pixelfed, filters of Mastodon, answers of APIs, and what this program prints. */
import * as z from 'zod/mini';
import {isObject, membersOf} from '../../api/schema.js';
import {comma, endOfSpace, endOfValue, isCloser} from '../../json/scan.js';
import {isJson} from '../../json/text.js';
import {optionalFields} from '../model/domain-facts.js';
import {storedKeyword} from '../model/filter-value.js';
import {compareText} from '../source/location.js';
import {complaintsOf, mistakeAt, Mistakes} from '../source/mistakes.js';
import {type FilterList, type List, readDomains, type Row} from './list.js';

interface Member {
  /** Empty for an item of a list. */
  readonly name: string;
  readonly value: unknown;
  /** Where its value begins. */
  readonly start: number;
  readonly line: number;
}

/** @throws Failure `usage` for invalid JSON or an unknown list */
export function readJsonList(name: string, text: string): List {
  if (!isJson(text)) throw mistakeAt(name, 1, 'not valid JSON, or incomplete');
  const start = endOfSpace(text, 0);
  if (text[start] === '[') {
    const [first] = membersIn(text, start);
    if (isObject(first?.value) && 'title' in first.value) return readFilters(name, membersIn(text, start));
    return readDomains(name, columns, domainRows(membersIn(text, start)));
  }
  // Of two members with the same name the last one counts, as in JSON.parse.
  const members = new Map(Array.from(membersIn(text, start), (member) => [member.name, member]));
  const itemsOf = (key: string) => {
    const {value, start: at = 0} = members.get(key) ?? {};
    return Array.isArray(value) ? membersIn(text, at) : undefined;
  };
  const filters = itemsOf('custom_filters');
  if (filters !== undefined) return readFilters(name, filters);
  // Content warnings are no block.
  const lists = [itemsOf('banned'), itemsOf('unlisted'), itemsOf('auto_cw')];
  if (lists.some((one) => one !== undefined)) return readDomains(name, ['domain', 'severity'], instanceRows(lists));
  throw mistakeAt(name, 1, 'JSON, but not a known format of lists');
}

/** The members of a list or an object in a valid document, one after the other, because there may be very many. */
function* membersIn(text: string, start: number): Generator<Member, undefined> {
  const isNamed = text[start] === '{';
  let line = 1;
  let lineEnd = text.indexOf('\n');
  for (let at = endOfSpace(text, start + 1); !isCloser(text.charCodeAt(at));) {
    for (; lineEnd !== -1 && lineEnd < at; lineEnd = text.indexOf('\n', lineEnd + 1)) line += 1;
    const endOfName = isNamed ? endOfValue(text, at) : at;
    const value = isNamed ? endOfSpace(text, endOfSpace(text, endOfName) + 1) : at;
    const end = endOfValue(text, value);
    const name = isNamed ? String(JSON.parse(text.slice(at, endOfName))) : '';
    yield {name, value: JSON.parse(text.slice(value, end)), start: value, line};
    at = endOfSpace(text, end);
    if (text.charCodeAt(at) === comma) at = endOfSpace(text, at + 1);
  }
}

/** As Mastodon's API for administrators names them, except `comment` and `digest`, which its public API has. */
const columns = ['domain', 'severity', 'comment', ...optionalFields, 'digest'];

function cellOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function* domainRows(members: Iterable<Member>): Generator<Row> {
  for (const {line, value} of members)
    yield {line, cells: typeof value === 'string' ? [value] : columns.map((column) => cellOf(membersOf(value)[column]))};
}

/** A server in several lists counts as in the most severe one. */
function* instanceRows(lists: readonly (Iterable<Member> | undefined)[]): Generator<Row> {
  const known = new Set<unknown>();
  for (const [at, severity] of (['suspend', 'silence', 'noop'] as const).entries())
    for (const {line, value} of lists[at] ?? []) {
      if (!known.has(value)) yield {line, cells: [cellOf(value), severity]};
      known.add(value);
    }
}

const keywords = z.optional(z.array(z.looseObject({keyword: z.string(), whole_word: z.optional(z.boolean())})));

/** Filters as Mastodon exports them, and as the API returns them. */
const filter = z.looseObject({
  title: z.string(),
  context: z.array(z.string()),
  action: z.optional(z.string()),
  filter_action: z.optional(z.string()),
  keywords,
  keywords_attributes: keywords,
});

function readFilters(name: string, members: Iterable<Member>): FilterList {
  const entries: FilterList['entries'][number][] = [];
  const mistakes = new Mistakes();
  for (const {line, value} of members) {
    const {data, success} = z.safeParse(filter, value);
    if (!success) {
      mistakes.add({file: name, line}, () => complaintsOf(filter, value)[0]?.message ?? 'not a filter');
      continue;
    }
    const words = (data.keywords_attributes ?? data.keywords ?? []).map(({keyword, whole_word = true}) => ({
      keyword: storedKeyword(keyword),
      whole_word,
    }));
    const read = {
      context: [...new Set(data.context)].sort(compareText),
      action: data.action ?? data.filter_action ?? 'warn',
      keywords: words.sort((one, other) => compareText(one.keyword, other.keyword)),
    };
    entries.push([data.title.trim(), read]);
  }
  return {kind: 'filters', name, entries, mistakes};
}
