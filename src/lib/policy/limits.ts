/** Limits of servers that a plan would run into, said before anything is sent. None of them is published by servers. */
import type {Change} from './change.js';
import type {FilterState} from './state.js';
import {durationOf} from './time.js';

/** On most servers; some stop at half of it. */
const mostDomainBlocks = 100;
export const fewestDomainBlocks = 50;
const mostFilters = 20;
const mostKeywords = 10;
const longestKeyword = 40;
const longestTitle = 100;
const longestExpiry = 2 * 365 * 86_400;
const additionsAnHour = 20;
const updatesAnHour = 40;
const contexts = ['home', 'public', 'tags'];

/** Letters, marks, digits, spaces and punctuation; no symbols, and no character twenty times over. */
const storableKeyword = /^[\p{L}\p{M}\p{N}\p{P}\s]+$/u;
const endlessRepetition = /(.)\1{20}/u;

function count(changes: readonly Change[], kind: Change['kind'], action: Change['action']): number {
  return changes.filter((change) => change.kind === kind && change.action === action).length;
}

function domainLimits(changes: readonly Change[], blocked: number): string[] {
  const added = count(changes, 'domain_block', 'add');
  const after = blocked + added - count(changes, 'domain_block', 'remove');
  if (added === 0 || after <= fewestDomainBlocks) return [];
  if (after <= mostDomainBlocks) return [`${after} domains would be blocked; some servers take no more than ${fewestDomainBlocks}`];
  return [`${after} domains would be blocked; most servers take no more than ${mostDomainBlocks}, and refuse the rest`];
}

function quotaLimits(changes: readonly Change[], filters: number): string[] {
  const added = count(changes, 'filter', 'add');
  const updated = count(changes, 'filter', 'update');
  const after = filters + added - count(changes, 'filter', 'remove');
  return [
    ...(added > 0 && after > mostFilters ? [`there would be ${after} filters; servers take ${mostFilters}`] : []),
    ...(added > additionsAnHour ? [`${added} filters are new; servers take ${additionsAnHour} an hour, so this needs several runs`] : []),
    ...(updated > updatesAnHour
      ? [`${updated} updates of filters; servers take ${updatesAnHour} an hour, so this needs several runs`]
      : []),
  ];
}

interface Content {
  readonly title: string;
  readonly context: readonly string[];
  readonly expires: string | undefined;
  readonly added: readonly string[];
  readonly keywords: number;
}

function contentOf(change: Change, filters: readonly FilterState[]): Content | undefined {
  if (change.kind !== 'filter' || change.action === 'remove') return undefined;
  const title = change.subject;
  if (change.action === 'add') {
    const {context, expires, keywords} = change.details;
    return {title, context, expires, added: keywords.map(({keyword}) => keyword), keywords: keywords.length};
  }
  const {id, context = [], expires, add, remove} = change.details;
  const before = filters.find((filter) => filter.id === id)?.keywords.length ?? 0;
  return {title, context, expires, added: add.map(({keyword}) => keyword), keywords: before + add.length - remove.length};
}

function contentLimits({title, context, expires, added, keywords}: Content): string[] {
  const strange = context.filter((one) => !contexts.includes(one));
  const unfit = added.filter(
    (keyword) => !storableKeyword.test(keyword) || endlessRepetition.test(keyword) || [...keyword].length > longestKeyword,
  );
  const filter = `the filter "${title}"`;
  return [
    ...([...title].length > longestTitle ? [`${filter} has a title of more than ${longestTitle} characters, which servers refuse`] : []),
    ...(strange.length > 0 ? [`${filter} holds in ${strange.join(', ')}; most servers of this kind only know ${contexts.join(', ')}`] : []),
    ...(keywords > mostKeywords ? [`${filter} would have ${keywords} keywords; servers take ${mostKeywords}`] : []),
    ...(added.length === 0 && keywords === 0 ? [`${filter} would have no keywords, which servers refuse in a new one`] : []),
    ...unfit.map(
      (keyword) =>
        `${filter}: servers refuse the keyword "${keyword}": letters, digits, spaces and punctuation, at most ${longestKeyword} of them`,
    ),
    ...(expires !== undefined && (durationOf(expires) ?? 0) > longestExpiry
      ? [`${filter} would end in more than two years, which servers refuse`]
      : []),
  ];
}

/** A keyword that a filter outside of the plan has: servers want it in one filter only. */
function takenKeywords(changes: readonly Change[], filters: readonly FilterState[]): string[] {
  const freed = new Set(
    changes.flatMap((change) => {
      if (change.kind !== 'filter' || change.action === 'add') return [];
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
            `the keyword "${keyword}" of the filter "${change.subject}" is in the filter "${title}"; servers take a keyword in one filter only`,
          ];
    }),
  );
}

/** What servers are known to refuse of a plan, in whole sentences' halves. */
export function limitsHit(changes: readonly Change[], blocked: number, filters: readonly FilterState[]): string[] {
  return [
    ...domainLimits(changes, blocked),
    ...quotaLimits(changes, filters.length),
    ...changes.flatMap((change) => {
      const content = contentOf(change, filters);
      return content ? contentLimits(content) : [];
    }),
    ...takenKeywords(changes, filters),
  ];
}
