/** The request for a change. */
import {addBlock, addMute, removeBlock, removeMute} from '../api/blocks.js';
import type {PlainInput} from '../api/endpoint.js';
import {createFilter, deleteFilter} from '../api/filters.js';
import {disablePush} from '../api/push.js';
import {domainBlock, domainUnblock} from '../operations/domains.js';
import {expiresIn, filterUpdate, keywordEntries, type FilterEnd} from '../operations/filters.js';
import {idOrHandle} from '../operations/handles.js';
import {converted, type Operation} from '../operations/operation.js';
import type {Change} from './change.js';
import {keywordChanges} from './filters.js';
import {expiryOf} from './time.js';

export interface ChangeRequest {
  readonly endpoint: Operation;
  /** An account whose id is not known is named by its handle. */
  readonly input: PlainInput;
}

function endOf(text: string | undefined): FilterEnd | undefined {
  const expiry = text === undefined ? undefined : expiryOf(text);
  if (expiry === undefined || expiry.kind === 'never') return expiry?.kind;
  return expiry.kind === 'within' ? expiry.seconds : expiry.at;
}

const accountEndpoints = {block: {add: addBlock, remove: removeBlock}, mute: {add: addMute, remove: removeMute}} as const;

/** @param now the moment of sending, which servers count from */
export function requestOf(change: Change, now: Date): ChangeRequest {
  if (change.kind === 'push') return {endpoint: disablePush, input: {}};
  if (change.kind === 'block' || change.kind === 'mute') {
    const {id = idOrHandle(change.subject)} = change.details;
    return {endpoint: accountEndpoints[change.kind][change.action], input: {path: {id}}};
  }
  if (change.kind === 'domain_block') {
    if (change.action === 'remove') return {endpoint: domainUnblock, input: {body: {domain: change.details.stored ?? change.subject}}};
    return {endpoint: domainBlock, input: converted(domainBlock, {body: {domain: change.subject}})};
  }
  if (change.action === 'remove') return {endpoint: deleteFilter, input: {path: {id: change.details.id}}};
  if (change.action === 'add') {
    const {context, filter_action, expires, keywords} = change.details;
    return {
      endpoint: createFilter,
      input: {
        body: {
          title: change.subject,
          context,
          ...(filter_action !== undefined && {filter_action}),
          ...expiresIn(endOf(expires), 'new filter', now),
          keywords_attributes: keywords,
        },
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
  return {endpoint: filterUpdate, input: {path: {id}, body}};
}
