import {createFilter, deleteFilter, getFilter, listFilters, listLegacyFilters, updateFilter} from '../../api/filters.js';
import {maxExpiry} from '../../api/entities.js';
import type {Rules} from '../input.js';
import {withMicroseconds} from '../payloads.js';
import {booleanOf, type ReceivedFields, integerOf, isFields, listOf, textOf} from '../received-request.js';
import {abort, invalid, plainRefusal, Refusal} from '../refusal.js';
import {type Call, route} from '../route.js';
import type {Filter, Keyword, World} from '../world.js';

const filterLimit = 20;
const keywordLimit = 10;

const limits: Rules = {
  title: ['max:100'],
  context: ['max:10'],
  expires_in: ['min:0', `max:${maxExpiry}`],
  keywords_attributes: ['required'],
  /** A keyword may have letters, digits, spaces and punctuation, but no symbols, no emoji and no character 21 times in a row. */
  'keywords_attributes.*.keyword': [
    'required_without:id',
    'max:40',
    ({name, value}) => !/^[\p{L}\p{N}\p{Zs}\p{P}\p{M}]+$/u.test(String(value)) && `The ${name} format is invalid.`,
    ({value}) => /(.)\1{20,}/u.test(String(value)) && 'The keyword contains excessive character repetition.',
  ],
};

const keywordIds = ({filters}: World): readonly number[] => filters.list().flatMap(({keywords}) => keywords.map(({id}) => id));

const payload = ({ownerId, updatedAt, ...shown}: Filter) => ({...shown, statuses: []});

function findOwn({world, viewer, part}: Call, refusal = new Refusal('forbidden', 403, 'This action is unauthorized.')): Filter {
  const filter = world.filters.find(part('id'), String.raw`Models\CustomFilter`);
  if (filter.ownerId !== viewer.id) throw refusal;
  return filter;
}

const ownFilters = ({world, viewer}: Call): readonly Filter[] => world.filters.list().filter(({ownerId}) => ownerId === viewer.id);

const entriesOf = (fields: ReceivedFields): readonly ReceivedFields[] => listOf(fields['keywords_attributes']).filter(isFields);

const textOfKeyword = (entry: ReceivedFields): string | null => textOf(entry['keyword'])?.toLowerCase() ?? null;

const keywordIn = (entry: ReceivedFields): Omit<Keyword, 'id'> => ({
  keyword: textOfKeyword(entry) ?? '',
  whole_word: booleanOf(entry['whole_word'] ?? true),
});

/** A keyword may be in one filter of a person only. */
function refuseDuplicates(filters: readonly Filter[], keywords: readonly string[]): void {
  const taken = new Set(filters.flatMap((filter) => filter.keywords.map(({keyword}) => keyword)));
  const duplicates = keywords.filter((keyword) => taken.has(keyword)).join(', ');
  if (duplicates !== '')
    throw plainRefusal(422, {error: 'Duplicate keywords found', message: `The following keywords already exist: ${duplicates}`});
}

function expiryOf(fields: ReceivedFields): string | null {
  const seconds = integerOf(fields['expires_in'], 0);
  return seconds > 0 ? withMicroseconds(new Date(Date.now() + seconds * 1000)) : null;
}

function create(call: Call): Filter {
  const {world, fields, viewer, text} = call;
  const [own, entries] = [ownFilters(call), entriesOf(fields)];
  if (own.length >= filterLimit)
    throw plainRefusal(422, {error: 'Filter limit exceeded', message: `You can only have ${filterLimit} filters at a time.`});
  refuseDuplicates(
    own,
    entries.flatMap((entry) => textOfKeyword(entry) ?? []),
  );
  if (!world.facts.is2026 && entries.some((entry) => !('whole_word' in entry)))
    throw plainRefusal(500, {error: 'Failed to create filter', message: 'Undefined array key "whole_word"'});
  return world.addFilter({
    ownerId: viewer.id,
    title: text('title'),
    context: listOf(fields['context']).map(String),
    expires_at: expiryOf(fields),
    filter_action: text('filter_action') || 'warn',
    keywords: entries.map(keywordIn),
  });
}

/** Applies the entries one by one to a copy of the keywords. @throws Refusal, which leaves the filter as it was */
function changedKeywords(call: Call, filter: Filter): readonly Keyword[] {
  const entries = entriesOf(call.fields).map((entry) => ({entry, id: integerOf(entry['id'], 0), text: textOfKeyword(entry)}));
  const named = entries.filter(({id}) => id !== 0);
  const foreign = named.filter(({id}) => !filter.keywords.some((keyword) => keyword.id === id));
  if (foreign.length > 0) throw abort(foreign.length === named.length ? 404 : 422, 'Keyword not found');
  const others = ownFilters(call).filter((other) => other !== filter);
  let keywords = filter.keywords.map((keyword) => ({...keyword}));
  for (const {entry, id, text} of entries) {
    const existing = keywords.find((keyword) => keyword.id === id);
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
      keywords.push({id: call.world.nextRow('keyword'), ...keywordIn(entry)});
    }
  }
  return keywords;
}

function update(call: Call): Filter {
  const {fields, text} = call;
  const filter = findOwn(call, plainRefusal(401, {error: 'This action is unauthorized'}));
  filter.keywords = changedKeywords(call, filter);
  filter.title = text('title') || filter.title;
  filter.filter_action = text('filter_action') || filter.filter_action;
  if (Array.isArray(fields['context'])) filter.context = fields['context'].map(String);
  // 0 removes the expiry; without the field it stays.
  if (text('expires_in') !== '') filter.expires_at = expiryOf(fields);
  filter.updatedAt = new Date();
  return filter;
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const routes = [
  route(listLegacyFilters, () => []),
  route(listFilters, (call) =>
    ownFilters(call)
      .filter(({expires_at}) => expires_at === null || Date.parse(expires_at) > Date.now())
      .toSorted((one, other) => seconds(other.updatedAt) - seconds(one.updatedAt))
      .map(payload),
  ),
  route(getFilter, (call) => payload(findOwn(call))),
  route(createFilter, (call) => payload(create(call)), {...limits, keywords_attributes: [`max:${keywordLimit}`]}),
  route(
    updateFilter,
    (call) => payload(update(call)),
    (world) => ({...limits, 'keywords_attributes.*.id': [`in:${keywordIds(world).join()}`]}),
  ),
  route(deleteFilter, (call) => {
    call.world.filters.delete(Number(findOwn(call).id));
    return {};
  }),
];
