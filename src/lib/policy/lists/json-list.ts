/** Lists in JSON: of RapidBlock, filters of Mastodon, answers of APIs, output of this program. */
import * as z from 'zod/mini';
import {createHash} from 'node:crypto';
import {isObject} from '../../api/schema.js';
import {fits} from '../../client/mismatch.js';
import {type MemberText, memberTexts, NotJson} from '../../json/members.js';
import {endOfSpace} from '../../json/scan.js';
import {DomainEntries} from './domain-entries.js';
import type {DomainList, FilterList, List} from './list.js';
import {type InstanceList, instanceLists, severityOfList} from './pixelfed-instances.js';
import {complaintsOf, Mistakes, mistakesFailure, quotedWord} from '../source/mistakes.js';
import {compareText} from '../source/location.js';
import type {WantedFilter} from '../model/policy.js';
import {storedKeyword} from '../model/filter-value.js';
import {severities, type Severity, severityOf} from '../model/domain-facts.js';
import {dateOf, expiryAt, expiryText} from '../model/time.js';

const maybe = z.optional;

const comment = maybe(z.nullable(z.string()));
const flag = maybe(z.nullable(z.boolean()));
const rapidBlock = z.looseObject({isBlocked: z.boolean(), reason: comment});

/** The names of Mastodon's API for administrators; `comment` is of the public one. */
const listed = z.looseObject({
  domain: z.string(),
  severity: maybe(z.string()),
  comment,
  public_comment: comment,
  private_comment: comment,
  reject_media: flag,
  reject_reports: flag,
  obfuscate: flag,
  /** The SHA-256 of the domain, which may be masked, in what servers publish. */
  digest: comment,
});
const domain = z.union([z.string(), listed], 'expected a domain or {domain}');

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

/** What of an object says whether it is a list: where the values of these names begin. */
const telling = ['blocks', 'custom_filters', 'error', 'errors', 'message', ...instanceLists] as const;

/**
 * Reads one member after the other: the values of a whole document may take twenty times as much memory as its text.
 * @throws Failure `usage` for invalid JSON or an unknown list
 */
export function readJsonList(name: string, text: string): List {
  try {
    const start = endOfSpace(text, 0);
    return text[start] === '[' ? readItems({name, text, start}) : readObject({name, text, start});
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    const lines = new Lines(text);
    throw mistakesFailure(name, [
      {file: name, line: lines.at(Math.min(error.at, text.trimEnd().length)), message: 'not valid JSON, or incomplete'},
    ]);
  }
}

function readItems(source: Source): List {
  // Of filters; other lists are read without looking for it.
  const isOfFilters = source.text.includes('"title"') && membersIn(source).some(({value}) => isObject(value) && 'title' in value);
  return isOfFilters ? readFilters(source) : readDomains(source);
}

function readObject(source: Source): List {
  const {name, text, start} = source;
  const starts = new Map<string, number>();
  for (const member of memberTexts(text, start, true)) {
    if (telling.some((one) => one === member.name)) starts.set(member.name ?? '', member.start);
  }
  const [blocks, filters] = [starts.get('blocks'), starts.get('custom_filters')];
  if (blocks !== undefined && text[blocks] === '{') return readRapidBlock({...source, start: blocks});
  if (filters !== undefined && text[filters] === '[') return readFilters({...source, start: filters});
  const moderated = instanceLists.flatMap((list) => {
    const at = starts.get(list);
    return at !== undefined && text[at] === '[' ? [{list, start: at}] : [];
  });
  if (moderated.length > 0) return readPixelfedInstances(source, moderated);
  const isError = starts.has('error') || starts.has('errors') || starts.has('message');
  const message = isError ? 'an error of a server in JSON, not a list' : 'JSON, but not a known format of lists';
  throw mistakesFailure(name, [{file: name, line: 1, message}]);
}

/** Finds the lines of positions that come in order. */
class Lines {
  readonly #text: string;
  #line = 1;
  #next: number;

  constructor(text: string) {
    this.#text = text;
    this.#next = text.indexOf('\n');
  }

  at(position: number): number {
    while (this.#next !== -1 && this.#next < position) {
      this.#line += 1;
      this.#next = this.#text.indexOf('\n', this.#next + 1);
    }
    return this.#line;
  }
}

interface ReadMember {
  readonly name: string | undefined;
  /** From 1. */
  readonly row: number;
  readonly line: number;
  readonly value: unknown;
}

/** Characters of a member; no entry of a list has as many. */
const maxMemberLength = 1_000_000;

function valueOf({start, end}: MemberText, text: string): unknown {
  // Of another shape than any entry, so that it becomes a mistake.
  if (end - start > maxMemberLength) return undefined;
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    throw new NotJson(start);
  }
}

/** The members of the list or object. @throws NotJson */
function* membersIn({text, start}: Source): Generator<ReadMember> {
  const lines = new Lines(text);
  let row = 0;
  // What an object holds was found by reading all of it.
  const isWhole = start === endOfSpace(text, 0);
  for (const member of memberTexts(text, start, isWhole)) {
    row += 1;
    yield {name: member.name, row, line: lines.at(member.at), value: valueOf(member, text)};
  }
}

