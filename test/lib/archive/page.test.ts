/** What the page of a conversation shows, piece by piece. In a browser: test/e2e/archive-page.test.ts. */
import {expect, test} from 'vitest';
import {conversationPage} from '../../../src/lib/archive/page.js';

const owner = {server: 'https://pix.example', account: {id: '1', acct: 'ana'}};
const facts = {
  id: '5',
  type: 'conversation',
  folder: '5',
  people: {2: {acct: 'bob', name: 'Bob'}},
  messages: 4,
  missing: 0,
  media: 0,
  bytes: 0,
  absent_media: 0,
  last_at: null,
  not_read: [],
  conversation: null,
} as const;

const messageAt = (id: string, created_at?: string) => ({
  id,
  value: {id, sender_id: '2', text: `Message ${id}`, created_at},
  firstSeen: '2026-11-01T00:00:00.000Z',
  missingSince: undefined,
  versions: [],
  media: [],
});

test('each day stands once above its messages, and those without a time are of the day before them', () => {
  const times = ['2026-01-01T10:00:00Z', '2026-01-01T23:59:59Z', undefined, '2026-01-02T00:00:00Z'];
  const page = [
    ...conversationPage(
      '2026-11-01T00:00:00.000Z',
      facts,
      times.map((time, index) => messageAt(String(index), time)),
      owner,
    ),
  ].join('');
  expect(page.match(/(?<=class="day">)[^<]+|Message \d/g)).toEqual([
    '2026-01-01',
    'Message 0',
    'Message 1',
    'Message 2',
    '2026-01-02',
    'Message 3',
  ]);
});
