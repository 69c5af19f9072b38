import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import nock from 'nock';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {pixelfed, runCommand, server, serverWithoutLimits} from '../../run-command.js';

const path = '/api/v1.1/direct/conversations/5/messages';
const message = {id: '9', conversation_id: '5', type: 'text', text: 'Hi', media: [], is_author: true};

const takes = (body: nock.RequestBodyMatcher) => pixelfed().post(path, body).reply(201, message);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelctl-media-'));
});
afterAll(() => rm(folder, {recursive: true}));

async function photo(name: string, size = 10): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, Buffer.alloc(size, 'x'));
  return file;
}

function publishes(limits: object) {
  return nock(server).get('/api/v2.1/config').reply(200, {limits});
}

const uploads = (name: string) =>
  pixelfed().post('/api/v2/media', (body: unknown) => String(body).includes(`name="file"; filename="${name}"`));

describe('the text', () => {
  test('the text is sent unmodified', async () => {
    takes({message: ' Ebbe – "low" tide\n🌊 '});
    const {status, stdout} = await runCommand(['dm', 'send', '5', ' Ebbe – "low" tide\n🌊 ', '--no-limits', '--json']);
    expect({status, stdout}).toEqual({status: 0, stdout: `${JSON.stringify(message)}\n`});
  });

  test.each([
    ['two lines\r\nof text\n', 'two lines\r\nof text'],
    ['ends in two\n\n', 'ends in two\n'],
    ['no end', 'no end'],
    ['🌊', '🌊'],
  ])('the text is read from standard input without the final newline: %j', async (input, text) => {
    takes({message: text});
    expect((await runCommand(['dm', 'send', '5', '-', '--no-limits'], {input})).status).toBe(0);
  });

  test('the text may look like a flag', async () => {
    takes({message: '--json'});
    expect((await runCommand(['dm', 'send', '5', '--no-limits', '--', '--json'])).status).toBe(0);
  });

  test('the text is sent with all other flags', async () => {
    takes({message: 'Hi', media_ids: ['1', '2', '3'], in_reply_to_id: '7', sensitive: true, type: 'wave'});
    const flags = ['--media-id', '1,2', '--media-id', '3', '--in-reply-to', '7', '--sensitive', '--type', 'wave', '--no-limits'];
    expect((await runCommand(['dm', 'send', '5', 'Hi', ...flags])).status).toBe(0);
  });

  test('the text is optional with media', async () => {
    takes({media_ids: ['1']});
    expect((await runCommand(['dm', 'send', '5', '--media-id', '1', '--no-limits'])).status).toBe(0);
  });

  test('the text is required without media', async () => {
    const {status, stderr} = await runCommand(['dm', 'send', '5']);
    expect(status).toBe(2);
    expect(stderr).toContain('Nothing to send');
  });
});

