/** The section `filters`. A filter is named by its title; the second one with the same title, in order of ids, is called `Title (2)`. */
import * as z from 'zod/mini';
import {itemsOnServer, pathId} from './answers.js';
import {maybe, someText, until} from './section-fields.js';
import {type Actual, type Desired, type Hold, type Item, type Kind, type PolicyPart, type Row, toHeldRow} from './policy-kind.js';
import {namedPart} from './names.js';
import {placed, type SectionReader} from './reader.js';
import {maxExpiry} from '../../api/entities.js';
import {createFilter, deleteFilter, listFilters} from '../../api/filters.js';
import {field, once} from '../../api/schema.js';
import {commandText} from '../../files/command-text.js';
import {compareIds} from '../../json/compare-ids.js';
import {expiresIn, type FilterEnd, filterUpdate, keywordEntries} from '../../operations/filters.js';
import {
  endsOtherwise,
  endText,
  type FilterValue,
  filterText,
  isOverBy,
  type Keyword,
  type StoredKeyword,
  storedKeyword,
} from '../model/filter-value.js';
import type {NameRules} from '../model/policy.js';
import {durationOf, endOf} from '../model/time.js';
import {toFilter} from '../model/value.js';
import {compareText} from '../source/location.js';

const key = 'filters';

/** The contexts of Pixelfed and of other servers. */
const contexts = ['home', 'public', 'tags', 'notifications', 'thread', 'account'] as const;
const filterActions = ['warn', 'hide', 'blur'] as const;

const keywordSchema = once(() =>
  z.union(
    [
      someText,
      z.strictObject({
        keyword: field(someText, 'the word or phrase'),
        whole_word: maybe(z.boolean(), 'whether it matches whole words only', {default: true}),
      }),
    ],
    'text or {keyword, whole_word} is expected',
  ),
);

const filterSchema = once(() =>
  z.strictObject({
    title: field(someText, 'the title, which identifies the filter'),
    context: field(z.array(z.enum(contexts)).check(z.minLength(1, 'expected at least one context')), 'where the filter applies'),
    action: maybe(z.enum(filterActions), 'what happens to matching posts; not compared if absent'),
    keywords: field(z.array(keywordSchema()).check(z.minLength(1, 'expected at least one keyword')), 'the complete list of keywords'),
    until,
    expires: maybe(
      z
        .string()
        .check(z.refine((text) => endOf(text) !== undefined, 'expected never, a date such as 2027-01-31, or a time such as 90d'))
        .check(z.refine((text) => (durationOf(text) ?? 0) <= maxExpiry, 'must be at most two years (730d)')),
      'when the filter expires: never, on a date, or at most this long from now',
    ),
  }),
);

const filtersSchema = once(() =>
  z.strictObject({
    must: maybe(z.array(filterSchema()), 'filters that must exist'),
    must_not: maybe(z.array(someText), 'titles of filters that must not exist'),
    only: maybe(z.boolean(), 'no other filter may exist', {default: false}),
  }),
);

type FiltersData = z.infer<ReturnType<typeof filtersSchema>>;

function readFilters(reader: SectionReader<FiltersData>): NameRules {
  const {must: filtersWanted, must_not} = reader.data;
  const {must, mustNot} = reader.readNames(filtersWanted, placed(must_not, 'must_not'), {
    readMust: (data, path) => ({
      value: data.title.trim(),
      filter: filterIn(data, (message) => reader.complain([...path, 'keywords'], message)),
    }),
    readMustNot: (title) => ({value: title.trim()}),
    shown: (title) => JSON.stringify(title),
    countsInstead({value}, {where}, path) {
      reader.complain(path, `two filters are titled "${value}" (the other at ${where})`);
      return false;
    },
  });
  return {must: must.sort((one, other) => compareText(one.value, other.value)), mustNot, only: reader.only};
}

const byKeyword = (one: Keyword, other: Keyword): number => compareText(one.keyword, other.keyword);

