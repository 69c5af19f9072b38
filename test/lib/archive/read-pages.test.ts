/** What is read of a conversation from servers whose pages are not as they should be, and of parts of it. */
import {describe, expect, test} from 'vitest';
import {messagePages, readThread, type Range} from '../../../src/lib/archive/read-pages.js';
import {clientOf, json, startServer, type Reply} from '../../loopback-server.js';

const {signal} = new AbortController();
const sent = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** A message that was sent as many seconds after midnight as its id says. */
const message = (id: number | null) => ({id: id === null ? null : String(id), text: 'x', created_at: id === null ? null : sent(id % 1000)});

/** A page as servers send it, the newest message first. */
const page = (ids: readonly (number | null)[], hasMore: boolean, bounds = ids): Reply =>
  json({data: ids.map(message), meta: {has_more: hasMore, newest_id: String(bounds[0]), oldest_id: String(bounds.at(-1))}});

async function read(range: Range, ...replies: readonly Reply[]) {
  const server = await startServer(...replies);
  let disorders = 0;
  const noteDisorder = () => (disorders += 1);
  const pages = messagePages('7', range, {client: clientOf(server.url, {retries: 0}), signal, noteDisorder});
  const ids: string[] = [];
  const failed = (error: unknown) => ({failure: error instanceof Error ? error.message : error});
  let end: unknown;
  try {
    let next = await pages.next();
    for (; next.done !== true; next = await pages.next()) ids.push(...next.value.map(({id}) => id));
    end = next.value;
  } catch (error) {
    end = failed(error);
  }
  return {ids, end, disorders};
}

describe('messages of a conversation', () => {
  test.each<[string, Range, Reply[], object]>([
    [
      'upwards are refused from a page that does not lead to newer ones',
      {},
      [page([20_000, 10_000], true), page([15_000], false)],
      {ids: ['10000', '20000'], end: {failure: expect.stringContaining('the next page does not lead to newer messages')}},
    ],
    [
      'downwards are refused from a page that does not lead to older ones',
      {most: 5},
      [page([30_000, 20_000], true), page([25_000], false)],
      {ids: ['20000', '30000'], end: {failure: expect.stringContaining('the next page does not lead to older messages')}},
    ],
    [
      'are refused where nothing says whether there are more',
      {},
      [json({data: [message(20_000)], meta: {}})],
      {ids: ['20000'], end: {failure: expect.stringContaining('there are more messages, and the response does not say where')}},
    ],
    [
      'downwards are read on below a page of which nothing can be kept',
      {most: 5},
      [page([null], true, [30_000]), page([20_000], false)],
      {ids: ['20000'], end: {failure: expect.stringContaining('some messages have no id; the others are kept')}},
    ],
    [
      'downwards end at the newest one that is known',
      {most: 5, above: '20000'},
      [page([30_000, 20_000, 10_000], true)],
      {ids: ['30000'], end: {id: '20000', isWithin: false}},
    ],
    [
      'downwards end at the first one that was sent before a time',
      {since: new Date(sent(2))},
      [page([30_003, 30_002, 30_001, 30_000], true), page([20_000], true)],
      {ids: ['30002', '30003'], end: {id: '30001', isWithin: false}, disorders: 0},
    ],
    [
      'downwards are read on below one with an older date, to the beginning',
      {since: new Date(sent(2))},
      [page([30_004, 20_005, 20_001], true), page([10_002, 10_000], false)],
      {ids: ['20005', '30004', '10002', '20001'], end: {id: '10000', isWithin: false}, disorders: 1},
    ],
    [
      'downwards are read on below a page of older ones where dates are out of order, until two pages in a row are older',
      {since: new Date(sent(2))},
      [page([60_002, 60_000, 50_002], true), page([50_001], true), page([40_002], true), page([30_000], true), page([20_001], true)],
      {ids: ['50002', '60000', '60002', '40002', '50001'], end: {id: '30000', isWithin: false}, disorders: 1},
    ],
    [
      'downwards are read on where the first page of older ones has dates out of order',
      {since: new Date(sent(5))},
      [page([60_006], true), page([50_001, 50_000, 40_001], true), page([30_000], true)],
      {ids: ['60006'], end: {id: '50001', isWithin: false}, disorders: 1},
    ],
    [
      'downwards reach the beginning where there are no more',
      {most: 5},
      [page([20_000, 10_000], false)],
      {ids: ['10000', '20000'], end: null},
    ],
  ])('messages of a conversation %s', async (_, range, replies, expected) => {
    expect(await read(range, ...replies)).toMatchObject(expected);
  });

  test('messages of a conversation without a time are read with those since a time', async () => {
    const meta = {has_more: false, newest_id: '20000', oldest_id: '20000'};
    expect(await read({since: new Date(sent(2))}, json({data: [{id: '20000', text: 'x'}], meta}))).toMatchObject({
      ids: ['20000'],
      end: null,
    });
  });
});

describe('a thread', () => {
  const thread = (...ids: readonly number[]): Reply => json({id: '2', name: 'Bob', username: 'bob', messages: ids.map(message)});
  async function readOf(range: Range, ...replies: readonly Reply[]) {
    const server = await startServer(...replies);
    const {messages} = await readThread('2', range, {client: clientOf(server.url, {retries: 0}), signal});
    return messages.map(({id}) => id);
  }

  test.each<[string, Range, Reply[], string[]]>([
    ['only as far as messages are wanted', {most: 2}, [thread(12, 11, 10)], ['11', '12']],
    ['only above the newest one that is known', {above: '10'}, [thread(12, 11, 10), thread(12, 11, 10)], ['11', '12']],
    [
      'until a page was sent before a time',
      {since: new Date(sent(11))},
      [thread(13, 12), thread(11, 10), thread(9, 8)],
      ['11', '12', '13'],
    ],
    [
      'past messages with older dates',
      {since: new Date(sent(11))},
      [thread(4012, 4001, 3012), thread(3001), thread(2012), thread(2001), thread(1001)],
      ['2012', '3012', '4012'],
    ],
    ['until a page does not lead to older messages', {}, [thread(12, 11), thread(13, 12)], ['11', '12', '13']],
  ])('a thread is read %s', async (_, range, replies, expected) => {
    expect(await readOf(range, ...replies)).toEqual(expected);
  });
});
