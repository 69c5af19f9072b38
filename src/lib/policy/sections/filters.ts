/** Content filters. Their titles are their names: of several with one title the second, by id, is called `Title (2)`. */
import * as z from 'zod/mini';
import {compareIds} from '../../json/compare-ids.js';
import {actions, contexts, filterActions, filtersSchema, type FiltersData, readFilters, storedKeyword} from '../section/filters-read.js';
import type {Section, Side} from './section.js';
import {createFilter, deleteFilter, listFilters} from '../../api/filters.js';
import {field, isObject, once} from '../../api/schema.js';
import {commandText} from '../../files/command-text.js';
import {expiresIn, type FilterEnd, filterUpdate, keywordEntries} from '../../operations/filters.js';
import type {Actual, Desired, Item, Kind, Row, Want} from '../model/kind.js';
import type {FilterRules} from '../model/policy.js';
import {endTolerance, expiryOf, untilText} from '../model/time.js';
import {itemsOnServer, pathId, checkAnswerShape} from '../section/answers.js';
import type {SectionReader} from '../section/reader.js';
import {compareText, locationText} from '../source/location.js';
import {areEqual, type FilterValue, type Value} from '../model/value.js';
import type {WrittenList} from '../lists/write-list.js';

export function mastodonFilters(items: readonly (readonly [title: string, value: FilterValue])[]): WrittenList {
  const custom_filters = items.map(([title, {context, action, expires, keywords}]) => ({
    title,
    expire_at: expires === undefined || expires === 'never' ? null : expires,
    context,
    action,
    keywords_attributes: keywords,
    statuses: [],
  }));
  return {text: `${JSON.stringify({custom_filters}, null, 2)}\n`, leftOut: []};
}

const key = 'filters';

const shape = once(() =>
  z.array(
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
  ),
);

/** What only the server knows of a filter. */
interface Raw {
  readonly title: string;
  readonly keywords: readonly {readonly id: number; readonly keyword: string; readonly whole_word: boolean}[];
}

const isRaw = (value: unknown): value is Raw => isObject(value) && Array.isArray(value['keywords']);
const rawOf = (value: unknown): Raw => (isRaw(value) ? value : {title: '', keywords: []});

const filterOf = (value: Value | null): FilterValue | undefined =>
  value !== null && value !== true && 'keywords' in value ? value : undefined;
const empty: FilterValue = {context: [], keywords: []};

function itemOf(filter: z.output<ReturnType<typeof shape>>[number]): Item & {readonly raw: Raw; readonly value: FilterValue} {
  const keywords = filter.keywords.map(({id, keyword, whole_word}) => ({id: Number(id), keyword: storedKeyword(keyword), whole_word}));
  const once = new Map(keywords.toReversed().map((one) => [one.keyword, one]));
  return {
    id: String(filter.id),
    raw: {title: filter.title, keywords},
    value: {
      context: [...new Set(filter.context)].sort(compareText),
      action: filter.filter_action,
      expires: filter.expires_at === null ? 'never' : new Date(filter.expires_at).toISOString(),
      keywords: [...once.values()]
        .map(({keyword, whole_word}) => ({keyword, whole_word}))
        .sort((one, other) => compareText(one.keyword, other.keyword)),
    },
  };
}

/** Filters by their titles, of which each is one name. */
export function byTitle<One>(filters: readonly (readonly [title: string, One])[]): Map<string, One> {
  const named = new Map<string, One>();
  const counts = new Map<string, number>();
  for (const [text, filter] of filters) {
    const title = text.trim();
    let count = counts.get(title) ?? 1;
    let name = title;
    while (named.has(name)) name = `${title} (${(count += 1)})`;
    counts.set(title, count);
    named.set(name, filter);
  }
  return named;
}

const byId = ({id: one = ''}: Item, {id: other = ''}: Item): number => compareIds(one, other);

/** Whether a filter has ended. */
const isOver = ({expires}: FilterValue, now: Date): boolean =>
  expires !== undefined && expires !== 'never' && Date.parse(expires) <= now.getTime();

