import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test, vi} from 'vitest';
import {openBrowser, whyNoBrowser} from '../../../src/lib/auth/browser.js';

test.each([
  ['over SSH', {SSH_CONNECTION: '1', DISPLAY: ':0'}, 'linux', 'this is a session over SSH'],
  ['over SSH to a Mac', {SSH_CONNECTION: '1', BROWSER: 'x'}, 'darwin', 'this is a session over SSH'],
  ['over SSH with a way back', {SSH_CONNECTION: '1', BROWSER: 'code'}, 'linux', undefined],
  ['without a display', {DISPLAY: ''}, 'linux', 'this machine has no display'],
  ['with a display', {DISPLAY: ':0'}, 'linux', undefined],
  ['with a newer display', {WAYLAND_DISPLAY: 'wayland-0'}, 'linux', undefined],
  ['inside Windows', {WSL_DISTRO_NAME: 'Debian'}, 'linux', undefined],
  ['on a Mac', {}, 'darwin', undefined],
  ['on Windows', {}, 'win32', undefined],
])('%s', (_name, environment, platform, why) => {
  expect(whyNoBrowser(environment, platform)).toBe(why);
});

test.runIf(process.platform === 'linux')('an address is opened as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-browser-'));
  onTestFinished(() => rmSync(folder, {recursive: true}));
  const [browser, opened] = [join(folder, 'browser'), join(folder, 'opened')];
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${opened}\n`);
  chmodSync(browser, 0o755);
  vi.stubEnv('BROWSER', browser);
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = "http://127.0.0.1:9/oauth/authorize?scope=read+write&state=a'b%20c&x=$HOME";
  expect(await openBrowser(url)).toBeUndefined();
  expect(readFileSync(opened, 'utf8')).toBe(url);
});

test.runIf(process.platform === 'linux')('a browser that is not there is told as such', async () => {
  vi.stubEnv('BROWSER', '/nowhere/browser');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await openBrowser('http://127.0.0.1:9/')).toBe('no browser was found');
});

test('nothing is opened where there is no display', async () => {
  for (const name of ['BROWSER', 'DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME']) vi.stubEnv(name, '');
  vi.stubEnv('SSH_CONNECTION', '10.0.0.1 1 10.0.0.2 22');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await openBrowser('http://127.0.0.1:9/')).toBe('this is a session over SSH');
});
