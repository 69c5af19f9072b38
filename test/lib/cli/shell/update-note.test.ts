import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import nock from 'nock';
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {commands} from '../../../../src/commands.js';
import {Io} from '../../../../src/lib/cli/io.js';
import {runWith} from '../../../../src/lib/cli/shell/main.js';
import {checkForUpdate, isUpdate, noteUpdate, parseRelease, updateCommand} from '../../../../src/lib/cli/shell/update-note.js';
import {listen} from '../../../loopback-server.js';
import {testSystem} from '../../../system.js';

/** Other tests here let requests go to sockets. */
function useStubs(): void {
  if (!nock.isActive()) nock.activate();
}

const root = join(import.meta.dirname, '../../../..');
const releases = 'https://forge.example/ana/pixelctl/releases';
const page = `${releases}/tag/v9.0.0`;
const day = 24 * 60 * 60 * 1000;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pixelctl-update-'));
});
afterEach(() => rmSync(home, {recursive: true}));

const cache = (name: string): string => join(home, 'pixelctl', name);

/** What an earlier check found, and when the last check and note were. */
function keep(latest: unknown, times: unknown): void {
  mkdirSync(join(home, 'pixelctl'), {recursive: true, mode: 0o700});
  writeFileSync(cache('latest-release.json'), JSON.stringify(latest), {mode: 0o600});
  writeFileSync(cache('update-note.json'), JSON.stringify(times), {mode: 0o600});
}

const now = new Date('2026-11-21T12:00:00Z');
const newer = {version: '9.0.0', url: page};

/** Ends a run at a terminal. @returns what was printed, and the addresses that a check was started for */
async function endOfRun(version = '0.1.0', address = releases) {
  const {system, printed} = testSystem({columns: 80, typing: '', env: {XDG_CACHE_HOME: home, NO_COLOR: '1'}});
  const checked: string[] = [];
  const check = (each: string) => void checked.push(each);
  await noteUpdate({io: new Io(system, () => now), version, root: '/opt/pixelctl', releases: address, check});
  return {...printed, checked};
}

test('prints what is new, how to update and where to read about it, on standard error', async () => {
  keep(newer, {checked: now.getTime() - 1, noted: now.getTime() - day});
  const {stdout, stderr, checked} = await endOfRun();
  expect(stderr).toBe(`
A new release of pixelctl is available: 0.1.0 → 9.0.0
To update: npm install --global ${releases}/download/v9.0.0/pixelctl-9.0.0.tgz
What changed: ${page}
`);
  expect({stdout, checked}).toEqual({stdout: '', checked: []});
});

test('prints the note once a day', async () => {
  keep(newer, {checked: now.getTime(), noted: 0});
  expect((await endOfRun()).stderr).not.toBe('');
  expect((await endOfRun()).stderr).toBe('');
});

test('starts one check a day, and remembers it where only the owner can read it', async () => {
  expect((await endOfRun()).checked).toEqual([releases]);
  expect((await endOfRun()).checked).toEqual([]);
  expect(JSON.parse(readFileSync(cache('update-note.json'), 'utf8'))).toEqual({checked: now.getTime(), noted: 0});
  expect(statSync(cache('update-note.json')).mode & 0o777).toBe(0o600);
});

test.each<[string, unknown, unknown, boolean]>([
  ['a day later', null, {checked: now.getTime() - day, noted: 0}, true],
  ['almost a day later', null, {checked: now.getTime() - day + 1, noted: 0}, false],
  ['after a clock that was wrong', null, {checked: now.getTime() + day, noted: 0}, true],
  ['after a file that is damaged', null, 'x', true],
])('checks again %s', async (_, latest, times, isChecked) => {
  keep(latest, times);
  expect(await endOfRun()).toEqual({stdout: '', stderr: '', checked: isChecked ? [releases] : []});
});

