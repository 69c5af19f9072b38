/** What the sandbox refuses as real servers do, and how it reads odd requests. */
import {describe, expect, test} from 'vitest';
import type {Sandbox} from '../../sandbox/start.js';
import {ask, idOf, sandboxWith, type Asking} from './asking.js';

const strangers = {accounts: [{acct: 'ana'}, {acct: 'bob'}]};
const friends = {...strangers, mutuals: ['bob']};
const conversations = '/api/v1.1/direct/conversations';

const ownId = async (sandbox: Sandbox, name: string): Promise<string> =>
  (await ask(sandbox, 'GET /api/v1/accounts/verify_credentials', {token: sandbox.tokens.users[name] ?? null})).body.id;

describe('a server refuses', () => {
  test('to be blocked by itself', async () => {
    const sandbox = await sandboxWith({publicUrl: 'https://pix.example'});
    const answer = await ask(sandbox, 'POST /api/v1/domain_blocks', {json: {domain: 'https://pix.example'}});
    expect(answer).toMatchObject({status: 400, body: {error: 'You cannot ban your own server'}});
  });

  test('a message in a conversation with an account that has blocked the sender since', async () => {
    const sandbox = await sandboxWith({seed: friends});
    const {body} = await ask(sandbox, `POST ${conversations}`, {json: {recipient_ids: [await idOf(sandbox, 'bob')]}});
    const token = sandbox.tokens.users['bob'] ?? null;
    await ask(sandbox, `POST /api/v1/accounts/${await ownId(sandbox, 'ana')}/block`, {token});
    expect(await ask(sandbox, `POST ${conversations}/${body.id}/messages`, {json: {message: 'Hi'}})).toMatchObject({
      status: 403,
      body: {error: 'You cannot message this account.'},
    });
  });

  test('a second message of a thread that awaits acceptance', async () => {
    const sandbox = await sandboxWith({seed: strangers});
    const json = {to_id: await idOf(sandbox, 'bob'), message: 'Hi', type: 'text'};
    const send = () => ask(sandbox, 'POST /api/v1.1/direct/thread/send', {json});
    expect((await send()).status).toBe(200);
    expect(await send()).toMatchObject({status: 403, body: {error: 'You can send more messages once your request is accepted.'}});
  });

  test.each<[what: string, json: object]>([
    ['without a type', {report_type: 'spam', object_id: '1'}],
    ['of an unknown reason', {report_type: 'boredom', object_type: 'user', object_id: '1'}],
    ['of an unknown kind', {report_type: 'spam', object_type: 'weather', object_id: '1'}],
    ['of what is no id', {report_type: 'spam', object_type: 'user', object_id: 'x'}],
  ])('a report %s', async (_, json) => {
    const {body} = await ask(await sandboxWith(), 'POST /api/v1.1/report', {json});
    expect(body.error_code).toBe('ERROR_INVALID_PARAMS');
  });

  test('a file that is no photo and no video', async () => {
    const form = new FormData();
    form.set('file', new Blob(['text']), 'a.txt');
    expect((await ask(await sandboxWith(), 'POST /api/v2/media', {form})).status).toBe(403);
  });

  test('types of notifications that are no list, where it is an older one', async () => {
    expect((await ask(await sandboxWith({like: '0.12.6'}), 'GET /api/v1/notifications?types=follow')).status).toBe(500);
    expect((await ask(await sandboxWith(), 'GET /api/v1/notifications?types=follow')).status).toBe(200);
  });
});

describe('a request is read as if nothing was sent, where it has', () => {
  test.each<[what: string, asking: Asking]>([
    ['broken JSON', {form: '{', headers: {'content-type': 'application/json'}}],
    ['JSON that is no object', {json: 'bob'}],
    ['a broken multipart body', {form: 'x', headers: {'content-type': 'multipart/form-data; boundary=y'}}],
  ])('%s', async (_, asking) => {
    const {status, body} = await ask(await sandboxWith(), 'POST /api/v1/domain_blocks', asking);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['domain']]);
  });
});

test('an account is found by its name with the host of the server', async () => {
  const sandbox = await sandboxWith({publicUrl: 'https://pix.example'});
  expect(await idOf(sandbox, '@bob@pix.example')).toBe(await idOf(sandbox, 'bob'));
  const {body} = await ask(sandbox, 'GET /api/v1.1/accounts/username/bob@pix.example');
  expect(body.username).toBe('bob');
});