/** Whether the end of a filter is another one than a policy asks for. Servers count by their own clocks. */
function endsOtherwise(asked: string | undefined, has: string | undefined, now: Date): boolean {
  const expiry = asked === undefined ? undefined : expiryOf(asked);
  if (expiry === undefined) return false;
  if (expiry.kind === 'never') return has !== undefined && has !== 'never';
  if (has === undefined || has === 'never') return true;
  const [end, tolerance] = [Date.parse(has), endTolerance * 1000];
  if (expiry.kind === 'date') return Math.abs(end - expiry.at.getTime()) > tolerance;
  return end > now.getTime() + expiry.seconds * 1000 + tolerance;
}

/** Whether two ends may be the same: one that is not said is any, and one that counts from now on is on another day. */
function endAlike(one: string | undefined, other: string | undefined): boolean {
  const [mine, others] = [one, other].map((text) => (text === undefined ? undefined : expiryOf(text)));
  if (mine === undefined || others === undefined) return true;
  if (mine.kind === 'never' || others.kind === 'never') return mine.kind === others.kind;
  if (mine.kind === 'within' || others.kind === 'within') return true;
  return Math.abs(mine.at.getTime() - others.at.getTime()) <= endTolerance * 1000;
}

/** Whether two filters differ in nothing that both say. */
function areAlike(one: FilterValue, other: FilterValue): boolean {
  const isActionAlike = one.action === undefined || other.action === undefined || one.action === other.action;
  return isActionAlike && endAlike(one.expires, other.expires) && areEqual([one.context, one.keywords], [other.context, other.keywords]);
}

/** A filter as asked; what the policy leaves open stays as it is. */
function fitFilter(asked: FilterValue, has: FilterValue | undefined, now: Date): FilterValue {
  const {action = has?.action, context, keywords} = asked;
  const expires = has !== undefined && !endsOtherwise(asked.expires, has.expires, now) ? has.expires : asked.expires;
  return {context, ...(action !== undefined && {action}), ...(expires !== undefined && {expires}), keywords};
}

const keywordText = ({keyword, whole_word}: FilterValue['keywords'][number]): string =>
  whole_word ? keyword : `${keyword} (also inside words)`;

const quoteKeyword = ({keyword, whole_word}: FilterValue['keywords'][number]): string =>
  `“${keyword}”${whole_word ? '' : ' (also inside words)'}`;

const keywordsText = (keywords: FilterValue['keywords']): string =>
  keywords.length === 0 ? 'no keywords' : `keywords: ${keywords.map(keywordText).join(', ')}`;

function endText(expires: string): string {
  if (expires === 'never') return 'never ends';
  return /^\d{4}-/.test(expires) ? `ends ${expires}` : `ends in ${expires}`;
}

const partsOf = ({title, action, context, keywords, expires}: FilterValue) => ({
  title: title === undefined ? 'under this title' : `called “${title}”`,
  action,
  context: `in ${context.join(', ')}`,
  keywords: keywordsText(keywords),
  expires: expires === undefined || expires === 'never' ? undefined : endText(expires),
});

/** A filter in one line. @param other says which parts matter: those that differ */
export function filterText(filter: FilterValue, other?: FilterValue): string {
  const {title, action, context, keywords, expires} = partsOf(filter);
  if (other === undefined) return [action, context, keywords, expires].filter((part) => part !== undefined).join('; ');
  const others = partsOf(other);
  const names = ['title', 'action', 'context', 'keywords'] as const;
  const mine = {title, action, context, keywords};
  return names
    .flatMap((name) => (mine[name] === undefined || others[name] === undefined || mine[name] === others[name] ? [] : mine[name]))
    .join('; ');
}

/** How the keywords of a filter change. */
function keywordChanges({has, want, raw}: Row) {
  const asked = new Map(filterOf(want)?.keywords.map((one) => [one.keyword, one]));
  const seen = new Set<string>();
  const remove: Raw['keywords'][number][] = [];
  const change: Raw['keywords'][number][] = [];
  let unchanged: number | undefined;
  for (const one of rawOf(raw).keywords) {
    const wanted = asked.get(one.keyword);
    if (wanted === undefined || seen.has(one.keyword)) remove.push(one);
    else if (wanted.whole_word === one.whole_word) unchanged ??= one.id;
    else change.push({...one, whole_word: wanted.whole_word});
    seen.add(one.keyword);
  }
  return {
    add: [...asked.values()].filter(({keyword}) => !seen.has(keyword)),
    remove,
    change,
    unchanged,
    hasRaw: filterOf(has) !== undefined,
  };
}

