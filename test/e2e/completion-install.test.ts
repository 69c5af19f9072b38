/** `completion install` and `completion uninstall`, as they leave the files of a home. */
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {writeChanges} from '../../src/lib/cli/completion/install.js';
import {completionScript} from '../../src/lib/cli/completion/script.js';
import {run} from './in-process.js';
import {hasTerminal, newFolder, startAtTerminal, startProgram} from './program.js';
import {whyNot} from './completion-asking.js';

function home() {
  const folder = newFolder();
  const env = {HOME: folder, XDG_DATA_HOME: '', XDG_CONFIG_HOME: '', PATH: '/nowhere'};
  const path = (name: string): string => join(folder, name);
  return {
    env,
    path,
    read: (name: string): string => readFileSync(path(name), 'utf8'),
    has: (name: string): boolean => existsSync(path(name)),
    completion: (line: string) => run(['completion', ...line.split(' ')], {env}),
  };
}

const scripts = {
  bash: '.local/share/bash-completion/completions/pixelctl',
  zsh: '.local/share/zsh/site-functions/_pixelctl',
  fish: '.config/fish/completions/pixelctl.fish',
  powershell: '.config/powershell/completions/pixelctl.ps1',
} as const;
const settings = {zsh: '.zshrc', powershell: '.config/powershell/profile.ps1'} as const;
const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

describe.each(['zsh', 'powershell'] as const)('the settings of %s', (shell) => {
  test('the settings keep the bytes of a file that is not UTF-8', async () => {
    const {completion, path} = home();
    const before = Buffer.from([0xe9, 0x0a, 0xff, 0xfe, 0x80, 0x0d, 0x0a]);
    mkdirSync(dirname(path(settings[shell])), {recursive: true});
    writeFileSync(path(settings[shell]), before);
    expect(await completion(`install --shell ${shell} --yes`)).toMatchObject({status: 0});
    const after = readFileSync(path(settings[shell]));
    expect(after.subarray(0, before.length)).toEqual(before);
    expect(after.toString('latin1')).toContain('# pixelctl completion\n');
    expect(await completion(`uninstall --shell ${shell} --yes`)).toMatchObject({status: 0});
    expect(readFileSync(path(settings[shell]))).toEqual(before);
  });

  test('settings in UTF-16 are refused', async () => {
    const {completion, path} = home();
    const before = Buffer.from('\ufeff# mine\n', 'utf16le');
    mkdirSync(dirname(path(settings[shell])), {recursive: true});
    writeFileSync(path(settings[shell]), before);
    const {status, stderr} = await completion(`install --shell ${shell} --yes`);
    expect({status, stderr}).toMatchObject({status: 9, stderr: expect.stringContaining('is not UTF-8 text: nothing was changed')});
    expect(readFileSync(path(settings[shell]))).toEqual(before);
  });

  test.runIf(process.platform !== 'win32')('settings that are a pipe are refused, without waiting for it', async () => {
    const {completion, path} = home();
    mkdirSync(dirname(path(settings[shell])), {recursive: true});
    execFileSync('mkfifo', [path(settings[shell])]);
    for (const verb of ['install', 'uninstall']) {
      const {status, stderr} = await completion(`${verb} --shell ${shell} --yes`);
      expect({status, stderr}).toMatchObject({status: 9, stderr: expect.stringContaining('it is not a regular file')});
    }
  });
});

test.runIf(process.platform !== 'win32')('a pipe in the place of a script is refused', async () => {
  const {completion, path} = home();
  mkdirSync(dirname(path(scripts.fish)), {recursive: true});
  execFileSync('mkfifo', [path(scripts.fish)]);
  expect(await completion('install --shell fish --yes')).toMatchObject({status: 9});
});

describe.each(shells)('for %s', (shell) => {
  test('the script is written where the shell looks, once, and removed again', async () => {
    const {completion, read, has, path} = home();
    const first = await completion(`install --shell ${shell} --yes`);
    expect(first).toMatchObject({status: 0, stdout: ''});
    expect(first.stderr).toContain(`Installed completion for ${shell}`);
    expect(read(scripts[shell])).toBe(completionScript(shell));
    expect(statSync(path(scripts[shell])).mode & 0o777).toBe(0o644);
    expect((await completion(`install --shell ${shell} --yes`)).stderr).toContain('is already installed');
    expect(await completion(`uninstall --shell ${shell} --yes`)).toMatchObject({status: 0});
    expect(has(scripts[shell])).toBe(false);
    expect((await completion(`uninstall --shell ${shell} --yes`)).stderr).toContain('is not installed');
  });

  test('a dry run changes nothing', async () => {
    const {completion, has} = home();
    const {stderr, status} = await completion(`install --shell ${shell} --dry-run`);
    expect({status, has: has(scripts[shell])}).toEqual({status: 0, has: false});
    expect(stderr).toContain(`Would write `);
  });

  test('an old script is replaced, and a file of somebody else is not', async () => {
    const {completion, path, read} = home();
    await completion(`install --shell ${shell} --yes`);
    writeFileSync(path(scripts[shell]), '# completion for pixelctl, an old one\n');
    await completion(`install --shell ${shell} --yes`);
    expect(read(scripts[shell])).toBe(completionScript(shell));
    writeFileSync(path(scripts[shell]), 'mine\n');
    for (const verb of ['install', 'uninstall']) {
      expect(await completion(`${verb} --shell ${shell} --yes`)).toMatchObject({
        status: 9,
        stderr: expect.stringContaining('nothing was changed'),
      });
    }
    expect(read(scripts[shell])).toBe('mine\n');
  });
});

