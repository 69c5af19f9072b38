/** Whether a token allows to moderate a server: by a request that only admins may send, and by its scopes. */
import {describe, expect, test} from 'vitest';
import {requireAdminToken} from '../../../src/lib/auth/sign-in.js';
import {missingScopes} from '../../../src/lib/auth/token.js';
import type {Software} from '../../../src/lib/operations/server-release.js';
import {json, startServer, type Reply} from '../../loopback-server.js';

interface Given {
  readonly reply?: Reply;
  readonly software?: Software;
  readonly scopes?: readonly string[] | null;
  readonly account?: {id: string; acct: string} | null;
}

async function check({reply = json([]), software = 'pixelfed', scopes = null, account = {id: '1', acct: 'ana'}}: Given) {
  const {url} = await startServer(reply);
  const profile = {server: url.origin, account, scopes, expiresAt: null, client: null};
  const checked = requireAdminToken({profile, secret: {accessToken: 'token'}}, software, {});
  return {host: url.host, checked};
}

describe('a token does not allow it', () => {
  test.each<[string, Given]>([
    ['with too few scopes on Mastodon', {scopes: ['read']}],
    ['whose scopes Mastodon does not take', {reply: json({error: 'This action is outside the authorized scopes'}, 403)}],
  ])('%s', async (_, given) => {
    const {checked, host} = await check({software: 'mastodon', ...given});
    await expect(checked).rejects.toMatchObject({
      code: 'auth',
      message: `@ana cannot moderate ${host} with this token`,
      details: {
        reason: 'admin',
        hint: 'the token needs the scopes admin:read:domain_blocks admin:write:domain_blocks; if it has them, the role of the account probably lacks the permission "Manage Federation"',
      },
    });
  });

  test('by the answer of the server, whose status is kept', async () => {
    const {checked} = await check({reply: json({error: 'You do not have permission'}, 403)});
    await expect(checked).rejects.toMatchObject({details: {status: 403}, cause: {code: 'auth', details: {status: 403}}});
  });

  test('of an account that is not known', async () => {
    const {checked, host} = await check({scopes: [], account: null});
    await expect(checked).rejects.toMatchObject({message: `The account of the token cannot moderate ${host} with this token`});
  });
});

test('a server without an API for admins is told as such', async () => {
  const {checked, host} = await check({reply: json({error: 'The route api/v1/admin/domain_blocks could not be found.'}, 404)});
  await expect(checked).rejects.toMatchObject({
    code: 'not_found',
    message: `${host} has no API for admins who moderate it`,
    details: {
      reason: 'unknown_route',
      status: 404,
      hint: 'Pixelfed has it since 0.12.4, Mastodon since 4.0; sign in without --admin to use the rest',
    },
  });
});

test.each([
  [['read'], ['read'], []],
  [['admin:read:domain_blocks'], ['admin:read'], []],
  [['admin:read:domain_blocks'], ['admin'], []],
  [['admin:read'], ['admin:read:domain_blocks'], ['admin:read']],
  [['readings'], ['read'], ['readings']],
  [['write', 'read'], [], ['write', 'read']],
])('of the scopes %j, those given as %j lack %j', (needed, given, missing) => {
  expect(missingScopes(needed, given)).toEqual(missing);
});
