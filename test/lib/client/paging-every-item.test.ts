/** All items of a list at once: as the server wrote them, or none. */
import {expect, test} from 'vitest';
import {listBlocks} from '../../../src/lib/api/blocks.js';
import {listMessages} from '../../../src/lib/api/direct.js';
import {listFilters} from '../../../src/lib/api/filters.js';
import type {Endpoint, PlainInput} from '../../../src/lib/api/endpoint.js';
import {everyItem} from '../../../src/lib/client/paging.js';
import {clientOf} from '../../loopback-server.js';
import {inTurn, listServer, type PageAnswer} from './list-server.js';

const next = (query: string) => `<https://pix.example/api/v1/blocks?${query}>; rel="next"`;

async function allOf(list: Endpoint, pages: readonly PageAnswer[], input?: PlainInput) {
  const server = await listServer(inTurn(...pages));
  const read = await everyItem(clientOf(server.url, {retries: 0}), list, input).catch((error: unknown) => error);
  return {read, targets: server.targets};
}

test('the items of all pages are given with every digit', async () => {
  const pages = [
    {body: '[{"id": 12345678901234567890,\n "acct":"a"} , {"id":"2","rate":2.50}]', link: next('cursor=x')},
    {body: '[{"id":"3"}]'},
  ];
  expect(await allOf(listBlocks, pages, {query: {limit: 2}})).toEqual({
    read: [{id: JSON.rawJSON('12345678901234567890'), acct: 'a'}, {id: '2', rate: JSON.rawJSON('2.50')}, {id: '3'}],
    targets: ['/api/v1/blocks?limit=2', '/api/v1/blocks?limit=2&cursor=x'],
  });
});

test('items in an object are found', async () => {
  const pages = [{body: {data: [{id: '1'}, {id: '2'}], meta: {has_more: false}}}];
  expect((await allOf(listMessages, pages, {path: {id: '5'}})).read).toEqual([{id: '1'}, {id: '2'}]);
});

test('a list without pages is one answer', async () => {
  expect(await allOf(listFilters, [{body: '[{"id":"1",\n"title":"A"}]', link: next('cursor=x')}])).toEqual({
    read: [{id: '1', title: 'A'}],
    targets: ['/api/v2/filters'],
  });
  expect((await allOf(listFilters, [{body: []}])).read).toEqual([]);
});

const {paging: _, ...withoutPages} = listMessages;

test.each<[string, Endpoint]>([
  ['a list without pages', listFilters],
  ['a list with pages', listBlocks],
  ['a list in an object, without pages', withoutPages],
])('an answer that is no list is no empty list: %s', async (_, list) => {
  const {read} = await allOf(list, [{body: {data: 'x'}}], list.path.includes('{id}') ? {path: {id: '5'}} : {});
  expect(read).toMatchObject({code: 'bad_answer'});
});

test('of a list of which a page fails nothing is given', async () => {
  const {read} = await allOf(listBlocks, [
    {body: '[{"id":"1"}]', link: next('cursor=x')},
    {body: {error: 'Down'}, status: 500},
  ]);
  expect(read).toMatchObject({code: 'unavailable', pages: 1});
});
