/** What the program keeps is for its owner alone, whatever the umask; what lies open is closed or refused. */
import {spawnSync} from 'node:child_process';
import {chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test} from 'vitest';
import {run} from './in-process.js';
import {newFolder, runShell, type Ended} from './program.js';
import {recordedSandbox, type RecordedSandbox} from './server.js';
import {machine, machineWith, profileOn} from './signing-in.js';

/** All that a folder holds and that others can do something with. */
const openIn = (folder: string): readonly string[] =>
  readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => {
    const found = lstatSync(join(folder, name));
    return !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });

const policy = 'version: 1\ndomain_blocks: {must: [bad.example]}\n';

describe.skipIf(process.platform === 'win32').each(['000', '077'])('under umask %s', (name) => {
  const umask = Number.parseInt(name, 8);

  test('profiles, tokens, caches, states, journals, archives and backups are for their owner alone', async () => {
    await using server = await recordedSandbox();
    const folder = newFolder();
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'p.yml'), policy);
    const home = join(folder, 'home');
    mkdirSync(home);
    const env = {HOME: home, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', PIXELCTL_CONFIG_DIR: '', PIXELCTL_STORAGE: 'file'};
    const lines = [
      [`auth login ${server.url} --with-token`, 0],
      ['dm read 1 2 --journal journal', 11],
      ['apply p.yml --yes --state states/p.json', 0],
      ['notifications list --follow --max 1 --since-file since --min-id 1', 0],
      ['dm export --to archive', 0],
      ['backup --to saved', 0],
    ] as const;
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    for (const [line, status] of lines) {
      const ended = await run(line.split(' '), {env, folder, stdin: server.sandbox.tokens.all});
      expect(ended, `${line}: ${ended.stderr}`).toMatchObject({status});
    }
    expect(existsSync(join(home, '.config/pixelctl/secrets.json'))).toBe(true);
    expect(openIn(home)).toEqual([]);
    for (const name of ['journal', 'states', 'states/p.json', 'since', 'archive', 'saved'])
      expect((lstatSync(join(folder, name)).mode & 0o077).toString(8), name).toBe('0');
    for (const name of ['archive', 'saved']) expect(openIn(join(folder, name))).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a folder that others can replace', () => {
  const runIn = (server: RecordedSandbox, folder: string, line: string): Promise<Ended> =>
    run(line.split(' '), {env: {...server.env, HOME: newFolder()}, folder});

  test.concurrent.each([
    ['apply p.yml --yes', 9],
    ['plan p.yml', 10],
    ['undo p.yml --yes', 9],
    ['audit p.yml', 10],
  ] as const)('a folder that others can replace is no place for a state: %s ends with %d', async (line, status) => {
    await using server = await recordedSandbox();
    const folder = newFolder();
    writeFileSync(join(folder, 'p.yml'), policy);
    chmodSync(folder, 0o777);
    const ended = await runIn(server, folder, line);
    expect(ended).toMatchObject({status});
    if (status === 9) expect(ended.stderr).toMatch(`${folder} is writable by everybody\nHint: run \`chmod o-w ${folder}\``);
    expect(server.exchanges.filter(({received: {method}}) => method !== 'GET')).toEqual([]);
    // What is suggested repairs it.
    spawnSync('sh', ['-c', /`(chmod [^`]*)`/.exec(ended.stderr)?.[1] ?? 'true']);
    if (line.startsWith('apply')) expect(await runIn(server, folder, line)).toMatchObject({status: 0});
  });

  test.concurrent.each(['blocks list', 'auth status', 'auth switch ana'])(
    'a folder that others can replace is no place for profiles: %s',
    async (line) => {
      await using server = await recordedSandbox();
      const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
      const above = join(around.folder, '..');
      chmodSync(above, 0o777);
      const ended = await around.run(line.split(' '));
      expect(ended).toMatchObject({status: 9, stdout: '', stderr: expect.stringContaining(`Hint: run \`chmod o-w ${above}\``)});
      expect(server.exchanges).toEqual([]);
      spawnSync('sh', ['-c', /`(chmod [^`]*)`/.exec(ended.stderr)?.[1] ?? 'true']);
      expect(await around.run(line.split(' '))).toMatchObject({status: 0});
    },
  );

  test.concurrent('a folder that others can replace matters to nobody who has server and token in the environment', async () => {
    await using server = await recordedSandbox();
    const around = machine();
    chmodSync(join(around.folder, '..'), 0o777);
    expect(await around.run(['blocks', 'list', '--json'], {env: server.env})).toMatchObject({status: 0, stderr: ''});
  });

  test.concurrent('a folder of another user is refused, and root is not advised to take it away', async ({skip}) => {
    if (process.geteuid?.() !== 0) skip('only root can give a folder away');
    await using server = await recordedSandbox();
    const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
    chownSync(around.folder, 4711, 4711);
    const told = `${around.folder} belongs to another user\nHint: run it as the owner of the folder, or use your own folder`;
    expect(await around.run(['blocks', 'list'])).toMatchObject({status: 9, stderr: expect.stringContaining(told)});
  });

  test.concurrent('a folder that others can replace matters to no user without a name, as in a container', async ({skip}) => {
    if (process.geteuid?.() !== 0 || spawnSync('setpriv', ['--version']).status !== 0)
      skip('only root can run as somebody else, with setpriv');
    await using server = await recordedSandbox();
    const asNobody = `setpriv --reuid=4711 --regid=4711 --clear-groups env -u HOME -u SHELL PATH="$PATH"`;
    const folder = newFolder();
    for (let above = folder; above.length > tmpdir().length; above = join(above, '..')) chmodSync(above, 0o755);
    const env = {...server.env, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', NODE_COMPILE_CACHE: ''};
    expect(await runShell(`${asNobody} pixelctl blocks list --json`, {env, folder})).toMatchObject({status: 0, stderr: ''});
    expect(await runShell(`${asNobody} pixelctl --help`, {env, folder})).toMatchObject({status: 0, stderr: ''});
    const doctor = await runShell(`${asNobody} pixelctl doctor --json`, {env, folder});
    expect(doctor).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('none: HOME is not an absolute path'),
    });
  });
});
