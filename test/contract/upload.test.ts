import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, test} from 'vitest';
import {sendThreadMedia} from '../../src/lib/api/thread.js';
import {failureOf, jsonAnswer, startServer} from './scripted-server.js';

const photo = new URL('../endpoints/photo.jpg', import.meta.url);
const server = await startServer();
const client = server.client();
afterAll(() => server.stop());

const sent = {id: '1', reportId: '1', type: 'photo', url: 'https://pix.example/1.jpg'};
const folder = mkdtempSync(join(tmpdir(), 'pixelctl-upload-'));
afterAll(() => rmSync(folder, {recursive: true}));

/** What arrived of the file. */
async function arrived(file: string): Promise<{name: string; type: string; bytes: Buffer}> {
  server.answers(jsonAnswer(sent));
  await client.call(sendThreadMedia, {body: {file, to_id: '7'}});
  const [request] = server.received;
  if (request === undefined) throw new Error('Nothing was sent');
  expect(request.headers['transfer-encoding']).toBeUndefined();
  expect(request.headers['content-length']).toBe(String(request.body.length));
  const type = request.headers['content-type'] ?? '';
  const part = (await new Response(new Uint8Array(request.body), {headers: {'content-type': type}}).formData()).get('file');
  if (part === null || typeof part === 'string') throw new Error('It is no file');
  return {name: part.name, type: part.type, bytes: Buffer.from(await part.arrayBuffer())};
}

const noPhoto = Buffer.from([0]);

test.each([
  ['photo.JPG', 'image/jpeg', readFileSync(photo)],
  ['a photo named so.png', 'image/jpeg', readFileSync(photo)],
  ['a "quoted" näme.png', 'image/png', noPhoto],
  ['film.mp4', 'video/mp4', noPhoto],
  ['nothing-known', 'application/octet-stream', noPhoto],
])('%s is sent unmodified, as %s', async (name, type, beginning) => {
  const file = join(folder, name);
  const bytes = Buffer.concat([beginning, Buffer.alloc(300_000, '\r\n--pixelctl\r\n')]);
  writeFileSync(file, bytes);
  const part = await arrived(file);
  expect({name: part.name, type: part.type}).toEqual({name, type});
  expect(part.bytes.equals(bytes)).toBe(true);
});

test('a missing file is a local failure, and nothing is sent', async () => {
  server.answers(jsonAnswer(sent));
  const failure = await failureOf(client.call(sendThreadMedia, {body: {file: join(folder, 'none.jpg'), to_id: '7'}}));
  expect(failure.code).toBe('local');
  expect(server.received).toEqual([]);
});
