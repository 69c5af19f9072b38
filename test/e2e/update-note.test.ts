/** The note on a newer release, with the process that looks for one. */
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {fileThere} from '../events.js';
import {listen} from '../loopback-server.js';
import {hasTerminal, newFolder, run, startAtTerminal} from './program.js';

const untried = hasTerminal ? '' : ' (not tried: the tool script of util-linux is not here)';

describe.runIf(hasTerminal)(`at a terminal${untried}`, () => {
  test('a run does not wait for the check, and the next one prints the note once', async () => {
    const asked: (string | undefined)[] = [];
    let answer = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let release = (): void => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const url = await listen(async (request, response) => {
      asked.push(request.headers.authorization);
      answer();
      // The server takes longer than the run.
      await isReleased;
      response.end(JSON.stringify({version: '99.0.0', url: 'https://forge.example/releases/v99'}));
    });
    const home = newFolder();
    const cache = join(home, 'cache');
    const env = {HOME: home, XDG_CACHE_HOME: cache, PIXELCTL_RELEASE_URL: url.origin, PIXELCTL_TOKEN: 'secret'};
    const help = () => startAtTerminal('pixelctl completion --help', 80, {env}).ended;
    expect((await help()).stdout).not.toContain('A new release');
    await isAsked;
    release();
    await fileThere(join(cache, 'pixelctl/latest-release.json'));
    expect((await help()).stdout).toMatch(/A new release of pixelctl is available:.* → 99\.0\.0\r\nTo update: .*\r\nWhat changed: https:/);
    expect((await help()).stdout).not.toContain('A new release');
    expect(asked).toEqual([undefined]);
    expect(readFileSync(join(cache, 'pixelctl/update-note.json'), 'utf8')).not.toContain('secret');
  });
});

test('in a pipe nothing is asked', async () => {
  const url = await listen((_, response) => response.end());
  const home = newFolder();
  const env = {HOME: home, XDG_CACHE_HOME: join(home, 'cache'), PIXELCTL_RELEASE_URL: url.origin};
  expect(await run(['completion', '--help'], {env})).toMatchObject({status: 0, stderr: ''});
  expect(existsSync(join(home, 'cache/pixelctl/update-note.json'))).toBe(false);
});
