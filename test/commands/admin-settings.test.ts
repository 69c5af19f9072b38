/** The settings that are changed while a server runs: read first, and sent where they differ. */
import nock from 'nock';
import {afterEach, expect, test} from 'vitest';
import {recordingsIn} from '../lib/sandbox/recording.js';
import {expectFailure, runCommand, server} from '../run-command.js';

const path = '/api/admin/config';
const recorded: readonly object[] = JSON.parse(
  JSON.stringify(recordingsIn('0.12.6', 'admin-people').find(({name}) => name === 'config')?.response.body),
);
const key = 'pixelfed.open_registration';

/** A server that has the recorded settings. @param wraps whether lists are the `data` of an object @param keeps whether nothing can be changed */
function having({wraps = false, keeps = false} = {}): string[] {
  const states = new Map([[key, true]]);
  const sent: string[] = [];
  const answer = () => {
    const settings = recorded.map((setting) => ({...setting, ...(Reflect.get(setting, 'key') === key && {state: states.get(key)})}));
    return wraps ? {data: settings} : settings;
  };
  nock(server).persist().get(path).reply(200, answer);
  nock(server)
    .persist()
    .post(`${path}/update`)
    .optionally()
    .reply(async (request: Request) => {
      const text = await request.text();
      sent.push(text);
      const body: {readonly key: string; readonly value: string} = JSON.parse(text);
      if (body.key !== key) return [400, {error: 'Invalid cache key.'}];
      if (!keeps) states.set(key, body.value === 'true');
      return [200, answer()];
    });
  return sent;
}

afterEach(() => nock.cleanAll());

test.each([[false], [true]])('a setting is turned off, also where lists are in `data`: %j', async (wraps) => {
  const sent = having({wraps});
  const {status, stdout, stderr} = await runCommand(['admin', 'settings', 'update', key, 'off', '--yes']);
  expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: 'Turned pixelfed.open_registration off.\n'});
  expect(sent).toEqual([JSON.stringify({key, value: 'false'})]);
});

test('what stands as asked is not sent, and the settings are printed', async () => {
  const sent = having();
  const {status, stdout} = await runCommand(['admin', 'settings', 'update', key, 'on', '--yes', '--json']);
  expect({status, sent}).toEqual({status: 0, sent: []});
  expect(JSON.parse(stdout)).toEqual(recorded);
  const {stderr} = await runCommand(['admin', 'settings', 'update', key, 'on', '--yes']);
  expect({stderr, sent}).toEqual({stderr: `${key} is on already.\n`, sent: []});
});

test('the question names the setting, and what becomes of it', async () => {
  having();
  const {stderr} = await runCommand(['admin', 'settings', 'update', key, 'off'], {typing: 'n\n'});
  expect(stderr).toContain(`Turn Open Registration (${key}) off on pix.example?`);
});

test('a setting is on or off', async () => {
  await expectFailure(2, 'A setting is on or off, not "maybe"', ['admin', 'settings', 'update', key, 'maybe', '--yes']);
});

test('a key that the server does not know is refused, with what lists the keys', async () => {
  having();
  const {status, stderr} = await runCommand(['admin', 'settings', 'update', 'app.debug', 'off', '--yes']);
  expect(status).toBe(5);
  expect(stderr).toContain('Invalid cache key.\nHint: the keys are those of `pixelctl admin settings list');
});

test('a server that keeps a setting as it was is said to have refused it', async () => {
  having({keeps: true});
  const {status, stderr} = await runCommand(['admin', 'settings', 'update', key, 'off', '--yes']);
  expect({status, stderr}).toEqual({status: 5, stderr: expect.stringContaining(`pix.example did not turn ${key} off`)});
});

test.each([
  ['list', ['admin', 'settings', 'list']],
  ['update', ['admin', 'settings', 'update', key, 'off', '--yes']],
])('settings that cannot be changed while the server runs are told: %s', async (_, line) => {
  for (const body of ['', '{"error":""}']) {
    nock(server).get(path).reply(400, body, {'content-type': 'application/json'});
    const {status, stdout, stderr} = await runCommand(line);
    expect({status, stdout, stderr}).toEqual({
      status: 5,
      stdout: '',
      stderr:
        'Error: pix.example: settings cannot be changed while the server runs (400)\nHint: the operator of the server can change them in its configuration file\n',
    });
  }
});

test('a dry run reads nothing', async () => {
  const {stdout} = await runCommand(['admin', 'settings', 'update', key, 'off', '--dry-run', '--json']);
  expect(JSON.parse(stdout).requests.map(({method, body}: {readonly method: string; readonly body: unknown}) => [method, body])).toEqual([
    ['POST', {key, value: 'false'}],
  ]);
});
