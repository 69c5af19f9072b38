import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {accountFlags, type GlobalFlags} from '../../../src/lib/cli/session.js';
import {pixelfed, runCommand, server, serverWithoutLimits, token} from '../../run-command.js';

const counts = {primary: 1, requests: 0};
const asked = (reply: unknown = counts) => pixelfed().get('/api/v1.1/direct/unread_count').reply(200, JSON.stringify(reply));

describe('the server', () => {
  test('the server of --server overrides the environment', async () => {
    nock('https://other.example').get('/api/v1.1/direct/unread_count').reply(200, counts);
    const environment = {PIXELCTL_SERVER: undefined};
    expect((await runCommand(['dm', 'unread-count', '-s', 'other.example'], {environment})).status).toBe(0);
  });

  test.each([undefined, ''])('the server is required, and the hint names all ways to set it: %j', async (PIXELCTL_SERVER) => {
    expect(await runCommand(['dm', 'unread-count'], {environment: {PIXELCTL_SERVER}})).toMatchObject({
      status: 2,
      stderr:
        'Error: No server given\nHint: sign in with `pixelctl auth login`, pass --server, or set PIXELCTL_SERVER; to try things out, start `pixelctl sandbox`\n',
    });
  });

  test('the server over plain http is refused; with --allow-http there is a warning', async () => {
    const words = ['dm', 'unread-count', '--json'];
    const environment = {PIXELCTL_SERVER: 'http://pix.example'};
    expect((await runCommand(words, {environment})).status).toBe(2);
    nock('http://pix.example').get('/api/v1.1/direct/unread_count').reply(200, counts);
    const {status, stderr} = await runCommand([...words, '--allow-http'], {environment});
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Warning: .*plain http: .*\n$/);
  });
});

describe('the token', () => {
  test('the token of the environment is not sent to another server', async () => {
    const {status, stdout, stderr} = await runCommand(['dm', 'unread-count', '--server', 'https://other.example']);
    expect({status, stdout}).toEqual({status: 3, stdout: ''});
    expect(stderr).toContain('belongs to pix.example and is not sent to other.example');
    expect(stderr).not.toContain(token);
  });

  test('the token is required before anything is sent', async () => {
    const {status, stderr} = await runCommand(['dm', 'unread-count'], {environment: {PIXELCTL_TOKEN: undefined}});
    expect(status).toBe(3);
    expect(stderr).toContain('No access token for pix.example');
    expect(stderr).toContain('PIXELCTL_TOKEN');
  });

  test('the token is masked in messages of a server', async () => {
    pixelfed()
      .get('/api/v1.1/direct/unread_count')
      .reply(401, {error: `Bad token ${token}`});
    const {status, stderr} = await runCommand(['dm', 'unread-count', '--json']);
    expect(status).toBe(3);
    expect(stderr).toContain('Bad token ***');
    expect(stderr).not.toContain(token);
  });
});

describe('--verbose', () => {
  test.each([
    ['the flag', ['--verbose'], {}],
    ['its short form', ['-v'], {}],
    ['the environment', [], {PIXELCTL_DEBUG: '1'}],
  ])('--verbose by %s prints requests and responses on standard error, masked', async (_, flags, environment) => {
    asked();
    const {stdout, stderr} = await runCommand(['dm', 'unread-count', '--json', ...flags], {environment});
    expect(stdout).toBe(`${JSON.stringify(counts)}\n`);
    expect(stderr).toContain('> GET /api/v1.1/direct/unread_count');
    expect(stderr).toContain('> authorization: Bearer ***');
    expect(stderr).toContain('< 200');
    expect(stderr).toContain(JSON.stringify(counts));
    expect(stderr).not.toContain(token);
  });

  test('escapes control characters in bodies', async () => {
    pixelfed().post('/api/v1.1/direct/lookup').reply(200, '[{"name":"a\u202eb\u009b31m"}]');
    const {stderr} = await runCommand(['dm', 'lookup', 'a\u202eb', '-v']);
    expect(stderr).toContain('> POST /api/v1.1/direct/lookup');
    expect(stderr).not.toMatch(/[\u202e\u009b]/);
  });

  test('--verbose is off with PIXELCTL_DEBUG=0', async () => {
    asked();
    expect((await runCommand(['dm', 'unread-count', '--json'], {environment: {PIXELCTL_DEBUG: '0'}})).stderr).toBe('');
  });
});