describe('files', () => {
  test('files are uploaded in order, and their ids follow those of --media-id', async () => {
    uploads('a.jpg').reply(200, '{"id":12345678901234567890}');
    uploads('b, c.jpg').reply(200, {id: '12'});
    takes({message: 'Hi', media_ids: ['1', '12345678901234567890', '12']});
    const files = ['--media', await photo('a.jpg'), '--media', await photo('b, c.jpg')];
    expect((await runCommand(['dm', 'send', '5', 'Hi', ...files, '--media-id', '1', '--no-limits'])).status).toBe(0);
  });

  test.each([['table'], ['json']])(
    'files are named in the error when the message is refused, so that they need not be uploaded again (%s)',
    async (format) => {
      uploads('a.jpg').reply(200, {id: '11'});
      uploads('b.jpg').reply(200, {id: '12'});
      pixelfed().post(path).reply(403, {error: 'You cannot message this account.'});
      const files = ['--media', await photo('a.jpg'), '--media', await photo('b.jpg')];
      const {status, stdout, stderr} = await runCommand(['dm', 'send', '5', 'Hi', ...files, '--no-limits', '-o', format]);
      expect({status, stdout}).toEqual({status: 5, stdout: ''});
      expect(stderr).toContain('You cannot message this account (uploaded already: --media-id=11 --media-id=12)');
    },
  );

  test('files are named in the error when a later upload is refused, and nothing is sent', async () => {
    uploads('a.jpg').reply(200, {id: '11'});
    uploads('b.jpg').reply(422, {message: 'The file is too large.', errors: {file: ['The file is too large.']}});
    const files = ['--media', await photo('a.jpg'), '--media', await photo('b.jpg')];
    const {status, stderr} = await runCommand(['dm', 'send', '5', 'Hi', ...files, '--no-limits']);
    expect(status).toBe(5);
    expect(stderr).toContain('The file is too large: the message was not sent');
    expect(stderr).toContain('--media-id=11');
  });

  test('files that cannot be read fail before anything is sent', async () => {
    const files = ['--media', await photo('a.jpg'), '--media', join(folder, 'missing.jpg')];
    const {status, stderr} = await runCommand(['dm', 'send', '5', 'Hi', ...files, '--no-limits']);
    expect(status).toBe(9);
    expect(stderr).toContain('missing.jpg: no such file');
  });

  test.each([{}, {id: null}, {id: ''}, {id: '3; touch pwned #'}])('fail when the upload response has no id: %j', async (answer) => {
    uploads('a.jpg').reply(200, answer);
    const {status} = await runCommand(['dm', 'send', '5', 'Hi', '--media', await photo('a.jpg'), '--no-limits']);
    expect(status).toBe(8);
  });

  test('files are placeholders in a dry run, and are not uploaded', async () => {
    const file = await photo('a.jpg');
    const {status, stdout} = await runCommand(['dm', 'send', '5', 'Hi', '--media', file, '--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      dry_run: true,
      requests: [
        {
          method: 'POST',
          path: '/api/v2/media',
          query: {},
          headers: {accept: 'application/json', 'content-type': 'multipart/form-data', authorization: 'Bearer $PIXELCTL_TOKEN'},
          body: {file: `@${file}`},
        },
        {
          method: 'POST',
          path,
          query: {},
          headers: {accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer $PIXELCTL_TOKEN'},
          body: {message: 'Hi', media_ids: [`<id of ${file}>`]},
        },
      ],
    });
  });
});

describe('the limits of the server', () => {
  const most = {direct_messages: {max_characters: 2000, max_media_attachments: 2}};

  test('refuse a long text before it is sent', async () => {
    publishes(most);
    const {status, stdout, stderr} = await runCommand(['dm', 'send', '5', 'x'.repeat(2104)]);
    expect({status, stdout}).toEqual({status: 2, stdout: ''});
    expect(stderr).toContain('2,104 characters; this server allows 2,000');
    expect(stderr).toContain('--no-limits');
  });

  test('the limits of the server count code points of the trimmed text', async () => {
    const text = ` ${'🌊'.repeat(2000)}\n`;
    publishes(most);
    takes({message: text});
    expect((await runCommand(['dm', 'send', '5', text])).status).toBe(0);
  });

  test('refuse a text that is one character too long', async () => {
    publishes(most);
    expect((await runCommand(['dm', 'send', '5', '🌊'.repeat(2001)])).stderr).toContain('2,001 characters');
  });

  test('the limits of the server are not requested with --no-limits', async () => {
    const text = 'x'.repeat(2104);
    takes({message: text});
    expect((await runCommand(['dm', 'send', '5', text, '--no-limits'])).status).toBe(0);
  });

  test('the limits of the server count files and ids of media together', async () => {
    publishes(most);
    const {status, stderr} = await runCommand(['dm', 'send', '5', 'Hi', '--media-id', '1,2', '--media', await photo('a.jpg')]);
    expect(status).toBe(2);
    expect(stderr).toContain('3 attachments; this server allows 2');
  });

  test('refuse a file that is too large or of an unsupported type', async () => {
    const media = {image_size_limit: 1024 * 1024, video_size_limit: 2 * 1024 * 1024, supported_mime_types: ['image/jpeg', 'video/mp4']};
    publishes({media});
    const large = await runCommand(['dm', 'send', '5', '--media', await photo('large.jpg', 1_600_000)]);
    expect(large.status).toBe(2);
    expect(large.stderr).toContain('has 1.5 MiB; this server allows 1.0 MiB');
    publishes({media});
    const kind = await runCommand(['dm', 'send', '5', '--media', await photo('a.webp')]);
    expect(kind.status).toBe(2);
    expect(kind.stderr).toContain('is image/webp; this server allows image/jpeg, video/mp4');
  });

  test('files of types that the server does not list are refused before the first upload', async () => {
    const media = {supported_mime_types: ['image/jpeg', 'image/jpg', 'image/png']};
    const refused = await photo('a.txt');
    for (const line of [
      ['dm', 'send', '5', '--media', await photo('ok.jpg'), '--media', refused],
      ['thread', 'send-media', '5', refused],
    ]) {
      publishes({media});
      const {status, stderr} = await runCommand(line);
      expect(status).toBe(2);
      expect(stderr).toContain('a.txt is no image or video of a known type; this server allows image/jpeg, image/jpg, image/png');
    }
  });

  test('the limits of the server are optional', async () => {
    serverWithoutLimits();
    takes({message: 'Hi'});
    expect((await runCommand(['dm', 'send', '5', 'Hi'])).status).toBe(0);
  });

  test('the limits of the server are not requested in a dry run', async () => {
    expect((await runCommand(['dm', 'send', '5', 'x'.repeat(2104), '--dry-run'])).status).toBe(0);
  });
});

test('reports an unknown outcome after a lost response', async () => {
  pixelfed().post(path).reply(504, '<html>Gateway timeout</html>');
  const {status, stderr} = await runCommand(['dm', 'send', '5', 'Hi', '--no-limits']);
  expect(status).toBe(7);
  expect(stderr).toMatch(/not known whether this was carried out: check with `pixelctl dm messages 5 --limit=1/);
});

test('refuses an invalid conversation id before anything is sent', async () => {
  for (const id of ['', '.', '..']) expect((await runCommand(['dm', 'send', id, 'Hi'])).status).toBe(2);
});
