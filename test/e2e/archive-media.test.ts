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

test.each<[string, Buffer | string, string, string]>([
  ['a page of HTML', '<!doctype html><script>alert(1)</script>', 'bin', 'application/octet-stream'],
  [
    'an SVG image with a script',
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    'bin',
    'application/octet-stream',
  ],
  ['a PDF', '%PDF-1.7 and more', 'bin', 'application/octet-stream'],
  ['a program', Buffer.from('7f454c4602010100', 'hex'), 'bin', 'application/octet-stream'],
  ['a PNG image', png, 'png', 'image/png'],
  ['a HEIC photo', Buffer.from('\u0000\u0000\u0000\u0018ftypheic'), 'heic', 'image/heic'],
  ['a sound', 'ID3\u0004 and more', 'mp3', 'audio/mpeg'],
])('%s that is called a JPEG photo is kept as what it is', async (_, bytes, extension, type) => {
  const server = await serverWith([medium('5', '/x/photo.jpg')], (__, response) =>
    response.writeHead(200, {'content-type': 'image/jpeg'}).end(bytes),
  );
  const {status, to, media} = await exported(server);
  expect(status).toBe(0);
  expect(media).toEqual([expect.objectContaining({id: '5', file: `media/5.${extension}`, type})]);
  expect(filesIn(join(to, '7', 'media'))).toEqual([`5.${extension}`]);
  const page = readFileSync(join(to, '7', 'page.html'), 'utf8');
  expect(page.includes(`"media/5.${extension}"`)).toBe(extension !== 'bin');
  // Few browsers show HEIC.
  expect(page.includes('<img')).toBe(extension === 'png');
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

test('a file that several messages have is fetched once, and kept whole', async () => {
  const server = await serverWith([medium('5', '/x'), medium('6', '/y'), medium('5', '/x'), medium('5', '/x')], (_, response) => {
    response.write(png);
    setImmediate(() => response.end(png));
  });
  const {status, to, stderr} = await exported(server);
  expect({status, stderr}).toMatchObject({status: 0, stderr: expect.not.stringContaining('Error')});
  expect(server.asked.map(([path]) => path).toSorted()).toEqual(['/x', '/y']);
  expect(filesIn(join(to, '7', 'media'))).toEqual(['5.png', '6.png']);
  expect((await run(['dm', 'export', '--to', to, '--verify'], {env: server.env})).status).toBe(0);
});

test('the table and the page say why files of a conversation failed', async () => {
  const server = await serverWith([medium('5', 'http://photos.example/x.jpg'), medium('6', 'http://photos.example/y.jpg')], (_, response) =>
    response.end(png),
  );
  const to = newArchive();
  const {status, stdout} = await run(['dm', 'export', '7', '--to', to], {env: server.env});
  expect(status).toBe(11);
  expect(stdout).toMatch(/^7 .* 2 files not fetched: only https:\/\/ URLs are allowed$/m);
  expect(readFileSync(join(to, '7', 'page.html'), 'utf8')).toContain('not in the archive: only https:// URLs are allowed');
});

describe('the token', () => {
  test('media are fetched without the token, and with it only where the own server asks for it', async () => {
    const server = await serverWith([medium('5', '/open'), medium('6', '/closed'), medium('8', '/forbidden')], (request, response) => {
      const isOpen = request.url === '/open' || request.headers.authorization === `Bearer ${token}`;
      if (isOpen && request.url !== '/forbidden') response.end(png);
      else response.writeHead(request.url === '/closed' ? 401 : 403).end();
    });
    const {status, media, stderr, to, result} = await exported(server, ['--max-size', '1G']);
    expect(server.asked).toEqual([
      ['/open', false],
      ['/closed', false],
      ['/closed', true],
      ['/forbidden', false],
      ['/forbidden', true],
    ]);
    expect(media.map(({id, why}: {id: string; why?: string}) => [id, why])).toEqual([
      ['5', undefined],
      ['6', undefined],
      ['8', 'status 403'],
    ]);
    expect(status).toBe(11);
    expect(stderr).toContain(`1 file failed; the rest is in ${to}`);
    expect(result).toMatchObject({failed_media: 1, media_errors: [{message_id: '10000', media_id: '8', error: 'status 403'}]});
  });

  test('another server that asks for a token gets none, nor does the target of a redirect', async () => {
    const other = await serverWith([], (_, response) => response.writeHead(401).end());
    const server = await serverWith(
      [medium('5', `${other.url}/photo`), medium('6', '/away'), medium('8', '/closed')],
      (request, response) => {
        if (request.url === '/closed' && request.headers.authorization === undefined) return void response.writeHead(401).end();
        response.writeHead(302, {location: `${other.url}/redirected`}).end();
      },
    );
    const {media} = await exported(server, ['--max-size', '1G']);
    expect(media.map(({why}: {why: string}) => why)).toEqual(['status 401', 'status 401', 'status 401']);
    expect(other.asked).toEqual([
      ['/photo', false],
      ['/redirected', false],
      ['/redirected', false],
    ]);
    expect(server.asked).toEqual([
      ['/away', false],
      ['/closed', false],
      ['/closed', true],
    ]);
  });
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

  test('a host that does not answer is left alone after three files', async () => {
    const server = await serverWith(
      Array.from({length: 6}, (_, index) => medium(String(index + 1), '/lost')),
      (request) => request.socket.destroy(),
    );
    const {result} = await exported(server, ['--max-size', '1G']);
    expect(server.asked.length).toBe(3);
    expect(result.media_errors.at(-1).error).toMatch(/did not answer 3 times before$/);
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

test.each([[['--new-only']], [['--since', '2099-01-01']]])('a file that failed is tried again by a run with %s', async (flags) => {
  let isThere = false;
  const server = await serverWith([medium('5', '/a'), medium('6', '/b')], (request, response) =>
    isThere || request.url === '/b' ? response.end(png) : response.writeHead(404).end(),
  );
  const {to, result} = await exported(server);
  expect(result).toMatchObject({media: 1, failed_media: 1});
  const still = await exported(server, flags, to);
  expect(still).toMatchObject({status: 11, result: {new: 0, failed_media: 1, absent_media: 1}});
  isThere = true;
  const asked = server.asked.length;
  const again = await exported(server, flags, to);
  expect(again).toMatchObject({status: 0, result: {new: 0, media: 2, new_media: 1, failed_media: 0, absent_media: 0}});
  expect(server.asked.slice(asked)).toEqual([['/a', false]]);
  expect(again.media).toMatchObject([{id: '5', file: 'media/5.png'}, {id: '6'}]);
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

  test('files whose length the server does not tell are left out beyond --max-size, and none is asked for when nothing is left', async () => {
    const lengths: Readonly<Record<string, number>> = {'/a': 600, '/b': 600, '/c': 424, '/d': 1};
    const server = await serverWith(
      [medium('5', '/a'), medium('6', '/b'), medium('8', '/c'), medium('9', '/d')],
      ({url = ''}, response) => {
        response.write(png);
        response.end(Buffer.alloc((lengths[url] ?? 0) - png.length));
      },
    );
    const {status, media} = await exported(server, ['--max-size', '1K']);
    expect(status).toBe(0);
    const why = 'over --max-size';
    expect(media).toMatchObject([
      {id: '5', length: 600},
      {id: '6', why},
      {id: '8', length: 424},
      {id: '9', why},
    ]);
    expect(server.asked.map(([path]) => path)).toEqual(['/a', '/b', '/c']);
  });
});
