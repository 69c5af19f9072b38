import {resolve} from 'node:path';
import {expect, test} from 'vitest';
import {configFolder} from '../../../src/lib/profile/config-folder.js';

const home = '/home/ana';

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ['linux', {}, '/home/ana/.config/pixelctl'],
  ['linux', {XDG_CONFIG_HOME: '/etc/mine'}, '/etc/mine/pixelctl'],
  ['linux', {XDG_CONFIG_HOME: 'relative'}, '/home/ana/.config/pixelctl'],
  ['linux', {XDG_CONFIG_HOME: ''}, '/home/ana/.config/pixelctl'],
  ['freebsd', {}, '/home/ana/.config/pixelctl'],
  ['darwin', {}, '/home/ana/Library/Application Support/pixelctl'],
  ['darwin', {XDG_CONFIG_HOME: '/etc/mine'}, '/etc/mine/pixelctl'],
  ['linux', {PIXELCTL_CONFIG_DIR: '/srv/ci', XDG_CONFIG_HOME: '/etc/mine'}, '/srv/ci'],
  ['darwin', {PIXELCTL_CONFIG_DIR: '/srv/ci'}, '/srv/ci'],
  ['linux', {PIXELCTL_CONFIG_DIR: ''}, '/home/ana/.config/pixelctl'],
])('on %s with %o it is %s', (platform, environment, folder) => {
  expect(configFolder(environment, {platform, home})).toBe(folder);
});

test.each([
  [{LOCALAPPDATA: 'local'}, ['local', 'pixelctl']],
  [{}, [home, 'AppData', 'Local', 'pixelctl']],
])('on Windows with %o it stays on this machine', (environment, parts) => {
  expect(configFolder(environment, {platform: 'win32', home}).split(/[\\/]/)).toEqual(parts.join('/').split('/'));
});

test('a relative PIXELCTL_CONFIG_DIR means one from the working folder', () => {
  expect(configFolder({PIXELCTL_CONFIG_DIR: 'here'})).toBe(resolve('here'));
});
