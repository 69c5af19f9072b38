import nock from 'nock';
import {expect, test} from 'vitest';
import {expectFailure, runCommand, server} from '../run-command.js';

const answer = '{"version":"0.13.0","limits":{"media":{"image_size_limit":15360000}},"big":12345678901234567890}';

test.each<[string, readonly string[], Readonly<Record<string, string | undefined>>, string]>([
  ['a token that is set', [], {}, server],
  ['no token', [], {PIXELCTL_TOKEN: undefined}, server],
  ['a token file, which is not read', [], {PIXELCTL_TOKEN: undefined, PIXELCTL_TOKEN_FILE: '/nowhere/token'}, server],
  ['a token of another server', ['--server', 'other.example'], {}, 'https://other.example'],
])('config never sends a token, with %s', async (_, flags, environment, origin) => {
  nock(origin, {badheaders: ['authorization']})
    .get('/api/v2.1/config')
    .reply(302, '', {location: '/api/v3/config'});
  nock(origin, {badheaders: ['authorization']})
    .get('/api/v3/config')
    .reply(200, answer);
  expect(await runCommand(['config', '--json', ...flags], {environment})).toMatchObject({status: 0, stdout: `${answer}\n`});
});

test('suggests /api/v1/instance on servers before 2026', async () => {
  nock(server).get('/api/v2.1/config').reply(404, {error: 'The route api/v2.1/config could not be found.'});
  await expectFailure(4, '`pixelctl api GET /api/v1/instance`', ['config']);
});
