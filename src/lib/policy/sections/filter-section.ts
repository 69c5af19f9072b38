/** The section `filters`. A filter is named by its title; the second one with the same title, in order of ids, is called `Title (2)`. */
import * as z from 'zod/mini';
import {itemsOnServer, pathId} from './answers.js';
import {maybe, someText, until} from './section-fields.js';
import type {Item, Kind, Row} from './policy-kind.js';
import {placed, type SectionReader} from './reader.js';
import type {PlainInput} from '../../api/endpoint.js';
import {maxExpiry} from '../../api/entities.js';
import {createFilter, deleteFilter, listFilters} from '../../api/filters.js';
import {field, once} from '../../api/schema.js';
import {compareIds} from '../../json/path.js';
import {expiresIn, type FilterEnd, filterUpdate, keywordEntries} from '../../operations/filters.js';
import {endsOtherwise, type FilterValue, isOverBy, type Keyword, type StoredKeyword, storedKeyword} from '../model/filter-value.js';
import {durationOf, endOf} from '../model/time.js';
import {toFilter} from '../model/value.js';
import {compareText} from '../source/location.js';

/** The contexts of Pixelfed and of other servers. */
const contexts = ['home', 'public', 'tags', 'notifications', 'thread', 'account'] as const;
const filterActions = ['warn', 'hide', 'blur'] as const;

const filtersSchema = once(() => {
  const keyword = z.strictObject({
    keyword: field(someText, 'the word or phrase'),
    whole_word: maybe(z.boolean(), 'whether it matches whole words only', {default: true}),
  });
  const keywords = z.array(z.union([someText, keyword], 'text or {keyword, whole_word} is expected'));
  const filter = z.strictObject({
    title: field(someText, 'the title, which identifies the filter'),
    context: field(z.array(z.enum(contexts)).check(z.minLength(1, 'expected at least one context')), 'where the filter applies'),
    action: maybe(z.enum(filterActions), 'what happens to matching posts; not compared if absent'),
    keywords: field(keywords.check(z.minLength(1, 'expected at least one keyword')), 'the complete list of keywords'),
    until,
    expires: maybe(
      z
        .string()
        .check(z.refine((text) => endOf(text) !== undefined, 'expected never, a date such as 2027-01-31, or a time such as 90d'))
        .check(z.refine((text) => (durationOf(text) ?? 0) <= maxExpiry, 'must be at most two years (730d)')),
      'when the filter expires: never, on a date, or at most this long from now',
    ),
  });
  return z.strictObject({
    must: maybe(z.array(filter), 'filters that must exist'),
    must_not: maybe(z.array(someText), 'titles of filters that must not exist'),
    only: maybe(z.boolean(), 'no other filter may exist', {default: false}),
  });
});

type FiltersData = z.infer<ReturnType<typeof filtersSchema>>;

function filterIn(
  {context, action, keywords, expires = ''}: NonNullable<FiltersData['must']>[number],
  complain: (message: string) => void,
): FilterValue {
  const words = keywords.map((entry) => {
    const {keyword, whole_word = true} = typeof entry === 'string' ? {keyword: entry} : entry;
    return {keyword: storedKeyword(keyword), whole_word};
  });
  const repeated = words.find(({keyword}, index) => words.findLastIndex((one) => one.keyword === keyword) > index);
  if (repeated !== undefined) complain(`the keyword "${repeated.keyword}" is repeated`);
  return valueOf({context, action, expires: endOf(expires), keywords: words});
}

/** Contexts and keywords are sorted, each of them once: the first of a keyword counts. */
function valueOf({context, keywords, ...rest}: FilterValue): FilterValue {
  const first = new Map(keywords.toReversed().map(({keyword, whole_word}) => [keyword, {keyword, whole_word}]));
  const sorted = [...first.values()].sort((one, other) => compareText(one.keyword, other.keyword));
  return {...rest, context: [...new Set(context)].sort(compareText), keywords: sorted};
}

