import type {ServerResponse} from 'node:http';
import {describe, expect, test} from 'vitest';
import {startServer} from '../../loopback-server.js';
import {everyPage, inTurn, items, listRequest, listServer} from './list-server.js';

const next = (address: string) => `<${address}>; rel="next"`;
const blocks = (query: string) => `https://pix.example/api/v1/blocks?${query}`;

describe('the next page', () => {
  test('the next page is named by a cursor in meta', async () => {
    const page = (cursor: string | null, ...ids: number[]) => ({body: {data: items(...ids), meta: {next_cursor: cursor}}});
    const server = await listServer(inTurn(page('a=&b', 5, 4), page(null, 3)));
    const list = listRequest('conversations', {query: {filter: 'requests', limit: '2'}});
    expect(await everyPage(server, list)).toEqual([['5', '4'], ['3']]);
    const path = '/api/v1.1/direct/conversations?filter=requests&limit=2';
    expect(server.targets).toEqual([path, `${path}&cursor=a%3D%26b`]);
  });

  test('the next page is named by a number above 2^53 while has_more is true', async () => {
    const server = await listServer(
      inTurn(
        {body: '{"data":[{"id":"2"}],"has_more":true,"next_cursor":9007199254740993123}'},
        {body: '{"data":[{"id":"1"}],"has_more":false,"next_cursor":9007199254740993124}'},
      ),
    );
    expect(await everyPage(server, listRequest('mutuals'))).toEqual([['2'], ['1']]);
    expect(server.targets[1]).toBe('/api/v1.1/direct/compose/mutuals?cursor=9007199254740993123');
  });

  test('the next page is named by the oldest item', async () => {
    const page = (more: boolean, ...ids: number[]) => ({
      body: {data: items(...ids), meta: {has_more: more, newest_id: String(ids[0]), oldest_id: String(ids.at(-1))}},
    });
    const server = await listServer(inTurn(page(true, 6, 5), page(true, 4, 3), page(false, 2)));
    expect(await everyPage(server, listRequest('messages', {query: {limit: '2'}}))).toEqual([['6', '5'], ['4', '3'], ['2']]);
    const path = '/api/v1.1/direct/conversations/5/messages?limit=2';
    expect(server.targets).toEqual([path, `${path}&max_id=5`, `${path}&max_id=3`]);
  });

  test('the next page is named by the newest item with min_id', async () => {
    const page = (more: boolean, ...ids: number[]) => ({
      body: {data: items(...ids), meta: {has_more: more, newest_id: String(ids[0]), oldest_id: String(ids.at(-1))}},
    });
    const server = await listServer(inTurn(page(true, 3, 2), page(false, 4)));
    expect(await everyPage(server, listRequest('messages', {query: {min_id: '1'}}))).toEqual([['3', '2'], ['4']]);
    expect(server.targets.map((target) => target.split('?')[1])).toEqual(['min_id=1', 'min_id=3']);
  });

  test.each(['page=2', 'cursor=eyJpZCI6OH0', 'max_id=4', 'offset=40'])('the next page by a link with %s', async (step) => {
    const server = await listServer(inTurn({body: items(6, 5), link: next(blocks(`limit=2&${step}`))}, {body: items(3)}));
    expect(await everyPage(server, listRequest('blocks', {query: {limit: '2'}}))).toEqual([['6', '5'], ['3']]);
    expect(server.targets).toEqual(['/api/v1/blocks?limit=2', `/api/v1/blocks?limit=2&${step}`]);
  });
});

describe('a Link header', () => {
  test.each([
    ['of another server', 'https://elsewhere.example/api/v1/blocks?page=2', '/api/v1/blocks?page=2'],
    ['of another scheme', 'http://pix.example/api/v1/blocks?page=2', '/api/v1/blocks?page=2'],
    ['of another path', 'https://elsewhere.example/other/list?page=2', '/other/list?page=2'],
    ['that is relative', '?page=2', '/api/v1/blocks?page=2'],
  ])('a Link header to %s is followed on the configured server', async (_, address, target) => {
    const server = await listServer(inTurn({body: items(2), link: next(address)}, {body: items(1)}));
    expect(await everyPage(server, listRequest('blocks'))).toEqual([['2'], ['1']]);
    expect(server.targets).toEqual(['/api/v1/blocks', target]);
  });

  test('a Link header that is there twice is read as one', async () => {
    const send = (body: unknown, link: string[]) => (response: ServerResponse) =>
      response.writeHead(200, {'content-type': 'application/json', link}).end(JSON.stringify(body));
    const server = await startServer(send(items(2), [prev, next(blocks('page=2'))]), send(items(1), []));
    expect(await everyPage({...server, targets: []}, listRequest('blocks'))).toEqual([['2'], ['1']]);
  });

  const prev = `<${blocks('page=1')}>; rel="prev"`;
  test('replaces the parameters of the page before', async () => {
    const server = await listServer(inTurn({body: items(2), link: next(blocks('cursor=a'))}, {body: items(1)}));
    await everyPage(server, listRequest('blocks', {query: {limit: '1', page: '7'}}));
    expect(server.targets).toEqual(['/api/v1/blocks?limit=1&page=7', '/api/v1/blocks?limit=1&cursor=a']);
  });
});
