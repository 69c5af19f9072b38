import * as z from 'zod/mini';
import {endpoint, saysGone, type OwnErrors, type PlainInput, type Topic} from './endpoint.js';
import {filter, integer, maxExpiry} from './entities.js';
import {kinds} from './kinds.js';
import {agrees, field, membersOf} from './schema.js';
import {column, type Column, type ListView, type RecordView} from './view.js';

const filters = '/api/v2/filters';
const topic: Topic = {title: 'Content filters and their keywords', heading: 'MODERATION'};

const id = field(z.string(), 'id of the filter', {isId: true, of: kinds.filter});
const title = field(z.string(), 'title of the filter');
const context = field(z.array(z.string()), 'where the filter applies', {known: ['home', 'public', 'tags']});
const filterAction = z.optional(field(z.string(), 'what to do with posts that match', {known: ['warn', 'hide', 'blur']}));
const isExpiry = (seconds: number): boolean => Number.isInteger(seconds) && seconds >= 0 && seconds <= maxExpiry;
const expiresIn = z.optional(
  field(z.number().check(z.refine(isExpiry, `must be between 0 and ${maxExpiry} seconds (two years)`)), 'seconds until the filter expires'),
);
const keywords = 'keywords of the filter';

/** The answer must have an id. `answersAbout` says whether it must be the id in the path. */
const isAsAsked = (answer: unknown, {body}: PlainInput): boolean =>
  membersOf(answer)['id'] !== undefined && agrees(answer, {title: body?.['title'], filter_action: body?.['filter_action']});

const columns: readonly Column[] = [
  column.id,
  {header: 'title', path: 'title', key: true},
  {header: 'context', path: 'context', flexible: true, priority: 3},
  {header: 'action', path: 'filter_action', priority: 2},
  {header: 'expires', path: 'expires_at', kind: 'time', none: 'never', priority: 4},
];
const errors: OwnErrors = {
  hourlyQuota: 'filters',
  hints: [
    {
      on: 'hourly_quota',
      hint: 'most servers allow 20 new filters and 40 updates per hour; on some of them the counter never resets, and only their administrators can reset it',
    },
  ],
};

const common = {section: 'Filters', topic, errors};

const listView: ListView = {
  kind: 'list',
  columns: [...columns, {header: 'keywords', path: 'keywords', kind: 'keywords', flexible: true, wraps: true, priority: 2}],
  empty: 'No filters.',
};
const filterView: RecordView = {
  kind: 'record',
  columns,
  list: {
    path: 'keywords',
    view: {
      kind: 'list',
      columns: [column.id, {header: 'keyword', path: 'keyword', key: true}, {header: 'whole word', path: 'whole_word', priority: 2}],
      empty: 'No keywords.',
    },
  },
};

export const listLegacyFilters = endpoint({
  name: 'list legacy filters',
  section: common.section,
  topic,
  method: 'GET',
  path: '/api/v1/filters',
  scope: 'read',
  output: () => z.array(z.unknown()),
  view: listView,
  rows: [],
  items: kinds.filter,
});

export const listFilters = endpoint({
  name: 'list filters',
  ...common,
  method: 'GET',
  path: filters,
  scope: 'read',
  output: () => z.array(filter()),
  view: listView,
  rows: [],
  items: kinds.filter,
});

export const getFilter = endpoint({
  name: 'get filter',
  ...common,
  method: 'GET',
  path: `${filters}/{id}`,
  scope: 'read',
  pathFields: {id},
  answersAbout: {field: 'id', at: ['id'], mayBeMissing: true},
  output: filter,
  items: kinds.filter,
  view: filterView,
});

/** Repeating a create makes a second filter, or fails on its keywords. */
export const createFilter = endpoint({
  name: 'create filter',
  ...common,
  errors: {...errors, limited: true},
  method: 'POST',
  path: filters,
  scope: 'write',
  body: {
    title,
    context,
    filter_action: filterAction,
    expires_in: expiresIn,
    keywords_attributes: field(z.array(z.looseObject({keyword: z.string(), whole_word: z.optional(z.boolean())})), keywords),
  },
  output: filter,
  proof: isAsAsked,
  items: kinds.filter,
  view: filterView,
  repeat: 'never',
  lookWith: () => ({command: 'filters list'}),
});

/** Real servers refuse an update without an entry in `keywords_attributes`. An entry with only an id changes nothing. */
export const updateFilter = endpoint({
  name: 'update filter',
  ...common,
  method: 'PUT',
  path: `${filters}/{id}`,
  scope: 'write',
  pathFields: {id},
  body: {
    title: z.optional(title),
    context: z.optional(context),
    filter_action: filterAction,
    expires_in: expiresIn,
    keywords_attributes: z.optional(
      field(
        z.array(
          z.looseObject({
            id: z.optional(integer),
            keyword: z.optional(z.string()),
            whole_word: z.optional(z.boolean()),
            _destroy: z.optional(z.boolean()),
          }),
        ),
        keywords,
      ),
    ),
  },
  answersAbout: {field: 'id', at: ['id']},
  output: filter,
  proof: isAsAsked,
  items: kinds.filter,
  view: filterView,
  repeat: 'harmless',
  lookWith: ({path}) => ({command: 'filters get', args: [String(path?.['id'])]}),
});

export const deleteFilter = endpoint({
  name: 'delete filter',
  ...common,
  method: 'DELETE',
  path: `${filters}/{id}`,
  scope: 'write',
  pathFields: {id},
  output: () => z.looseObject({}),
  isGoneAnswer: (words, {path}) => saysGone(words, 'CustomFilter', path?.['id']),
  repeat: 'gone',
  lookWith: ({path}) => ({command: 'filters get', args: [String(path?.['id'])]}),
});
