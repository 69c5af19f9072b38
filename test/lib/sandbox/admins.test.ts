import {describe, expect, test} from 'vitest';
import {allScopes} from '../../../src/lib/sandbox/authorizations.js';
import {startSandbox, type Generation, type Sandbox} from '../../sandbox/start.js';
import {World} from '../../../src/lib/sandbox/world.js';
import {generations} from '../../../src/lib/sandbox/generation.js';
import {demo, fillUp} from '../../../src/lib/sandbox/demo.js';
import {sandboxWith} from './asking.js';
import {approvedScopes} from './approving.js';

const adminScopes = ['admin:read', 'admin:write'];

describe.each<Generation>(['0.12.6', '2026'])('signing in for admins, like %s', (like) => {
  const approved = async (sandbox: Sandbox, account: string) => approvedScopes(sandbox, {account, scope: 'read admin:read admin:write'});

  test('an admin gets the scopes of admins', async () => {
    expect(await approved(await sandboxWith({like}), 'admin')).toEqual(['read', ...adminScopes]);
  });

  test('anybody else gets the other scopes, without a word', async () => {
    expect(await approved(await sandboxWith({like}), 'ana')).toEqual(['read']);
  });
});

test('every admin has a token with the scopes of admins, and one without', async () => {
  const sandbox = await startSandbox({seed: {accounts: [{acct: 'ana', admin: true}, {acct: 'bob'}, {acct: 'eve', admin: true}]}});
  await sandbox.close();
  expect(Object.keys(sandbox.tokens.admins)).toEqual(['ana', 'eve']);
  expect(Object.values(sandbox.tokens.admins)).not.toContain(sandbox.tokens.all);
  expect(allScopes).not.toContain('admin:read');
});

test('servers are filled up to a number, in order of their ids', () => {
  const world = new World(generations['2026'], 'https://pix.example');
  demo(world);
  expect(world.allInstances().find(({domain}) => domain === 'spam.example.net')).toMatchObject({banned: true, notes: ['Sells followers']});
  fillUp(world, {accounts: 0, instances: 10_000});
  const instances = world.allInstances();
  expect(instances.map(({id}) => id)).toEqual(Array.from({length: 10_000}, (_, index) => index + 1));
  expect(new Set(instances.map(({domain}) => domain)).size).toBe(10_000);
});
