import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {pixelfed, runCommand, serverWithoutLimits} from '../run-command.js';

const path = '/api/v1.1/direct/thread';
const message = {id: '9', isAuthor: true, type: 'text', text: 'Hi', reportId: '10'};
const finds = () => pixelfed().get('/api/v1.1/accounts/username/bo').reply(200, {id: '5', acct: 'bo'});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelctl-thread-'));
});
afterAll(() => rm(folder, {recursive: true}));

describe('thread send', () => {
  test('thread send has the type text by default', async () => {
    serverWithoutLimits();
    pixelfed().post(`${path}/send`, {to_id: '5', message: 'Hi', type: 'text'}).reply(200, message);
    expect((await runCommand(['thread', 'send', '5', 'Hi'])).status).toBe(0);
  });

  test.each([
    [['--type', 'emoji'], 'emoji'],
    [['--type', 'wave'], 'wave'],
  ])('thread send has the type of %j', async (flags, type) => {
    pixelfed().post(`${path}/send`, {to_id: '5', message: '🌊', type}).reply(200, message);
    expect((await runCommand(['thread', 'send', '5', '🌊', ...flags, '--no-limits'])).status).toBe(0);
  });

  test('prefers the type of --input to the default', async () => {
    pixelfed().post(`${path}/send`, {to_id: '5', message: '🌊', type: 'emoji'}).reply(200, message);
    const input = JSON.stringify({to_id: '5', message: '🌊', type: 'emoji'});
    expect((await runCommand(['thread', 'send', '--input', '-', '--no-limits'], {input})).status).toBe(0);
  });

  test('accepts a handle, and reads the text from standard input', async () => {
    finds();
    pixelfed().post(`${path}/send`, {to_id: '5', message: 'Hi\nthere', type: 'text'}).reply(200, message);
    expect((await runCommand(['thread', 'send', '@bo@pix.example', '-', '--no-limits'], {input: 'Hi\nthere\n'})).status).toBe(0);
  });
});

describe('thread send-media', () => {
  test('uploads the file in one request', async () => {
    const file = join(folder, 'low tide.jpg');
    await writeFile(file, 'photo');
    pixelfed()
      .post(`${path}/media`, (body: unknown) => {
        const text = String(body);
        return [
          'name="to_id"\r\n\r\n5\r\n',
          'name="message"\r\n\r\nLow tide\r\n',
          'filename="low tide.jpg"\r\ncontent-type: image/jpeg\r\n\r\nphoto\r\n',
        ].every((part) => text.includes(part));
      })
      .reply(200, {id: 9, reportId: '10', type: 'photo', url: 'https://pix.example/9.jpg'});
    const {status, stderr} = await runCommand(['thread', 'send-media', '5', file, '--message', 'Low tide', '--no-limits', '--json']);
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
  });

  test('prints the file name in a dry run, without reading the file', async () => {
    const {status, stdout} = await runCommand(['thread', 'send-media', '@bo', '/nowhere/low tide.jpg', '--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).requests).toEqual([
      expect.objectContaining({path: `${path}/media`, body: {file: '@/nowhere/low tide.jpg', to_id: '<id of @bo>'}}),
    ]);
  });
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
