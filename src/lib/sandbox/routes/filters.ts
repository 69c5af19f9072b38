import {validate, type FieldRule, type FieldRules} from '../rules.js';
import {type Filter, type Keyword, Quota, type World} from '../world.js';
import {createFilter, deleteFilter, getFilter, listFilters, listLegacyFilters, updateFilter} from '../../api/filters.js';
import {booleanOf, type ReceivedFields, integerOf, isFields, listOf, textOf} from '../received-request.js';
import {withMicroseconds} from '../account-payloads.js';
import {abort, refuseForbidden, invalid, plainRefusal, type Refusal, refuseUnknown} from '../refusal.js';
import {type Call, keepPerWorld, route, type Route} from '../route.js';

const keywordLimit = 10;

/** A keyword may have letters, digits, spaces and punctuation, but no symbols, no emoji and no character 21 times in a row. */
const keyword: readonly FieldRule[] = [
  'string|min:1|max:40',
  ({name, value}) => !/^[\p{L}\p{N}\p{Zs}\p{P}\p{M}]+$/u.test(String(value)) && `The ${name} format is invalid.`,
  ({value}) => /(.)\1{20,}/u.test(String(value)) && 'The keyword contains excessive character repetition.',
];

const shared: FieldRules = {
  'context.*': 'in:home,public,tags',
  filter_action: 'in:warn,hide,blur',
  // Two years.
  expires_in: 'integer|min:0|max:63072000',
};

const createRules: FieldRules = {
  title: 'required|string|max:100',
  context: 'required|array|max:10',
  ...shared,
  keywords_attributes: `required|array|min:1|max:${keywordLimit}`,
  'keywords_attributes.*.keyword': ['required', ...keyword],
  'keywords_attributes.*.whole_word': 'boolean',
};

const updateRules = (world: World): FieldRules => ({
  title: 'string|max:100',
  context: 'array|max:10',
  ...shared,
  keywords_attributes: 'required|array|min:1',
  'keywords_attributes.*.id': `integer|in:${keywordIds(world).join()}`,
  'keywords_attributes.*.keyword': ['required_without_sibling:id', ...keyword],
  'keywords_attributes.*.whole_word': 'boolean',
  'keywords_attributes.*._destroy': 'boolean',
});

const keywordIds = (world: World): readonly string[] =>
  [...world.filters.values()].flatMap(({keywords}) => keywords.map(({id}) => String(id)));

const filterLimit = 20;
// Servers intend a limit for each hour, but never reset these counters.
const creations = keepPerWorld(() => new Quota(20, Infinity));
const updates = keepPerWorld(() => new Quota(40, Infinity));

const payload = ({row, title, context, expiresAt, filter_action, keywords}: Filter) => ({
  id: String(row),
  title,
  context,
  expires_at: expiresAt && withMicroseconds(expiresAt),
  filter_action,
  keywords: keywords.map(({id, ...keyword}) => ({id, ...keyword})),
  statuses: [],
});

function findOwn({world, viewer, part}: Call, refusal = refuseForbidden()): Filter {
  const filter = world.filters.get(Number(part('id')));
  if (!filter) throw refuseUnknown(String.raw`Models\CustomFilter`, part('id'));
  if (filter.ownerId !== viewer.id) throw refusal;
  return filter;
}

const ownFilters = ({world, viewer}: Call): readonly Filter[] => world.filters.list().filter(({ownerId}) => ownerId === viewer.id);

const entriesOf = (fields: ReceivedFields): readonly ReceivedFields[] => listOf(fields['keywords_attributes']).filter(isFields);

const textOfKeyword = (entry: ReceivedFields): string | null => textOf(entry['keyword'])?.toLowerCase() ?? null;

/** A keyword may be in one filter of a person only. */
function refuseDuplicates(filters: readonly Filter[], keywords: readonly string[]): void {
  const taken = new Set(filters.flatMap((filter) => filter.keywords.map(({keyword}) => keyword)));
  const duplicates = keywords.filter((keyword) => taken.has(keyword));
  if (duplicates.length > 0)
    throw plainRefusal(422, {
      error: 'Duplicate keywords found',
      message: `The following keywords already exist: ${duplicates.join(', ')}`,
    });
}

const quotaSpent = (message: string): Refusal => plainRefusal(429, {error: 'Rate limit exceeded', message});

function expiryOf(fields: ReceivedFields): Date | null {
  const seconds = integerOf(fields['expires_in'], 0);
  return seconds > 0 ? new Date(Date.now() + seconds * 1000) : null;
}

