/** Lists in JSON: of RapidBlock, filters of Mastodon, answers of APIs, output of this program. */
import {createHash} from 'node:crypto';
import * as z from 'zod/mini';
import {endOfSeparator, endOfSpace, endOfString, endOfValue, isCloser} from '../../json/scan.js';
import {stringOf} from '../../json/slices.js';
import {DomainEntries} from './domain-entries.js';
import type {DomainList, FilterList, List} from './list.js';
import {complaintsOf, type Mistake, mistakesFailure, quotedWord} from '../mistakes.js';
import {compareText} from '../location.js';
import {storedKeyword, type WantedFilter} from '../policy.js';
import {severityOf} from '../severity.js';
import {dateOf, expiryAt} from '../time.js';

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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text, and the path of the list in it. */
interface Source {
  readonly name: string;
  readonly text: string;
  /** Outermost first. */
  readonly path: readonly string[];
}

/** @throws Failure `usage` for invalid JSON or an unknown list */
export function readJsonList(name: string, text: string): List {
  const value = parsed(name, text);
  if (isObject(value) && isObject(value['blocks'])) return readRapidBlock({name, text, path: ['blocks']}, value['blocks']);
  if (isObject(value) && Array.isArray(value['custom_filters']))
    return readFilters({name, text, path: ['custom_filters']}, value['custom_filters']);
  if (Array.isArray(value) && value.some((item: unknown) => isObject(item) && 'title' in item))
    return readFilters({name, text, path: []}, value);
  if (Array.isArray(value)) return readDomains({name, text, path: []}, value);
  const isError = isObject(value) && ['error', 'errors', 'message'].some((key) => key in value);
  const message = isError ? 'an error of a server in JSON, not a list' : 'JSON, but not a known list of domains or filters';
  throw mistakesFailure(name, [{file: name, line: 1, message}]);
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
    const lastLine = text.trimEnd().split('\n').length;
    const location = {line: Number(line ?? lastLine), column: column === undefined ? undefined : Number(column)};
    throw mistakesFailure(name, [{file: name, ...location, message: 'not valid JSON, or incomplete'}]);
  }
}

interface Members<Value> {
  readonly fit: readonly {readonly key: number | string; readonly line: number; readonly value: Value}[];
  readonly mistakes: readonly Mistake[];
}

/** The members of a list or object that match a schema, and the mistakes in the others. */
function membersIn<Schema extends z.ZodMiniType>(
  {name, text, path}: Source,
  schema: Schema,
  members: Iterable<readonly [number | string, unknown]>,
): Members<z.output<Schema>> {
  const lines = memberLines(text, path);
  const fit: Members<z.output<Schema>>['fit'][number][] = [];
  const mistakes: Mistake[] = [];
  for (const [key, member] of members) {
    const line = lines.get(key) ?? 1;
    const result = z.safeParse(schema, member);
    if (result.success) fit.push({key, line, value: result.data});
    else
      for (const {path: inner, message} of complaintsOf(schema, member)) {
        // The message names the missing key.
        const within = message.endsWith(' is missing') ? inner.slice(0, -1) : inner;
        mistakes.push({file: name, line, message: [...within.map(String), message].join(': ')});
      }
  }
  return {fit, mistakes};
}

function withMistakes(list: DomainList, mistakes: readonly Mistake[]): DomainList {
  return {...list, mistakes: [...list.mistakes, ...mistakes]};
}

function readRapidBlock(source: Source, value: Readonly<Record<string, unknown>>): DomainList {
  const entries = new DomainEntries(source.name, 'rapidblock-json');
  const {fit, mistakes} = membersIn(source, rapidBlock, Object.entries(value));
  for (const {
    key,
    line,
    value: {isBlocked, reason},
  } of fit)
    entries.add(String(key), line, {severity: isBlocked ? 'suspend' : 'noop', public_comment: reason ?? undefined});
  return withMistakes(entries.list(), mistakes);
}