test.each<[string, unknown]>([
  ['the same version', {version: '0.1.0', url: page}],
  ['an older version', {version: '0.0.9', url: page}],
  ['a preview', {version: '9.0.0-beta.1', url: page}],
  ['no version', {version: '9', url: page}],
  ['escape sequences', {version: '9.0.0\u001B[31m', url: page}],
  ['an address that is not https', {version: '9.0.0', url: 'http://forge.example/'}],
  ['an address that is a script', {version: '9.0.0', url: 'javascript:alert(1)'}],
  ['a list', [newer]],
])('prints nothing for %s', async (_, latest) => {
  keep(latest, {checked: now.getTime(), noted: 0});
  expect((await endOfRun()).stderr).toBe('');
});

test.each(['http://forge.example', 'https://ana:secret@forge.example', 'forge.example', 'file:///tmp'])(
  'asks nothing of the address %s',
  async (address) => {
    keep(newer, {checked: 0, noted: 0});
    expect(await endOfRun('0.1.0', address)).toEqual({stdout: '', stderr: '', checked: []});
  },
);

test.runIf(process.geteuid?.() !== 0)('checks nothing where it could not remember the check', async () => {
  keep(newer, {checked: 0, noted: 0});
  chmodSync(join(home, 'pixelctl'), 0o500);
  expect(await endOfRun()).toEqual({stdout: '', stderr: '', checked: []});
  chmodSync(join(home, 'pixelctl'), 0o700);
});

test('checks nothing where it could not remember the check: a file is in the way', async () => {
  writeFileSync(join(home, 'pixelctl'), '');
  expect(await endOfRun()).toEqual({stdout: '', stderr: '', checked: []});
});

describe('a whole run', () => {
  const terminal = {columns: 80, typing: ''};
  async function run(surroundings: Parameters<typeof testSystem>[0], words: readonly string[] = ['version']) {
    keep(newer, {checked: Date.now(), noted: 0});
    const env = {XDG_CACHE_HOME: home, PIXELCTL_RELEASE_URL: releases, ...surroundings?.env};
    const {system, printed} = testSystem({...surroundings, env});
    await runWith([...words], {root, commands}, new Io(system));
    return printed;
  }

  test('a whole run ends with the note at a terminal', async () => {
    expect((await run(terminal)).stderr).toContain('A new release');
  });

  test.each<[string, Parameters<typeof testSystem>[0], string[]?]>([
    ['when standard output is a pipe', {typing: ''}],
    ['when standard error is a pipe', {columns: 80}],
    ['in CI', {...terminal, env: {CI: 'true'}}],
    ['when it is turned off', {...terminal, env: {PIXELCTL_NO_UPDATE_NOTIFIER: '1'}}],
    ['without an address', {...terminal, env: {PIXELCTL_RELEASE_URL: ''}}],
    ['with --quiet', terminal, ['--quiet', 'version']],
    ['with --json', terminal, ['help', '--json']],
    ['with JSON from the environment', {...terminal, env: {PIXELCTL_OUTPUT: 'ndjson'}}],
    ['after an error', terminal, ['no-such-command']],
  ])('ends without the note %s', async (_, surroundings, words) => {
    expect((await run(surroundings, words)).stderr).not.toContain('A new release');
  });
});

test('compares versions by their precedence', () => {
  const version = fc.tuple(fc.nat(20), fc.nat(20), fc.nat(20));
  fc.assert(
    fc.property(version, version, (a, b) => {
      const difference = a.map((number, index) => number - (b[index] ?? 0)).find((each) => each !== 0) ?? 0;
      expect(isUpdate(b.join('.'), a.join('.'))).toBe(difference > 0);
    }),
  );
  expect(isUpdate('1.0.0-beta.2', '1.0.0-beta.10')).toBe(true);
  expect(isUpdate('1.0.0-beta.2', '1.0.0')).toBe(true);
  expect(isUpdate('1.0.0', '1.1.0-beta.1')).toBe(false);
  expect(isUpdate('unknown', '1.0.0')).toBe(false);
});

test('takes any text as the answer of an address without failing', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseRelease(text)));
  expect(parseRelease(JSON.stringify({...newer, more: 1}))).toEqual(newer);
});

