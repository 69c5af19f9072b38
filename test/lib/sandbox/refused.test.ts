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
