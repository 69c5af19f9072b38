/** Reads lists in JSON: those of RapidBlock, filters of Mastodon, answers of APIs, and what this program prints. */
import * as z from 'zod/mini';
import {hash} from 'node:crypto';
import {isObject} from '../../api/schema.js';
import {isJson} from '../../json/text.js';
import {colon, comma, endOfSpace, endOfValue, isCloser} from '../../json/scan.js';
import {DomainEntries} from './domain-entries.js';
import type {DomainList, FilterList, List} from './list.js';
import {type InstanceList, instanceLists, severityOfList} from './pixelfed-instances.js';
import {complaintsOf, Mistakes, mistakesFailure} from '../source/mistakes.js';
import {compareText} from '../source/location.js';
import {storedKeyword} from '../model/filter-value.js';
import {isAtLeast, type Severity} from '../model/domain-facts.js';
import {dateOf} from '../model/time.js';

const maybe = z.optional;

const comment = maybe(z.nullable(z.string()));
const flag = maybe(z.nullable(z.boolean()));
const rapidBlock = z.looseObject({isBlocked: z.boolean(), reason: comment});

/** The names are those of Mastodon's API for administrators, except `comment`, which its public API has. */
const listed = z.looseObject({
  domain: z.string(),
  severity: maybe(z.string()),
  comment,
  public_comment: comment,
  private_comment: comment,
  reject_media: flag,
  reject_reports: flag,
  obfuscate: flag,
  /** The SHA-256 of the real domain: servers may mask the domain in the blocks that they publish. */
  digest: comment,
});
const domain = z.union([z.string(), listed], 'a domain or {domain} is expected');

const keyword = z.looseObject({keyword: z.string(), whole_word: maybe(z.boolean())});

/** Filters as Mastodon exports them, and as the API returns them. */
const filter = z.looseObject({
  title: z.string(),
  context: z.array(z.string()),
  action: maybe(z.string()),
  filter_action: maybe(z.string()),
  expire_at: maybe(z.nullable(z.string())),
  expires_at: maybe(z.nullable(z.string())),
  keywords: maybe(z.array(keyword)),
  keywords_attributes: maybe(z.array(keyword)),
});

/** The text, and where the list in it begins. */
interface Source {
  readonly name: string;
  readonly text: string;
  readonly start: number;
}

/** @throws Failure `usage` for invalid JSON or an unknown list */
export function readJsonList(name: string, text: string): List {
  const source = {name, text, start: endOfSpace(text, 0)};
  if (!isJson(text)) throw mistakesFailure(name, [{file: name, line: invalidLine(source), message: 'not valid JSON, or incomplete'}]);
  if (text[source.start] === '[') {
    // Other lists, which may be very long, are not parsed twice: without this text they have no filters.
    const isOfFilters = text.includes('"title"') && membersIn(source).some(({value}) => isObject(value) && 'title' in value);
    return isOfFilters ? readFilters(source) : readDomains(source);
  }
  // Of two members with the same name the last one counts, as in JSON.parse.
  const members = new Map(membersIn(source).map((member) => [member.name, member]));
  const [blocks, filters] = [members.get('blocks'), members.get('custom_filters')];
  if (blocks !== undefined && isObject(blocks.value)) return readRapidBlock({...source, start: blocks.start});
  if (filters !== undefined && Array.isArray(filters.value)) return readFilters({...source, start: filters.start});
  const moderated = instanceLists.flatMap((list) => {
    const member = members.get(list);
    return member !== undefined && Array.isArray(member.value) ? [{list, start: member.start}] : [];
  });
  if (moderated.length > 0) return readPixelfedInstances(source, moderated);
  const isError = ['error', 'errors', 'message'].some((one) => members.has(one));
  const message = isError ? 'an error of a server in JSON, not a list' : 'JSON, but not a known format of lists';
  throw mistakesFailure(name, [{file: name, line: 1, message}]);
}

/** Returns a function that finds the line of a position. Positions have to come in ascending order. */
function lineFinder(text: string): (position: number) => number {
  let line = 1;
  let next = text.indexOf('\n');
  return (position) => {
    for (; next !== -1 && next < position; next = text.indexOf('\n', next + 1)) line += 1;
    return line;
  };
}

/** For each member of a list or an object: where it begins, where its value begins, and where it ends. */
function* positionsIn({text, start}: Source): Generator<readonly [at: number, start: number, end: number]> {
  const isNamed = text[start] === '{';
  for (let at = endOfSpace(text, start + 1); at < text.length && !isCloser(text.charCodeAt(at));) {
    const endOfName = isNamed ? endOfSpace(text, endOfValue(text, at)) : at;
    const value = text.charCodeAt(endOfName) === colon ? endOfSpace(text, endOfName + 1) : endOfName;
    const end = endOfValue(text, value);
    yield [at, value, end];
    at = endOfSpace(text, end);
    if (text.charCodeAt(at) === comma) at = endOfSpace(text, at + 1);
  }
}

/** The line where the text stops being JSON: that of the first member that is not JSON, else the last line. */
function invalidLine(source: Source): number {
  const {text, start} = source;
  const lineAt = lineFinder(text);
  const wrap = (member: string) => (text[start] === '{' ? `{${member}}` : `[${member}]`);
  for (const [at, , end] of positionsIn(source)) if (end < text.length && !isJson(wrap(text.slice(at, end)))) return lineAt(at);
  return lineAt(text.trimEnd().length);
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  /** Where its value begins. */
  readonly start: number;
  /** From 1. */
  readonly row: number;
  readonly line: number;
}

