/** How applies set filters, and what people did to them since. */
import * as z from 'zod/mini';
import type {FilterChange} from './changes.js';
import {type FilterDelta, keywordsText} from './delta.js';
import {updated} from './past.js';
import type {Made} from '../../section/section.js';
import {compareText} from '../../source/location.js';
import type {MadeItem} from '../../model/items.js';
import type {WantedFilter} from '../../model/policy.js';
import {type FilterState, valueOf} from '../../model/server-state.js';
import {endTolerance, expiryAt, expiryOf, expiryText} from '../../model/time.js';

const maybe = z.optional;

const schema = () =>
  z.strictObject({
    title: z.string(),
    context: z.array(z.string()),
    /** Undefined: the policy left it to the server. */
    action: maybe(z.string()),
    keywords: z.array(z.strictObject({keyword: z.string(), whole_word: z.boolean()})),
    /** As in a change; undefined: never, as far as the policy goes. */
    expires: maybe(z.string()),
  });

/** A filter as an apply set it. */
type MadeFilter = z.infer<ReturnType<typeof schema>>;

const isMade = (value: MadeFilter | FilterState): value is MadeFilter => !('id' in value);

function madeLike({title, context, action, keywords, expiresAt}: FilterState): MadeFilter {
  return {
    title: title.trim(),
    context: context.toSorted(compareText),
    action,
    keywords: keywords.map(({keyword, wholeWord}) => ({keyword, whole_word: wholeWord})),
    expires: expiryText(expiryAt(expiresAt)),
  };
}

/** How a server has it. Its keywords have no ids: an apply that sets a filter twice removes none by the second change. */
function stateLike({title, context, action = '', keywords}: MadeFilter): Pick<FilterState, 'action' | 'context' | 'keywords' | 'title'> {
  return {title, context, action, keywords: keywords.map(({keyword, whole_word: wholeWord}) => ({id: 0, keyword, wholeWord}))};
}

function afterUpdate(before: FilterState | MadeFilter, details: Extract<FilterChange, {action: 'update'}>['details']): MadeFilter {
  const after = updated(isMade(before) ? stateLike(before) : before, details);
  const {expires = isMade(before) ? before.expires : expiryText(expiryAt(before.expiresAt))} = details;
  const {title, context, action, keywords} = madeLike({...after, id: '', expiresAt: null});
  return {title, context, ...(action !== '' && {action}), keywords, ...(expires !== undefined && {expires})};
}

/** From what does least. */
const actions = ['blur', 'warn', 'hide'];

/** A filter that a policy asks for, with what somebody made stricter of it. */
export function asStrictAs(wanted: WantedFilter, {context, action, keywords}: FilterState): WantedFilter {
  const insideWords = new Set(keywords.flatMap(({keyword, wholeWord}) => (wholeWord ? [] : keyword)));
  return {
    ...wanted,
    context: [...new Set([...wanted.context, ...context])].sort(compareText),
    ...(wanted.action !== undefined && actions.indexOf(action) > actions.indexOf(wanted.action) && {action}),
    keywords: wanted.keywords.map(({keyword, wholeWord}) => ({keyword, wholeWord: wholeWord && !insideWords.has(keyword)})),
    exactly: false,
  };
}

/** Whether a filter hides less, or for a shorter time, once it is as a policy asks. */
export function losesBy({action: asked, context, expires}: WantedFilter, actual: FilterState, {surplus, wholeWord}: FilterDelta): boolean {
  const end = actual.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(actual.expiresAt);
  return (
    surplus.length > 0 ||
    wholeWord.some((keyword) => keyword.wholeWord) ||
    actual.context.some((name) => !context.includes(name)) ||
    (asked !== undefined && actions.indexOf(asked) < actions.indexOf(actual.action)) ||
    (expires?.kind === 'date' && expires.at.getTime() + endTolerance * 1000 < end) ||
    (expires?.kind === 'within' && actual.expiresAt === null)
  );
}

/** The title that an apply gave a filter. */
export function madeTitle({made}: Pick<MadeItem, 'made'>): string | undefined {
  return z.safeParse(schema(), made).data?.title;
}

export const madeFilters: Made = {
  schema,
  after(change: FilterChange, before: FilterState | MadeFilter | null) {
    if (change.action === 'update') return before === null ? undefined : afterUpdate(before, change.details);
    if (change.action === 'remove') return undefined;
    const {context, filter_action: action, expires, keywords} = change.details;
    return {
      title: change.subject.trim(),
      context: context.toSorted(compareText),
      ...(action !== undefined && {action}),
      keywords,
      ...(expires !== undefined && {expires}),
    };
  },
  before: (was: FilterState) => madeLike(was),
  now({filters: part}) {
    const all = valueOf(part);
    if (all === undefined) return undefined;
    const byId = new Map(all.map((filter) => [filter.id, filter]));
    return ({id = ''}) => {
      const found = byId.get(id);
      return found && madeLike(found);
    };
  },
  hasEnded({made, at}, now) {
    const {data} = z.safeParse(schema(), made);
    const expiry = data?.expires === undefined ? undefined : expiryOf(data.expires);
    if (expiry === undefined || expiry.kind === 'never') return false;
    const end = expiry.kind === 'date' ? expiry.at.getTime() : Date.parse(at ?? '') + expiry.seconds * 1000;
    return end <= now.getTime() + endTolerance * 1000;
  },
  isLess(one: MadeFilter, other: MadeFilter) {
    const words = new Map(other.keywords.map(({keyword, whole_word}) => [keyword, whole_word]));
    return (
      one.title !== other.title ||
      one.context.some((name) => !other.context.includes(name)) ||
      (one.action !== undefined && other.action !== undefined && actions.indexOf(other.action) < actions.indexOf(one.action)) ||
      one.keywords.some(({keyword, whole_word}) => !words.has(keyword) || (!whole_word && words.get(keyword) === true))
    );
  },
  text(made: MadeFilter, other?: MadeFilter) {
    const parts = partsOf(made);
    if (other === undefined) return [parts.action, parts.context, parts.keywords].filter((part) => part !== undefined).join('; ');
    const others = partsOf(other);
    return (['title', 'action', 'context', 'keywords'] as const)
      .flatMap((name) => (parts[name] === undefined || others[name] === undefined || parts[name] === others[name] ? [] : parts[name]))
      .join('; ');
  },
};

const partsOf = ({title, action, context, keywords}: MadeFilter) => ({
  title: `called “${title}”`,
  action,
  context: `in ${context.join(', ')}`,
  keywords: keywordsText(keywords.map(({keyword, whole_word: wholeWord}) => ({keyword, wholeWord}))),
});
