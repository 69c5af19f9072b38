import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, token} from '../run-command.js';

const deviceToken = 'ExponentPushToken[abcdefghijklmnopqrstuv]';
const path = '/api/v1.1/push';
const app = () => pixelfed({authorization: `Bearer ${token}`, 'x-pixelfed-app': '1'});
const settings = {version: '1.0', notify_enabled: true, has_token: true};

test.each([
  ['-', `${deviceToken}\n`],
  ['--input=-', JSON.stringify({provider_token: deviceToken})],
])('push compare sends the token under both names, from standard input: %s', async (word, input) => {
  app()
    .post(`${path}/compare`, {provider_token: deviceToken, expo_token: deviceToken})
    .reply(200, {version: '1.0', match: true, has_existing: true});
  expect((await runCommand(['push', 'compare', word], {input})).status).toBe(0);
});

describe('push update', () => {
  const update = (...words: readonly string[]) => runCommand(['push', 'update', deviceToken, ...words]);

  test.each([
    [['--notify'], {notify_enabled: true}],
    [['--no-notify'], {notify_enabled: false}],
    [['--notify', '--mention', '--no-like'], {notify_enabled: true, notify_mention: true, notify_like: false}],
    [
      ['--notify', '--like', '--follow', '--no-mention', '--no-comment'],
      {notify_enabled: true, notify_like: true, notify_follow: true, notify_mention: false, notify_comment: false},
    ],
  ])('%j sends only what was given', async (flags, body) => {
    app()
      .post(`${path}/update`, {token: deviceToken, ...body})
      .reply(200, {...settings, ...body});
    expect((await update(...flags)).status).toBe(0);
  });

  test('reads the token from standard input', async () => {
    app().post(`${path}/update`, {token: deviceToken, notify_enabled: true}).reply(200, settings);
    expect((await runCommand(['push', 'update', '-', '--notify'], {input: `${deviceToken}\r\n`})).status).toBe(0);
  });

  test('requires --notify or --no-notify', async () => {
    const {status, stderr} = await update('--mention');
    expect(status).toBe(2);
    expect(stderr).toContain('Missing: --notify or --no-notify');
  });

  test.each([[[]], [['--json']], [['--verbose']], [['--dry-run']], [['--dry-run', '--json']]])(
    'push update never prints the token: %j',
    async (flags) => {
      const isDry = flags.some((flag) => flag === '--dry-run');
      const refusal = {message: `${deviceToken} is not valid`, errors: {token: [`${deviceToken} is not valid`]}};
      if (!isDry) app().post(`${path}/update`).reply(422, refusal);
      const {status, stdout, stderr} = await update('--notify', ...flags);
      expect(status).toBe(isDry ? 0 : 5);
      expect(stdout + stderr).toContain('***');
      expect(stdout + stderr).not.toContain('abcdefghij');
    },
  );
});

test('reports a server without push', async () => {
  app().get(`${path}/state`).reply(404, {error: ''});
  const {status, stderr} = await runCommand(['push', 'state']);
  expect(status).toBe(4);
  expect(stderr).toContain('push is off on this server');
});