/** What of a filter an update changes. */
function changedParts({name, has, want}: Row) {
  const [before, after] = [filterOf(has) ?? empty, filterOf(want) ?? empty];
  return {
    ...(before.title !== after.title && {title: after.title ?? name}),
    ...(before.context.join() !== after.context.join() && {context: after.context}),
    ...(after.action !== undefined && before.action !== after.action && {filter_action: after.action}),
    ...(after.expires !== undefined && before.expires !== after.expires && {expires: after.expires}),
  };
}

function endOf(text: string | undefined): FilterEnd | undefined {
  const expiry = text === undefined ? undefined : expiryOf(text);
  if (expiry === undefined || expiry.kind === 'never') return expiry?.kind;
  return expiry.kind === 'within' ? expiry.seconds : expiry.at;
}

function detailsText(row: Row): string {
  const {action, want} = row;
  if (action === 'remove') return '';
  const after = filterOf(want) ?? empty;
  if (action === 'add') {
    const all = after.keywords.map(quoteKeyword).join(', ');
    const parts = [after.action, `in ${after.context.join(', ')}`, after.expires && endText(after.expires), all || 'no keywords'];
    return parts.filter((part) => part !== undefined && part !== '').join('; ');
  }
  const {title, context, filter_action, expires} = changedParts(row);
  const {add, remove, change} = keywordChanges(row);
  return [
    ...(title === undefined ? [] : [`called “${title}”`]),
    ...(filter_action === undefined ? [] : [filter_action]),
    ...(context === undefined ? [] : [`in ${context.join(', ')}`]),
    ...(expires === undefined ? [] : [endText(expires)]),
    ...add.map((one) => `+ ${quoteKeyword(one)}`),
    ...remove.map(({keyword}) => `- “${keyword}”`),
    ...change.map((one) => `~ ${quoteKeyword(one)}`),
  ].join('; ');
}

/**
 * The order that servers accept: a keyword may be in one filter only, so what gives up keywords goes first. An update that gives up a
 * keyword which another one takes, and takes some itself, is divided in two.
 */
function orderRows(rows: readonly Row[]): Row[] {
  const updates = rows.filter(({action}) => action === 'update');
  const takers = new Map<string, Row>();
  for (const row of rows)
    if (row.action === 'add') for (const {keyword} of filterOf(row.want)?.keywords ?? []) takers.set(keyword, row);
    else if (row.action === 'update') for (const {keyword} of keywordChanges(row).add) takers.set(keyword, row);
  const [releases, rest]: [Row[], Row[]] = [[], []];
  for (const row of updates) {
    const {add, remove} = keywordChanges(row);
    if (!remove.some(({keyword}) => takers.has(keyword) && takers.get(keyword) !== row)) rest.push(row);
    else if (!add.some(({keyword}) => takers.has(keyword)) || add.length === 0) releases.push(row);
    else {
      const added = new Set(add.map(({keyword}) => keyword));
      const want = filterOf(row.want) ?? empty;
      const between = {...want, keywords: want.keywords.filter(({keyword}) => !added.has(keyword))};
      const left = rawOf(row.raw).keywords.filter(({keyword}) => between.keywords.some((one) => one.keyword === keyword));
      releases.push({...row, want: between});
      rest.push({...row, has: between, raw: {...rawOf(row.raw), keywords: left}});
    }
  }
  return [...rows.filter(({action}) => action === 'remove'), ...releases, ...rest, ...rows.filter(({action}) => action === 'add')];
}

