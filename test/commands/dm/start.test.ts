import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, server, serverWithoutLimits} from '../../run-command.js';

const conversation = {id: '77', type: 'dm', state: 'active', unread_count: 0, participants: [], last_message: null};
const path = '/api/v1.1/direct/conversations';

const withThem = (recipients: readonly string[]) => ({...conversation, participants: recipients.map((id) => ({id}))});

const starts = (recipients: readonly string[]) =>
  pixelfed()
    .post(path, {recipient_ids: [...recipients]})
    .reply(201, withThem(recipients));

function publishes(groups: object) {
  return nock(server)
    .get('/api/v2.1/config')
    .reply(200, {limits: {direct_messages: {group_chats: groups}}});
}

test('sends all ids unmodified, in one conversation', async () => {
  serverWithoutLimits();
  const recipients = ['12345678901234567890', '6'];
  starts(recipients);
  const {status, stdout, stderr} = await runCommand(['dm', 'start', ...recipients, '--json']);
  expect({status, stdout, stderr}).toEqual({status: 0, stdout: `${JSON.stringify(withThem(recipients))}\n`, stderr: ''});
});

test('reads recipients from standard input, each once', async () => {
  starts(['5', '6', '7']);
  const {status} = await runCommand(['dm', 'start', '5', '-', '--no-limits'], {input: '6\n{"id": 7}\n5\n'});
  expect(status).toBe(0);
});

describe('a handle', () => {
  test('a handle of an account that is also given by id is sent once', async () => {
    pixelfed().get('/api/v1.1/accounts/username/bo').reply(200, {id: '5', acct: 'bo'});
    starts(['5']);
    expect((await runCommand(['dm', 'start', '5', '@bo@pix.example', '--no-limits'])).status).toBe(0);
  });

  test('a handle is a placeholder in a dry run, which sends nothing', async () => {
    const {status, stdout} = await runCommand(['dm', 'start', '@bo@pix.example', '6', '--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).requests).toEqual([
      expect.objectContaining({method: 'POST', path, body: {recipient_ids: ['<id of @bo@pix.example>', '6']}}),
    ]);
  });
});

describe('a group', () => {
  test("a group may have the server's maximum of participants, including the caller", async () => {
    publishes({enabled: true, max_participants: 3});
    starts(['5', '6']);
    expect((await runCommand(['dm', 'start', '5', '6'])).status).toBe(0);
  });

  test('a group that is too large is refused', async () => {
    publishes({enabled: true, max_participants: 3});
    const {status, stderr} = await runCommand(['dm', 'start', '5', '6', '7']);
    expect(status).toBe(2);
    expect(stderr).toContain('4 participants with you; this server allows 3');
    expect(stderr).toContain('--no-limits');
  });

  test('a group is refused on servers without groups', async () => {
    publishes({enabled: false, max_participants: 10});
    const {status, stderr} = await runCommand(['dm', 'start', '5', '6']);
    expect(status).toBe(2);
    expect(stderr).toContain('Group chats are off on this server');
  });

  test('a group needs more than two participants', async () => {
    publishes({enabled: false, max_participants: 10});
    starts(['5']);
    expect((await runCommand(['dm', 'start', '5'])).status).toBe(0);
  });

  test('a group that the server refuses has a hint to `config`', async () => {
    pixelfed().post(path).reply(422, {error: 'Group conversations are disabled.'});
    const {status, stderr} = await runCommand(['dm', 'start', '5', '6', '--no-limits']);
    expect(status).toBe(5);
    expect(stderr).toContain('Group conversations are disabled.');
    expect(stderr).toContain('`pixelctl config --server=https://pix.example`');
  });
});

test('requires a recipient', async () => {
  const {status, stderr} = await runCommand(['dm', 'start']);
  expect(status).toBe(2);
  expect(stderr).toContain('Missing: RECIPIENT');
});

describe('yourself', () => {
  const isMe = () => pixelfed().get('/api/v1/accounts/verify_credentials').reply(200, {id: '1', acct: 'ana', username: 'ana'});
  const refuses = (recipients: readonly string[]) =>
    pixelfed()
      .post(path, {recipient_ids: [...recipients]})
      .reply(404, {error: 'One or more recipients could not be found.'});

  test('yourself is refused as a recipient', async () => {
    refuses(['1']);
    isMe();
    const {status, stderr} = await runCommand(['dm', 'start', '1', '--no-limits']);
    expect(status).toBe(2);
    expect(stderr).toContain('@ana is your own account; you cannot message yourself');
  });

  test('yourself is not blamed for another account that does not exist', async () => {
    refuses(['1', '999']);
    isMe();
    const {status, stderr} = await runCommand(['dm', 'start', '1', '999', '--no-limits']);
    expect(status).toBe(4);
    expect(stderr).toContain('One or more recipients could not be found.');
  });

  test('yourself does not hide the failure when the server does not identify the caller', async () => {
    refuses(['1']);
    pixelfed().get('/api/v1/accounts/verify_credentials').reply(403, {error: ''});
    const {status, stderr} = await runCommand(['dm', 'start', '1', '--no-limits']);
    expect(status).toBe(4);
    expect(stderr).toContain('One or more recipients could not be found.');
  });
});
