import {describe, expect, test} from 'vitest';
import {approvedScopes} from './approving.js';
import {ask, linked, sandboxWith, type Asked} from './asking.js';
import type {SandboxOptions} from '../../sandbox/start.js';

const path = '/api/v1/admin/domain_blocks';
const accounts = [{acct: 'ana', admin: true}, {acct: 'bob'}];

/** An admin of a Mastodon server, and what the server answers. */
async function admin(seed: Partial<NonNullable<Exclude<SandboxOptions['seed'], string>>> = {}) {
  const sandbox = await sandboxWith({like: 'mastodon', seed: {accounts, ...seed}});
  const token = sandbox.tokens.admins['ana'] ?? '';
  const send = (line: string, json?: unknown): Promise<Asked> => ask(sandbox, line, {token, json});
  return {sandbox, send, add: (domain: string, more = {}) => send(`POST ${path}`, {domain, severity: 'suspend', ...more})};
}

describe('domain blocks of a Mastodon server', () => {
  test('a block keeps everything that it is given, and has a string for an id', async () => {
    const {add, send} = await admin();
    const given = {private_comment: 'see 2', public_comment: 'Spam', reject_media: true, reject_reports: true, obfuscate: true};
    const {status, body} = await add('Bücher.example', {...given, severity: 'silence'});
    expect([status, body]).toMatchObject([200, {id: '1', domain: 'xn--bcher-kva.example', severity: 'silence', ...given}]);
    expect((await send(`GET ${path}/1`)).body).toEqual(body);
    expect((await send(`PUT ${path}/1`, {severity: 'suspend'})).body).toMatchObject({severity: 'suspend', ...given});
  });

  test.each([
    ['suspend', 'silence', 422],
    ['suspend', 'noop', 422],
    ['suspend', 'suspend', 200],
    ['silence', 'silence', 422],
    ['silence', 'suspend', 200],
    ['noop', 'silence', 200],
  ])('below a domain with %s, %s is answered with %i', async (above, severity, status) => {
    const {add} = await admin();
    await add('bad.example', {severity: above});
    const answer = await add('sub.bad.example', {severity});
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body.existing_domain_block.domain).toBe('bad.example');
  });

  test('the nearest block above a domain counts', async () => {
    const {add} = await admin();
    await add('bad.example', {severity: 'silence'});
    await add('sub.bad.example');
    const {status, body} = await add('x.sub.bad.example', {severity: 'silence'});
    expect([status, body.existing_domain_block.domain]).toEqual([422, 'sub.bad.example']);
  });

  test('the list has the newest first, with links the right way round, and noop', async () => {
    const {add, send} = await admin();
    for (const number of [1, 2, 3, 4, 5]) await add(`d${number}.example`, {severity: number === 3 ? 'noop' : 'suspend'});
    const first = await send(`GET ${path}?limit=2`);
    const second = await send(`GET ${linked(first, 'next')}`);
    const last = await send(`GET ${linked(second, 'next')}`);
    const domains = [first, second, last].map(({body}) => body.map((entry: {domain: string}) => entry.domain));
    expect(domains).toEqual([['d5.example', 'd4.example'], ['d3.example', 'd2.example'], ['d1.example']]);
    expect(linked(last, 'next')).toBeNull();
    expect((await send(`GET ${linked(last, 'prev')}`)).body.map(({id}: {id: string}) => id)).toEqual(['3', '2']);
  });

  test('a block is removed for good', async () => {
    const {add, send} = await admin();
    await add('bad.example');
    expect(await send(`DELETE ${path}/1`)).toMatchObject({status: 200, body: {}});
    expect(await send(`DELETE ${path}/1`)).toMatchObject({status: 404, body: {error: 'Record not found'}});
    expect((await add('bad.example')).body.id).toBe('2');
  });

  test.each([
    ['no domain', {severity: 'suspend'}],
    ['an unknown severity', {domain: 'bad.example', severity: 'ban'}],
  ])('%s is a validation error', async (_, json) => {
    const {send} = await admin();
    expect(await send(`POST ${path}`, json)).toMatchObject({status: 422, body: {error: expect.stringMatching(/^Validation failed: /)}});
  });

  test('instances of a seed that are banned or unlisted are blocked', async () => {
    const {send} = await admin({
      instances: [{domain: 'a.example', banned: true, notes: ['Spam']}, {domain: 'b.example'}, {domain: 'c.example', unlisted: true}],
    });
    expect((await send(`GET ${path}`)).body).toMatchObject([
      {domain: 'c.example', severity: 'silence'},
      {domain: 'a.example', severity: 'suspend', private_comment: 'Spam'},
    ]);
  });
});

describe('who may, on a Mastodon server', () => {
  test('people without the permission are refused, and tokens without the scope', async () => {
    const {sandbox} = await admin();
    const asked = (token: string) => ask(sandbox, `GET ${path}`, {token});
    const refused = (error: string) => ({status: 403, body: {error}});
    expect(await asked(sandbox.grant('bob', ['admin:read']))).toMatchObject(refused('This action is not allowed'));
    expect(await asked(sandbox.tokens.all)).toMatchObject(refused('This action is outside the authorized scopes'));
    expect(await asked(sandbox.grant('ana', ['admin:read:domain_blocks']))).toMatchObject({status: 200});
    expect(await ask(sandbox, `POST ${path}`, {token: sandbox.grant('ana', ['admin:read:domain_blocks']), json: {}})).toMatchObject({
      status: 403,
    });
  });

  test('anybody gets the scopes of admins, and clients only what they registered for', async () => {
    const {sandbox} = await admin();
    const scope = 'read admin:read:domain_blocks admin:write:domain_blocks';
    expect(await approvedScopes(sandbox, {account: 'bob', scope})).toEqual(scope.split(' '));
    await expect(approvedScopes(sandbox, {account: 'bob', scope, registered: 'read'})).rejects.toThrow('no approval page');
  });

  test("what is Pixelfed's alone is not there, and the version is Mastodon's", async () => {
    const {send} = await admin();
    expect((await send('GET /api/admin/instances/list')).status).toBe(404);
    expect((await send('GET /api/v1/instance')).body.version).toBe('4.5.0');
  });
});
