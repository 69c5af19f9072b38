/** Files that are no files, and folders that cannot be made: nothing waits for them. */
import {execFileSync} from 'node:child_process';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {listsIn} from './backups.js';
import {conversation} from './demo-world.js';
import {newFolder} from './program.js';
import {recordedSandbox, type RecordedSandbox} from './server.js';
import {machineWith, profileOn, type Machine} from './signing-in.js';
import {expectDiscreet} from './told.js';

interface Place {
  readonly around: Machine;
  readonly server: RecordedSandbox;
  /** The working folder, with a policy in it. */
  readonly folder: string;
}

async function placeFor(server: RecordedSandbox): Promise<Place> {
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  const folder = newFolder();
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [bad.example]}\n');
  writeFileSync(join(folder, 'list.yml'), 'version: 1\ndomain_blocks: {lists: [{file: list.txt}]}\n');
  return {around, server, folder};
}

describe.skipIf(process.platform === 'win32')('a named pipe instead of', () => {
  const logFile = `archive/${conversation('bob').id}/log.ndjson`;
  /** Where it lies, which command reads it, and how that ends. Files that the command writes: faults/written-files.test.ts. */
  const cases: readonly (readonly [what: string, at: (place: Place) => string, line: string, status: number | 'any'])[] = [
    ['the profiles', ({around}) => join(around.folder, 'profiles.json'), 'blocks list', 9],
    ['the secrets', ({around}) => around.secretsFile, 'blocks list', 9],
    ['the theme of oclif', ({around}) => join(around.folder, 'theme.json'), 'blocks list', 0],
    ['the file of --since-file', ({folder}) => join(folder, 'since'), 'notifications list --follow --max 1 --since-file since', 9],
    ['the journal', ({folder}) => join(folder, 'journal'), 'blocks list --all', 0],
    ['the policy', ({folder}) => join(folder, 'other.yml'), 'audit other.yml', 2],
    ['a list of a policy', ({folder}) => join(folder, 'list.txt'), 'audit list.yml', 'any'],
    ['the file of --from', ({folder}) => join(folder, 'targets'), 'dm read --from targets', 'any'],
    ['the file of --input', ({folder}) => join(folder, 'body'), `dm send ${conversation('bob').id} --input body`, 2],
    ['the file of PIXELCTL_TOKEN_FILE', ({folder}) => join(folder, 'token'), 'blocks list --server SERVER', 3],
    ['a file to upload', ({folder}) => join(folder, 'photo.jpg'), `dm send ${conversation('bob').id} --media photo.jpg`, 2],
    ['the log of a conversation to verify', ({folder}) => join(folder, logFile), 'dm export --to archive --verify', 2],
    ['the file that says whose a backup is', ({folder}) => join(folder, 'saved/backup.json'), 'restore saved --yes', 2],
    ['the policy of a backup', ({folder}) => join(listsIn(join(folder, 'saved')), 'policy.yml'), 'restore saved --yes', 2],
    ['the sums of lists', ({folder}) => join(listsIn(join(folder, 'saved')), 'SHA256SUMS'), 'restore saved --yes', 2],
  ];
  /** What makes the folders that are read. */
  const before: Readonly<Record<string, string>> = {archive: 'dm export --to archive', saved: 'backup --to saved --no-messages'};

  test.concurrent.each(cases)('%s is not waited for', async (_, at, line, status) => {
    await using server = await recordedSandbox();
    const place = await placeFor(server);
    const {around, folder} = place;
    const making = Object.entries(before).find(([name]) => line.includes(name))?.[1];
    if (making !== undefined) expect(await around.run(making.split(' '), {folder})).toMatchObject({status: 0});
    const pipe = at(place);
    rmSync(pipe, {force: true});
    mkdirSync(join(pipe, '..'), {recursive: true, mode: 0o700});
    execFileSync('mkfifo', ['-m', '600', pipe]);
    const isOfToken = line.includes('SERVER');
    const ended = await around.run(line.replace('SERVER', server.url).split(' '), {
      folder,
      env: {XDG_CACHE_HOME: join(around.env['HOME'] ?? '', 'cache'), ...(isOfToken && {PIXELCTL_TOKEN_FILE: 'token'})},
    });
    expectDiscreet(ended);
    expect(ended.status).not.toBe(1);
    if (status !== 'any') expect(ended, ended.stderr).toMatchObject({status});
  });
});

