/** Conversations with thousands of people, and messages with thousands of media. */
import {describe, test} from 'vitest';
import {listen} from '../loopback-server.js';
import {expectInProportion} from '../processor-time.js';
import {newArchive} from './archives.js';
import {run} from './in-process.js';

interface Size {
  readonly people?: number;
  readonly media?: number;
}

/** A server with one conversation, in which one message was sent. */
async function serverWith({people = 1, media = 0}: Size): Promise<Readonly<Record<string, string>>> {
  const several = <Item>(count: number, item: (id: string) => Item) => Array.from({length: count}, (_, index) => item(String(100 + index)));
  const message = {
    id: '10000',
    sender_id: '100',
    is_author: false,
    text: 'x',
    created_at: '2026-01-01T00:00:00.000Z',
    media: several(media, (id) => ({id, type: 'image', url: null, description: null})),
  };
  const participants = several(people, (id) => ({id, acct: `u${id}`, username: `u${id}`, display_name: `U ${id}`}));
  const conversation = {id: '7', type: 'group', name: null, participants, last_message: message};
  const documents = Object.entries({
    verify_credentials: {id: '9', acct: 'ana', username: 'ana'},
    '/messages': {data: [message], meta: {has_more: false, newest_id: '10000', oldest_id: '10000'}},
    '/conversations/7': conversation,
    '/conversations': {data: [conversation], meta: {next_cursor: null}},
  }).map(([part, document]) => ({part, text: JSON.stringify(document)}));
  const {origin} = await listen(({url = ''}, response) => {
    const found = documents.find(({part}) => url.includes(part));
    response.statusCode = found === undefined ? 404 : 200;
    response.setHeader('content-type', 'application/json').end(found?.text ?? '{}');
  });
  return {PIXELCTL_SERVER: origin, PIXELCTL_TOKEN: 'token-of-a-test'};
}

/** What reads a conversation or its messages, one command after the other. */
const readings: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'an archive': [
    ['dm', 'export', '7', '--to', 'a'],
    ['dm', 'export', '7', '--to', 'a'],
    ['dm', 'export', '7', '--to', 'a', '--new-only'],
    ['dm', 'export', '--to', 'a', '--verify'],
  ],
  'a list': [
    ['dm', 'list'],
    ['dm', 'get', '7'],
    ['dm', 'messages', '7', '--all', '-o', 'ndjson'],
  ],
  'dm clear': [['dm', 'clear', '7', '--yes']],
};

describe.each(Object.entries(readings))('%s takes time in proportion to', (_, lines) => {
  const read = async (made: Promise<Readonly<Record<string, string>>>) => {
    const env = await made;
    const to = newArchive();
    for (const line of lines)
      await run(
        line.map((word) => (word === 'a' ? to : word)),
        {env},
      );
  };

  test.each(['people', 'media'] as const)('the %s', (what) => expectInProportion(2000, (size) => serverWith({[what]: size}), read));
});
