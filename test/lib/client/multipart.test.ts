import {appendFile, open, rm, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {uploadMedia} from '../../../src/lib/api/internal.js';
import {sendThreadMedia} from '../../../src/lib/api/thread.js';
import {bytes, clientOf, json, listen, startServer} from '../../loopback-server.js';
import {newFolder} from '../../new-folder.js';

const megabyte = 1024 * 1024;

let folder: string;
beforeAll(() => void (folder = newFolder()));

async function fileOf(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function sparseFile(name: string, size: number): Promise<string> {
  const path = join(folder, name);
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
  return path;
}

/** Reads a form as servers do, with the platform's own parser. */
async function formOf({body, headers}: {body: Buffer; headers: {'content-type'?: string | undefined}}): Promise<FormData> {
  return new Response(new Uint8Array(body), {headers: {'content-type': headers['content-type'] ?? ''}}).formData();
}

async function upload(file: string) {
  const server = await startServer(json({id: '9'}));
  const {value} = await clientOf(server.url).call(uploadMedia, {body: {file}});
  const [request] = server.received;
  if (request === undefined) throw new Error('Nothing came');
  const part = (await formOf(request)).get('file');
  if (!(part instanceof File)) throw new Error('There is no file');
  return {value, request, part};
}

test('sends a file byte for byte, with a content-length', async () => {
  const content = Buffer.from(Array.from({length: 300_000}, (_, index) => (index * 7) % 256));
  const {request, part, value} = await upload(await fileOf('bytes.png', content));
  expect([value, part.type]).toEqual([{id: '9'}, 'image/png']);
  expect(Buffer.from(await part.arrayBuffer()).equals(content)).toBe(true);
  expect(request.headers['content-length']).toBe(String(request.body.length));
  expect(request.headers['transfer-encoding']).toBeUndefined();
  expect(request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=\S+$/);
});

test('sends text fields of the form', async () => {
  const server = await startServer(json({id: '1', reportId: '2', type: 'photo', url: 'https://pix.example/1.jpg'}));
  const file = await fileOf('text.jpg', 'photo');
  await clientOf(server.url).call(sendThreadMedia, {body: {file, to_id: '5', message: 'Ebbe – 🌊\r\n--x'}});
  const form = await formOf(server.received[0]!);
  expect([form.get('to_id'), form.get('message')]).toEqual(['5', 'Ebbe – 🌊\r\n--x']);
});

test.each([
  ['low tide.jpg', 'low tide.jpg'],
  ['say "cheese".jpg', 'say "cheese".jpg'],
  ['ebbe-og-flod-på-Ærø-🌊.jpg', 'ebbe-og-flod-på-Ærø-🌊.jpg'],
  ['two\nlines\r.jpg', 'two\nlines\r.jpg'],
  ["it's; filename=evil.jpg", "it's; filename=evil.jpg"],
  ['50%25.jpg', '50%25.jpg'],
])('escapes the file name %j', async (name, arrives) => {
  const {part, request} = await upload(await fileOf(name, 'x'));
  const line = /content-disposition: form-data; name="file"; filename="([^"\r\n]*)"\r\n/.exec(request.body.toString());
  expect(line?.[1]).toBe(name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
  expect(part.name.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')).toBe(arrives);
});

test('sends an empty file, whose type is not known', async () => {
  const {part} = await upload(await fileOf('empty.jpg', ''));
  expect([part.size, part.type]).toEqual([0, 'application/octet-stream']);
});

test('sends a file again from its beginning after a 429', async () => {
  const content = Buffer.alloc(200_000, 'photo');
  const server = await startServer(json({error: 'Slow down'}, 429, {'retry-after': '0'}), json({id: '9'}));
  await clientOf(server.url).call(uploadMedia, {body: {file: await fileOf('again.jpg', content)}});
  for (const request of server.received) {
    const part = (await formOf(request)).get('file');
    expect(part instanceof File && Buffer.from(await part.arrayBuffer()).equals(content)).toBe(true);
  }
});

test('reads a refusal that arrives before the file is sent', async () => {
  const url = await listen((request, response) => {
    request.pause();
    bytes('{"error":"The file is too large"}', {'content-type': 'application/json'}, 413)(response, request);
  });
  const sent = clientOf(url).call(uploadMedia, {body: {file: await sparseFile('refused.jpg', 32 * megabyte)}});
  await expect(sent).rejects.toMatchObject({code: 'refused', details: {status: 413}});
});

describe('a file that cannot be sent', () => {
  test('a file that cannot be sent, because it is missing or a folder, is reported before anything is sent', async () => {
    const server = await startServer();
    const send = (file: string) => clientOf(server.url).call(uploadMedia, {body: {file}});
    const file = join(folder, 'missing.jpg');
    await expect(send(file)).rejects.toMatchObject({code: 'local', message: `Cannot read ${file}: no such file`});
    await expect(send(folder)).rejects.toMatchObject({code: 'usage', message: `${folder} is not a file`});
  });

  test('a file that cannot be sent is reported when it disappears between two attempts', async () => {
    const file = await fileOf('vanishes.jpg', 'x');
    const server = await startServer((response, request) => {
      void rm(file).then(() => json({}, 429, {'retry-after': '0'})(response, request));
    });
    await expect(clientOf(server.url).call(uploadMedia, {body: {file}})).rejects.toMatchObject({
      code: 'local',
      message: `Cannot read ${file}: no such file`,
    });
  });

  test.each([
    {name: 'shrinks', change: (file: string) => truncate(file, 100)},
    {name: 'grows', change: (file: string) => appendFile(file, Buffer.alloc(megabyte))},
  ])('a file that cannot be sent is reported when it $name while it is being sent', async ({change}) => {
    const file = await sparseFile('changes.jpg', 64 * megabyte);
    const url = await listen(async (request) => {
      await change(file);
      request.resume();
    });
    await expect(clientOf(url).call(uploadMedia, {body: {file}})).rejects.toMatchObject({
      code: 'local',
      message: `${file} changed while it was being sent`,
    });
  });
});
