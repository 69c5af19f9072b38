/** What the guide about spam gives to schedulers: a line for cron, and a script that tells a chat of new reports. */
import {spawnSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {recordedSandbox, serverThat} from '../e2e/server.js';
import {newFolder, runShell} from '../e2e/program.js';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/spam.md'), 'utf8');
const [, script = ''] = /^```sh\n([^]*?)^```$/m.exec(guide) ?? [];
const [, job = ''] = /^\*\/\d+ \* \* \* \* (.*)$/m.exec(guide) ?? [];

const canPost = spawnSync('curl', ['--help', 'all'], {encoding: 'utf8'}).stdout?.includes('--json');

async function desk() {
  const server = await recordedSandbox({limitsRate: false});
  const folder = newFolder();
  const env = {...server.env, PIXELCTL_TOKEN: server.sandbox.tokens.admins['admin'] ?? ''};
  return {...server, run: (line: string, more: Readonly<Record<string, string>> = {}) => runShell(line, {env: {...env, ...more}, folder})};
}

test('cron sends a mail of what the line for it says', async () => {
  await using one = await desk();
  const {status, stdout, stderr} = await one.run(job);
  expect({status, stdout, stderr}).toEqual({status: 10, stdout: '', stderr: expect.stringContaining('has 38 posts held back as spam')});
  expect(await one.run(job.replace('20', '38'))).toMatchObject({status: 0, stdout: '', stderr: ''});
});

test.skipIf(!canPost)('a chat is told how many reports are new, once, and never who reported', async () => {
  const posted: string[] = [];
  let answer = 500;
  await using chat = await serverThat(({body}) => {
    posted.push(body.toString());
    return {status: answer, text: 'ok'};
  });
  await using one = await desk();
  const tell = () => one.run(script, {WEBHOOK: chat.url});
  // What the chat did not take is told again.
  expect((await tell()).status).not.toBe(0);
  answer = 200;
  expect(await tell()).toMatchObject({status: 0});
  expect(await tell()).toMatchObject({status: 0});
  const [first = ''] = posted;
  expect(posted).toEqual([first, first]);
  expect(JSON.parse(first)).toEqual({text: expect.stringMatching(/^\d+ new reports: https:\/\/pix\.example\/i\/admin\/reports$/)});
  const {stdout} = await one.run('pixelctl reports list --all -o ndjson --jq .reported_by_account.username');
  expect(stdout.trimEnd().split('\n').length).toBe(Number.parseInt(JSON.parse(first).text, 10));
  for (const name of stdout.trimEnd().split('\n')) expect(first).not.toContain(name);
});
