/** From a change to the request that makes it. */
import {addBlock, addDomainBlock, addMute, removeBlock, removeDomainBlock, removeMute} from '../api/blocks.js';
import type {Endpoint, PlainInput} from '../api/endpoint.js';
import {createFilter, deleteFilter, updateFilter} from '../api/filters.js';
import {disablePush} from '../api/push.js';
import type {Change, FilterUpdate} from './change.js';
import {expiryOf} from './time.js';

export interface ChangeRequest {
  readonly endpoint: Endpoint;
  readonly input: PlainInput;
}

/** Seconds until the end; servers clear it on 0, and a new filter has none. */
function expiresIn(text: string | undefined, now: Date): {expires_in?: number} {
  const expiry = text === undefined ? undefined : expiryOf(text);
  if (expiry === undefined) return {};
  if (expiry.kind === 'never') return {expires_in: 0};
  if (expiry.kind === 'within') return {expires_in: expiry.seconds};
  return {expires_in: Math.max(1, Math.ceil((expiry.at.getTime() - now.getTime()) / 1000))};
}

/** Entries run in order, and a full filter takes no more: what goes comes first. */
function keywordEntries({add, remove, change, unchanged}: FilterUpdate['details']): Record<string, unknown>[] {
  const entries = [
    ...remove.map(({id}) => ({id, _destroy: true})),
    ...change.map(({id, whole_word}) => ({id, whole_word})),
    ...add.map(({keyword, whole_word}) => ({keyword, whole_word})),
  ];
  return entries.length === 0 && unchanged !== undefined ? [{id: unchanged}] : entries;
}

const accountEndpoints = {block: {add: addBlock, remove: removeBlock}, mute: {add: addMute, remove: removeMute}} as const;

/** @param now the moment of sending, which servers count from */
export function requestOf(change: Change, now: Date): ChangeRequest {
  if (change.kind === 'push') return {endpoint: disablePush, input: {}};
  if (change.kind === 'block' || change.kind === 'mute') {
    const {id} = change.details;
    if (id === undefined) throw new Error(`The account ${change.subject} was not looked up`);
    return {endpoint: accountEndpoints[change.kind][change.action], input: {path: {id}}};
  }
  if (change.kind === 'domain_block') {
    return change.action === 'add'
      ? {endpoint: addDomainBlock, input: {body: {domain: `https://${change.subject}`}}}
      : {endpoint: removeDomainBlock, input: {body: {domain: change.details.stored ?? change.subject}}};
  }
  if (change.action === 'remove') return {endpoint: deleteFilter, input: {path: {id: change.details.id}}};
  if (change.action === 'add') {
    const {context, filter_action, expires, keywords} = change.details;
    const end = expires === 'never' ? {} : expiresIn(expires, now);
    return {
      endpoint: createFilter,
      input: {
        body: {title: change.subject, context, ...(filter_action !== undefined && {filter_action}), ...end, keywords_attributes: keywords},
      },
    };
  }
  const {id, title, context, filter_action, expires} = change.details;
  const body = {
    ...(title !== undefined && {title}),
    ...(context && {context}),
    ...(filter_action !== undefined && {filter_action}),
    ...expiresIn(expires, now),
    keywords_attributes: keywordEntries(change.details),
  };
  return {endpoint: updateFilter, input: {path: {id}, body}};
}
