import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {expectFailure, runCommand, server} from '../run-command.js';

const answer = '{"version":"0.13.0","limits":{"media":{"image_size_limit":15360000}},"big":12345678901234567890}';

/** A stub that matches only without a token. */
const anonymous = () => nock(server, {badheaders: ['authorization']}).get('/api/v2.1/config');

describe('config never sends a token', () => {
  test('config never sends a token that is set', async () => {
    anonymous().reply(200, answer);
    const {status, stdout} = await runCommand(['config', '--json']);
    expect({status, stdout}).toEqual({status: 0, stdout: `${answer}\n`});
  });

  test('config works without a token', async () => {
    anonymous().reply(200, answer);
    expect((await runCommand(['config'], {environment: {PIXELCTL_TOKEN: undefined}})).status).toBe(0);
  });

  test('config does not read the token file', async () => {
    anonymous().reply(200, answer);
    const environment = {PIXELCTL_TOKEN: undefined, PIXELCTL_TOKEN_FILE: '/nowhere/token'};
    expect((await runCommand(['config'], {environment})).status).toBe(0);
  });

  test('config never sends a token that belongs to another server, and still sends the request', async () => {
    nock('https://other.example', {badheaders: ['authorization']})
      .get('/api/v2.1/config')
      .reply(200, answer);
    expect((await runCommand(['config', '--server', 'other.example'])).status).toBe(0);
  });

  test('config never sends a token after a redirect on the same server', async () => {
    anonymous().reply(302, '', {location: '/api/v3/config'});
    nock(server, {badheaders: ['authorization']})
      .get('/api/v3/config')
      .reply(200, answer);
    expect((await runCommand(['config'])).status).toBe(0);
  });
});

test('suggests /api/v1/instance on servers before 2026', async () => {
  anonymous().reply(404, {error: 'The route api/v2.1/config could not be found.'});
  await expectFailure(4, '`pixelctl api GET /api/v1/instance`', ['config']);
});
