import {describe, expect, test} from 'vitest';
import {ask, idOf, sandboxWith} from './asking.js';

const headers = {'x-pixelfed-app': '1'};
const token = 'ExponentPushToken[abcdefghijklmnopqrstuv]';

describe('push', () => {
  test('changes the flags that are sent, and resets them when disabled', async () => {
    const sandbox = await sandboxWith();
    const updated = await ask(sandbox, 'POST /api/v1.1/push/update', {
      headers,
      json: {token, notify_enabled: 1, notify_like: '0'},
    });
    expect(updated.body).toEqual({
      version: '1.0',
      notify_enabled: true,
      has_token: true,
      notify_like: false,
      notify_follow: true,
      notify_mention: true,
      notify_comment: true,
    });
    const {body} = await ask(sandbox, 'POST /api/v1.1/push/disable', {headers});
    expect(Object.values(body).filter((value) => typeof value === 'boolean')).toEqual(Array(6).fill(false));
  });
});

describe('reports', () => {
  const report = 'POST /api/v1.1/report';

  test('reports of messages, and a limit to the text, are new in 2026', async () => {
    const object_id = async (sandbox: Parameters<typeof ask>[0]) => {
      const {body} = await ask(sandbox, `GET /api/v1.1/direct/thread?pid=${await idOf(sandbox, 'bob')}`);
      return body.messages.find(({isAuthor}: {isAuthor: boolean}) => !isAuthor).reportId;
    };
    const [older, newer] = [await sandboxWith({like: '0.12.6'}), await sandboxWith()];
    const json = {object_type: 'direct_message', report_type: 'spam', message: 'ä'.repeat(128)};
    const asOlder = await ask(older, report, {json: {...json, object_id: await object_id(older)}});
    expect(asOlder.body.error_code).toBe('ERROR_REPORT_OBJECT_TYPE_INVALID');
    const tooLong = await ask(newer, report, {json: {...json, object_id: await object_id(newer)}});
    expect(tooLong.body.error_code).toBe('ERROR_MESSAGE_TOO_LONG');
    const taken = await ask(newer, report, {json: {...json, message: 'rude', object_id: await object_id(newer)}});
    expect(taken.status).toBe(200);
  });
});