const kind: Kind = {
  kind: 'filter',
  owner: 'account',
  isNumbered: true,
  isGivenWhole: true,
  words: {item: 'filter', counted: ['filter', 'filters'], title: 'Filters', all: 'the filters', done: 'there'},
  reads: listFilters,
  operations: {add: createFilter, update: filterUpdate, remove: deleteFilter},
  async read(client, {now}, seen) {
    const all = checkAnswerShape(shape(), await itemsOnServer(client, listFilters, seen), client.host, listFilters.path).map(itemOf);
    const current = all.filter(({value}) => !isOver(value, now)).sort(byId);
    return {items: byTitle(current.map((item) => [item.raw.title, item]))};
  },
  narrow: (desired, _, {now}) => withTimes(desired, now),
  fit: (want, has, _, {now = new Date(0)}) => fitFilter(filterOf(want.value) ?? empty, filterOf(has), now),
  isLess(one, other) {
    const [mine, others] = [filterOf(one) ?? empty, filterOf(other) ?? empty];
    const words = new Map(mine.keywords.map(({keyword, whole_word}) => [keyword, whole_word]));
    return (
      (mine.title !== undefined && others.title === undefined) ||
      others.context.some((name) => !mine.context.includes(name)) ||
      (mine.action !== undefined && others.action !== undefined && actions.indexOf(mine.action) < actions.indexOf(others.action)) ||
      others.keywords.some(({keyword, whole_word}) => !words.has(keyword) || (!whole_word && words.get(keyword) === true)) ||
      endsEarlier(mine.expires, others.expires)
    );
  },
  isSame(has, set) {
    const [found, made] = [filterOf(has) ?? empty, filterOf(set) ?? empty];
    const isEnd = made.expires === undefined || !endsOtherwise(made.expires, found.expires, new Date(0));
    return isEnd && areEqual({...found, action: made.action && found.action, expires: undefined}, {...made, expires: undefined});
  },
  renamed: (value, called) => ({...(filterOf(value) ?? empty), title: called}),
  hasEnded: ({set}, now) => {
    const expires = filterOf(set)?.expires;
    return expires !== undefined && expires !== 'never' && Date.parse(expires) <= now.getTime() + endTolerance * 1000;
  },
  text: (value, other) => filterText(filterOf(value) ?? empty, other === undefined ? undefined : filterOf(other)),
  status(value, other) {
    const [mine, others] = [filterOf(value) ?? empty, filterOf(other) ?? empty];
    const ends = mine.expires === others.expires || mine.expires === undefined ? [] : [endText(mine.expires)];
    return [filterText(mine, others), ...ends].filter((part) => part !== '').join('; ');
  },
  details: (row) => detailsText(row),
  set(value, now) {
    const filter = filterOf(value) ?? empty;
    const expiry = filter.expires === undefined ? undefined : expiryOf(filter.expires);
    return expiry?.kind === 'within' ? {...filter, expires: new Date(now.getTime() + expiry.seconds * 1000).toISOString()} : filter;
  },
  input(row, {now}) {
    const {action, name, id = '', want} = row;
    if (action === 'remove') return {path: {id}};
    if (action === 'add') {
      const {context, action: filter_action, expires, keywords} = filterOf(want) ?? empty;
      const body = {
        title: name,
        context,
        ...(filter_action !== undefined && {filter_action}),
        ...expiresIn(endOf(expires), 'new filter', now),
        keywords_attributes: keywords,
      };
      return {body};
    }
    const {expires, ...fields} = changedParts(row);
    const {add, remove, change, unchanged} = keywordChanges(row);
    const changes = {
      add,
      remove: remove.map((one) => one.id),
      change: change.map((one) => ({id: one.id, whole_word: one.whole_word})),
      unchanged,
    };
    return {path: {id}, body: {...fields, ...expiresIn(endOf(expires), 'existing filter', now), ...keywordEntries(changes)}};
  },
  order: orderRows,
  command: ({action, id = ''}, account) => (action === 'remove' ? commandText('filters delete', {args: [id], flags: account}) : undefined),
  lost: ({action}) => (action === 'add' ? 'restored with a new id' : undefined),
};

/** Whether the first time is before the second one, by more than clocks differ. */
function endsEarlier(one: string | undefined, other: string | undefined): boolean {
  const at = (text: string | undefined) =>
    text === undefined ? undefined : text === 'never' ? Number.POSITIVE_INFINITY : Date.parse(text);
  const [mine, others] = [at(one), at(other)];
  // A time that is counted from the moment of sending ends before never.
  if (mine !== undefined && Number.isNaN(mine)) return others === Number.POSITIVE_INFINITY;
  return mine !== undefined && others !== undefined && mine + endTolerance * 1000 < others;
}

