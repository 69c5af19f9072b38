import {describe, expect, test} from 'vitest';
import {listBlocks, removeDomainBlock} from '../../../src/lib/api/blocks.js';
import {muteConversation, sendMessage, unreadCount} from '../../../src/lib/api/direct.js';
import {updateFilter} from '../../../src/lib/api/filters.js';
import {clientOf, json, redirect, startServer, token} from '../../loopback-server.js';

const counts = {primary: 1, requests: 0};

describe('a read', () => {
  test.each([301, 302, 303, 307, 308])('follows %i within the server, with its token', async (status) => {
    const server = await startServer(redirect('/elsewhere?page=2', status), json(counts));
    expect((await clientOf(server.url).call(unreadCount, {})).value).toEqual(counts);
    expect(server.received[1]).toMatchObject({
      method: 'GET',
      target: '/elsewhere?page=2',
      headers: {authorization: `Bearer ${token}`},
    });
  });

  test('follows an absolute URL of the same server, and a relative one', async () => {
    const server = await startServer(
      (response, request) => redirect(`http://${request.headers.host}/api/v2/blocks`)(response, request),
      redirect('blocks/all?page=1'),
      json([]),
    );
    expect((await clientOf(server.url).call(listBlocks, {})).value).toEqual([]);
    expect(server.received.map(({target}) => target)).toEqual(['/api/v1/blocks', '/api/v2/blocks', '/api/v2/blocks/all?page=1']);
  });

  test('a read does not follow a redirect to another server', async () => {
    const other = await startServer();
    const server = await startServer(redirect(new URL('/api/v1/blocks', other.url).href));
    await expect(clientOf(server.url).call(listBlocks, {})).rejects.toMatchObject({
      code: 'bad_answer',
      details: {status: 302, reason: 'another_origin'},
    });
    expect(other.received).toEqual([]);
  });

  test.each([
    ['//127.0.0.1:1/api/v1/blocks'],
    ['https://pix.example/api/v1/blocks'],
    ['/\\127.0.0.1:1/blocks'],
    ['http://user@127.0.0.1:1/'],
    ['javascript:alert(1)'],
    ['http://'],
  ])('a read does not follow %j', async (location) => {
    const server = await startServer(redirect(location));
    await expect(clientOf(server.url).call(listBlocks, {})).rejects.toMatchObject({code: 'bad_answer'});
  });
});

describe('a write', () => {
  test.each([
    {name: 'a message', send: (url: URL) => clientOf(url).call(sendMessage, {path: {id: '5'}, body: {message: 'Hi'}})},
    {name: 'one that is harmless to repeat', send: (url: URL) => clientOf(url).call(muteConversation, {path: {id: '5'}})},
    {name: 'a PUT', send: (url: URL) => clientOf(url).call(updateFilter, {path: {id: '5'}, body: {title: 'A'}})},
    {name: 'a DELETE', send: (url: URL) => clientOf(url).call(removeDomainBlock, {body: {domain: 'bad.example'}})},
  ])('follows no redirect: $name', async ({send}) => {
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await startServer(redirect('/elsewhere', status));
      await expect(send(server.url)).rejects.toMatchObject({code: 'bad_answer', details: {status}});
    }
  });
});
