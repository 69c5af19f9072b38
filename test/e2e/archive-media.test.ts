import {createHash} from 'node:crypto';
import {existsSync, readFileSync, rmSync} from 'node:fs';
import type {IncomingMessage, ServerResponse} from 'node:http';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {startSandbox} from '../sandbox/start.js';
import {holdTimeOuts, listen} from '../loopback-server.js';
import {filesIn, itemsOf, newArchive, worldOf} from './archives.js';
import {run} from './in-process.js';
import {newFolder} from './program.js';
import {writeFileSync} from 'node:fs';

const token = 'token-of-a-test';
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface MediaServer {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** What was asked for of files, with whether the token came with it. */
  readonly asked: readonly (readonly [path: string, hasToken: boolean])[];
}

/** A server with one conversation, whose messages have these media. */
async function serverWith(media: readonly object[], answer: Answer): Promise<MediaServer> {
  const asked: [string, boolean][] = [];
  const message = {id: '10000', sender_id: '2', is_author: false, type: 'photo', text: null, media, sensitive: false, edited_at: null};
  const conversation = {id: '7', type: 'dm', name: null, participants: [{id: '2', acct: 'bob', username: 'bob', display_name: 'Bob'}]};
  const documents: readonly (readonly [string, object])[] = [
    ['verify_credentials', {id: '9', acct: 'ana', username: 'ana'}],
    [
      '/messages',
      {data: [{...message, created_at: '2026-01-01T00:00:00.000Z'}], meta: {has_more: false, newest_id: '10000', oldest_id: '10000'}},
    ],
    ['/conversations/7', conversation],
    ['/conversations', {data: [], meta: {next_cursor: null}}],
  ];
  const {origin} = await listen((request, response) => {
    const path = request.url ?? '';
    const [, document] = documents.find(([part]) => path.startsWith('/api') && path.includes(part)) ?? [];
    if (document !== undefined) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
    asked.push([path, request.headers.authorization === `Bearer ${token}`]);
    answer(request, response);
  });
  return {url: origin, env: {PIXELCTL_SERVER: origin, PIXELCTL_TOKEN: token}, asked};
}

const medium = (id: string, url: string | null) => ({id, type: 'image', url, preview_url: null, description: null, mime: 'image/jpeg'});

async function exported(server: MediaServer, flags: readonly string[] = [], to = newArchive()) {
  const ended = await run(['dm', 'export', '7', '--to', to, '-o', 'ndjson', '--retries', '0', ...flags], {env: server.env});
  const result = JSON.parse(ended.stdout);
  return {...ended, to, result, media: itemsOf(to, '7', 'index.ndjson')[0].media ?? []};
}

const world = worldOf([
  {from: 'bob', text: 'Two', media: ['image/png', 'video/mp4']},
  {from: 'bob', media: ['image/jpeg']},
]);

test('media are fetched once, whole, and are named by what their bytes show', async () => {
  const lines: string[] = [];
  const sandbox = await startSandbox({seed: world, onRequest: ({path}) => lines.push(path)});
  onTestFinished(() => sandbox.close());
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
  const folder = newFolder();
  const photo = Buffer.concat([png, Buffer.from('what was uploaded')]);
  writeFileSync(join(folder, 'a.png'), photo);
  const [{id}] = JSON.parse((await run(['dm', 'list', '--json'], {env})).stdout).data;
  await run(['dm', 'send', id, '--media', join(folder, 'a.png')], {env});
  const to = newArchive();
  expect(await run(['dm', 'export', '--to', to], {env})).toMatchObject({status: 0});
  const entries = itemsOf(to, id, 'index.ndjson').flatMap(({media}) => media);
  expect(entries.map(({type}) => type)).toEqual(['image/png', 'video/mp4', 'image/jpeg', 'image/png']);
  expect(filesIn(join(to, id, 'media'))).toEqual(['1.png', '2.mp4', '3.jpeg', '4.png'].map((name) => name.replace('jpeg', 'jpg')));
  for (const {file, length, sha256} of entries) {
    const bytes = readFileSync(join(to, id, file));
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([length, sha256]);
  }
  expect(readFileSync(join(to, id, 'media/4.png'))).toEqual(photo);
  const fetched = () => lines.filter((path) => path.startsWith('/storage/')).length;
  expect(fetched()).toBe(4);
  rmSync(join(to, id, 'media/1.png'));
  expect(JSON.parse((await run(['dm', 'export', '--to', to, '-o', 'ndjson'], {env})).stdout)).toMatchObject({media: 4, failed_media: 0});
  expect(fetched()).toBe(5);
});

test('ids of media that are no digits name no other place', async () => {
  const ids = ['../../../evil', '/etc/passwd', 'a\0b', '..', '9'.repeat(300)];
  const server = await serverWith(
    ids.map((id) => medium(id, '/x')),
    (_, response) => response.end(png),
  );
  const {status, to} = await exported(server);
  expect(status).toBe(0);
  const names = ids.map((id) => `${createHash('sha256').update(id).digest('hex')}.png`);
  expect(filesIn(join(to, '7', 'media'))).toEqual(names.toSorted());
  expect(filesIn(join(to, '..')).every((name) => name.startsWith('archive/'))).toBe(true);
});

