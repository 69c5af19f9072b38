/** What the record of an endpoint says about its errors: the hints that people read, with `pixelctl api` as well. */
import nock from 'nock';
import {expect, test} from 'vitest';
import {pixelfed, runCommand, server} from '../../run-command.js';

const noRoute = {error: 'The route could not be found.'};

test.each<
  readonly [
    name: string,
    args: readonly string[],
    asked: readonly [method: string, path: string],
    status: number,
    body: object,
    hint: string,
  ]
>([
  [
    'conversations that a server does not have names the threads',
    ['dm', 'list'],
    ['GET', '/api/v1.1/direct/conversations'],
    404,
    noRoute,
    'servers before 2026 have no conversations: use the commands of `pixelctl help thread',
  ],
  [
    'threads that a server does not have says that it is older',
    ['thread', 'get', '5'],
    ['GET', '/api/v1.1/direct/thread?pid=5'],
    404,
    noRoute,
    'the server is older than this feature, or it is switched off',
  ],
  [
    'a configuration that a server does not have names the instance',
    ['config'],
    ['GET', '/api/v2.1/config'],
    404,
    noRoute,
    'servers before 2026 have no such configuration: see `pixelctl api GET /api/v1/instance',
  ],
  [
    'push that is not found says that it may be off',
    ['push', 'state'],
    ['GET', '/api/v1.1/push/state'],
    404,
    {},
    'push is off on this server',
  ],
  [
    'a group that is refused names the configuration',
    ['dm', 'start', '5', '6', '--no-limits'],
    ['POST', '/api/v1.1/direct/conversations'],
    422,
    {error: 'Group chats are disabled'},
    'the server may not allow group chats, or not of this size: see `pixelctl config',
  ],
  [
    'a conversation of two that cannot be left names `dm hide`',
    ['dm', 'leave', '1', '--yes'],
    ['POST', '/api/v1.1/direct/conversations/1/leave'],
    422,
    {error: 'Only group conversations can be left.'},
    'a conversation of two can be hidden: `pixelctl dm hide 1',
  ],
  [
    'another refusal of a conversation does not',
    ['dm', 'leave', '1', '--yes'],
    ['POST', '/api/v1.1/direct/conversations/1/leave'],
    422,
    {error: 'You have left.'},
    'fix what the server reports',
  ],
  [
    'a second report says so',
    ['report', 'post', '5', '--type', 'spam'],
    ['POST', '/api/v1.1/report'],
    400,
    {msg: 'Duplicate report'},
    'you have reported this before',
  ],
  [
    'a filter over the quota says that it may never end',
    ['filters', 'delete', '5', '--yes'],
    ['DELETE', '/api/v2/filters/5'],
    429,
    {error: 'Too many'},
    'most servers allow 20 new filters',
  ],
])('the hint for %s', async (_, args, [method, path], status, body, hint) => {
  const before = path.startsWith('/api/v2/filters/') || path.endsWith('/leave');
  const typed = method === 'GET' ? ['api', method, path] : ['api', method, path, '--yes'];
  for (const line of [args, typed]) {
    if (before) pixelfed().get(path.replace('/leave', '')).optionally().reply(200, {});
    nock(server).intercept(path, method).reply(status, body);
    const {stderr} = await runCommand([...line, '--retries', '0']);
    expect(stderr).toContain(`Hint: ${hint}`);
  }
});
