/** Content filters. */
import {commandText} from '../../../files/command-text.js';
import * as z from 'zod/mini';
import {compareFilters, lastDayOf} from './compare.js';
import {filterEntries, mastodonFilters} from './export.js';
import {additionSchema, type FilterChange, removalSchema, updateSchema} from './changes.js';
import {madeFilters} from './made.js';
import {filtersBefore, isFilterChangeDone, undoneFilters} from './past.js';
import {filterChangeText, filterInput, filterMisfit, filterOperations} from './requests.js';
import {type FiltersData, filtersSchema} from './schema.js';
import type {SectionReader} from '../../section/reader.js';
import {readFilters} from './read.js';
import {itemsOnServer} from '../../section/listed.js';
import {type Explanation, reasonsNamed, rulesNamed, type Section, type Side} from '../../section/section.js';
import {listFilters} from '../../../api/filters.js';
import {field, once} from '../../../api/schema.js';
import {abandoned, ending, leftoverRule} from '../../model/difference.js';
import {filterRemoval, filterText, orderedFilterChanges, wantedLike} from './delta.js';
import {compareText} from '../../source/location.js';
import {type FilterRules, storedKeyword, type WantedFilter} from '../../model/policy.js';
import {type FilterState, pathId, liveFilters, fetched, fetchedValue, type State, trusted, valueOf} from '../../model/server-state.js';
import {endTolerance, type Expiry, overText, untilText} from '../../model/time.js';
import type {Wanted} from '../../lists/wanted.js';

declare module '../../model/section-types.js' {
  interface Rules {
    readonly filters: FilterRules;
  }
  interface Values {
    readonly filters: readonly FilterState[];
  }
  interface Changes {
    readonly filter: FilterChange;
  }
}

const kind = 'filter';

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

function stateOf(filter: z.output<ReturnType<typeof shape>>[number]): FilterState {
  return {
    id: String(filter.id),
    title: filter.title,
    context: [...new Set(filter.context)].sort(compareText),
    action: filter.filter_action,
    expiresAt: filter.expires_at,
    keywords: filter.keywords.map(({id, keyword, whole_word: wholeWord}) => ({id: Number(id), keyword: storedKeyword(keyword), wholeWord})),
  };
}

const live = ({filters: part}: State, now: Date): FilterState[] => liveFilters(valueOf(part) ?? [], now);

function factsOf({id, title, context, action, expiresAt, keywords}: FilterState): unknown[] {
  return [
    id,
    title,
    context,
    action,
    expiresAt,
    keywords.map((one) => [one.id, one.keyword, one.wholeWord]).sort(([one], [other]) => Number(one) - Number(other)),
  ];
}

function explain(text: string, {policy}: Wanted, state: State, now: Date): Explanation[] {
  const title = text.trim();
  const rules = policy.filters;
  const live = valueOf(state.filters);
  const there = live && liveFilters(live, now).filter((filter) => filter.title.trim() === title);
  const must = rules?.must.filter((one) => one.title === title) ?? [];
  const ended = rules?.ended?.filter((one) => one.title === title) ?? [];
  const forbidden = rules?.mustNot.find(({value}) => value === title);
  if (must.length + ended.length === 0 && forbidden === undefined && (there?.length ?? 0) === 0) return [];
  const reasons = reasonsNamed(filters, [
    ...must.map(
      (one) => ['must', one.location, `${filterText(one)}${one.until === undefined ? '' : `; wanted${untilText(one.until)}`}`] as const,
    ),
    ...ended.map((one) => ['must', one.location, `must exist${overText(one.until ?? '')}`] as const),
    ['must_not', forbidden?.location, 'must not exist'],
    ['only', must.length > 0 || forbidden ? undefined : rules?.only, 'no other filter may exist'],
  ]);
  const isUnwanted = forbidden !== undefined || rules?.only !== undefined;
  const actual =
    there === undefined
      ? 'not read'
      : there.length === 0
        ? 'not there'
        : there.map(({id, keywords}) => `filter ${id} with ${keywords.length} keywords`).join('; ');
  return [
    {
      kind: 'filter',
      subject: title,
      isWanted: must.length > 0 ? true : isUnwanted ? false : undefined,
      reasons,
      isThere: there && there.length > 0,
      actual,
    },
  ];
}

/** Filters with the same title are numbered in their order. */
function byTitle(filters: readonly WantedFilter[]): Map<string, WantedFilter> {
  const named = new Map<string, WantedFilter>();
  const counts = new Map<string, number>();
  for (const filter of filters) {
    const title = filter.title.trim();
    let name = title;
    let count = counts.get(title) ?? 1;
    while (named.has(name)) name = `${title} (${(count += 1)})`;
    counts.set(title, count);
    named.set(name, filter);
  }
  return named;
}

/** When a filter ends, in milliseconds; undefined where it depends on when the policy is applied. */
function endOf(expires: Expiry | undefined): number | undefined {
  if (expires === undefined || expires.kind === 'within') return undefined;
  return expires.kind === 'never' ? Infinity : expires.at.getTime();
}

/** What one of them leaves open is the same. */
function areSame(one: WantedFilter, other: WantedFilter): boolean {
  const keywords = ({keywords: all}: WantedFilter) => new Set(all.map(({keyword, wholeWord}) => `${keyword} ${wholeWord}`));
  const [end, otherEnd] = [endOf(one.expires), endOf(other.expires)];
  return (
    new Set(one.context).symmetricDifference(new Set(other.context)).size === 0 &&
    (one.action === undefined || other.action === undefined || one.action === other.action) &&
    (!one.exactly || !other.exactly || keywords(one).symmetricDifference(keywords(other)).size === 0) &&
    (end === undefined || otherEnd === undefined || end === otherEnd || Math.abs(end - otherEnd) <= endTolerance * 1000)
  );
}

