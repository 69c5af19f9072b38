import nock from 'nock';
import {expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand, server, serverWithoutLimits} from '../../run-command.js';

const conversation = {id: '77', type: 'dm', state: 'active', unread_count: 0, participants: [], last_message: null};
const path = '/api/v1.1/direct/conversations';
const start = ['dm', 'start'];

const withThem = (recipients: readonly string[]) => ({...conversation, participants: recipients.map((id) => ({id}))});

const starts = (...recipients: readonly string[]) =>
  pixelfed()
    .post(path, {recipient_ids: [...recipients]})
    .reply(201, withThem(recipients));

test('sends all ids unmodified, in one conversation', async () => {
  serverWithoutLimits();
  const recipients = ['12345678901234567890', '6'];
  starts(...recipients);
  const stdout = `${JSON.stringify(withThem(recipients))}\n`;
  expect(await runCommand([...start, ...recipients, '--json'])).toEqual({status: 0, stdout, stderr: ''});
});

test('reads recipients from standard input, each once', async () => {
  starts('5', '6', '7');
  expect(await runCommand([...start, '5', '-', '--no-limits'], {input: '6\n{"id": 7}\n5\n'})).toMatchObject({status: 0});
});

test('a handle of an account that is also given by id is sent once, and is a placeholder in a dry run', async () => {
  pixelfed().get('/api/v1.1/accounts/username/bo').reply(200, {id: '5', acct: 'bo'});
  starts('5');
  expect((await runCommand([...start, '5', '@bo@pix.example', '--no-limits'])).status).toBe(0);
  const {stdout} = await runCommand([...start, '@bo@pix.example', '6', '--dry-run', '--json']);
  expect(JSON.parse(stdout).requests).toMatchObject([{method: 'POST', path, body: {recipient_ids: ['<id of @bo@pix.example>', '6']}}]);
});

const publishes = (groups: object) =>
  nock(server)
    .get('/api/v2.1/config')
    .reply(200, {limits: {direct_messages: {group_chats: groups}}});

test.each([
  ["the server's maximum with the caller", {enabled: true, max_participants: 3}, ['5', '6']],
  ['two participants are none', {enabled: false, max_participants: 10}, ['5']],
])('a group may have %s', async (_, groups, recipients) => {
  publishes(groups);
  starts(...recipients);
  expect((await runCommand([...start, ...recipients])).status).toBe(0);
});

test.each([
  [{enabled: true, max_participants: 3}, ['5', '6', '7'], /4 participants with you; this server allows 3[^]*--no-limits/],
  [{enabled: false, max_participants: 10}, ['5', '6'], /Group chats are off on this server/],
])('a group is refused that the server does not take: %j', async (groups, recipients, says) => {
  publishes(groups);
  await expectFailure(2, says, [...start, ...recipients]);
});

test('a group that the server refuses has a hint to `config`', async () => {
  pixelfed().post(path).reply(422, {error: 'Group conversations are disabled.'});
  const says = /Group conversations are disabled\.[^]*`pixelctl config`/;
  await expectFailure(5, says, [...start, '5', '6', '--no-limits']);
});

test('requires a recipient', () => expectFailure(2, 'Missing: RECIPIENT', start));
