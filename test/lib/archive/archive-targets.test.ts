/** Lists of conversations that change while they are read. */
import {expect, test} from 'vitest';
import {conversationsIn} from '../../../src/lib/archive/archive-targets.js';
import {clientOf, json, startServer, type Reply} from '../../loopback-server.js';

const page = (ids: readonly string[], next: string | null = null): Reply =>
  json({data: ids.map((id) => ({id, type: 'dm', name: null, participants: []})), meta: {next_cursor: next, prev_cursor: null}});

/** The ids, and the inboxes of which some may be missing. */
async function listed(...replies: readonly Reply[]) {
  const server = await startServer(...replies);
  const {signal} = new AbortController();
  const moved: string[] = [];
  const source = {
    client: clientOf(server.url, {retries: 0}),
    signal,
    observe: () => {},
    noteMoved: (inbox: string) => void moved.push(inbox),
  };
  const found = await conversationsIn('primary', source);
  return [...found.keys(), ...moved];
}

test('a list of several pages is read again until a page has nothing new', async () => {
  expect(await listed(page(['1'], 'a'), page(['2']), page(['3', '1'], 'b'), page(['2']))).toEqual(['1', '2', '3']);
  expect(await listed(page(['1'], 'a'), page(['2']), page(['1'], 'b'))).toEqual(['1', '2']);
});

test('a list that is new whenever it is read is read five times, and may lack something', async () => {
  const pages = (count: number) =>
    Array.from({length: count}, (_, index) => [page([String(2 * index + 1)], 'a'), page([String(2 * index + 2)])]).flat();
  const ids = Array.from({length: 10}, (_, index) => String(index + 1));
  expect(await listed(...pages(5))).toEqual([...ids, 'primary']);
  expect(await listed(...pages(4), page(['1'], 'a'))).toEqual(ids.slice(0, 8));
});