describe('a hostile server', () => {
  test.each([
    ['http://10.0.0.1/a', 'only https:// URLs are allowed'],
    ['https://10.0.0.1/a', '10.0.0.1 is not a public address'],
    ['https://169.254.169.254/latest', '169.254.169.254 is not a public address'],
    ['https://[fe80::1]/a', 'fe80::1 is not a public address'],
    ['file:///etc/passwd', 'only https:// URLs are allowed'],
    ['https://me:secret@media.example/a', 'its URL contains a name or password'],
  ])('%s is fetched neither by its name nor by a redirect to it', async (address, why) => {
    const server = await serverWith([medium('5', address), medium('6', '/moved')], (_, response) =>
      response.writeHead(302, {location: address}).end(),
    );
    const {status, media, to} = await exported(server);
    expect(status).toBe(11);
    expect(media).toEqual([
      {id: '5', why},
      {id: '6', why},
    ]);
    expect(existsSync(join(to, '7', 'media'))).toBe(false);
  });

  test('a file without an end, one without progress and one that trickles end at the time limit, and leave nothing', async () => {
    const pass = holdTimeOuts();
    const to = newArchive();
    const isPhotoKept = () => existsSync(join(to, '7', 'media', '8.png'));
    const server = await serverWith([medium('8', '/photo'), medium('5', '/silent'), medium('6', '/trickle')], (request, response) => {
      if (request.url === '/photo') return void response.end(png);
      response.write('x');
      if (request.url === '/silent') return;
      const trickle = () => {
        if (response.destroyed) return;
        response.write('x');
        // The time passes for all of them.
        if (isPhotoKept()) pass(20);
        setImmediate(trickle);
      };
      trickle();
    });
    const {status, media} = await exported(server, ['--timeout', '0.5'], to);
    expect(status).toBe(11);
    expect(media.map(({why}: {why?: string}) => why)).toEqual([undefined, 'it took longer than 0.5 s', 'it took longer than 0.5 s']);
    expect(filesIn(join(to, '7', 'media'))).toEqual(['8.png']);
  });

  test('a file that is cut off, compressed, missing or without an address is noted, and tried again next time', async () => {
    let isWhole = false;
    const server = await serverWith(
      [medium('5', '/cut'), medium('6', '/packed'), medium('8', '/gone'), medium('9', null), medium('10', '/loop')],
      (request, response) => {
        if (isWhole) response.end(png);
        else if (request.url === '/cut') response.writeHead(200, {'content-length': '99'}).write(png, () => request.socket.destroy());
        else if (request.url === '/packed') response.writeHead(200, {'content-encoding': 'gzip'}).end('x');
        else if (request.url === '/loop') response.writeHead(302, {location: '/loop'}).end();
        else response.writeHead(404).end('x'.repeat(100_000));
      },
    );
    const first = await exported(server);
    expect(first.media.map(({why}: {why: string}) => why)).toEqual([
      'the connection was lost',
      'it is compressed, which was not requested',
      'status 404',
      'the server names no address',
      'more than 5 redirects',
    ]);
    expect(first.result).toMatchObject({failed_media: 5, absent_media: 5, media: 0, error: null});
    isWhole = true;
    const second = await exported(server, [], first.to);
    expect(second.result).toMatchObject({failed_media: 1, absent_media: 1, media: 4, new_media: 4});
  });
});

test('files of a server on this machine that is configured with another name are fetched from it', async () => {
  const sandbox = await startSandbox({seed: world, publicUrl: 'https://pix.invalid'});
  onTestFinished(() => sandbox.close());
  const env = {PIXELCTL_SERVER: sandbox.url, PIXELCTL_TOKEN: sandbox.tokens.all};
  const {stdout} = await run(['dm', 'export', '--to', newArchive(), '-o', 'ndjson'], {env});
  expect(JSON.parse(stdout)).toMatchObject({media: 3, failed_media: 0});
});

describe('what is not to be fetched', () => {
  test('with --no-media no file is asked for, and the next run fetches it', async () => {
    const server = await serverWith([medium('5', '/a')], (_, response) => response.end(png));
    const {to, status} = await exported(server, ['--no-media']);
    expect([status, server.asked]).toEqual([0, []]);
    expect((await exported(server, [], to)).result).toMatchObject({media: 1, new_media: 1});
  });

  test('files beyond --max-size are left out, which is no failure, and fetched when there is room', async () => {
    const server = await serverWith([medium('5', '/a'), medium('6', '/b'), medium('8', '/c')], (request, response) => {
      response.writeHead(200, request.url === '/b' ? {'content-length': '900'} : {});
      response.end(Buffer.concat([png, Buffer.alloc(request.url === '/b' ? 900 - png.length : 50)]));
    });
    const {to, status, media} = await exported(server, ['--max-size', '0.2K']);
    expect(status).toBe(0);
    expect(media).toEqual([
      expect.objectContaining({id: '5', length: 66}),
      {id: '6', why: 'over --max-size'},
      expect.objectContaining({id: '8', length: 66}),
    ]);
    expect((await exported(server, ['--max-size', '0.9K'], to)).result).toMatchObject({media: 2});
    expect((await exported(server, ['--max-size', '2K'], to)).result).toMatchObject({media: 3, new_media: 1});
  });
});
