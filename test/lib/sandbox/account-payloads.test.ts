import {describe, expect, test} from 'vitest';
import {ask, sandboxWith} from './asking.js';

describe('accounts by name', () => {
  const accounts = [{acct: 'ana'}, {acct: 'Bo', id: '5'}, {acct: 'bobby', id: '6'}, {acct: 'bo@other.example', id: '7'}];
  const start = () => sandboxWith({seed: {accounts}, publicUrl: 'https://pix.example'});

  test.each([
    ['bo', '5'],
    ['BO', '5'],
    ['@bo', '5'],
    ['bo@pix.example', '5'],
    ['bo%40other.example', '7'],
  ])('username/%s is account %s', async (name, id) => {
    expect((await ask(await start(), `GET /api/v1.1/accounts/username/${name}`)).body.id).toBe(id);
  });

  test.each([
    ['@bo', '5'],
    ['@bo@other.example', '7'],
    ['bo@other.example', '7'],
  ])('lookup?acct=%s is account %s', async (acct, id) => {
    expect((await ask(await start(), `GET /api/v1/accounts/lookup?acct=${acct}`)).body.id).toBe(id);
  });

  test('username is limited to 30 requests in two minutes for each account', async () => {
    const sandbox = await start();
    const asked = (token = sandbox.tokens.all) => ask(sandbox, 'GET /api/v1.1/accounts/username/bo', {token});
    const statuses = [];
    for (let index = 0; index < 30; index += 1) statuses.push((await asked()).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const {status, headers} = await asked();
    expect([status, headers.get('x-rate-limit-limit'), headers.get('x-rate-limit-remaining'), headers.get('retry-after')]).toEqual([
      429,
      '30',
      '0',
      null,
    ]);
    expect(Number(headers.get('x-rate-limit-reset'))).toSatisfy((seconds: number) => seconds > 60 && seconds <= 120);
    expect((await asked(sandbox.tokens.users['Bo'])).status).toBe(200);
  });

  test('lookup is limited to 50 requests a day for all accounts', async () => {
    const sandbox = await start();
    const statuses = [];
    for (let index = 0; index < 50; index += 1) statuses.push((await ask(sandbox, 'GET /api/v1/accounts/lookup?acct=@bo')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await ask(sandbox, 'GET /api/v1/accounts/lookup?acct=@bo', {token: sandbox.tokens.users['Bo'] ?? ''});
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(86_000);
  });
});
