import {expect, test} from 'vitest';
import {pixelfed, runCommand} from '../../run-command.js';

const conversations = '/api/v1.1/direct/conversations';
const [sly, bob] = [
  {id: '7', acct: 'sly', username: 'sly'},
  {id: '8', acct: 'bob', username: 'bob'},
];
const hello = {id: '81', text: 'Hello', sender_id: '7', created_at: '2026-05-01T10:00:00.000Z', is_author: false};

interface Messages {
  readonly status?: number;
  readonly data?: readonly unknown[];
  readonly hasMore?: boolean;
}

/** One request of these people, which says this. */
function requestOf(participants: readonly unknown[], {status = 200, data = [], hasMore = false}: Messages = {}): void {
  const request = {id: '5', state: 'request', participants, created_at: '2026-05-01T10:00:00.000Z'};
  pixelfed()
    .get(conversations)
    .query({filter: 'requests', limit: '40'})
    .reply(200, {data: [request], meta: {has_more: false}});
  pixelfed()
    .get(`${conversations}/5/messages`)
    .query({limit: '20'})
    .reply(status, {data, meta: {has_more: hasMore}, ...(status !== 200 && {error: 'Out of order'})});
}

/** @param typing the first letters of what is chosen */
const triage = (...typing: readonly string[]) =>
  runCommand(['dm', 'triage', '--retries', '0'], {typing: typing.map((letters) => `${letters}\r`)});

test('a request without a message is reported with the person who sent it', async () => {
  requestOf([sly]);
  pixelfed().post('/api/v1.1/report', {object_type: 'user', object_id: '7', report_type: 'spam'}).reply(200, {});
  const {status, stderr} = await triage('r', 's', 'q');
  expect(status).toBe(0);
  expect(stderr).toContain('No messages.\n');
  expect(stderr).toContain('report @sly');
  expect(stderr).toContain('Reported @sly to the moderators.');
});

test('blocks and reports nobody of several people who sent nothing', async () => {
  requestOf([sly, bob]);
  const {status, stderr} = await triage('q');
  expect(status).toBe(0);
  expect(stderr).not.toMatch(/block|report/);
});

test('a request of an account that is gone is of a deleted account', async () => {
  requestOf([], {data: [hello]});
  pixelfed().post(`${conversations}/5/accept`).reply(200, {});
  const {status, stderr} = await triage('a');
  expect(status).toBe(0);
  expect(stderr).toContain('Accepted the request of a deleted account.');
});

test('says that there are more messages than it shows', async () => {
  requestOf([sly], {data: [hello], hasMore: true});
  expect((await triage('q')).stderr).toMatch(/Hello *\nOnly the newest 20 messages are shown\.\n/);
});

test('says that the messages cannot be read, and asks all the same', async () => {
  requestOf([sly], {status: 500});
  pixelfed().post(`${conversations}/5/hide`).reply(200, {});
  const {status, stderr} = await triage('h');
  expect(status).toBe(0);
  expect(stderr).toMatch(/Error:.* server error \(500\): Out of order[^]*What to do\?[^]*Hid the request of @sly\./);
});
