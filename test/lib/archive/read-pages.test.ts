/** What is read of a conversation from servers whose pages are not as they should be, and of parts of it. */
import {expect, test} from 'vitest';
import type {ConversationType} from '../../../src/lib/archive/message.js';
import {joinedRanges, type Range} from '../../../src/lib/archive/ranges.js';
import {readPages, type ReadingPlan} from '../../../src/lib/archive/read-pages.js';
import {clientOf, json, startServer, type Reply} from '../../loopback-server.js';

const {signal} = new AbortController();
const sent = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** A message that was sent as many seconds after midnight as its id says. */
const message = (id: number | null) => ({id: id === null ? null : String(id), text: 'x', created_at: id === null ? null : sent(id % 1000)});

/** A page as servers send it, the newest message first. */
const page = (ids: readonly (number | null)[], hasMore: boolean, bounds = ids): Reply =>
  json({data: ids.map(message), meta: {has_more: hasMore, newest_id: String(bounds[0]), oldest_id: String(bounds.at(-1))}});

/** What a test says of a plan; the rest is what reads everything. */
type Part = Partial<ReadingPlan>;

const since = (second: number): Part => ({since: new Date(sent(second))});

async function read(type: ConversationType, plan: Part, ...replies: readonly Reply[]) {
  const server = await startServer(...replies);
  const source = {client: clientOf(server.url, {retries: 0}), signal, observe: () => {}, noteMoved: () => {}};
  const pages = readPages({id: type === 'thread' ? '2' : '7', type}, {known: [], dateOf: () => undefined, ...plan}, source);
  const ids: string[] = [];
  let ranges: readonly Range[] = plan.known ?? [];
  let newest = false;
  let failure: string | undefined;
  try {
    for await (const {messages, covers, newest: isNewest} of pages) {
      ids.push(...messages.map(({id}) => id));
      if (covers !== undefined) ranges = joinedRanges(ranges, covers);
      newest ||= isNewest === true;
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  const asked = server.received.map(({target}) => target);
  return {ids, ranges, newest, failure, asked};
}

const all = (from: string | null, to: string) => [{from, to}];

test.each<[string, Part, Reply[], object]>([
  [
    'are refused from a page that does not lead to older ones',
    {},
    [page([30_000, 20_000], true), page([25_000], false)],
    {
      ids: ['20000', '30000'],
      ranges: all('20000', '30000'),
      failure: expect.stringContaining('the next page does not lead to older messages'),
    },
  ],
  [
    'are refused where nothing says whether there are more',
    {},
    [json({data: [message(20_000)], meta: {}})],
    {ids: ['20000'], newest: true, failure: expect.stringContaining('there are more messages, and the response does not say where')},
  ],
  [
    'are read on below a page of which nothing can be kept, which is a gap',
    {},
    [page([40_000], true), page([null], true, [30_000]), page([20_000], false)],
    {
      ids: ['40000', '20000'],
      ranges: [...all(null, '20000'), ...all('40000', '40000')],
      failure: expect.stringContaining('some messages have no id; the others are kept'),
    },
  ],
  [
    'are kept of a page with one that cannot be, and the page is a gap',
    {},
    [page([50_000], true), page([40_000, null, 30_000], true), page([20_000], false)],
    {ids: ['50000', '30000', '40000', '20000'], ranges: [...all(null, '30000'), ...all('50000', '50000')]},
  ],
  [
    'end at what is known, where that goes back far enough',
    {known: all('10000', '20003'), ...since(2), dateOf: () => new Date(sent(1))},
    [page([30_004, 20_003], true)],
    {ids: ['20003', '30004'], ranges: all('10000', '30004'), newest: true},
  ],
  [
    'are read on below what is known, where that does not go back far enough',
    {known: all('10003', '20003'), ...since(2), dateOf: () => new Date(sent(3))},
    [page([30_004, 20_003], true), page([10_001], true), page([10_000], true)],
    {ids: ['20003', '30004', '10001', '10000'], ranges: all('10000', '30004'), newest: true},
  ],
  [
    'end with two pages in a row that were sent before a time',
    since(2),
    [page([60_002, 60_000], true), page([50_001], true), page([40_002], true), page([30_000], true), page([20_001], true)],
    {ids: ['60000', '60002', '50001', '40002', '30000', '20001'], ranges: all('20001', '60002')},
  ],
  [
    'that are not known are read above what is known, then between, then below',
    {known: [...all('20000', '30000'), ...all('60000', '70000')]},
    [page([80_000, 70_000], true), page([50_000, 40_000, 30_000], true), page([10_000], false)],
    {
      ids: ['70000', '80000', '30000', '40000', '50000', '10000'],
      ranges: all(null, '80000'),
      newest: true,
      asked: [expect.not.stringContaining('_id='), expect.stringContaining('max_id=60000'), expect.stringContaining('max_id=20000')],
    },
  ],
  ['are read where there are none', {}, [page([], false)], {ids: [], ranges: all(null, '0'), newest: true, failure: undefined}],
])('messages of a conversation %s', async (_, plan, replies, expected) => {
  expect(await read('conversation', plan, ...replies)).toMatchObject(expected);
});

test('messages of a conversation without a time are read with those since a time', async () => {
  const meta = {has_more: false, newest_id: '20000', oldest_id: '20000'};
  const reply = json({data: [{id: '20000', text: 'x'}], meta});
  expect(await read('conversation', since(2), reply)).toMatchObject({ids: ['20000'], ranges: all(null, '20000')});
});

const thread = (...ids: readonly number[]): Reply => json({id: '2', name: 'Bob', username: 'bob', messages: ids.map(message)});
test.each<[string, Part, Reply[], object]>([
  ['that are none', {}, [thread()], {ids: [], ranges: all(null, '0'), newest: true, failure: undefined}],
  ['down to what is known', {known: all(null, '10')}, [thread(12, 11, 10)], {ids: ['10', '11', '12'], ranges: all(null, '12')}],
  [
    'until a page was sent before a time',
    since(11),
    [thread(13, 12), thread(11, 10), thread(9, 8), thread(7, 6)],
    {ids: ['6', '7', '8', '9', '10', '11', '12', '13'], ranges: all('6', '13')},
  ],
  [
    'past messages with older dates',
    since(11),
    [thread(4012, 4001, 3012), thread(3001), thread(2012), thread(2001), thread(1001)],
    {ids: ['1001', '2001', '2012', '3001', '3012', '4001', '4012'], ranges: all('1001', '4012')},
  ],
  [
    'until a page does not lead to older messages, and from its beginning',
    {},
    [thread(2022, 2021), thread(2023, 2022), thread(1009, 1008)],
    {ids: ['1008', '1009', '2021', '2022', '2023'], ranges: [...all(null, '1009'), ...all('2021', '2022')]},
  ],
  [
    'whole where its beginning has its end',
    {},
    [thread(1012, 1011), thread(), thread(1012, 1011)],
    {ids: ['1011', '1012'], ranges: all(null, '1012')},
  ],
  [
    'with what no lower bound shows',
    {},
    [thread(9, 8), thread(), thread(9, 8, 7), thread(1)],
    {ids: ['1', '7', '8', '9'], ranges: all(null, '9')},
  ],
  [
    'without its beginning where a server gives the last page again',
    {},
    [thread(1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001), thread(), thread(1008, 1007, 1006, 1005, 1004, 1003, 1002, 1001)],
    {ranges: all('1001', '1008')},
  ],
])('a thread is read %s', async (_, plan, replies, expected) => {
  expect(await read('thread', plan, ...replies)).toMatchObject(expected);
});
