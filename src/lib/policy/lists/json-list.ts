/** Reads lists in JSON: those of Pixelfed, answers of APIs, and what this program prints. */
import {Failure} from '../../client/failure.js';
import {membersOf} from '../../api/schema.js';
import {comma, endOfSpace, endOfValue, isCloser} from '../../json/scan.js';
import {isJson} from '../../json/text.js';
import {optionalFields} from '../model/domain-facts.js';
import {type DomainList, readDomains, type Row} from './list.js';

interface Member {
  /** Empty for an item of a list. */
  readonly name: string;
  readonly value: unknown;
  /** Where its value begins. */
  readonly start: number;
  readonly line: number;
}

/** @throws Failure `usage` for invalid JSON or an unknown list */
export function readJsonList(name: string, text: string): DomainList {
  if (!isJson(text)) throw new Failure('usage', `${name} is not valid JSON, or incomplete`);
  const start = endOfSpace(text, 0);
  if (text[start] === '[') return readDomains(name, columns, domainRows(membersIn(text, start)));
  // Of two members with the same name the last one counts, as in JSON.parse.
  const members = new Map(Array.from(membersIn(text, start), (member) => [member.name, member]));
  // Content warnings are no block.
  const lists = ['banned', 'unlisted', 'auto_cw'].map((key) => {
    const {value, start: at = 0} = members.get(key) ?? {};
    return Array.isArray(value) ? membersIn(text, at) : undefined;
  });
  if (lists.every((one) => one === undefined)) throw new Failure('usage', `${name} is JSON, but not a known format of lists`);
  return readDomains(name, ['domain', 'severity'], instanceRows(lists));
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
