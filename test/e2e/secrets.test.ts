import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {table} from '../endpoints/table.js';
import {deviceToken} from '../endpoints/push.js';
import {serverThat} from './server.js';
import {expectDiscreet} from './told.js';

const token = 'canary/of+a.token==';

/** A server that tells everything that it hears, in all places of its answer. */
const telltale = (status: number) =>
  serverThat(({headers, body}) => {
    const heard = `${headers['authorization'] ?? ''} ${body.toString('utf8')}`;
    return {
      status,
      headers: {'x-heard': encodeURIComponent(heard)},
      text: JSON.stringify({...(status !== 200 && {error: heard, message: heard}), heard}),
    };
  }, token);

const writes = ['dm mute', 'filters update', 'push compare', 'push update', 'config'];
const commands = table.filter(({command}) => writes.includes(command));

describe('tokens are never printed', () => {
  const forms: readonly (readonly [name: string, flags: readonly string[], env: Readonly<Record<string, string>>])[] = [
    ['for people', [], {}],
    ['--json', ['--json'], {}],
    ['-v', ['-v'], {}],
    ['PIXELCTL_DEBUG=1', ['--json'], {PIXELCTL_DEBUG: '1'}],
  ];

  describe.each(forms)('%s', (_, flags, env) => {
    test.concurrent.each(commands)('no token is printed by $command on failure', async ({on2026: {args, stdin = ''}}) => {
      await using server = await telltale(422);
      const ended = await run([...args, ...flags], {env: {...server.env, ...env}, stdin});
      expect(ended.status).toBe(5);
      expectDiscreet(ended, [token, encodeURIComponent(token), deviceToken, encodeURIComponent(deviceToken)]);
      if (env['PIXELCTL_DEBUG'] || flags.includes('-v')) expect(ended.stderr).toMatch(/^> (GET|POST|PUT) \//m);
    });
  });

  test.concurrent.each(forms)('no token of a profile of the environment is printed: %s', async (_, flags, env) => {
    await using server = await telltale(422);
    const profiles = {
      PIXELCTL_PROFILES: 'alpha,beta',
      PIXELCTL_SERVER_ALPHA: server.url,
      PIXELCTL_TOKEN_ALPHA: token,
      PIXELCTL_SERVER_BETA: server.url,
      PIXELCTL_TOKEN_BETA: `other-${token}`,
    };
    for (const args of [
      ['dm', 'mute', '5', '-p', 'alpha'],
      ['blocks', 'list', '--all-profiles'],
      ['auth', 'status'],
      ['doctor', '-p', 'beta'],
    ]) {
      const ended = await run([...args, ...flags], {env: {...profiles, ...env}});
      expectDiscreet(ended, [token, encodeURIComponent(token)]);
    }
    expect(new Set(server.exchanges.map(({received}) => received.headers['authorization']))).toContain(`Bearer other-${token}`);
  });

  test.concurrent('tokens are never printed in a dry run', async () => {
    const env = {PIXELCTL_SERVER: 'https://pix.example', PIXELCTL_TOKEN: token};
    const ended = await run(['push', 'update', '-', '--notify', '--dry-run', '-v'], {env, stdin: deviceToken});
    expect(ended).toMatchObject({status: 0, stdout: expect.stringContaining('"token": "***"')});
    expectDiscreet(ended, [token, deviceToken]);
  });
});

test.concurrent('-v prints requests and responses, masked', async () => {
  await using server = await telltale(200);
  const {stdout, stderr, status} = await run(['push', 'compare', '-', '-v', '--json'], {env: server.env, stdin: deviceToken});
  expect(status).toBe(0);
  expect(stderr).toContain('> POST /api/v1.1/push/compare\n');
  expect(stderr).toContain('> authorization: Bearer ***\n');
  expect(stderr).toContain('> {"provider_token":"***","expo_token":"***"}\n');
  expect(stderr).toMatch(/^< 200 after \d+ ms$/m);
  // What the server said is printed as it said it.
  expect(stdout).toBe(`${server.exchanges[0]?.answered.text}\n`);
});