const shape = once(() =>
  z.looseObject({
    id: pathId,
    title: z.string(),
    context: z.array(z.string()),
    filter_action: z.string(),
    expires_at: z.nullable(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time'))),
    keywords: z.array(
      z.looseObject({id: z.union([z.number(), z.string().check(z.regex(/^\d+$/))]), keyword: z.string(), whole_word: z.boolean()}),
    ),
  }),
);

function itemOf({id: filterId, context, filter_action: action, expires_at, keywords: all}: z.output<ReturnType<typeof shape>>) {
  const keywords = all.map(({id, keyword, whole_word}) => ({id: Number(id), keyword: storedKeyword(keyword), whole_word}));
  const expires = expires_at === null ? 'never' : new Date(expires_at).toISOString();
  return {id: String(filterId), keywords, value: valueOf({context, action, expires, keywords})};
}

/** Filters by name. Filters with the same title get different names: `Title`, `Title (2)`. */
function byTitle(filters: readonly (readonly [title: string, Item])[]): Map<string, Item> {
  const named = new Map<string, Item>();
  for (const [text, filter] of filters) {
    const title = text.trim();
    let name = title;
    for (let count = 2; named.has(name); count += 1) name = `${title} (${count})`;
    named.set(name, filter);
  }
  return named;
}

function keywordChanges({want, keywords = []}: Row) {
  const asked = new Map(toFilter(want).keywords.map((one) => [one.keyword, one]));
  const seen = new Set<string>();
  const [remove, change]: [number[], Pick<StoredKeyword, 'id' | 'whole_word'>[]] = [[], []];
  let unchanged: number | undefined;
  for (const {id, keyword, whole_word} of keywords) {
    const wanted = asked.get(keyword);
    if (wanted === undefined || seen.has(keyword)) remove.push(id);
    else if (wanted.whole_word === whole_word) unchanged ??= id;
    else change.push({id, whole_word: wanted.whole_word});
    seen.add(keyword);
  }
  return {add: [...asked.values()].filter(({keyword}) => !seen.has(keyword)), remove, change, unchanged};
}

const filterEnd = (end: string | undefined): FilterEnd | undefined =>
  end === undefined || end === 'never' ? end : (durationOf(end) ?? new Date(end));

function bodyOf(row: Row, now: Date): NonNullable<PlainInput['body']> {
  const isNew = row.action === 'add';
  const [before, {context, action, expires, keywords}] = [toFilter(row.has), toFilter(row.want)];
  return {
    ...(isNew && {title: row.name}),
    ...((isNew || before.context.join() !== context.join()) && {context}),
    ...(action !== undefined && before.action !== action && {filter_action: action}),
    ...(before.expires !== expires && expiresIn(filterEnd(expires), isNew ? 'new filter' : 'existing filter', now)),
    ...(isNew ? {keywords_attributes: keywords} : keywordEntries(keywordChanges(row))),
  };
}

/**
 * Sorts changes so that servers accept them. A keyword may be in one filter only, so filters give up keywords before others take them. An
 * update that gives up a keyword for another filter, and takes some itself, is split in two.
 */
function inOrder(rows: readonly Row[]): Row[] {
  const isKeywordOf = ({want}: Row, {keyword}: Keyword) => toFilter(want).keywords.some((one) => one.keyword === keyword);
  const taken = (row: Row): readonly Keyword[] =>
    row.action === 'add' ? toFilter(row.want).keywords : row.action === 'update' ? keywordChanges(row).add : [];
  const takers = new Map(rows.flatMap((row) => taken(row).map(({keyword}) => [keyword, row])));
  const of = (action: Row['action']) => rows.filter((row) => row.action === action);
  const [releases, rest]: [Row[], Row[]] = [[], []];
  for (const row of of('update')) {
    const {keywords = [], want} = row;
    const added = taken(row);
    const between = {...row, want: {...toFilter(want), keywords: toFilter(want).keywords.filter((one) => !added.includes(one))}};
    const isRelease = keywords.some((one) => !isKeywordOf(row, one) && takers.has(one.keyword));
    if (isRelease) releases.push(between);
    if (!isRelease) rest.push(row);
    else if (added.length > 0) rest.push({...row, has: between.want, keywords: keywords.filter((one) => isKeywordOf(between, one))});
  }
  return [...of('remove'), ...releases, ...rest, ...of('add')];
}

const nameIn = (text: string): string => text.trim();

export const filters: Kind = {
  key: 'filters',
  section: {
    noun: 'filter',
    nameIn,
    schema: once(() => field(filtersSchema(), 'content filters')),
    readRules(reader: SectionReader<FiltersData>) {
      const {must, mustNot} = reader.readNames(reader.data.must, placed(reader.data.must_not, 'must_not'), {
        readMust: (data, path) => ({
          value: nameIn(data.title),
          filter: filterIn(data, (message) => reader.complain([...path, 'keywords'], message)),
        }),
        readMustNot: (title) => ({value: nameIn(title)}),
        shown: (title) => JSON.stringify(title),
        countsInstead({value}, {where}, path) {
          reader.complain(path, `two filters are titled "${value}" (the other at ${where})`);
          return false;
        },
      });
      return {must: must.sort((one, other) => compareText(one.value, other.value)), mustNot, only: reader.only};
    },
  },
  owner: 'account',
  item: 'filter',
  done: 'there',
  calls: [listFilters, createFilter, filterUpdate, deleteFilter],
  async read(client, now, seen) {
    const all = (await itemsOnServer(client, listFilters, shape(), seen)).map((one) => [one.title, itemOf(one)] as const);
    const current = all.filter(([, {value}]) => !isOverBy(value, now.getTime()));
    return {items: byTitle(current.sort(([, one], [, other]) => compareIds(one.id, other.id)))};
  },
  narrow(_, __, {now}) {
    const time = now.getTime();
    return {
      /** A filter whose date in the policy has passed is not made. One that is there stays as it is. */
      hold(_name, {value, why}, has) {
        const asked = toFilter(value);
        if (has !== null || !isOverBy(asked, time)) return undefined;
        return {says: `its date has passed (${asked.expires}): the rule has no effect`, why};
      },
      /** An action or an end that the policy does not mention stays as it is. */
      fit({value}, has) {
        const [asked, stands] = [toFilter(value), toFilter(has)];
        if (has !== null && isOverBy(asked, time)) return has;
        const stays = has !== null && !endsOtherwise(asked.expires, stands.expires, time);
        return {...asked, action: asked.action ?? stands.action, expires: stays ? stands.expires : asked.expires};
      },
    };
  },
  order: inOrder,
  send(row, {now}) {
    if (row.action === 'add') return {operation: createFilter, input: {body: bodyOf(row, now)}};
    const path = {id: row.id ?? ''};
    return row.action === 'remove'
      ? {operation: deleteFilter, input: {path}}
      : {operation: filterUpdate, input: {path, body: bodyOf(row, now)}};
  },
};
