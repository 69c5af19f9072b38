/** What servers are known to refuse in filters. */
import type {FilterChange} from './changes.js';
import {liveFilters, type FilterState, type State, valueOf} from '../../model/server-state.js';

const maxKeywords = 10;
const maxKeywordLength = 40;
const maxTitleLength = 100;
const additionsAnHour = 20;
const updatesAnHour = 40;
/** Letters, marks, digits, spaces and punctuation; no symbols, and no character twenty times over. */
const storableKeyword = /^[\p{L}\p{M}\p{N}\p{P}\s]+$/u;
const endlessRepetition = /(.)\1{20}/u;

const contexts = ['home', 'public', 'tags'];

function quotaLimits(changes: readonly FilterChange[]): string[] {
  const added = changes.filter(({action}) => action === 'add').length;
  const updated = changes.filter(({action}) => action === 'update').length;
  return [
    ...(added > additionsAnHour ? [`${added} filters are new; servers take ${additionsAnHour} an hour, so this needs several runs`] : []),
    ...(updated > updatesAnHour
      ? [`${updated} updates of filters; servers take ${updatesAnHour} an hour, so this needs several runs`]
      : []),
  ];
}

interface Content {
  readonly title: string;
  readonly context: readonly string[];
  readonly added: readonly string[];
  readonly keywords: number;
}

function contentOf(change: FilterChange, filters: readonly FilterState[]): Content | undefined {
  if (change.action === 'remove') return undefined;
  const title = change.subject;
  if (change.action === 'add') {
    const {context, keywords} = change.details;
    return {title, context, added: keywords.map(({keyword}) => keyword), keywords: keywords.length};
  }
  const {id, context = [], add, remove} = change.details;
  const before = filters.find((filter) => filter.id === id)?.keywords.length ?? 0;
  return {title, context, added: add.map(({keyword}) => keyword), keywords: before + add.length - remove.length};
}

function contentLimits({title, context, added, keywords}: Content): string[] {
  const strange = context.filter((one) => !contexts.includes(one));
  const unfit = added.filter(
    (keyword) => !storableKeyword.test(keyword) || endlessRepetition.test(keyword) || [...keyword].length > maxKeywordLength,
  );
  const filter = `the filter "${title}"`;
  return [
    ...([...title].length > maxTitleLength
      ? [`${filter} has a title of more than ${maxTitleLength} characters, which servers refuse`]
      : []),
    ...(strange.length > 0 ? [`${filter} applies in ${strange.join(', ')}; most servers only know ${contexts.join(', ')}`] : []),
    ...(keywords > maxKeywords ? [`${filter} would have ${keywords} keywords; servers take ${maxKeywords}`] : []),
    ...(added.length === 0 && keywords === 0 ? [`${filter} would have no keywords, which servers refuse in a new one`] : []),
    ...unfit.map(
      (keyword) =>
        `${filter}: servers refuse the keyword "${keyword}": letters, digits, spaces and punctuation, at most ${maxKeywordLength} of them`,
    ),
  ];
}

/** Keywords that other filters have already: servers accept a keyword in one filter only. */
function takenKeywords(changes: readonly FilterChange[], filters: readonly FilterState[]): string[] {
  const freed = new Set(
    changes.flatMap((change) => {
      if (change.action === 'add') return [];
      const {id} = change.details;
      const gone = change.action === 'remove' ? (filters.find((filter) => filter.id === id)?.keywords ?? []) : change.details.remove;
      return gone.map(({keyword}) => `${id}\n${keyword}`);
    }),
  );
  const holder = new Map(
    filters.flatMap(({id, title, keywords}) =>
      keywords.filter(({keyword}) => !freed.has(`${id}\n${keyword}`)).map(({keyword}) => [keyword, title] as const),
    ),
  );
  return changes.flatMap((change) =>
    (contentOf(change, filters)?.added ?? []).flatMap((keyword) => {
      const title = holder.get(keyword);
      return title === undefined
        ? []
        : [
            `the keyword "${keyword}" of the filter "${change.subject}" is in the filter "${title}"; servers accept a keyword in one filter only`,
          ];
    }),
  );
}

export function refusedFilters(changes: readonly FilterChange[], state: State, now: Date): string[] {
  const filters = liveFilters(valueOf(state.filters) ?? [], now);
  return [
    ...quotaLimits(changes),
    ...changes.flatMap((change) => {
      const content = contentOf(change, filters);
      return content ? contentLimits(content) : [];
    }),
    ...takenKeywords(changes, filters),
  ];
}