/** The members of a list or an object, one after the other, because there may be very many. */
function* membersIn(source: Source): Generator<Member, undefined> {
  const {text} = source;
  const lineAt = lineFinder(text);
  let row = 0;
  for (const [at, start, end] of positionsIn(source)) {
    row += 1;
    const value: unknown = JSON.parse(text.slice(start, end));
    yield {name: at === start ? '' : String(JSON.parse(text.slice(at, endOfValue(text, at)))), value, start, row, line: lineAt(at)};
  }
}

/** Takes each member that has the shape, and records every mistake in the others. */
function takeEach<Shape extends z.ZodMiniType>(
  source: Source,
  mistakes: Mistakes,
  shape: Shape,
  take: (value: z.output<Shape>, member: Member) => void,
): void {
  for (const member of membersIn(source)) {
    const {value, row} = member;
    const place = {file: source.name, line: member.line};
    const result = z.safeParse(shape, value);
    if (result.success) take(result.data, member);
    // When enough are recorded, the others are only counted.
    else if (mistakes.isFull) mistakes.add(place, () => '', row);
    else
      for (const {path, message} of complaintsOf(shape, value)) {
        // The message names the missing key.
        const within = message.endsWith(' is missing') ? path.slice(0, -1) : path;
        mistakes.add(place, () => [...within.map(String), message].join(': '), row);
      }
  }
}

function readRapidBlock(source: Source): DomainList {
  const entries = new DomainEntries(source.name, 'rapidblock-json');
  takeEach(source, entries.mistakes, rapidBlock, ({isBlocked, reason}, {name, line, row}) => {
    const facts = entries.factsOf({severity: isBlocked ? 'suspend' : 'noop', public_comment: reason ?? undefined});
    entries.add(name, line, {facts, row});
  });
  return entries.list();
}

/** @param lists where each of its lists begins */
function readPixelfedInstances(source: Source, lists: readonly {readonly list: InstanceList; readonly start: number}[]): DomainList {
  const entries = new DomainEntries(source.name, 'pixelfed-instances');
  const found = lists
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({list, start}) => Array.from(membersIn({...source, start}), (member) => ({...member, list, severity: severityOfList[list]})));
  // A server may be in several lists: the most severe one counts.
  const highest = new Map<unknown, Severity>();
  for (const {value, severity} of found) if (!isAtLeast(highest.get(value) ?? 'noop', severity)) highest.set(value, severity);
  for (const [index, {line, list, severity, value}] of found.entries()) {
    const row = index + 1;
    if (typeof value !== 'string') entries.complain(line, () => `${list}: a domain is expected`, row);
    else if (severity === (highest.get(value) ?? 'noop')) entries.add(value, line, {facts: entries.factsOf({severity}), row});
  }
  return entries.list();
}

/** Whether a domain is not the one that its SHA-256 was made from. Any other text says nothing about the domain. */
function isMasked(domain: string, digest: string | null | undefined): boolean {
  if (!/^[\da-f]{64}$/i.test(digest ?? '')) return false;
  return ![domain, domain.trim().toLowerCase()].some((text) => hash('sha256', text) === digest?.toLowerCase());
}

function readDomains(source: Source): DomainList {
  const entries = new DomainEntries(source.name, 'json');
  takeEach(source, entries.mistakes, domain, (value, {line, row}) => {
    if (typeof value === 'string') return entries.add(value, line, {row});
    const severity = entries.severityIn(value.severity ?? 'suspend', line, row);
    if (severity === undefined) return undefined;
    const facts = entries.factsOf({
      severity,
      public_comment: value.public_comment ?? value.comment ?? undefined,
      private_comment: value.private_comment ?? undefined,
      reject_media: value.reject_media ?? undefined,
      reject_reports: value.reject_reports ?? undefined,
      obfuscate: value.obfuscate ?? undefined,
    });
    return entries.add(value.domain, line, {facts, isMasked: isMasked(value.domain, value.digest), row});
  });
  return entries.list();
}

/** Ruby writes a time as `2027-01-31 10:00:00 UTC`. An invalid time counts as none. */
const endOf = (text: string | null | undefined): string => dateOf((text ?? '').replace(/ UTC$/, 'Z'))?.toISOString() ?? 'never';

function readFilters(source: Source): FilterList {
  const entries: FilterList['entries'][number][] = [];
  const mistakes = new Mistakes();
  takeEach(source, mistakes, filter, (one) => {
    const keywords = (one.keywords_attributes ?? one.keywords ?? []).map(({keyword: text, whole_word = true}) => ({
      keyword: storedKeyword(text),
      whole_word,
    }));
    const value = {
      context: [...new Set(one.context)].sort(compareText),
      action: one.action ?? one.filter_action ?? 'warn',
      expires: endOf(one.expires_at ?? one.expire_at),
      keywords: keywords.sort((word, other) => compareText(word.keyword, other.keyword)),
    };
    entries.push({value: one.title.trim(), filter: value});
  });
  return {kind: 'filters', name: source.name, entries, mistakes};
}