describe.skipIf(process.platform === 'win32')('an unusable cache', () => {
  const elsewhere: readonly (readonly [what: string, at: (home: string) => string])[] = [
    ['below /proc', () => '/proc/pixelctl/a'],
    [
      'below a file',
      (home) => {
        writeFileSync(join(home, 'file'), '');
        return join(home, 'file');
      },
    ],
  ];

  test.concurrent.each(elsewhere)('%s does not stop a command, and is not reported', async (_, at) => {
    await using server = await recordedSandbox();
    const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
    const env = {XDG_CACHE_HOME: at(around.env['HOME'] ?? ''), NODE_COMPILE_CACHE: ''};
    expect(await around.run(['dm', 'send', conversation('bob').id, 'Hello', '--json'], {env})).toMatchObject({status: 0, stderr: ''});
  });
});

test.skipIf(process.platform === 'win32').each([['/dev/null'], ['/dev/null/below'], [''], ['relative']])(
  'commands run with HOME=%s, and the system says nothing',
  async (home) => {
    await using server = await recordedSandbox();
    const around = await machineWith();
    const folder = newFolder();
    const env = {
      ...server.env,
      HOME: home,
      PIXELCTL_CONFIG_DIR: '',
      XDG_CONFIG_HOME: '',
      XDG_CACHE_HOME: '',
      XDG_DATA_HOME: '',
      NODE_COMPILE_CACHE: '',
    };
    expect(await around.run(['dm', 'send', conversation('bob').id, 'Hello', '--json'], {env, folder})).toMatchObject({
      status: 0,
      stderr: '',
    });
    const noServer = await around.run(['blocks', 'list'], {env: {...env, PIXELCTL_SERVER: '', PIXELCTL_TOKEN: ''}, folder});
    expect(noServer).toMatchObject({status: 2, stderr: expect.stringMatching(/^Error: No server/)});
    const kept = await around.run(['auth', 'login', '--with-token', '--server', server.url], {
      env: {...env, PIXELCTL_STORAGE: 'file'},
      folder,
      stdin: server.sandbox.tokens.all,
    });
    expect(kept).toMatchObject({status: 9, stdout: ''});
    expectDiscreet(kept, [server.sandbox.tokens.all]);
    expect(execFileSync('find', [folder, '-mindepth', '1'], {encoding: 'utf8'})).toBe('');
  },
);

test.concurrent('DEBUG=* prints no device token', async () => {
  await using server = await recordedSandbox();
  const around = await machineWith([profileOn(server.url), {accessToken: server.sandbox.tokens.all}]);
  const device = 'ExponentPushToken[canary-of-a-device-token]';
  const env = {DEBUG: '*', NODE_DEBUG: 'undici,http,fetch,http2,net'};
  const ended = await around.run(['push', 'update', device, '--notify', '--verbose'], {env});
  expect(ended.status).toBe(0);
  expectDiscreet({...ended, stderr: ''}, []);
  for (const secret of ['canary-of-a-device-token', server.sandbox.tokens.all]) expect(ended.stdout + ended.stderr).not.toContain(secret);
});

test.each([
  ['plan nope.yml', 'the policy nope.yml'],
  ['audit list.yml', 'the list list.txt (list.yml:2)'],
  ['explain bad.example --policy nope.yml', 'the policy nope.yml'],
  ['blocks list --cacert nope.pem', 'the certificates in nope.pem'],
])('%s says that there is no such file, and what to do', async (line, what) => {
  await using server = await recordedSandbox();
  const {around, folder} = await placeFor(server);
  const {status, stderr} = await around.run(line.split(' '), {folder});
  expect({status, stderr}).toEqual({status: 9, stderr: `Error: Cannot read ${what}: no such file\nHint: check the path\n`});
});
