import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, server, serverWithoutLimits} from '../../run-command.js';

const conversation = {id: '77', type: 'dm', state: 'active', unread_count: 0, participants: [], last_message: null};
const path = '/api/v1.1/direct/conversations';

const starts = (recipients: readonly string[]) =>
  pixelfed()
    .post(path, {recipient_ids: [...recipients]})
    .reply(201, conversation);

function finds(q: string, ...accounts: readonly {readonly id: string; readonly acct: string}[]) {
  const entries = accounts.map(({id, acct}) => ({local: !acct.includes('@'), id, name: acct, privacy: true, account: {id, acct}}));
  return pixelfed().post('/api/v1.1/direct/lookup', {q}).reply(200, entries);
}

function publishes(groups: object) {
  return nock(server).get('/api/v2.1/config').reply(200, {limits: {direct_messages: {group_chats: groups}}});
}

test('ids go out as they are, all in one conversation', async () => {
  serverWithoutLimits();
  starts(['12345678901234567890', '6']);
  const {status, stdout, stderr} = await runCommand(['dm', 'start', '12345678901234567890', '6', '--json']);
  expect({status, stdout, stderr}).toEqual({status: 0, stdout: `${JSON.stringify(conversation)}\n`, stderr: ''});
});

test('recipients can come from standard input, each once', async () => {
  starts(['5', '6', '7']);
  const {status} = await runCommand(['dm', 'start', '5', '-', '--no-limits'], {input: '6\n{"id": 7}\n5\n'});
  expect(status).toBe(0);
});

describe('a handle', () => {
  test.each(['@bo@pix.example', '@Bo@PIX.example', '@bo'])('of this server is looked up by its name: %s', async (handle) => {
    finds('bo', {id: '9', acct: 'bobby'}, {id: '10', acct: 'jumbo'}, {id: '5', acct: 'bo'}, {id: '11', acct: 'bo@remote.example'});
    starts(['5']);
    expect((await runCommand(['dm', 'start', handle, '--no-limits'])).status).toBe(0);
  });

  test('of another server is looked up whole', async () => {
    finds('@ana@remote.example', {id: '9', acct: 'ana'}, {id: '6', acct: 'ana@remote.example'});
    starts(['6']);
    expect((await runCommand(['dm', 'start', '@ana@remote.example', '--no-limits'])).status).toBe(0);
  });

  test('that nobody has exactly is not found, and nothing is started', async () => {
    finds('bo', {id: '9', acct: 'bobby'}, {id: '11', acct: 'bo@remote.example'});
    const {status, stdout, stderr} = await runCommand(['dm', 'start', '@bo@pix.example', '--no-limits']);
    expect({status, stdout}).toEqual({status: 4, stdout: ''});
    expect(stderr).toContain('pix.example knows no account @bo@pix.example');
    expect(stderr).toContain('`pixelctl dm lookup bo --server=https://pix.example`');
  });

  test('gives an id digit for digit, though a server sends it as a number', async () => {
    pixelfed()
      .post('/api/v1.1/direct/lookup', {q: 'bo'})
      .reply(200, '[{"local":true,"id":12345678901234567890,"name":"bo","account":{"acct":"bo"}}]');
    starts(['12345678901234567890']);
    expect((await runCommand(['dm', 'start', '@bo@pix.example', '--no-limits'])).status).toBe(0);
  });

  test('of an account that is named by its id as well goes once', async () => {
    finds('bo', {id: '5', acct: 'bo'});
    starts(['5']);
    expect((await runCommand(['dm', 'start', '5', '@bo@pix.example', '--no-limits'])).status).toBe(0);
  });

  test('is a placeholder in a dry run, which asks nobody', async () => {
    const {status, stdout} = await runCommand(['dm', 'start', '@bo@pix.example', '6', '--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).requests).toEqual([
      expect.objectContaining({method: 'POST', path, body: {recipient_ids: ['<id of @bo@pix.example>', '6']}}),
    ]);
  });
});

describe('a group', () => {
  test('may be as large as the server says, the caller counted', async () => {
    publishes({enabled: true, max_participants: 3});
    starts(['5', '6']);
    expect((await runCommand(['dm', 'start', '5', '6'])).status).toBe(0);
  });

  test('that is too large is not started', async () => {
    publishes({enabled: true, max_participants: 3});
    const {status, stderr} = await runCommand(['dm', 'start', '5', '6', '7']);
    expect(status).toBe(2);
    expect(stderr).toContain('4 participants with you; this server takes 3');
    expect(stderr).toContain('--no-limits');
  });

  test('is not started where there are none', async () => {
    publishes({enabled: false, max_participants: 10});
    const {status, stderr} = await runCommand(['dm', 'start', '5', '6']);
    expect(status).toBe(2);
    expect(stderr).toContain('Group chats are off on this server');
  });

  test('is not what two people make', async () => {
    publishes({enabled: false, max_participants: 10});
    starts(['5']);
    expect((await runCommand(['dm', 'start', '5'])).status).toBe(0);
  });

  test('that the server refuses after all has a hint to its configuration', async () => {
    pixelfed().post(path).reply(422, {error: 'Group conversations are disabled.'});
    const {status, stderr} = await runCommand(['dm', 'start', '5', '6', '--no-limits']);
    expect(status).toBe(5);
    expect(stderr).toContain('Group conversations are disabled.');
    expect(stderr).toContain('`pixelctl config --server=https://pix.example`');
  });
});

test('without anybody there is nothing to start', async () => {
  const {status, stderr} = await runCommand(['dm', 'start']);
  expect(status).toBe(2);
  expect(stderr).toContain('Missing: RECIPIENT');
});