function filterIn(
  {context, action, keywords, expires}: z.infer<ReturnType<typeof filterSchema>>,
  complain: (message: string) => void,
): FilterValue {
  const end = expires && endOf(expires);
  const words = new Map<string, Keyword>();
  for (const entry of keywords) {
    const {keyword: text, whole_word = true} = typeof entry === 'string' ? {keyword: entry} : entry;
    const stored = storedKeyword(text);
    if (words.has(stored)) complain(`the keyword "${stored}" is repeated`);
    words.set(stored, {keyword: stored, whole_word});
  }
  return {
    context: [...new Set(context)].sort(compareText),
    ...(action !== undefined && {action}),
    ...(end && {expires: end}),
    keywords: [...words.values()].sort(byKeyword),
  };
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

const rawOf = ({raw}: Row): readonly StoredKeyword[] => (raw === undefined || typeof raw === 'string' ? [] : raw);

function itemOf({id: filterId, context, filter_action, expires_at, keywords}: z.output<ReturnType<typeof shape>>) {
  const raw = keywords.map(({id, keyword, whole_word}) => ({id: Number(id), keyword: storedKeyword(keyword), whole_word}));
  const known = new Map(raw.toReversed().map(({keyword, whole_word}) => [keyword, {keyword, whole_word}]));
  const value: FilterValue = {
    context: [...new Set(context)].sort(compareText),
    action: filter_action,
    expires: expires_at === null ? 'never' : new Date(expires_at).toISOString(),
    keywords: [...known.values()].sort(byKeyword),
  };
  return {id: String(filterId), raw, value};
}

/** Filters by name. Filters with the same title get different names: `Title`, `Title (2)`. */
function byTitle<One>(filters: readonly (readonly [title: string, One])[]): Map<string, One> {
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

/** The fields that an update changes, without the keywords. */
function changedParts({name, has, want}: Row) {
  const [before, after] = [toFilter(has), toFilter(want)];
  return {
    ...(before.title !== after.title && {title: after.title ?? name}),
    ...(before.context.join() !== after.context.join() && {context: after.context}),
    ...(after.action !== undefined && before.action !== after.action && {filter_action: after.action}),
    ...(after.expires !== undefined && before.expires !== after.expires && {expires: after.expires}),
  };
}

function keywordChanges(row: Row) {
  const asked = new Map(toFilter(row.want).keywords.map((one) => [one.keyword, one]));
  const seen = new Set<string>();
  const [remove, change]: [StoredKeyword[], StoredKeyword[]] = [[], []];
  let unchanged: number | undefined;
  for (const one of rawOf(row)) {
    const wanted = asked.get(one.keyword);
    if (wanted === undefined || seen.has(one.keyword)) remove.push(one);
    else if (wanted.whole_word === one.whole_word) unchanged ??= one.id;
    else change.push({...one, whole_word: wanted.whole_word});
    seen.add(one.keyword);
  }
  return {add: [...asked.values()].filter(({keyword}) => !seen.has(keyword)), remove, change, unchanged};
}

const quoteKeyword = ({keyword, whole_word}: Keyword): string => `“${keyword}”${whole_word ? '' : ' (also inside words)'}`;

function detailsText(row: Row): string {
  if (row.action === 'remove') return '';
  if (row.action === 'add') {
    const {action, context, expires, keywords} = toFilter(row.want);
    const words = keywords.map(quoteKeyword).join(', ') || 'no keywords';
    return joinParts([action, `in ${context.join(', ')}`, expires && endText(expires), words]);
  }
  const {title, context, filter_action, expires} = changedParts(row);
  const {add, remove, change} = keywordChanges(row);
  return joinParts([
    title === undefined ? undefined : `called “${title}”`,
    filter_action,
    context && `in ${context.join(', ')}`,
    expires && endText(expires),
    ...add.map((one) => `+ ${quoteKeyword(one)}`),
    ...remove.map(({keyword}) => `- “${keyword}”`),
    ...change.map((one) => `~ ${quoteKeyword(one)}`),
  ]);
}

const joinParts = (parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined && part !== '').join('; ');

const filterEnd = (end: string | undefined): FilterEnd | undefined =>
  end === undefined || end === 'never' ? end : (durationOf(end) ?? new Date(end));

function inputOf(row: Row, now: Date): ReturnType<Kind['send']['input']> {
  const {action, name, id = '', want} = row;
  if (action === 'remove') return {path: {id}};
  if (action === 'add') {
    const {context, action: filter_action, expires, keywords} = toFilter(want);
    const end = expiresIn(filterEnd(expires), 'new filter', now);
    return {body: {title: name, context, ...(filter_action !== undefined && {filter_action}), ...end, keywords_attributes: keywords}};
  }
  const {expires, ...fields} = changedParts(row);
  const {add, remove, change, unchanged} = keywordChanges(row);
  const words = keywordEntries({
    add,
    remove: remove.map((one) => one.id),
    change: change.map((one) => ({id: one.id, whole_word: one.whole_word})),
    unchanged,
  });
  return {path: {id}, body: {...fields, ...expiresIn(filterEnd(expires), 'existing filter', now), ...words}};
}

/**
 * Sorts changes so that servers accept them. A keyword may be in one filter only, so filters give up keywords before others take them. An
 * update that gives up a keyword for another filter, and takes some itself, is split in two.
 */
function inOrder(rows: readonly Row[]): Row[] {
  const takers = new Map<string, Row>();
  for (const row of rows)
    for (const {keyword} of row.action === 'add' ? toFilter(row.want).keywords : row.action === 'update' ? keywordChanges(row).add : [])
      takers.set(keyword, row);
  const [releases, rest]: [Row[], Row[]] = [[], []];
  for (const row of rows.filter(({action}) => action === 'update')) {
    const {add, remove} = keywordChanges(row);
    const isRelease = remove.some(({keyword}) => takers.has(keyword) && takers.get(keyword) !== row);
    if (!isRelease) rest.push(row);
    else if (add.length === 0) releases.push(row);
    else {
      const added = new Set(add.map(({keyword}) => keyword));
      const want = toFilter(row.want);
      const between = {...want, keywords: want.keywords.filter(({keyword}) => !added.has(keyword))};
      releases.push({...row, want: between});
      rest.push({...row, has: between, raw: rawOf(row).filter(({keyword}) => between.keywords.some((one) => one.keyword === keyword))});
    }
  }
  return [...rows.filter(({action}) => action === 'remove'), ...releases, ...rest, ...rows.filter(({action}) => action === 'add')];
}

/** Holds back a new filter if another filter has one of its keywords: servers accept a keyword in one filter of an account only. */
function holdTaken({want, never, only}: Desired, {items}: Actual, isOwned: (title: string) => boolean): Desired['hold'] {
  const holders = new Map<string, string>();
  const hold = (title: string, keywords: readonly Keyword[]) => {
    for (const {keyword} of keywords) if (!holders.has(keyword)) holders.set(keyword, title);
  };
  for (const [title, {value}] of items) {
    const wanted = want.get(title);
    if (wanted !== undefined) hold(title, toFilter(wanted.value).keywords);
    else if (!never.has(title) && only === undefined && !isOwned(title)) hold(title, toFilter(value).keywords);
  }
  for (const [title, {value}] of want) hold(title, toFilter(value).keywords);
  return (name, {value, why}, has): Hold | undefined => {
    const {keyword = ''} = toFilter(value).keywords.find((one) => holders.get(one.keyword) !== name) ?? {};
    const holder = holders.get(keyword);
    if (has !== null || holder === undefined) return undefined;
    const says = `the keyword “${keyword}” is in the filter “${holder}”`;
    const fix = `a keyword can be in one filter only: drop it from one of them, or name “${holder}” in must_not`;
    return {says, why, texts: {wanted: filterText(toFilter(value)), actual: says, fix}};
  };
}

const policy: PolicyPart = namedPart({
  key,
  noun: 'filter',
  verb: 'exist',
  nameIn: (text) => text.trim(),
  schema: () => field(filtersSchema(), 'content filters'),
  read: readFilters,
  write({items}) {
    const [must, leftOut]: [{readonly title: string}[], string[]] = [[], []];
    for (const [title, {value, id}] of items) {
      const {context, action, keywords, expires = 'never'} = toFilter(value);
      const isKnown = context.every((one) => contexts.some((name) => name === one)) && filterActions.some((name) => name === action);
      const isWritable = title !== '' && context.length > 0 && keywords.length > 0 && keywords.every(({keyword}) => keyword !== '');
      if (!isKnown || !isWritable) leftOut.push(`filter ${id} "${title}"`);
      else {
        const words = keywords.map((one) => (one.whole_word ? one.keyword : one));
        const entry = {title, context: contexts.filter((one) => context.includes(one)), action, keywords: words, expires};
        must.push(entry);
      }
    }
    return {value: {must: must.sort((one, other) => compareText(one.title, other.title))}, leftOut};
  },
});

export const filters: Kind = {
  kind: 'filter',
  key,
  owner: 'account',
  words: {item: 'filter', title: 'Filters', all: 'the filters', done: 'there'},
  policy,
  list: listFilters,
  async read(client, {now}, seen) {
    const all = (await itemsOnServer(client, listFilters, shape(), seen)).map((one) => [one.title, itemOf(one)] as const);
    const current = all.filter(([, {value}]) => !isOverBy(value, now.getTime()));
    return {items: byTitle<Item>(current.sort(([, one], [, other]) => compareIds(one.id, other.id)))};
  },
  nameIn: (text) => text.trim(),
  /** A filter whose date in the policy has passed is not made. One that is there stays as it is. */
  narrow(desired, actual, {now, owned}) {
    const over = new Map([...desired.want].filter(([, {value}]) => isOverBy(toFilter(value), now.getTime())));
    const want = new Map([...desired.want].filter(([name]) => !over.has(name) || actual.items.has(name)));
    return {
      ...desired,
      want,
      hold: holdTaken({...desired, want}, actual, (title) => owned(title) !== undefined),
      cannot: Array.from(over, ([name, {value, why}]): Row => {
        const says = `its date has passed (${toFilter(value).expires}): the rule has no effect`;
        return toHeldRow(filters, name, {says, why});
      }),
    };
  },
  /** An action or an end that the policy does not mention stays as it is. */
  fit({value}, has, {now}) {
    const [asked, stands] = [toFilter(value), toFilter(has)];
    if (has !== null && isOverBy(asked, now.getTime())) return has;
    const {action = stands.action, context, keywords} = asked;
    const expires = has !== null && !endsOtherwise(asked.expires, stands.expires, now) ? stands.expires : asked.expires;
    return {context, ...(action !== undefined && {action}), ...(expires !== undefined && {expires}), keywords};
  },
  send: {
    add: createFilter,
    update: filterUpdate,
    remove: deleteFilter,
    input: (row, {now}) => inputOf(row, now),
    order: inOrder,
    command: ({action, id = ''}, account) =>
      action === 'remove' ? commandText('filters delete', {args: [id], flags: account}) : undefined,
  },
  details: detailsText,
  lists: {
    formats: ['mastodon-json'],
    write(_, {items}) {
      const custom_filters = [...items]
        .sort(([one], [other]) => compareText(one, other))
        .map(([title, {value}]) => {
          const {context, action, expires, keywords} = toFilter(value);
          const expire_at = expires === undefined || expires === 'never' ? null : expires;
          return {title, expire_at, context, action, keywords_attributes: keywords, statuses: []};
        });
      return {text: `${JSON.stringify({custom_filters}, null, 2)}\n`, leftOut: []};
    },
    read(list) {
      if (list.kind !== 'filters') return undefined;
      return byTitle(list.entries.map(({value, filter}) => [value, {...filter, expires: undefined}]));
    },
  },
};
