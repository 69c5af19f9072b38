/** What the record of an endpoint says about its errors: the hints that people read, with `pixelctl api` as well. */
import nock from 'nock';
import {expect, test} from 'vitest';
import {pixelfed, runCommand, server} from '../../run-command.js';

const noRoute = [404, {error: 'The route could not be found.'}] as const;
const refusal = (error: string) => [422, {error}] as const;
const leave = 'POST /api/v1.1/direct/conversations/1/leave';

test.each<readonly [line: string, asked: string, answer: readonly [status: number, body: object], hint: string]>([
  ['dm list', 'GET /api/v1.1/direct/conversations', noRoute, 'servers before 2026 have no conversations: use the commands of `'],
  ['thread get 5', 'GET /api/v1.1/direct/thread?pid=5', noRoute, 'the server is older than this feature, or it is switched off'],
  ['config', 'GET /api/v2.1/config', noRoute, 'servers before 2026 have no such configuration: see `pixelctl api GET /api/v1/instance'],
  ['push state', 'GET /api/v1.1/push/state', [404, {}], 'push is off on this server'],
  [
    'dm start 5 6 --no-limits',
    'POST /api/v1.1/direct/conversations',
    refusal('Group chats are disabled'),
    'the server may not allow group chats, or not of this size: see `pixelctl config',
  ],
  ['dm leave 1 --yes', leave, refusal('Only group conversations can be left.'), 'a conversation of two can be hidden: `pixelctl dm hide 1'],
  ['dm leave 1 --yes', leave, refusal('You have left.'), 'fix what the server reports'],
  ['report post 5 --type spam', 'POST /api/v1.1/report', [400, {msg: 'Duplicate report'}], 'you have reported this before'],
  ['filters delete 5 --yes', 'DELETE /api/v2/filters/5', [429, {error: 'Too many'}], 'most servers allow 20 new filters'],
])('%s that asks %s and is answered with %j has its own hint', async (line, asked, [status, body], hint) => {
  const [method = '', path = ''] = asked.split(' ');
  const before = path.startsWith('/api/v2/filters/') || path.endsWith('/leave');
  for (const typed of [line, `api ${asked}${method === 'GET' ? '' : ' --yes'}`]) {
    if (before) pixelfed().get(path.replace('/leave', '')).optionally().reply(200, {});
    nock(server).intercept(path, method).reply(status, body);
    const {stderr} = await runCommand([...typed.split(' '), '--retries', '0']);
    expect(stderr).toContain(`Hint: ${hint}`);
  }
});