function named(filters: readonly WantedFilter[] | undefined): Side | undefined {
  return filters && byTitle(filters);
}

export const filters: Section = {
  key: 'filters',
  kind,
  owner: 'account',
  isSet: false,
  words: {
    item: 'filter',
    counted: ['filter', 'filters'],
    title: 'Filters',
    all: 'the filters',
    rules: {
      must: 'These filters must exist exactly like this.',
      must_not: 'Filters with these titles must not exist.',
      only: 'No filter may exist unless the policy names it.',
    },
  },
  schema: () => field(filtersSchema, 'content filters of the account'),
  rulesIn: (reader: SectionReader<FiltersData>) => ({filters: readFilters(reader)}),
  rulesOf({filters: rules}) {
    if (rules === undefined) return [];
    const {must, mustNot, only} = rules;
    const {each, one} = rulesNamed({key: 'filters', kind});
    const titles = must.map(({title: value, location}) => ({value, location}));
    return [...each('must', titles), ...each('must_not', mustNot), ...one('only', only)];
  },
  asks: ({filters: rules}) => rules !== undefined,
  named: ({policy: {filters: rules}}) => [
    ...(rules?.must ?? []).map(({title, id}) => ({subject: title, id})),
    ...(rules?.mustNot ?? []).map(({value}) => ({subject: value})),
  ],
  compared: (subject) => subject.trim(),
  reads: listFilters,
  read: async (client, seen) => ({
    filters: await fetched(async () =>
      trusted(shape(), await itemsOnServer(client, listFilters, seen), client.host, listFilters.path).map(stateOf),
    ),
  }),
  fingerprint: ({filters: part}) => ({
    filters: (valueOf(part) ?? []).toSorted((one, other) => compareText(one.id, other.id)).map(factsOf),
  }),
  compare: compareFilters,
  exported({filters: part}, now) {
    if (part === undefined) return undefined;
    const leftOut: string[] = [];
    return {value: {must: filterEntries(liveFilters(fetchedValue(part), now), leftOut)}, leftOut};
  },
  formats: ['mastodon-json'],
  list(_, {filters: part}, now) {
    const sorted = liveFilters(part ? fetchedValue(part) : [], now).sort(
      (one, other) => compareText(one.title, other.title) || compareText(one.id, other.id),
    );
    return {text: mastodonFilters(sorted), leftOut: []};
  },
  changing: {
    schemas: () => [additionSchema, updateSchema, removalSchema],
    operations: filterOperations,
    input: filterInput,
    text: filterChangeText,
    inOrder: (changes: readonly FilterChange[]) =>
      orderedFilterChanges(changes.toSorted((one, other) => compareText(one.subject, other.subject))),
    target(change: FilterChange) {
      if (change.action === 'add') return JSON.stringify([kind, change.subject.trim()]);
      // An update may consist of two, which differ.
      return JSON.stringify([kind, change.details.id, change.action === 'update' ? change.details : undefined]);
    },
    misfit: filterMisfit,
    isDone: isFilterChangeDone,
    before: filtersBefore,
    touched(change: FilterChange, {filters: part}) {
      if (change.action === 'add') return {subject: change.subject, was: null};
      const {id} = change.details;
      const was = valueOf(part)?.find((one) => one.id === id);
      // Without it, what is changed would count as made.
      if (was === undefined) throw new Error(`There is no filter ${id}`);
      return {subject: was.title, id, was};
    },
    was: () =>
      z.strictObject({
        id: z.string(),
        title: z.string(),
        context: z.array(z.string()),
        action: z.string(),
        expiresAt: z.nullable(z.string()),
        keywords: z.array(z.strictObject({id: z.number(), keyword: z.string(), wholeWord: z.boolean()})),
      }),
    undo: undoneFilters,
  },
  holding: {
    hasIds: true,
    limit: {older: 20, newer: 20, item: 'filter', words: 'filters would be there'},
    there({filters: part}, now) {
      const all = valueOf(part);
      return all && new Map((now === undefined ? all : liveFilters(all, now)).map((filter) => [filter.id, filter.title]));
    },
    known: (subject) => subject,
    leftovers({policy: {file, filters: rules}}, asked: readonly FilterChange[], {state, owned, matched}, {now, advice: {account}}) {
      const asksFor = new Set(asked.flatMap((one) => (one.action === 'add' ? [] : one.details.id)));
      const own = new Set(owned.map(({id}) => id));
      return live(state, now)
        .filter(({id}) => own.has(id) && !matched.has(id) && !asksFor.has(id))
        .map((filter) => ({filter, end: rules && lastDayOf(filter, rules)}))
        .map(({filter, end}) => ({
          rule: leftoverRule,
          source: end?.location ?? {file, line: 1},
          kind,
          subject: filter.title,
          wanted: 'not there',
          actual: 'there',
          fix: commandText('filters delete', {args: [filter.id], flags: account}),
          change: filterRemoval(filter, end ? ending('filters', end) : abandoned),
        }));
    },
    wantedThere: (_, {state, matched}, now) =>
      live(state, now)
        .filter(({id}) => matched.has(id))
        .map((filter) => ({kind, subject: filter.title, id: filter.id, made: madeFilters.before(filter)})),
    canBe: () => true,
    explain,
    ofState: ({filters: part}, now) => named(part && liveFilters(fetchedValue(part), now).map(wantedLike)),
    ofPolicy: ({policy}) => named(policy.filters?.must),
    ofList: (list) => (list.kind === 'filters' ? named(list.entries) : undefined),
    sideText: (filter: WantedFilter) => filterText(filter),
    areSame,
  },
  made: madeFilters,
};