describe.each(['zsh', 'powershell'] as const)('the settings file of %s', (shell) => {
  test('gets one line, keeps its permissions and the other lines, and loses only that line', async () => {
    const {completion, path, read} = home();
    mkdirSync(join(path(settings[shell]), '..'), {recursive: true});
    writeFileSync(path(settings[shell]), 'one\ntwo', {mode: 0o640});
    for (let count = 0; count < 2; count += 1) await completion(`install --shell ${shell} --yes`);
    expect(read(settings[shell])).toMatch(/^one\ntwo\n[^\n]+ # pixelctl completion\n$/);
    expect(statSync(path(settings[shell])).mode & 0o777).toBe(0o640);
    await completion(`uninstall --shell ${shell} --yes`);
    expect(read(settings[shell])).toBe('one\ntwo\n');
  });

  test('the settings are not changed without a confirmation', async () => {
    const {completion, has} = home();
    const {status, stderr} = await completion(`install --shell ${shell}`);
    expect({status, script: has(scripts[shell]), settings: has(settings[shell])}).toEqual({status: 2, script: false, settings: false});
    expect(stderr).toContain('pass --yes');
  });
});

test('the folder of an exported FPATH is used, and .zshrc is left alone', async () => {
  const {env, path, has} = home();
  mkdirSync(path('.zfunc'));
  await run(['completion', 'install'], {env: {...env, SHELL: '/usr/bin/zsh', FPATH: `/usr/share/zsh:${path('.zfunc')}`}});
  expect([has('.zfunc/_pixelctl'), has('.zshrc')]).toEqual([true, false]);
});

test('a folder of FPATH that is missing is passed over', async () => {
  const {env, path, has} = home();
  await run(['completion', 'install', '--yes'], {env: {...env, SHELL: '/usr/bin/zsh', FPATH: path('.zfunc')}});
  expect([has('.zfunc'), has('.zshrc')]).toEqual([false, true]);
});

test.each([
  ['n\r', 2, false, 'Cancelled: nothing was changed.\n'],
  ['y\r', 0, true, 'Installed completion for zsh.'],
])('at a terminal the line of the settings is asked about: %j', async (typing, status, isThere, said) => {
  const {env, path, has} = home();
  const ended = await run(['completion', 'install', '--shell', 'zsh'], {env, typing});
  expect({status: ended.status, files: [has(scripts.zsh), has(settings.zsh)]}).toEqual({status, files: [isThere, isThere]});
  expect(ended.stderr).toContain(`Add to ${path(settings.zsh)}: `);
  expect(ended.stderr).toContain(said);
});

test('without a home nothing is installed', async () => {
  const {status, stderr} = await run(['completion', 'install', '--shell', 'bash'], {env: {HOME: ''}});
  expect({status, stderr}).toEqual({status: 9, stderr: 'Error: No home folder: HOME is not an absolute path\nHint: set HOME\n'});
});

test('a script that cannot be removed is named', async () => {
  const path = newFolder();
  const change = {path, does: `remove ${path}`, isSettings: false, bytes: undefined};
  await expect(writeChanges([change])).rejects.toMatchObject({code: 'local', message: expect.stringContaining(`Cannot remove ${path}`)});
});

test.each([
  [['completion'], 'No shell given'],
  [['completion', 'csh'], 'No completion for "csh"'],
])('a script is of a known shell: %j', async (words, message) => {
  const {status, stderr} = await run(words);
  expect({status, stderr}).toEqual({status: 2, stderr: `Error: ${message}\nHint: one of bash, zsh, fish, powershell\n`});
});

test.each([
  [{SHELL: '/bin/csh'}, 'No shell given'],
  [{}, 'No shell given'],
])('the shell must be known: %j', async (env, message) => {
  const {status, stderr} = await run(['completion', 'install'], {env});
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test('a new zsh completes after the installation', async ({skip}) => {
  skip(whyNot('zsh') !== undefined || !hasTerminal, 'zsh or script of util-linux is not installed');
  const {completion, path} = home();
  await completion('install --shell zsh --yes');
  const env = {HOME: path(''), ZDOTDIR: path('')};
  const {stdout} = await startAtTerminal("zsh -i -c 'print -r -- [$_comps[pixelctl]]' </dev/tty", 200, {env}).ended;
  expect(stdout).toContain('[_pixelctl]');
});

test('a new fish finds the script', async ({skip}) => {
  skip(whyNot('fish') !== undefined, whyNot('fish'));
  const {completion, path} = home();
  await completion('install --shell fish');
  const env = {HOME: path(''), XDG_CONFIG_HOME: path('.config'), XDG_DATA_HOME: path('data')};
  const {stdout} = await startProgram('fish', ['-c', "complete -C 'pixelctl bl'"], {env}).ended;
  expect(stdout).toContain('blocks\t');
});
