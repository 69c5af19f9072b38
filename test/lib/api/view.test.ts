import {describe, expect, test} from 'vitest';
import {listBlocks, listDomainBlocks, listMutes} from '../../../src/lib/api/blocks.js';
import * as direct from '../../../src/lib/api/direct.js';
import type {Endpoint} from '../../../src/lib/api/endpoint.js';
import {createFilter, listFilters} from '../../../src/lib/api/filters.js';
import {listNotifications} from '../../../src/lib/api/notifications.js';
import {getPushState} from '../../../src/lib/api/push.js';
import * as thread from '../../../src/lib/api/thread.js';
import {valueAt} from '../../../src/lib/print/values.js';
import {recorded} from '../print/recorded.js';

interface Recorded {
  readonly endpoint: Endpoint;
  readonly file: string;
  readonly name: string;
}

const answers: readonly Recorded[] = [
  {endpoint: direct.unreadCount, file: '2026/conversations', name: 'unread-count'},
  {endpoint: direct.listConversations, file: '2026/conversations', name: 'request-list'},
  {endpoint: direct.getConversation, file: '2026/conversations', name: 'request-create'},
  {endpoint: direct.acceptConversation, file: '2026/conversations', name: 'request-accept'},
  {endpoint: direct.listMessages, file: '2026/conversations', name: 'messages'},
  {endpoint: direct.sendMessage, file: '2026/conversations', name: 'message-send'},
  {endpoint: direct.listMutuals, file: '2026/lookup-mutuals', name: 'dm-mutuals'},
  {endpoint: direct.lookUpRecipients, file: '2026/lookup-mutuals', name: 'dm-lookup'},
  {endpoint: thread.getThread, file: '2026/thread', name: 'dm-thread'},
  {endpoint: thread.sendThreadMessage, file: '2026/thread', name: 'dm-send'},
  {endpoint: thread.sendThreadMedia, file: '2026/thread', name: 'dm-media'},
  {endpoint: thread.readThread, file: '2026/thread', name: 'dm-read'},
  {endpoint: listBlocks, file: '0.12.6/blocks-mutes', name: 'blocks-default'},
  {endpoint: listMutes, file: '0.12.6/blocks-mutes', name: 'mutes-default'},
  {endpoint: listDomainBlocks, file: '2026/domain-blocks', name: 'domain_blocks'},
  {endpoint: listFilters, file: '0.12.6/filters', name: 'filters-list'},
  {endpoint: createFilter, file: '2026/filters', name: 'filters-create-form-indexed'},
  {endpoint: listNotifications, file: '0.12.6/notifications', name: 'notifications-exclude_types'},
  {endpoint: getPushState, file: '2026/push', name: 'push-state'},
];

describe('the view of an answer that a real server sent', () => {
  test.each(answers)('names only fields that are sent: $endpoint.name', ({endpoint: {view, rows}, file, name}) => {
    const answer: unknown = JSON.parse(recorded(file, name));
    const sent = [rows?.reduce(valueAt, answer) ?? answer].flat();
    for (const {path} of view?.columns ?? []) expect(sent.map((row) => valueAt(row, path))).not.toEqual(sent.map(() => undefined));
  });
});
