import fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import {watch, type Batch} from '../../../src/lib/client/watch.js';
import {clientOf} from '../../loopback-server.js';
import {listRequest, type PageAnswer} from './list-server.js';
import {growingServer, idsOf, upTo, watched, type Watchable} from './watched-server.js';

const names = ['notifications', 'messages', 'reports'] as const;

describe.each(names)('%s that are watched', (name) => {
  test('watched items begin with the first one after the start', async () => {
    const server = await growingServer(name);
    server.list.items = upTo(30);
    const batches = await watched(server, name, {
      between: [() => {}, () => (server.list.items = upTo(33)), () => (server.list.items = upTo(34))],
    });
    expect(batches[0]).toMatchObject({items: [], since: '30'});
    expect(idsOf(batches)).toEqual([31, 32, 33, 34]);
  });

  test('watched items are read once where that is asked for: the new ones, or which is the newest', async () => {
    const server = await growingServer(name);
    server.list.items = upTo(30);
    const between = [() => (server.list.items = upTo(31))];
    expect(await watched(server, name, {isOnce: true, between})).toMatchObject([{items: [], since: '30'}]);
    expect(idsOf(await watched(server, name, {isOnce: true, since: '27', between}))).toEqual([28, 29, 30]);
  });

  test('watched items have no gaps when the list was empty', async () => {
    const server = await growingServer(name);
    const batches = await watched(server, name, {query: {limit: '2'}, between: [() => {}, () => (server.list.items = upTo(5))]});
    expect(batches[0]).toMatchObject({items: [], since: '0'});
    expect(idsOf(batches)).toEqual([1, 2, 3, 4, 5]);
  });

  test('watched items are given once when pages fail and are requested again', async () => {
    const server = await growingServer(name);
    let asked = 0;
    const between = [
      () => {
        server.list.items = upTo(9);
        server.list.fails = () => ((asked += 1) === 2 ? {body: {error: 'Out of order'}, status: 500} : undefined);
      },
      () => {},
      () => {},
    ];
    const batches = await watched(server, name, {
      query: {limit: '2'},
      since: '2',
      between: [() => (server.list.items = upTo(4)), ...between],
    });
    expect(idsOf(batches)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  test('watched items are complete, whenever they arrive', async () => {
    const server = await growingServer(name);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(8),
        fc.array(fc.nat(9), {minLength: 1, maxLength: 6}),
        fc.integer({min: 1, max: 5}),
        async (first, growth, limit) => {
          server.list.items = upTo(first);
          let last = first;
          const between = growth.map((more) => () => (server.list.items = upTo((last += more))));
          const batches = await watched(server, name, {query: {limit: String(limit)}, between});
          expect(idsOf(batches)).toEqual(upTo(last, first + 1).map(({id}) => id));
        },
      ),
      {numRuns: 20},
    );
  });
});

test('a watched list with page numbers passes over empty pages, and sends no bound', async () => {
  const server = await growingServer('reports');
  server.list.items = upTo(3);
  const gone = upTo(40, 5).map((item) => ({...item, type: 'gone'}));
  const between = [() => (server.list.items = [...upTo(4), ...gone, ...upTo(43, 41)])];
  expect(idsOf(await watched(server, 'reports', {between}))).toEqual([4, 41, 42, 43]);
  expect(server.targets.filter((target) => target.includes('_id'))).toEqual([]);
});

describe('reports that are watched', () => {
  async function growing(count: number) {
    const server = await growingServer('reports');
    server.list.items = upTo(3);
    const batches = await watched(server, 'reports', {since: '3', between: [() => (server.list.items = upTo(3 + count)), () => {}]});
    return {server, batches};
  }

  test('of more than 200, it is said which may be missing', async () => {
    const {server, batches} = await growing(201);
    expect(batches.flatMap(({mayLack}) => mayLack ?? [])).toEqual([{after: '3', upTo: '204'}]);
    expect(idsOf(batches)).toEqual(upTo(204, 4).map(({id}) => id));
    // They are read once, and one page before and after.
    expect(server.targets).toHaveLength(1 + 34 + 1);
  });

  test('of more than a page has, it is said which may be missing: others that are handled move items to a page that was read', async () => {
    const {batches} = await growing(20);
    expect(idsOf(batches)).toEqual(upTo(23, 4).map(({id}) => id));
    expect(batches.flatMap(({mayLack}) => mayLack ?? [])).toEqual([{after: '3', upTo: '23'}]);
  });

  test('a single page is read once', async () => {
    const {server, batches} = await growing(2);
    expect(idsOf(batches)).toEqual([4, 5]);
    expect(batches.flatMap(({mayLack}) => mayLack ?? [])).toEqual([]);
    expect(server.targets).toHaveLength(1 + 2 + 1);
  });

  test('two of one second are given by their ids, and none of them is left out at the end of a page', async () => {
    const server = await growingServer('reports');
    const at = (second: number) => `2026-05-01T10:00:0${second}.000000Z`;
    const of = (second: number, ...ids: readonly number[]) => ids.map((id) => ({id, created_at: at(second)}));
    server.list.items = of(1, 1, 2, 3);
    // The server sorts by time alone, and gives those of one second with the oldest first.
    const between = [() => (server.list.items = [...of(1, 4, 3, 2, 1), ...of(2, 9, 8, 7, 6, 5)])];
    expect(idsOf(await watched(server, 'reports', {since: '3', between}))).toEqual([4, 5, 6, 7, 8, 9]);
  });
});

test('of more items than are held at once the newest are given, and it is said which may be missing', async () => {
  const server = await growingServer('notifications');
  server.list.items = upTo(3);
  const batches = await watched(server, 'notifications', {query: {limit: '500'}, between: [() => (server.list.items = upTo(25_003))]});
  expect(idsOf(batches)).toEqual(upTo(25_003, 14_504).map(({id}) => id));
  expect(batches.flatMap(({mayLack}) => mayLack ?? [])).toEqual([{after: '3', upTo: '25003'}]);
});

test('messages are given page by page, so that little is repeated after a crash', async () => {
  const server = await growingServer('messages');
  server.list.items = upTo(5);
  const batches = await watched(server, 'messages', {query: {limit: '2'}, since: '0', between: []});
  // Nothing is known yet: the pages go down, and are given as a whole.
  expect(batches.map(({items}) => items.length).filter((count) => count > 0)).toEqual([5]);
  const later = await watched(server, 'messages', {query: {limit: '2'}, since: '1', between: []});
  expect(later.map(({items, since}) => [items.length, since])).toEqual([
    [0, '1'],
    [2, '3'],
    [2, '5'],
  ]);
});

test('a filter by type does not read the whole history at every poll', async () => {
  const server = await growingServer('notifications');
  server.list.items = upTo(200).map((item) => ({...item, type: 'follow'}));
  const more = () => (server.list.items = [...server.list.items, {id: server.list.items.length + 1, type: 'follow'}]);
  const mention = () => (server.list.items = [...server.list.items, {id: server.list.items.length + 1, type: 'mention'}]);
  const batches = await watched(server, 'notifications', {query: {types: ['mention'], limit: '10'}, between: [more, more, mention]});
  expect(idsOf(batches)).toEqual([203]);
  expect(server.targets.length).toBeLessThan(10);
});

describe('a failure', () => {
  const out = (status: number) => () => ({body: {error: 'Out of order'}, status});

  test('a failure of the first poll ends it', async () => {
    const server = await growingServer('messages');
    server.list.fails = out(500);
    await expect(watched(server, 'messages', {since: '1', between: [() => {}]})).rejects.toMatchObject({code: 'unavailable'});
    await expect(watched(server, 'messages', {between: [() => {}]})).rejects.toMatchObject({code: 'unavailable'});
  });

  test.each([500, 503])('a failure of a later poll does not end it when it may pass: %d', async (status) => {
    const server = await growingServer('messages');
    const pause = vi.fn<(failures: number, failure: unknown) => Promise<void>>();
    const steps = [
      () => (server.list.fails = out(status)),
      () => {},
      () => (server.list.fails = () => undefined),
      () => (server.list.items = upTo(3)),
    ];
    pause.mockImplementation(async () => {
      const step = steps.shift();
      if (step === undefined) throw new Error('enough');
      step();
    });
    const watching = watch(clientOf(server.url, {retries: 0}), listRequest('messages'), {since: '1', pause});
    const batches: Batch[] = [];
    await expect(async () => {
      for await (const batch of watching) batches.push(batch);
    }).rejects.toThrow('enough');
    expect(idsOf(batches)).toEqual([2, 3]);
    expect(pause.mock.calls.map(([failures]) => failures)).toEqual([0, 1, 2, 0, 0]);
    expect(pause.mock.calls[1]?.[1]).toMatchObject({code: 'unavailable'});
  });

  const limited = () => ({body: {error: 'Too many'}, status: 429, headers: {'retry-after': '3600'}});

  test.each<[string, () => PageAnswer, object]>([
    ['401', out(401), {code: 'auth'}],
    ['404', out(404), {code: 'not_found'}],
    ['422', out(422), {code: 'refused'}],
    ['429 with too long a wait', limited, {code: 'rate_limited', details: {reason: 'wait_too_long'}}],
  ])('a failure that is permanent ends it: %s', async (_, fails, failure) => {
    const server = await growingServer('messages');
    const between = [() => (server.list.fails = fails), () => {}];
    await expect(watched(server, 'messages', {since: '1', client: {maxWait: 5000}, between})).rejects.toMatchObject(failure);
  });

  test('a failure of the schema ends it when strict', async () => {
    const server = await growingServer('messages');
    const between = [
      () => (server.list.fails = () => ({body: []})),
      () => (server.list.fails = () => undefined),
      () => (server.list.items = upTo(2)),
    ];
    expect(idsOf(await watched(server, 'messages', {since: '1', between: [...between]}))).toEqual([2]);
    await expect(watched(server, 'messages', {since: '1', strict: true, between})).rejects.toMatchObject({code: 'bad_answer'});
  });

  test('a failure of items without usable ids ends it', async () => {
    const server = await growingServer('notifications');
    server.list.fails = () => ({body: [{id: 'abc'}]});
    await expect(watched(server, 'notifications', {between: []})).rejects.toMatchObject({
      code: 'bad_answer',
      message: `${server.url.host}: an item has no usable id`,
      details: {reason: 'shape'},
    });
  });
});

test('notifications that a server had yet to find at the start are not new', async () => {
  const server = await growingServer('notifications');
  server.list.items = upTo(3);
  let asked = 0;
  server.list.fails = () => ((asked += 1) === 1 ? {body: []} : undefined);
  const batches = await watched(server, 'notifications', {between: [() => (server.list.items = upTo(4))]});
  expect([batches[0]?.since, ...idsOf(batches)]).toEqual(['3', 4]);
});

test.each(['notifications', 'messages'] satisfies Watchable[])('ids of %s are compared digit for digit', async (name) => {
  const server = await growingServer(name);
  const body = (id: string) => (name === 'messages' ? `{"data":[{"id":${id}}],"meta":{"has_more":false}}` : `[{"id":${id}}]`);
  server.list.fails = () => ({body: body('9007199254740993')});
  const batches = await watched(server, name, {between: [() => (server.list.fails = () => ({body: body('9007199254740994')}))]});
  expect(batches.flatMap(({items}) => items)).toEqual([{id: '9007199254740994', value: {id: Number('9007199254740994')}}]);
});