describe('an answer with a schema mismatch', () => {
  test('an answer with a schema mismatch in the type of a field is printed with one warning', async () => {
    const odd = {primary: 'one', requests: 'none'};
    asked(odd);
    const {status, stdout, stderr} = await runCommand(['dm', 'unread-count', '--json']);
    expect({status, stdout}).toEqual({status: 0, stdout: `${JSON.stringify(odd)}\n`});
    expect(stderr).toMatch(
      /^Warning: schema mismatch in the response of pix\.example: primary: expected number, got string, and 1 more.*\n$/,
    );
  });

  test('an answer with a schema mismatch by a missing or unknown field is silent without --verbose', async () => {
    asked({primary: 1, new: true});
    expect((await runCommand(['dm', 'unread-count', '--json'])).stderr).toBe('');
    asked({primary: 1, new: true});
    expect((await runCommand(['dm', 'unread-count', '-v'])).stderr).toContain('* schema mismatch: requests: missing');
  });

  test.each([
    [{primary: 1}, 'requests: missing'],
    [{primary: '1', requests: 0}, 'primary: expected number, got string'],
  ])('an answer with a schema mismatch is an error with --strict: %j', async (odd, words) => {
    asked(odd);
    const {status, stdout, stderr} = await runCommand(['dm', 'unread-count', '--json', '--strict']);
    expect({status, stdout}).toEqual({status: 8, stdout: ''});
    expect(JSON.parse(stderr).error).toMatchObject({code: 'bad_answer', message: expect.stringContaining(words)});
  });

  test('an answer with a schema mismatch at the top level is always an error', async () => {
    asked([]);
    expect((await runCommand(['dm', 'unread-count'])).status).toBe(8);
  });
});

describe('notes', () => {
  const empty = () => pixelfed().get('/api/v2/filters').reply(200, []);

  test('notes are printed on standard error, with tables only, and not with --quiet', async () => {
    empty();
    expect(await runCommand(['filters', 'list'])).toEqual({status: 0, stdout: '', stderr: 'No filters.\n'});
    empty();
    expect(await runCommand(['filters', 'list', '--json'])).toEqual({status: 0, stdout: '[]\n', stderr: ''});
    empty();
    expect(await runCommand(['filters', 'list', '--quiet'])).toEqual({status: 0, stdout: '', stderr: ''});
  });
});

test('what a filter of --jq says for its author is printed on standard error', async () => {
  asked();
  const {stdout, stderr} = await runCommand(['dm', 'unread-count', '--jq', '.primary | debug']);
  expect({stdout, stderr}).toEqual({stdout: '1\n', stderr: '["DEBUG:",1]\n'});
});

test('--max-wait and --retries are passed to the client', async () => {
  const limited = () => nock(server).get('/api/v1.1/direct/unread_count').reply(429, {error: 'Slow down'}, {'retry-after': '5'});
  limited();
  expect((await runCommand(['dm', 'unread-count', '--max-wait', '4'])).status).toBe(6);
  nock(server).get('/api/v1.1/direct/unread_count').reply(503, {error: 'Maintenance'});
  expect((await runCommand(['dm', 'unread-count', '--retries', '0'])).status).toBe(7);
});

describe('suggested commands', () => {
  const named = {PIXELCTL_SERVER: 'https://pix.example'};
  test.each<[string, GlobalFlags, Record<string, string>, string]>([
    ['nothing for the active profile', {}, {}, '{}'],
    ['the profile of the flag', {profile: 'work'}, {PIXELCTL_PROFILE: 'home', ...named}, '{"profile":"work"}'],
    ['nothing that the environment names', {}, {PIXELCTL_PROFILE: 'home', ...named}, '{}'],
    ['no server of the flag that the environment names too', {server: 'pix.example/'}, named, '{}'],
    [
      'the server of the flag beside another one of the environment',
      {server: 'other.example'},
      named,
      '{"server":"https://other.example"}',
    ],
    ['no profiles that the environment names', {profiles: ['a', 'b']}, {PIXELCTL_PROFILE: 'a, b,a'}, '{}'],
    ['the profiles of the flag', {profiles: ['a', 'b']}, {PIXELCTL_PROFILE: 'a'}, '{"profile":["a","b"]}'],
    ['one profile of several that the environment names', {profile: 'a'}, {PIXELCTL_PROFILE: 'a,b'}, '{"profile":"a"}'],
    ['the server of the flag, as an address', {server: 'pix.example'}, {}, '{"server":"https://pix.example"}'],
    [
      'both, as a profile of the flag sets the server of the environment aside',
      {server: 'pix.example', profile: 'work'},
      named,
      '{"profile":"work","server":"https://pix.example"}',
    ],
    [
      'plain http, where it was allowed',
      {server: 'http://pix.example', 'allow-http': true},
      {},
      '{"server":"http://pix.example","allow-http":true}',
    ],
    ['the further authority', {server: 'pix.example', cacert: 'ca.pem'}, {}, '{"server":"https://pix.example","cacert":"ca.pem"}'],
    ['no password of an address', {server: 'https://ana:secret@pix.example'}, {}, '{}'],
  ])('name %s', (_, flags, environment, wanted) => {
    expect(JSON.stringify(accountFlags(flags, environment))).toBe(wanted);
  });

  test('suggested commands of a failure act on the same account', async () => {
    serverWithoutLimits();
    const {stderr} = await runCommand(['config', '--server', server], {environment: {PIXELCTL_SERVER: 'https://other.example'}});
    expect(stderr).toContain('`pixelctl api GET /api/v1/instance --server=https://pix.example`');
    serverWithoutLimits();
    expect((await runCommand(['config', '--server', server])).stderr).toContain('`pixelctl api GET /api/v1/instance`');
  });
});
