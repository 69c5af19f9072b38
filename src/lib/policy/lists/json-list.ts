/** Reads lists in JSON: those of RapidBlock and Pixelfed, filters of Mastodon, answers of APIs, and what this program prints. */
import * as z from 'zod/mini';
import {hash} from 'node:crypto';
import {isObject} from '../../api/schema.js';
import {isJson} from '../../json/text.js';
import {comma, endOfSpace, endOfValue, isCloser} from '../../json/scan.js';
import {DomainList, type FilterList, type List} from './list.js';
import {complaintsOf, Mistakes, mistakeAt} from '../source/mistakes.js';
import {compareText} from '../source/location.js';
import {storedKeyword} from '../model/filter-value.js';
import type {DomainFacts} from '../model/domain-facts.js';
import {dateOf} from '../model/time.js';

const maybe = z.optional;

const comment = maybe(z.nullable(z.string()));
const flag = maybe(z.nullable(z.boolean()));
const rapidBlock = z.looseObject({isBlocked: z.boolean(), reason: comment});

/** The names are those of Mastodon's API for administrators, except `comment`, which its public API has. */
const listed = z.looseObject({
  domain: z.string(),
  severity: maybe(z.nullable(z.string())),
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
export function readJsonList(name: string, given: string): List {
  const text = given.trimEnd();
  const source = {name, text, start: endOfSpace(text, 0)};
  if (!isJson(text)) throw invalidAt(name, [...membersIn(source)].at(-1)?.line ?? 1);
  if (text[source.start] === '[') {
    const [first] = membersIn(source);
    return isObject(first?.value) && 'title' in first.value ? readFilters(source) : readDomains(source);
  }
  // Of two members with the same name the last one counts, as in JSON.parse.
  const members = new Map(membersIn(source).map((member) => [member.name, member]));
  const listAt = (key: string): Source[] => {
    const {value, start = 0} = members.get(key) ?? {};
    return Array.isArray(value) ? [{...source, start}] : [];
  };
  const blocks = members.get('blocks');
  if (blocks !== undefined && isObject(blocks.value)) return readRapidBlock({...source, start: blocks.start});
  const [filters] = listAt('custom_filters');
  if (filters !== undefined) return readFilters(filters);
  const [banned, unlisted, warned] = [listAt('banned'), listAt('unlisted'), listAt('auto_cw')];
  if (banned.length + unlisted.length + warned.length > 0) return readPixelfedInstances(name, banned, unlisted, warned);
  const isError = ['error', 'errors', 'message'].some((one) => members.has(one));
  throw mistakeAt(name, 1, isError ? 'an error of a server in JSON, not a list' : 'JSON, but not a known format of lists');
}

interface Member {
  /** Empty for an item of a list. */
  readonly name: string;
  readonly value: unknown;
  /** Where its value begins. */
  readonly start: number;
  readonly line: number;
}

const invalidAt = (name: string, line: number) => mistakeAt(name, line, 'not valid JSON, or incomplete');

/**
 * The members of a list or an object, one after the other, because there may be very many.
 * @throws Failure `usage` at a member that is not JSON, or that no comma follows
 */
function* membersIn({name, text, start}: Source): Generator<Member, undefined> {
  const isNamed = text[start] === '{';
  let line = 1;
  let lineEnd = text.indexOf('\n');
  for (let at = endOfSpace(text, start + 1); !isCloser(text.charCodeAt(at));) {
    for (; lineEnd !== -1 && lineEnd < at; lineEnd = text.indexOf('\n', lineEnd + 1)) line += 1;
    const endOfName = isNamed ? endOfValue(text, at) : at;
    const value = isNamed ? endOfSpace(text, endOfSpace(text, endOfName) + 1) : at;
    const end = endOfValue(text, value);
    let member: Member;
    try {
      member = {
        name: isNamed ? String(JSON.parse(text.slice(at, endOfName))) : '',
        value: JSON.parse(text.slice(value, end)),
        start: value,
        line,
      };
    } catch {
      throw invalidAt(name, line);
    }
    yield member;
    at = endOfSpace(text, end);
    if (text.charCodeAt(at) === comma) at = endOfSpace(text, at + 1);
    else if (!isCloser(text.charCodeAt(at))) throw invalidAt(name, line);
  }
}

/** Each member that has the shape, with its value. The others are mistakes. */
function* fittingIn<Shape extends z.ZodMiniType>(
  source: Source,
  mistakes: Mistakes,
  shape: Shape,
): Generator<readonly [value: z.output<Shape>, member: Member]> {
  for (const member of membersIn(source)) {
    const {value, line} = member;
    const {success, data} = z.safeParse(shape, value);
    if (success) yield [data, member];
    else mistakes.add({file: source.name, line}, () => complaintText(shape, value));
  }
}

function complaintText(shape: z.ZodMiniType, value: unknown): string {
  const [{path, message} = {path: [], message: 'another value is expected'}] = complaintsOf(shape, value);
  // The message names the missing key.
  const within = message.endsWith(' is missing') ? path.slice(0, -1) : path;
  return [...within.map(String), message].join(': ');
}

const factsOf = (list: DomainList, facts: DomainFacts): DomainFacts | undefined => list.factsFor(JSON.stringify(facts), () => facts);

function readRapidBlock(source: Source): DomainList {
  const list = new DomainList(source.name, 'rapidblock-json');
  for (const [{isBlocked, reason}, {name, line}] of fittingIn(source, list.mistakes, rapidBlock))
    list.add(name, line, factsOf(list, {severity: isBlocked ? 'suspend' : 'noop', public_comment: reason ?? undefined}));
  return list;
}

/** Content warnings are no block. A server in several lists counts as in the most severe one. */
function readPixelfedInstances(
  name: string,
  banned: readonly Source[],
  unlisted: readonly Source[],
  warned: readonly Source[],
): DomainList {
  const list = new DomainList(name, 'pixelfed-instances');
  const known = new Set<string>();
  const lists = [
    [banned, 'suspend'],
    [unlisted, 'silence'],
    [warned, 'noop'],
  ] as const;
  for (const [sources, severity] of lists)
    for (const [value, {line}] of sources.flatMap((source) => [...fittingIn(source, list.mistakes, z.string())]))
      if (!known.has(value)) {
        known.add(value);
        list.add(value, line, factsOf(list, {severity}));
      }
  return list;
}

/** Whether a domain is not the one that its SHA-256 was made from. Any other text says nothing about the domain. */
function isMasked(domain: string, digest: string | null | undefined): boolean {
  if (!/^[\da-f]{64}$/i.test(digest ?? '')) return false;
  return ![domain, domain.trim().toLowerCase()].some((text) => hash('sha256', text) === digest?.toLowerCase());
}

function readDomains(source: Source): DomainList {
  const list = new DomainList(source.name, 'json');
  for (const [value, {line}] of fittingIn(source, list.mistakes, domain)) {
    if (typeof value === 'string') {
      list.add(value, line);
      continue;
    }
    const severity = list.severityIn(value.severity ?? 'suspend', line);
    if (severity === undefined) continue;
    const facts = factsOf(list, {
      severity,
      public_comment: value.public_comment ?? value.comment ?? undefined,
      private_comment: value.private_comment ?? undefined,
      reject_media: value.reject_media ?? undefined,
      reject_reports: value.reject_reports ?? undefined,
      obfuscate: value.obfuscate ?? undefined,
    });
    list.add(value.domain, line, facts, isMasked(value.domain, value.digest));
  }
  return list;
}

/** Ruby writes a time as `2027-01-31 10:00:00 UTC`. An invalid time counts as none. */
const endOf = (text: string | null | undefined): string => dateOf((text ?? '').replace(/ UTC$/, 'Z'))?.toISOString() ?? 'never';

function readFilters(source: Source): FilterList {
  const entries: FilterList['entries'][number][] = [];
  const mistakes = new Mistakes();
  for (const [one] of fittingIn(source, mistakes, filter)) {
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
  }
  return {kind: 'filters', name: source.name, entries, mistakes};
}