const keywordIn = (entry: ReceivedFields): Omit<Keyword, 'id'> => ({
  keyword: textOfKeyword(entry) ?? '',
  whole_word: booleanOf(entry['whole_word'] ?? true),
});

function create(call: Call): Filter {
  const {world, fields, viewer} = call;
  validate(fields, createRules);
  if (ownFilters(call).length >= filterLimit)
    throw plainRefusal(422, {error: 'Filter limit exceeded', message: `You can only have ${filterLimit} filters at a time.`});
  if (creations(world).countLeft(viewer.id) === 0) throw quotaSpent(`You can only create ${creations(world).limit} filters per hour.`);
  const entries = entriesOf(fields);
  refuseDuplicates(
    ownFilters(call),
    entries.flatMap((entry) => textOfKeyword(entry) ?? []),
  );
  if (!world.facts.is2026 && entries.some((entry) => !('whole_word' in entry)))
    throw plainRefusal(500, {error: 'Failed to create filter', message: 'Undefined array key "whole_word"'});
  creations(world).use(viewer.id);
  return world.addFilter({
    ownerId: viewer.id,
    title: textOf(fields['title']) ?? '',
    context: listOf(fields['context']).map(String),
    filter_action: textOf(fields['filter_action']) ?? 'warn',
    expiresAt: expiryOf(fields),
    keywords: entries.map(keywordIn),
    updatedAt: new Date(),
  });
}

/** Applies the entries one by one to a copy of the keywords. @throws Refusal, which leaves the filter as it was */
function changedKeywords(call: Call, filter: Filter): readonly Keyword[] {
  const entries = entriesOf(call.fields);
  const named = entries.flatMap((entry) => (textOf(entry['id']) === null ? [] : [integerOf(entry['id'], 0)]));
  const foreign = named.filter((id) => !filter.keywords.some((keyword) => keyword.id === id));
  if (foreign.length > 0) throw abort(foreign.length === named.length ? 404 : 422, 'Keyword not found');
  const others = ownFilters(call).filter((other) => other !== filter);
  let keywords = filter.keywords.map((keyword) => ({...keyword}));
  for (const entry of entries) {
    const text = textOfKeyword(entry);
    const existing = keywords.find(({id}) => id === integerOf(entry['id'], 0));
    if (booleanOf(entry['_destroy'])) {
      keywords = keywords.filter((keyword) => keyword !== existing);
      continue;
    }
    if (text !== null) refuseDuplicates(others, [text]);
    if (existing) {
      existing.keyword = text ?? existing.keyword;
      if (textOf(entry['whole_word']) !== null) existing.whole_word = booleanOf(entry['whole_word']);
    } else if (!keywords.some(({keyword}) => keyword === text)) {
      if (keywords.length >= keywordLimit)
        throw invalid({keywords_attributes: [`The keywords attributes may not have more than ${keywordLimit} items.`]});
      keywords.push({...keywordIn(entry), id: call.world.nextRow('keyword')});
    }
  }
  return keywords;
}

function update(call: Call): Filter {
  const {world, fields, viewer} = call;
  const filter = findOwn(call, plainRefusal(401, {error: 'This action is unauthorized'}));
  validate(fields, updateRules(world));
  if (updates(world).countLeft(viewer.id) === 0) throw quotaSpent(`You can only update filters ${updates(world).limit} times per hour.`);
  filter.keywords = changedKeywords(call, filter);
  filter.title = textOf(fields['title']) ?? filter.title;
  filter.filter_action = textOf(fields['filter_action']) ?? filter.filter_action;
  if (Array.isArray(fields['context'])) filter.context = fields['context'].map(String);
  // 0 removes the expiry; without the field it stays.
  if (textOf(fields['expires_in']) !== null) filter.expiresAt = expiryOf(fields);
  filter.updatedAt = new Date();
  updates(world).use(viewer.id);
  return filter;
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const routes: readonly Route[] = [
  route(listLegacyFilters, () => ({body: []})),

  route(listFilters, (call) => {
    const current = ownFilters(call).filter(({expiresAt}) => expiresAt === null || expiresAt.getTime() > Date.now());
    return {body: current.toSorted((one, other) => seconds(other.updatedAt) - seconds(one.updatedAt)).map(payload)};
  }),

  route(getFilter, (call) => ({body: payload(findOwn(call))})),

  route(createFilter, (call) => ({body: payload(create(call))})),

  route(updateFilter, (call) => ({body: payload(update(call))})),

  route(deleteFilter, (call) => {
    call.world.filters.delete(findOwn(call).row);
    return {body: {}};
  }),
];
