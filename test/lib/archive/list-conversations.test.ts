/** Lists of conversations that change while they are read. */
import {expect, test} from 'vitest';
import {conversationsIn} from '../../../src/lib/archive/list-conversations.js';
import {clientOf, json, startServer, type Reply} from '../../loopback-server.js';

const page = (ids: readonly string[], next: string | null = null): Reply =>
  json({data: ids.map((id) => ({id, type: 'dm', name: null, participants: []})), meta: {next_cursor: next, prev_cursor: null}});

async function listed(...replies: readonly Reply[]) {
  const server = await startServer(...replies);
  const {signal} = new AbortController();
  const found = await conversationsIn('primary', {client: clientOf(server.url, {retries: 0}), signal});
  return found.map(({id}) => id);
}

test('a list of several pages is read again until a page has nothing new', async () => {
  expect(await listed(page(['1'], 'a'), page(['2']), page(['3', '1'], 'b'), page(['2']))).toEqual(['1', '2', '3']);
  expect(await listed(page(['1'], 'a'), page(['2']), page(['1'], 'b'))).toEqual(['1', '2']);
});

test('a list that is new whenever it is read is read three times', async () => {
  const pages = ['1', '3', '5'].flatMap((id) => [page([id], 'a'), page([String(Number(id) + 1)])]);
  expect(await listed(...pages)).toEqual(['1', '2', '3', '4', '5', '6']);
});