/** What is wrong with a member, in words; all of it where it is kept. */
function complain(mistakes: Mistakes, {name}: Source, schema: z.ZodMiniType, {row, line, value}: ReadMember): void {
  const place = {file: name, line};
  if (value === undefined || mistakes.isFull) return mistakes.add(place, () => 'too long for an entry of a list', row);
  for (const {path: inner, message} of complaintsOf(schema, value)) {
    // The message names the missing key.
    const within = message.endsWith(' is missing') ? inner.slice(0, -1) : inner;
    mistakes.add(place, () => [...within.map(String), message].join(': '), row);
  }
}

function readRapidBlock(source: Source): DomainList {
  const entries = new DomainEntries(source.name, 'rapidblock-json');
  for (const member of membersIn(source)) {
    const {name = '', line, row, value} = member;
    if (!fits(rapidBlock, value)) complain(entries.mistakes, source, rapidBlock, member);
    else entries.add(name, line, {facts: {severity: value.isBlocked ? 'suspend' : 'noop', public_comment: value.reason ?? undefined}, row});
  }
  return entries.list();
}

/** @param lists where each of its lists begins */
function readPixelfedInstances(source: Source, lists: readonly {readonly list: InstanceList; readonly start: number}[]): DomainList {
  try {
    JSON.parse(source.text);
  } catch {
    throw new NotJson(source.text.length);
  }
  const entries = new DomainEntries(source.name, 'pixelfed-instances');
  const found = lists
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({list, start}) => Array.from(membersIn({...source, start}), (member) => ({...member, list, severity: severityOfList[list]})));
  // A server may be in several lists, of which the most severe counts.
  const highest = new Map<unknown, Severity>();
  for (const {value, severity} of found)
    if (severities.indexOf(severity) > severities.indexOf(highest.get(value) ?? 'noop')) highest.set(value, severity);
  for (const [index, {line, list, severity, value}] of found.entries()) {
    const row = index + 1;
    if (typeof value !== 'string') entries.complain(line, () => `${list}: expected a domain`, row);
    else if (severity === (highest.get(value) ?? 'noop')) entries.add(value, line, {facts: {severity}, row});
  }
  return entries.list();
}

/** Whether a domain is not the one that its SHA-256 was made from. */
function isMasked(domain: string, digest: string | null | undefined): boolean {
  // Anything else says nothing about the domain.
  if (!/^[\da-f]{64}$/i.test(digest ?? '')) return false;
  const digestText = (text: string) => createHash('sha256').update(text).digest('hex');
  return ![digestText(domain), digestText(domain.trim().toLowerCase())].includes(digest?.toLowerCase() ?? '');
}

function readDomains(source: Source): DomainList {
  const entries = new DomainEntries(source.name, 'json');
  for (const member of membersIn(source)) {
    const {value, line, row} = member;
    if (typeof value === 'string') {
      entries.add(value, line, {row});
      continue;
    }
    if (!fits(listed, value)) {
      complain(entries.mistakes, source, domain, member);
      continue;
    }
    const severity = value.severity === undefined ? 'suspend' : severityOf(value.severity);
    if (severity === undefined) {
      entries.complain(line, () => `the severity is ${quotedWord(value.severity ?? '')}; allowed: noop, silence, suspend`, row);
      continue;
    }
    const facts = {
      severity,
      public_comment: value.public_comment ?? value.comment ?? undefined,
      private_comment: value.private_comment ?? undefined,
      reject_media: value.reject_media ?? undefined,
      reject_reports: value.reject_reports ?? undefined,
      obfuscate: value.obfuscate ?? undefined,
    };
    entries.add(value.domain, line, {facts, isMasked: isMasked(value.domain, value.digest), row});
  }
  return entries.list();
}

/** Ruby writes a time as `2027-01-31 10:00:00 UTC`. An invalid time counts as none. */
function endOf(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : (dateOf(text.replace(/ UTC$/, 'Z')) ?? null);
}

function readFilters(source: Source): FilterList {
  const entries: WantedFilter[] = [];
  const mistakes = new Mistakes();
  for (const member of membersIn(source)) {
    const {value: one, line} = member;
    if (!fits(filter, one)) {
      complain(mistakes, source, filter, member);
      continue;
    }
    const keywords = one.keywords_attributes ?? one.keywords ?? [];
    entries.push({
      value: one.title.trim(),
      filter: {
        context: [...new Set(one.context)].sort(compareText),
        action: one.action ?? one.filter_action ?? 'warn',
        expires: expiryText(expiryAt(endOf(one.expires_at ?? one.expire_at))),
        keywords: keywords
          .map((entry) => ({keyword: storedKeyword(entry.keyword), whole_word: entry.whole_word ?? true}))
          .sort((word, other) => compareText(word.keyword, other.keyword)),
      },
      location: {file: source.name, line},
    });
  }
  return {kind: 'filters', format: 'mastodon-json', name: source.name, entries, mistakes};
}
