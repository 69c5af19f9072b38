import {describe, expect, test} from 'vitest';
import {firstPage, PageFailure, pagesOf, raceAbort, resumeAt} from '../../../src/lib/client/paging.js';
import {clientOf, HeldClock} from '../../loopback-server.js';
import {everyPage, items, listRequest, listServer} from './list-server.js';

const next = (address: string) => `<${address}>; rel="next"`;
const blocks = (query: string) => `https://pix.example/api/v1/blocks?${query}`;

describe('a failed page', () => {
  const page = (number: number) => ({body: items(number), link: next(blocks(`limit=1&page=${number + 1}`))});
  const failed = {body: {error: 'Out of order'}, status: 500};

  /** The pages until one fails, and how it did. */
  async function until(server: Awaited<ReturnType<typeof listServer>>, list = listRequest('blocks', {query: {limit: '1'}})) {
    const found: unknown[] = [];
    try {
      for await (const {items: some} of pagesOf(clientOf(server.url, {retries: 0}), list)) found.push(...some);
    } catch (error) {
      return {found, error};
    }
    throw new Error('Nothing failed');
  }

  test('names a cursor that resumes without loss or repetition', async () => {
    const server = await listServer((query) => {
      const number = Number(query.get('page') ?? 1);
      if (number === 4) return server.targets.length < 5 ? failed : {body: items(4)};
      return page(number);
    });
    const list = listRequest('blocks', {query: {limit: '1'}});
    const {found, error} = await until(server, list);
    expect(found).toEqual(items(1, 2, 3));
    expect(error).toMatchObject({code: 'unavailable', cursor: '/api/v1/blocks?limit=1&page=4', pages: 3});
    if (!(error instanceof PageFailure)) throw error;
    expect(await everyPage(server, {...list, request: resumeAt(list.request, error.cursor)})).toEqual([['4']]);
  });

  test('fails like any request when it is the first one', async () => {
    const server = await listServer(() => failed);
    const {error} = await until(server);
    expect(error).toMatchObject({code: 'unavailable'});
    expect(error).not.toBeInstanceOf(PageFailure);
  });

  test('a failed page is one without the list', async () => {
    const server = await listServer(() => ({body: {meta: {next_cursor: null}}}));
    const {error} = await until(server, listRequest('conversations'));
    expect(error).toMatchObject({code: 'bad_answer', details: {path: '/api/v1.1/direct/conversations'}});
  });

  test('a failed page ends at once after an abort', async () => {
    const controller = new AbortController();
    const {resolve, promise} = Promise.withResolvers<{body: unknown}>();
    const server = await listServer((_query, _path, before) => {
      if (before === 0) return page(1);
      controller.abort(new Error('enough'));
      return promise;
    });
    const {error} = await until(server, {...listRequest('blocks', {query: {limit: '1'}}), signal: controller.signal});
    expect(error).toMatchObject({message: 'enough'});
    resolve({body: []});
  });

  test.each([
    ['the pause that the server asks for before the first page', 'blocks', {body: {}, status: 429, headers: {'retry-after': '100'}}],
    ['the second in which the server fills the list', 'notifications', {body: []}],
  ] as const)('%s ends at once after an abort', async (_, name, answer) => {
    const server = await listServer(() => answer);
    for (const read of [firstPage, (...given: Parameters<typeof pagesOf>) => pagesOf(...given).next()]) {
      // It stands still: what waits for the time to pass waits for ever.
      const clock = new HeldClock();
      const leaving = new AbortController();
      const reading = read(clientOf(server.url, {clock}), {...listRequest(name), signal: leaving.signal});
      let end: unknown;
      reading.catch((error: unknown) => (end = error));
      await clock.begun();
      leaving.abort(new Error('the reader is gone'));
      await new Promise(setImmediate);
      expect(end).toEqual(new Error('the reader is gone'));
    }
  });

  test('a failed page is retried after a 429', async () => {
    const server = await listServer((query, _path, before) => {
      if (before === 1) return {body: {error: 'Slow down'}, status: 429, headers: {'retry-after': '0'}};
      return query.has('page') ? {body: items(2)} : page(1);
    });
    expect(await everyPage(server, listRequest('blocks'))).toEqual([['1'], ['2']]);
    expect(server.targets).toHaveLength(3);
  });
});

describe('a cursor', () => {
  test('a cursor can be quoted in a shell', async () => {
    const server = await listServer((query) =>
      query.has('cursor') ? {body: {}, status: 500} : {body: {data: items(1), meta: {next_cursor: "it's & more"}}},
    );
    const list = listRequest('conversations');
    const asked = everyPage(server, list, {retries: 0});
    const {cursor} = await asked.then(
      () => ({cursor: ''}),
      (error: unknown) => (error instanceof PageFailure ? error : {cursor: ''}),
    );
    expect(cursor).not.toContain("'");
    expect(resumeAt(list.request, cursor).query).toEqual([['cursor', "it's & more"]]);
  });
});

test('what is raced with an abort fails with its reason, also where that came before, and else ends as it does', async () => {
  const never = new Promise<never>(() => {});
  const leaving = new AbortController();
  const raced = raceAbort(never, leaving.signal);
  expect(await raceAbort(Promise.resolve(1), leaving.signal)).toBe(1);
  leaving.abort('left');
  await expect(raced).rejects.toBe('left');
  await expect(raceAbort(never, leaving.signal)).rejects.toBe('left');
});