/** Whether a domain is not the one that its SHA-256 was made from. */
function isMasked(domain: string, digest: string | null | undefined): boolean {
  // Anything else says nothing about the domain.
  if (!/^[\da-f]{64}$/i.test(digest ?? '')) return false;
  const made = (text: string) => createHash('sha256').update(text).digest('hex');
  return ![made(domain), made(domain.trim().toLowerCase())].includes(digest?.toLowerCase() ?? '');
}

function readDomains(source: Source, value: readonly unknown[]): DomainList {
  const entries = new DomainEntries(source.name, 'json');
  const {fit, mistakes} = membersIn(source, domain, value.entries());
  for (const {line, value: item} of fit) {
    if (typeof item === 'string') {
      entries.add(item, line);
      continue;
    }
    const severity = item.severity === undefined ? 'suspend' : severityOf(item.severity);
    if (severity === undefined)
      entries.complain(line, `the severity is ${quotedWord(item.severity ?? '')}; allowed: noop, silence, suspend`);
    else
      entries.add(
        item.domain,
        line,
        {
          severity,
          public_comment: item.public_comment ?? item.comment ?? undefined,
          private_comment: item.private_comment ?? undefined,
          reject_media: item.reject_media ?? undefined,
          reject_reports: item.reject_reports ?? undefined,
          obfuscate: item.obfuscate ?? undefined,
        },
        isMasked(item.domain, item.digest),
      );
  }
  return withMistakes(entries.list(), mistakes);
}

/** Ruby writes a time as `2027-01-31 10:00:00 UTC`. An invalid time counts as none. */
function endOf(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : (dateOf(text.replace(/ UTC$/, 'Z')) ?? null);
}

function readFilters(source: Source, value: readonly unknown[]): FilterList {
  const {fit, mistakes} = membersIn(source, filter, value.entries());
  const entries = fit.map(({line, value: one}): WantedFilter => {
    const keywords = one.keywords_attributes ?? one.keywords ?? [];
    return {
      title: one.title.trim(),
      context: [...new Set(one.context)].sort(compareText),
      action: one.action ?? one.filter_action ?? 'warn',
      expires: expiryAt(endOf(one.expires_at ?? one.expire_at)),
      exactly: true,
      keywords: keywords.map((entry) => ({keyword: storedKeyword(entry.keyword), wholeWord: entry.whole_word ?? true})),
      location: {file: source.name, line},
    };
  });
  return {kind: 'filters', format: 'mastodon-json', name: source.name, entries, mistakes};
}

interface Member {
  /** Where its name begins, or its value where it has no name. */
  readonly at: number;
  readonly name: string | undefined;
  readonly value: number;
}

function* membersOf(text: string, start: number): Generator<Member> {
  const isObject = text[start] === '{';
  let at = endOfSpace(text, start + 1);
  while (at < text.length && !isCloser(text.charCodeAt(at))) {
    const endOfName = isObject ? endOfString(text, at) : at;
    const value = isObject ? endOfSeparator(text, endOfName) : at;
    yield {at, name: isObject ? stringOf(text.slice(at, endOfName)) : undefined, value};
    at = endOfSeparator(text, endOfValue(text, value));
  }
}

function startOf(text: string, path: readonly string[]): number {
  let start = endOfSpace(text, 0);
  for (const name of path) for (const member of membersOf(text, start)) if (member.name === name) start = member.value;
  return start;
}

/** The lines of the members of a list or object, by index or name. */
function memberLines(text: string, path: readonly string[] = []): Map<number | string, number> {
  const lines = new Map<number | string, number>();
  let line = 1;
  let counted = 0;
  let index = 0;
  for (const {at, name} of membersOf(text, startOf(text, path))) {
    for (let end = text.indexOf('\n', counted); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
      line += 1;
      counted = end + 1;
    }
    lines.set(name ?? index, line);
    index += 1;
  }
  return lines;
}
