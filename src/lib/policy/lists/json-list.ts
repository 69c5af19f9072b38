/** Lists in JSON: RapidBlock's, Mastodon's filters, what APIs and this program itself answer. */
import * as z from 'zod/mini';
import {storedKeyword} from '../filter-rules.js';
import {complaintsOf, refuseMistakes} from '../mistakes.js';
import {severityOf} from '../severity.js';
import {dateOf} from '../time.js';
import {DomainEntries} from './domain-entries.js';
import {memberLines} from './json-lines.js';
import type {DomainList, FilterList, List, ListedFilter} from './list.js';

const maybe = z.optional;

const comment = maybe(z.nullable(z.string()));
const rapidBlock = z.record(z.string(), z.looseObject({isBlocked: z.boolean(), reason: comment}));

const listed = z.looseObject({domain: z.string(), severity: maybe(z.string()), comment, public_comment: comment});
const domains = z.array(z.union([z.string(), listed], 'expected a domain or {domain}'));

const keyword = z.looseObject({keyword: z.string(), whole_word: maybe(z.boolean())});

/** As Mastodon exports filters, and as the API answers them. */
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
const filters = z.array(filter);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is read, and where its members stand. */
interface Source {
  readonly name: string;
  readonly text: string;
  /** Outermost first. */
  readonly path: readonly string[];
}

/** @throws Failure `usage` for what is no JSON, or no list that is known */
export function readJsonList(name: string, text: string): List {
  const value = parsed(name, text);
  if (isObject(value) && 'blocks' in value) return readRapidBlock({name, text, path: ['blocks']}, value.blocks);
  if (isObject(value) && 'custom_filters' in value) return readFilters({name, text, path: ['custom_filters']}, value.custom_filters);
  if (Array.isArray(value) && value.some((item: unknown) => isObject(item) && 'title' in item))
    return readFilters({name, text, path: []}, value);
  if (!Array.isArray(value))
    refuseMistakes(name, [{file: name, line: 1, message: 'JSON, but no list of domains or filters that is known'}]);
  return readDomains({name, text, path: []}, value);
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
    const lastLine = text.trimEnd().split('\n').length;
    refuseMistakes(name, [
      {
        file: name,
        line: Number(line ?? lastLine),
        column: column === undefined ? undefined : Number(column),
        message: 'not valid JSON, or not whole',
      },
    ]);
    return undefined;
  }
}

/** The value in the shape of a schema, or every mistake with its line. */
function fitting<Schema extends z.ZodMiniType>({name, text, path}: Source, schema: Schema, value: unknown): z.output<Schema> {
  const complaints = complaintsOf(schema, value);
  if (complaints.length > 0) {
    const lines = memberLines(text, path);
    const lineOf = (member: PropertyKey | undefined) => (typeof member === 'symbol' || member === undefined ? 1 : (lines.get(member) ?? 1));
    const within = (inner: readonly PropertyKey[], message: string) => inner.slice(1, message.endsWith(' is missing') ? -1 : undefined);
    refuseMistakes(
      name,
      complaints.map(({path: inner, message}) => ({
        file: name,
        line: lineOf(inner[0]),
        message: [...within(inner, message), message].map(String).join(': '),
      })),
    );
  }
  return z.parse(schema, value);
}

function readRapidBlock(source: Source, value: unknown): DomainList {
  const entries = new DomainEntries(source.name, 'rapidblock-json');
  const lines = memberLines(source.text, source.path);
  for (const [domain, {isBlocked, reason}] of Object.entries(fitting(source, rapidBlock, value))) {
    entries.add(domain, lines.get(domain) ?? 1, {severity: isBlocked ? 'suspend' : 'noop', publicComment: reason ?? undefined});
  }
  return entries.end();
}

function readDomains(source: Source, value: unknown): DomainList {
  const entries = new DomainEntries(source.name, 'json');
  const lines = memberLines(source.text, source.path);
  for (const [index, item] of fitting(source, domains, value).entries()) {
    const line = lines.get(index) ?? 1;
    if (typeof item === 'string') {
      entries.add(item, line);
      continue;
    }
    const severity = item.severity === undefined ? 'suspend' : severityOf(item.severity);
    if (severity === undefined) entries.complain(line, `the severity is "${item.severity}"; allowed: noop, silence, suspend`);
    else entries.add(item.domain, line, {severity, publicComment: item.public_comment ?? item.comment ?? undefined});
  }
  return entries.end();
}

/** Ruby writes a time as `2027-01-31 10:00:00 UTC`. */
function endOf(text: string | null | undefined): Date | null {
  return text === null || text === undefined ? null : (dateOf(text.replace(/ UTC$/, 'Z')) ?? null);
}

function readFilters(source: Source, value: unknown): FilterList {
  const read = fitting(source, filters, value);
  const lines = memberLines(source.text, source.path);
  const entries = read.map((one, index): ListedFilter => {
    const keywords = one.keywords_attributes ?? one.keywords ?? [];
    return {
      title: one.title.trim(),
      context: one.context,
      action: one.action ?? one.filter_action ?? 'warn',
      expiresAt: endOf(one.expires_at ?? one.expire_at),
      keywords: keywords.map((entry) => ({keyword: storedKeyword(entry.keyword), wholeWord: entry.whole_word ?? true})),
      place: {file: source.name, line: lines.get(index) ?? 1},
    };
  });
  return {kind: 'filters', format: 'mastodon-json', name: source.name, entries};
}