/** What is wanted now: a filter whose date has passed is not made. */
function withTimes(desired: Desired, now: Date): Desired {
  const want = new Map<string, Want>();
  const over: Row[] = [];
  for (const [name, one] of desired.want) {
    const filter = filterOf(one.value) ?? empty;
    const expiry = filter.expires === undefined ? undefined : expiryOf(filter.expires);
    if (expiry?.kind === 'date' && expiry.at <= now) {
      const says = `its date has passed (${expiry.at.toISOString()}): the rule has no effect`;
      over.push({kind, name, action: 'held', has: null, want: null, why: one.why, isAsked: true, says});
      continue;
    }
    want.set(name, one);
  }
  return {...desired, want, cannot: over, now};
}

/** Whether a policy can say it. */
function isWritable(title: string, {context, action, keywords}: FilterValue): boolean {
  return (
    title !== '' &&
    context.length > 0 &&
    context.every((one) => contexts.some((known) => known === one)) &&
    filterActions.some((known) => known === action) &&
    keywords.every(({keyword}) => keyword !== '')
  );
}

export const filters: Section = {
  key,
  kind,
  sentences: {
    must: 'These filters must exist as they are described.',
    must_not: 'Filters with these titles must not exist.',
    only: 'No other filter may exist.',
  },
  schema: () => field(filtersSchema, 'content filters'),
  rulesIn: (reader: SectionReader<FiltersData>) => readFilters(reader),
  desired({must, mustNot, only}: FilterRules) {
    const why = (rule: string, location: FilterRules['must'][number]['location']) => ({
      rule: `${key}.${rule}`,
      where: locationText(location),
    });
    return {
      want: new Map(must.map(({value, location, filter}): [string, Want] => [value, {value: filter, why: why('must', location)}])),
      never: new Map(mustNot.map(({value, location}) => [value, why('must_not', location)])),
      spared: new Map(),
      only: only && why('only', only),
    };
  },
  nameIn: (text) => text.trim(),
  canBe: () => true,
  reasons(name, {must, mustNot, only}: FilterRules) {
    const place = (rule: string, location: FilterRules['must'][number]['location']) => ({
      rule: `${key}.${rule}`,
      where: locationText(location),
    });
    const asked = must.filter(({value}) => value === name);
    const forbidden = mustNot.filter(({value}) => value === name);
    return [
      ...asked.map(({location, filter, until}) => ({
        ...place('must', location),
        says: `${filterText(filter)}${until === undefined ? '' : `; wanted${untilText(until)}`}`,
      })),
      ...forbidden.map(({location}) => ({...place('must_not', location), says: 'must not exist'})),
      ...(only && asked.length + forbidden.length === 0 ? [{...place('only', only), says: 'no other filter may exist'}] : []),
    ];
  },
  exported({items}: Actual) {
    const leftOut: string[] = [];
    const must = Array.from(items, ([title, {value, id}]) => {
      const filter = filterOf(value) ?? empty;
      const {context, action, keywords, expires = 'never'} = filter;
      if (!isWritable(title, filter)) leftOut.push(`filter ${id} "${title}"`);
      const words = keywords.map((one) => (one.whole_word ? one.keyword : one));
      return isWritable(title, filter)
        ? [{title, context: contexts.filter((one) => context.includes(one)), action, keywords: words, expires}]
        : [];
    });
    return {value: {must: must.flat().sort((one, other) => compareText(one.title, other.title))}, leftOut};
  },
  formats: ['mastodon-json'],
  list: (_, {items}) =>
    mastodonFilters(
      [...items].map(([title, {value}]) => [title, filterOf(value) ?? empty] as const).sort(([one], [other]) => compareText(one, other)),
    ),
  ofList(list): Side | undefined {
    if (list.kind !== 'filters') return undefined;
    return byTitle(list.entries.map(({value, filter}) => [value, {...filter, expires: undefined}]));
  },
  sideText: (value) => filterText(filterOf(value) ?? empty),
  isAlike: (one, other) => areAlike(filterOf(one) ?? empty, filterOf(other) ?? empty),
};