const binary = {root: '/', isSingleFile: true, home: '/home/ana'};
test.each([
  [
    'a single executable in ~/.local',
    {...binary, executable: '/home/ana/.local/bin/pixelctl'},
    `curl -fsSL ${releases}/latest/download/install.sh | sh`,
  ],
  [
    'a single executable elsewhere',
    {...binary, executable: '/opt/my tools/bin/pixelctl'},
    `curl -fsSL ${releases}/latest/download/install.sh | sh -s -- --prefix '/opt/my tools'`,
  ],
  ['Homebrew', {...binary, executable: '/opt/homebrew/Cellar/pixelctl/0.1.0/bin/pixelctl'}, 'brew upgrade pixelctl'],
  [
    'a package for Node',
    {executable: '/usr/bin/node', root: '/usr/lib/node_modules/pixelctl', isSingleFile: false, home: undefined},
    `npm install --global ${releases}/download/v9.0.0/pixelctl-9.0.0.tgz`,
  ],
])('says how to update %s', (_, installed, command) => {
  expect(updateCommand(`${releases}/`, '9.0.0', installed)).toBe(command);
});

describe('the check', () => {
  const answering = async (answer: (path: string) => {readonly status?: number; readonly location?: string; readonly text?: string}) => {
    const asked: {readonly path: string; readonly names: readonly string[]}[] = [];
    const url = await listen((request, response) => {
      const path = request.url ?? '';
      asked.push({path, names: Object.keys(request.headers)});
      const {status = 200, location, text = ''} = answer(path);
      response.writeHead(status, location === undefined ? {} : {location}).end(text);
    });
    return {url: url.origin, asked};
  };
  const check = async (address: string) => {
    const {system, printed} = testSystem({env: {XDG_CACHE_HOME: home, PIXELCTL_TOKEN: 'secret'}});
    onTestFinished(() => expect(printed).toEqual({stdout: '', stderr: ''}));
    await checkForUpdate(address, {io: new Io(system), userAgent: 'pixelctl/0.1.0'});
    try {
      return JSON.parse(readFileSync(cache('latest-release.json'), 'utf8'));
    } catch {
      return undefined;
    }
  };

  test('keeps the latest release, and sends no token', async () => {
    const {url, asked} = await answering(() => ({text: JSON.stringify({...newer, more: 'x'})}));
    expect(await check(`${url}/releases/`)).toEqual(newer);
    expect(asked.map(({path}) => path)).toEqual(['/releases/latest/download/latest.json']);
    expect(asked[0]?.names).not.toContain('authorization');
    expect(asked[0]?.names).not.toContain('cookie');
  });

  test('follows redirects', async () => {
    const {url} = await answering((path) => (path === '/there' ? {text: JSON.stringify(newer)} : {status: 302, location: '/there'}));
    expect(await check(url)).toEqual(newer);
  });

  test.each([
    ['an error', {status: 500, text: JSON.stringify(newer)}],
    ['a page', {text: '<html>'}],
    ['a redirect to plain http', {status: 302, location: 'http://forge.example/'}],
    ['a redirect to itself', {status: 302, location: '/latest/download/latest.json'}],
    ['an answer that is too large', {text: JSON.stringify({...newer, more: 'x'.repeat(10_000)})}],
  ])('keeps nothing of %s', async (_, answer) => {
    const {url} = await answering(() => answer);
    expect(await check(url)).toBeUndefined();
  });

  test('does not follow https to plain http, not even on this machine', async () => {
    const {url, asked} = await answering(() => ({text: JSON.stringify(newer)}));
    useStubs();
    const location = `${url}/latest.json`;
    nock('https://forge.example').get('/latest/download/latest.json').reply(302, '', {location});
    expect(await check('https://forge.example')).toBeUndefined();
    expect(asked).toEqual([]);
  });

  test('follows https to https', async () => {
    useStubs();
    const location = 'https://files.example/latest.json';
    nock('https://forge.example').get('/latest/download/latest.json').reply(302, '', {location});
    nock('https://files.example').get('/latest.json').reply(200, newer);
    expect(await check('https://forge.example')).toEqual(newer);
  });

  test.each(['forge.example', 'http://forge.example', ''])('asks nothing where the address is %j', async (address) => {
    expect(await check(address)).toBeUndefined();
  });

  test('keeps what it knew when the address does not answer', async () => {
    keep(newer, {checked: 0, noted: 0});
    expect(await check('http://127.0.0.1:9')).toEqual(newer);
  });
});
