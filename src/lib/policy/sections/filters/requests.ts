/** The requests of changes of filters, in words too, and whether they do what they show. */
import type {FilterAddition, FilterChange, FilterUpdate} from './changes.js';
import type {PlainInput} from '../../../api/endpoint.js';
import {createFilter, deleteFilter} from '../../../api/filters.js';
import {expiresIn, filterUpdate, keywordEntries, type FilterEnd} from '../../../operations/filters.js';
import {keywordChanges} from './delta.js';
import {type State, valueOf} from '../../model/server-state.js';
import {expiryOf} from '../../model/time.js';

function keywordText(keyword: string, wholeWord: boolean): string {
  return `“${keyword}”${wholeWord ? '' : ' (also inside words)'}`;
}

function additionText({context, filter_action, expires, keywords}: FilterAddition['details']): string[] {
  const all = keywords.map(({keyword, whole_word}) => keywordText(keyword, whole_word)).join(', ');
  return [
    ...(filter_action === undefined ? [] : [filter_action]),
    `in ${context.join(', ')}`,
    ...(expires === undefined ? [] : [endText(expires)]),
    all === '' ? 'no keywords' : all,
  ];
}

function endText(expires: string): string {
  return expires === 'never' ? 'never ends' : `ends ${/^\d{4}-/.test(expires) ? '' : 'in '}${expires}`;
}

function updateText({title, stored, context, filter_action, expires, add, remove, change}: FilterUpdate['details']): string[] {
  return [
    ...(title === undefined ? [] : [`called “${title}”${stored === undefined ? '' : `, was “${stored}”`}`]),
    ...(filter_action === undefined ? [] : [filter_action]),
    ...(context === undefined ? [] : [`in ${context.join(', ')}`]),
    ...(expires === undefined ? [] : [endText(expires)]),
    ...add.map(({keyword, whole_word}) => `+ ${keywordText(keyword, whole_word)}`),
    ...remove.map(({keyword}) => `- ${keywordText(keyword, true)}`),
    ...change.map(({keyword, whole_word}) => `~ ${keywordText(keyword, whole_word)}`),
  ];
}

export function filterChangeText(change: FilterChange): string {
  if (change.action === 'add') return additionText(change.details).join('; ');
  return change.action === 'update' ? updateText(change.details).join('; ') : '';
}

function endOf(text: string | undefined): FilterEnd | undefined {
  const expiry = text === undefined ? undefined : expiryOf(text);
  if (expiry === undefined || expiry.kind === 'never') return expiry?.kind;
  return expiry.kind === 'within' ? expiry.seconds : expiry.at;
}

export const filterOperations = {add: createFilter, update: filterUpdate, remove: deleteFilter};

/** @param now the moment of sending, which servers count from */
export function filterInput(change: FilterChange, now: Date): PlainInput {
  if (change.action === 'remove') return {path: {id: change.details.id}};
  if (change.action === 'add') {
    const {context, filter_action, expires, keywords} = change.details;
    return {
      body: {
        title: change.subject,
        context,
        ...(filter_action !== undefined && {filter_action}),
        ...expiresIn(endOf(expires), 'new filter', now),
        keywords_attributes: keywords,
      },
    };
  }
  const {id, title, context, filter_action, expires} = change.details;
  const body = {
    ...(title !== undefined && {title}),
    ...(context && {context}),
    ...(filter_action !== undefined && {filter_action}),
    ...expiresIn(endOf(expires), 'existing filter', now),
    ...keywordEntries(keywordChanges(change.details)),
  };
  return {path: {id}, body};
}

/** @param before the changes that are made before it: they may rename the filter */
export function filterMisfit(change: FilterChange, {filters}: State, before: readonly FilterChange[]): string | undefined {
  if (change.action === 'add') return undefined;
  const {id} = change.details;
  const found = valueOf(filters)?.find((one) => one.id === id);
  if (found === undefined) return `there is no filter ${id}`;
  const shown = change.action === 'update' && change.details.title !== undefined ? (change.details.stored ?? '') : change.subject;
  const renaming = before.findLast((one) => one.action === 'update' && one.details.id === id && one.details.title !== undefined);
  const title = renaming?.subject ?? found.title;
  if (title.trim() !== shown.trim()) return `the filter ${id} is called “${title}”`;
  if (change.action === 'remove') return undefined;
  const {title: renamed, remove, change: changed, unchanged} = change.details;
  if (renamed !== undefined && renamed !== change.subject) return `the plan would call it “${renamed}”`;
  const keywords = new Map(found.keywords.map((one) => [one.id, one]));
  const wrong =
    remove.find((one) => keywords.get(one.id)?.keyword !== one.keyword || keywords.get(one.id)?.wholeWord !== one.whole_word) ??
    changed.find((one) => keywords.get(one.id)?.keyword !== one.keyword);
  if (wrong !== undefined) return `the filter ${id} has no keyword ${wrong.id} “${wrong.keyword}”`;
  return unchanged === undefined || keywords.has(unchanged) ? undefined : `the filter ${id} has no keyword ${unchanged}`;
}
