/** Filters with their keywords, in the forms that servers require. */
import {isObject} from '../api/schema.js';
import {getFilter, updateFilter} from '../api/filters.js';
import {Failure} from '../client/failure.js';
import {requestFor} from '../client/request.js';
import {identifierAt, itemsAt} from '../json/path.js';
import {operation} from './operation.js';

/** Seconds in a unit of time, as in `7d`. */
export const secondsIn: Readonly<Record<string, number>> = {s: 1, m: 60, h: 3600, d: 86_400, w: 604_800};

/** When a filter ends: never, in some seconds, or at a time. */
export type FilterEnd = Date | 'never' | number;

/**
 * `expires_in`, in seconds. Servers clear the end of a filter on 0; a new filter that is sent without it has none.
 * @param now the moment of sending, which servers count from
 */
export function expiresIn(end: FilterEnd | undefined, of: 'existing filter' | 'new filter', now = new Date()): {expires_in?: number} {
  if (end === undefined) return {};
  if (end === 'never') return of === 'new filter' ? {} : {expires_in: 0};
  return {expires_in: typeof end === 'number' ? end : Math.max(1, Math.ceil((end.getTime() - now.getTime()) / 1000))};
}

export interface KeywordChange {
  readonly id: number;
  readonly keyword?: string;
  readonly whole_word?: boolean;
}

export interface KeywordChanges {
  readonly remove?: readonly number[];
  readonly change?: readonly KeywordChange[];
  /** Entries in the form of the API, not checked. */
  readonly entries?: readonly unknown[] | undefined;
  readonly add?: readonly {readonly keyword: string; readonly whole_word?: boolean}[];
  /** A keyword that stays: servers require one in every update. */
  readonly unchanged?: number | undefined;
}

/** Servers fail on a new keyword without `whole_word`. */
function withWholeWord(entry: unknown, wholeWord: boolean): unknown {
  const adds = isObject(entry) && 'keyword' in entry && !('id' in entry);
  return adds && !('whole_word' in entry) ? {...entry, whole_word: wholeWord} : entry;
}

/**
 * `keywords_attributes`, unless it is empty. Servers process the entries in order, and a full filter accepts no more: so
 * removals come first, then changes, then additions.
 * @param wholeWord `whole_word` of new keywords without it
 */
export function keywordEntries(changes: KeywordChanges, wholeWord = true): {keywords_attributes?: unknown[]} {
  const {remove = [], change = [], entries = [], add = [], unchanged} = changes;
  const listed = [
    ...remove.map((id) => ({id, _destroy: true})),
    ...change,
    ...[...entries, ...add].map((entry) => withWholeWord(entry, wholeWord)),
  ];
  if (listed.length > 0) return {keywords_attributes: listed};
  return unchanged === undefined ? {} : {keywords_attributes: [{id: unchanged}]};
}

/** Whether the server refused an update because it names no keyword. */
function wantsKeyword(error: unknown, body: Readonly<Record<string, unknown>>): boolean {
  const isRefusal = error instanceof Failure && error.code === 'refused';
  return isRefusal && body['keywords_attributes'] === undefined && error.details.fields?.includes('keywords_attributes') === true;
}

/** Sends the documented request. For a server that requires a keyword, resends it with an unchanged keyword of the filter. */
export const filterUpdate = operation(updateFilter, {
  async send(input, client) {
    const {path, body = {}} = input;
    const update = (changes: typeof body) => client.send(requestFor(updateFilter, {...input, body: changes}), updateFilter.output());
    try {
      return await update(body);
    } catch (error) {
      if (!wantsKeyword(error, body)) throw error;
      const {exact} = await client.send(requestFor(getFilter, {path}, [{at: ['id'], is: String(path?.['id'])}]), getFilter.output());
      const keywords = itemsAt(exact, ['keywords']);
      const id = keywords?.map((keyword) => identifierAt(keyword, ['id'])).find((one) => /^\d+$/.test(one ?? ''));
      if (keywords?.length === 0) {
        throw new Failure('refused', 'This server requires a keyword in every filter update, and the filter has none', {
          hint: 'add one with --keyword',
        });
      }
      if (id === undefined) throw error;
      return update({...body, ...keywordEntries({unchanged: Number(id)})});
    }
  },
});
