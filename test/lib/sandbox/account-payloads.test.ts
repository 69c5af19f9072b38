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
});
