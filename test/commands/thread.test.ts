import {expect, test} from 'vitest';
import {pixelfed, runCommand} from '../run-command.js';

const path = '/api/v1.1/direct/thread';
const message = {id: '9', isAuthor: true, type: 'text', text: 'Hi', reportId: '10'};

test.each([
  [['5', '🌊', '--type', 'wave'], 'wave', undefined],
  [['--input', '-'], 'emoji', JSON.stringify({to_id: '5', message: '🌊', type: 'emoji'})],
])('thread send %j has the type %s', async (words, type, input) => {
  pixelfed().post(`${path}/send`, {to_id: '5', message: '🌊', type}).reply(200, message);
  expect((await runCommand(['thread', 'send', ...words, '--no-limits'], {input})).status).toBe(0);
});

test('thread send-media prints the file name in a dry run, without reading the file', async () => {
  const {status, stdout} = await runCommand(['thread', 'send-media', '@bo', '/nowhere/low tide.jpg', '--dry-run', '--json']);
  expect(status).toBe(0);
  expect(JSON.parse(stdout).requests).toEqual([
    expect.objectContaining({path: `${path}/media`, body: {file: '@/nowhere/low tide.jpg', to_id: '<id of @bo>'}}),
  ]);
});

test('thread delete-message prefers the reportId of piped messages to their id', async () => {
  pixelfed().delete(`${path}/message`, {id: '10'}).reply(200, [200]);
  pixelfed().delete(`${path}/message`, {id: '12'}).reply(200, [200]);
  const input = JSON.stringify([
    {id: '9', reportId: '10'},
    {id: '11', reportId: '12'},
  ]);
  const {status} = await runCommand(['thread', 'delete-message', '-', '--yes', '--json'], {input});
  expect(status).toBe(0);
});
