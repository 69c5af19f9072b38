/** install.sh, against releases on loopback, in the shells that systems have as `sh`. */
import {spawnSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {canMount} from '../e2e/child-process.js';
import {newFolder, root, startProgram, type Ended} from '../e2e/program.js';
import {archiveOf, programOf, serveFiles, sha256, type ReleaseServer} from './release-server.js';

const script = join(root, 'install.sh');

const places = new Map<string, string>();

/** Empty where the tool is not installed. */
function placeOf(tool: string): string {
  const place = places.get(tool) ?? spawnSync('sh', ['-c', `command -v ${tool}`], {encoding: 'utf8'}).stdout.trim();
  places.set(tool, place);
  return place;
}

const isHere = (tool: string): boolean => placeOf(tool) !== '';

const shells = [['dash'], ['bash'], ['busybox', 'sh']].filter(([program = '']) => {
  if (!isHere(program)) process.stderr.write(`install.sh is not tried with ${program}, which is not installed\n`);
  return isHere(program);
});
const [shell = ['sh']] = shells;

/** What install.sh needs besides a program that downloads, and one that makes checksums. */
const usual = ['uname', 'sed', 'tr', 'mktemp', 'tar', 'gzip', 'mkdir', 'cp', 'mv', 'rm', 'chmod', 'dirname', 'cat', 'sleep'];

/** A path with these tools alone, and a `uname` and an `ldd` of another machine. */
function machineWith({
  tools = ['curl', 'sha256sum'],
  system = 'Linux',
  machine = 'x86_64',
  libc = 'GNU libc',
}: {
  readonly tools?: readonly string[];
  readonly system?: string;
  readonly machine?: string;
  readonly libc?: string;
} = {}): string {
  const folder = newFolder();
  for (const tool of [...usual, ...tools]) if (tool !== 'uname') symlinkSync(placeOf(tool), join(folder, tool));
  const program = (name: string, lines: string) => writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`, {mode: 0o755});
  program('uname', `[ "$1" = -s ] && echo '${system}' || echo '${machine}'`);
  program('ldd', `echo 'ldd (${libc}) 2'; exit 1`);
  return folder;
}

interface Options {
  readonly with?: readonly string[];
  readonly path?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  /** Read from standard input, as with `curl … | sh`. */
  readonly piped?: boolean;
}

/** Runs a copy of the script that is in no checkout. */
function install(args: readonly string[], options: Options = {}): Promise<Ended> {
  const {with: words = shell, path = machineWith(), env = {}, home = newFolder(), piped = false} = options;
  const copy = join(newFolder(), 'install.sh');
  copyFileSync(script, copy);
  const [program = '', ...rest] = words;
  return startProgram(placeOf(program), [...rest, ...(piped ? ['-s', '--'] : [copy]), ...args], {
    env: {PATH: path, HOME: home, TMPDIR: newFolder(), ...env},
    stdin: piped ? readFileSync(script, 'utf8') : '',
  }).ended;
}

const platforms: readonly (readonly [string, Parameters<typeof machineWith>[0]])[] = [
  ['linux-x64', {}],
  ['linux-x64', {machine: 'amd64'}],
  ['linux-arm64', {machine: 'aarch64'}],
  ['linux-x64-musl', {libc: 'musl libc (x86_64)'}],
  ['linux-arm64-musl', {machine: 'arm64', libc: 'musl libc (aarch64)'}],
  ['macos-x64', {system: 'Darwin'}],
  ['macos-arm64', {system: 'Darwin', machine: 'arm64'}],
];

const nameOf = (version: string, platform: string): string => `pixelctl-${version}-${platform}`;

/** Serves releases, the last one as the latest, with a program for every platform that says which one it is. */
async function releases(versions: readonly string[], extra: Readonly<Record<string, Buffer | string | URL>> = {}): Promise<ReleaseServer> {
  const files: Record<string, Buffer | string | URL> = {};
  for (const version of versions) {
    const names = [...new Set(platforms.map(([platform]) => nameOf(version, platform)))];
    const archives = names.map((name) => [`${name}.tar.gz`, archiveOf(programOf(version, `echo ${name}`), name)] as const);
    const sums = archives.map(([name, content]) => `${sha256(content)}  ${name}\n`).join('');
    for (const folder of [`/download/v${version}`, '/latest/download']) {
      files[`${folder}/SHA256SUMS`] = sums;
      for (const [name, content] of archives) files[`${folder}/${name}`] = content;
    }
  }
  return serveFiles({...files, ...extra});
}

const nothingIn = (home: string): string[] => readdirSync(home, {recursive: true, encoding: 'utf8'}).filter((name) => name !== '.local');
const runOf = (home: string): string => spawnSync(join(home, '.local/bin/pixelctl'), ['run'], {encoding: 'utf8'}).stdout.trim();

describe.each(shells.map((words) => [words.join(' '), words] as const))('with %s', (_, words) => {
  test('installs the latest release into ~/.local/bin', async () => {
    const {url} = await releases(['1.0.0', '1.2.0']);
    const home = newFolder();
    const {status, stdout, stderr} = await install(['--release-url', url], {with: words, home});
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
    const program = join(home, '.local/bin/pixelctl');
    expect(stdout).toContain(
      `Installed pixelctl/1.2.0 as ${program}\nTo remove it: rm '${program}'\nNote: ${join(home, '.local/bin')} is not on the path`,
    );
    expect(readdirSync(join(home, '.local/bin'))).toEqual(['pixelctl']);
    expect(statSync(program).mode & 0o777).toBe(0o755);
    expect(runOf(home)).toBe('pixelctl-1.2.0-linux-x64');
  });

  test('shows nothing of a list of checksums that a terminal would act on', async () => {
    const evil = '\u001b]0;evil\u0007\u009b31m';
    const {url} = await releases([], {'/latest/download/SHA256SUMS': `${evil}  pixelctl-1.0.0-linux-x64.tar.gz\n`});
    const {status, stdout, stderr} = await install(['--release-url', url], {with: words});
    expect({status, stderr}).toMatchObject({status: 2, stderr: expect.stringContaining('This is not a SHA-256 checksum: ?]0;evil?')});
    expect(stdout + stderr).not.toMatch(/[\p{Cc}--\n]/v);
    const named = await releases([], {'/latest/download/SHA256SUMS': `${'0'.repeat(64)}  pixelctl-${evil}-linux-x64.tar.gz\n`});
    const other = await install(['--release-url', named.url], {with: words});
    expect(other).toMatchObject({status: 1, stderr: expect.stringContaining('has no archive for this system: linux-x64\n')});
    expect(other.stdout + other.stderr).not.toMatch(/[\p{Cc}--\n]/v);
  });

  test('the script does nothing when only a part of it arrived', async () => {
    const text = readFileSync(script, 'utf8');
    const half = text.slice(0, text.lastIndexOf('main "$@"'));
    const home = newFolder();
    const env = {HOME: home, PIXELCTL_RELEASE_URL: 'http://127.0.0.1:9'};
    const [program = '', ...rest] = words;
    expect(await startProgram(placeOf(program), [...rest, '-s'], {env, stdin: half}).ended).toMatchObject({
      status: 0,
      stdout: '',
      stderr: '',
    });
    expect(nothingIn(home)).toEqual([]);
  });

  test('reads the script from standard input, replaces a program, and leaves it as it is when the checksum of the new one is wrong', async () => {
    const home = newFolder();
    const {url} = await releases(['1.0.0', '2.0.0'], {
      '/download/v2.0.0/SHA256SUMS': `${'0'.repeat(64)}  ${nameOf('2.0.0', 'linux-x64')}.tar.gz\n`,
    });
    const args = ['--release-url', url, '--version'];
    expect(await install([...args, '1.0.0'], {with: words, home, piped: true})).toMatchObject({status: 0});
    const wrong = await install([...args, 'v2.0.0'], {with: words, home});
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Expected: 0{64}\nReceived: [0-9a-f]{64}\nError: The checksum of /),
    });
    expect(readdirSync(join(home, '.local/bin'))).toEqual(['pixelctl']);
    expect(runOf(home)).toBe('pixelctl-1.0.0-linux-x64');
  });

  test('a dry run names what would be done, and does none of it', async () => {
    const {url, asked} = await releases(['1.0.0']);
    const home = newFolder();
    const {status, stdout} = await install(['--dry-run', '--release-url', url], {with: words, home});
    expect({status, asked}).toEqual({status: 0, asked: ['/latest/download/SHA256SUMS']});
    expect(stdout).toMatch(
      /^Would download \S+\/pixelctl-1\.0\.0-linux-x64\.tar\.gz\nWould check .*[0-9a-f]{64}\nWould install .*pixelctl\n$/,
    );
    expect(nothingIn(home)).toEqual([]);
  });

  test('takes an archive by its address and checksum, into a prefix with spaces and quotes', async () => {
    const content = archiveOf(programOf('3.0.0'), 'any-folder');
    const {url} = await serveFiles({'/a.tar.gz': content});
    const prefix = join(newFolder(), "it's here");
    const env = {PIXELCTL_ARCHIVE: `${url}/a.tar.gz`, PIXELCTL_SHA256: sha256(content).toUpperCase()};
    const {status, stdout} = await install([`--prefix=${prefix}`], {with: words, env});
    expect({status, stdout}).toMatchObject({status: 0, stdout: expect.stringContaining('Installed pixelctl/3.0.0')});
    const [, line = ''] = /^To remove it: (.*)$/m.exec(stdout) ?? [];
    expect(existsSync(join(prefix, 'bin/pixelctl'))).toBe(true);
    spawnSync('sh', ['-c', line]);
    expect(existsSync(join(prefix, 'bin/pixelctl'))).toBe(false);
  });

  test('reports a machine without curl and wget', async () => {
    const path = machineWith({tools: ['sha256sum']});
    // busybox brings its own wget.
    const {status, stderr} = await install(['--release-url', 'https://127.0.0.1:9'], {with: words, path});
    expect(status).toBe(1);
    if (words[0] !== 'busybox') expect(stderr).toBe('Error: Neither curl nor wget is installed, and one of them is needed\n');
  });
});

test.each(platforms)('finds the archive for %s', async (platform, machine) => {
  const {url} = await releases(['1.0.0']);
  const home = newFolder();
  expect(await install(['--release-url', `${url}/`], {home, path: machineWith(machine)})).toMatchObject({status: 0});
  expect(runOf(home)).toBe(nameOf('1.0.0', platform));
});

test.each([
  [
    {system: 'Linux', machine: 'riscv64'},
    /^Error: There is no archive for this system: Linux riscv64\nHint: build pixelctl from a checkout/,
  ],
  [{system: 'FreeBSD'}, /^Error: There is no archive for this system: FreeBSD x86_64\n/],
  [{system: 'MINGW64_NT-10.0'}, /^Error: This script does not install on Windows\nHint: unpack the archive/],
])('reports a system without an archive: %j', async (machine, message) => {
  const {url, asked} = await releases(['1.0.0']);
  const home = newFolder();
  const ended = await install(['--release-url', url], {home, path: machineWith(machine)});
  expect({...ended, asked}).toMatchObject({status: 1, stderr: expect.stringMatching(message), asked: []});
  expect(nothingIn(home)).toEqual([]);
});

test.each([
  ['wget', ['wget', 'sha256sum']],
  ['shasum', ['curl', 'shasum', 'perl']],
  ['openssl', ['curl', 'openssl']],
])('works with %s alone', async (tool, tools) => {
  if (!tools.every(isHere)) {
    process.stderr.write(`install.sh is not tried with ${tool}, which is not installed\n`);
    return;
  }
  const {url} = await releases(['1.0.0']);
  const home = newFolder();
  expect(await install(['--release-url', url], {home, path: machineWith({tools})})).toMatchObject({status: 0, stderr: ''});
  expect(runOf(home)).toBe('pixelctl-1.0.0-linux-x64');
});

test('reports a machine without a program for checksums', async () => {
  const {url} = await releases(['1.0.0']);
  const home = newFolder();
  const {status, stderr} = await install(['--release-url', url], {home, path: machineWith({tools: ['curl']})});
  expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('None of sha256sum, shasum and openssl is installed')});
  expect(nothingIn(home)).toEqual([]);
});

const checksum = '0'.repeat(64);
test.each<[string, readonly string[], RegExp]>([
  ['no address', [], /^Error: No release address is set\nHint: name one with --release-url/],
  ['a version without an address', ['--version', '1.0.0'], /^Error: No release address is set\n/],
  ['plain http', ['--release-url', 'http://pix.example'], /^Error: This address is not https: http:\/\/pix\.example\//],
  ['plain http with a misleading user name', ['--release-url', 'http://127.0.0.1:80@pix.example'], /^Error: This address is not https/],
  ['plain http with a misleading host', ['--release-url', 'http://127.0.0.1.pix.example'], /^Error: This address is not https/],
  ['a file', ['--release-url', 'file:///tmp'], /^Error: This address is not https/],
  ['an archive without a checksum', ['--archive', 'https://pix.example/a.tar.gz'], /^Error: --archive needs --sha256/],
  ['a checksum without an archive', ['--sha256', checksum], /^Error: --sha256 needs --archive/],
  ['a short checksum', ['--archive', 'https://pix.example/a.tar.gz', '--sha256', 'abc'], /^Error: This is not a SHA-256 checksum: abc\n/],
  ['a zip', ['--archive', 'https://pix.example/a.zip', '--sha256', checksum], /^Error: This is not a \.tar\.gz archive/],
  ['a path as a version', ['--release-url', 'https://pix.example', '--version', '../1'], /^Error: This is not a version: \.\.\/1\n/],
  ['an archive and a version', ['--archive', 'https://a/a.tgz', '--sha256', checksum, '--version', '1'], /cannot be used together/],
  ['an unknown option', ['--root'], /^Error: Unknown option: --root\nHint: see --help\n/],
  ['a missing value', ['--prefix'], /^Error: --prefix needs a value\n/],
  ['an empty value', ['--prefix='], /^Error: --prefix needs a value\n/],
  ['no checkout', ['--from-checkout'], /^Error: This script is not in a checkout/],
])('refuses %s', async (_, args, message) => {
  const home = newFolder();
  expect(await install(args, {home})).toMatchObject({status: 2, stderr: expect.stringMatching(message)});
  expect(nothingIn(home)).toEqual([]);
});

test('a redirect to another protocol is not followed', async () => {
  const elsewhere = new URL('file:///etc/hostname');
  const {url} = await serveFiles({'/latest/download/SHA256SUMS': elsewhere});
  const {status, stderr} = await install(['--release-url', url]);
  expect({status, stderr}).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`Error: Cannot download ${url}/latest/download/SHA256SUMS`),
  });
});

test.each<[string, string | Buffer, RegExp]>([
  ['no archive', 'a page', /Cannot unpack/],
  ['a program for another system', archiveOf('\x7fELF', 'a'), /does not run on this machine: nothing was installed/],
])('installs nothing when the file is %s', async (_, content, message) => {
  const {url} = await serveFiles({'/a.tgz': content});
  const home = newFolder();
  const ended = await install(['--archive', `${url}/a.tgz`, '--sha256', sha256(content)], {home});
  expect(ended).toMatchObject({status: 1, stderr: expect.stringMatching(message)});
  expect(nothingIn(home).filter((name) => name !== '.local/bin')).toEqual([]);
});

test('refuses to replace a folder', async () => {
  const {url} = await releases(['1.0.0']);
  const home = newFolder();
  mkdirSync(join(home, '.local/bin/pixelctl'), {recursive: true});
  expect(await install(['--release-url', url], {home})).toMatchObject({status: 1, stderr: expect.stringMatching(/pixelctl is a folder\n/)});
});

test('names another program that comes first on the path', async () => {
  const {url} = await releases(['1.0.0']);
  const home = newFolder();
  const path = machineWith();
  writeFileSync(join(path, 'pixelctl'), '#!/bin/sh\n', {mode: 0o755});
  const {stdout} = await install(['--release-url', url], {home, path: `${path}:${join(home, '.local/bin')}`});
  expect(stdout).toContain(`Note: pixelctl on the path is another one: ${join(path, 'pixelctl')}\n`);
});

test.skipIf(!canMount)('a full disk keeps the installed program, and no temporary files', async () => {
  const {url} = await releases(['1.0.0']);
  const home = newFolder();
  const bin = join(home, '.local/bin');
  mkdirSync(bin, {recursive: true});
  const copy = join(newFolder(), 'install.sh');
  copyFileSync(script, copy);
  const line = `mount -t tmpfs -o size=4k,mode=700 tmpfs '${bin}' && echo old >'${bin}/pixelctl'
    sh '${copy}' --release-url '${url}'; echo "status $?"; ls -A '${bin}'; cat '${bin}/pixelctl'`;
  const env = {PATH: `${machineWith()}:${process.env['PATH']}`, HOME: home, TMPDIR: newFolder()};
  const {stdout, stderr} = await startProgram('unshare', ['-rm', 'sh', '-c', line], {env}).ended;
  expect(stderr).toContain('Hint: is the disk full?');
  expect(stdout).toMatch(/status 1\npixelctl\nold\n$/);
});

test('shows its options', async () => {
  const {status, stdout} = await install(['--help']);
  expect(status).toBe(0);
  const options = [...readFileSync(script, 'utf8').matchAll(/^ {6}(--[\w-]+)(?: \| -h)?\)/gm)].map(([, option = '']) => option);
  expect(options.length).toBeGreaterThan(5);
  for (const option of options) expect(stdout).toContain(`  ${option} `);
});

const onGitHub = 'https://github.com/OWNER/pixelctl/releases';

/** A machine with a `gh` that is signed in or not, and finds an attestation or not. */
function machineWithGh({isSignedIn, isAttested}: {readonly isSignedIn: boolean; readonly isAttested: boolean}): string {
  const folder = machineWith({tools: ['curl', 'sha256sum', 'tail']});
  const verified = `[ "$1 $2 $4 $5" = 'attestation verify --repo OWNER/pixelctl' ] && [ -f "$3" ] && ${isAttested}`;
  const lines = `if [ "$1" = auth ]; then ${isSignedIn}; elif ${verified}; then exit 0; else echo 'no attestations found' >&2; exit 1; fi`;
  writeFileSync(join(folder, 'gh'), `#!/bin/sh\n${lines}\n`, {mode: 0o755});
  return folder;
}

test.each([
  [
    'is attested',
    machineWithGh({isSignedIn: true, isAttested: true}),
    onGitHub,
    0,
    /^Checked: GitHub built the archive from OWNER\/pixelctl$/m,
  ],
  [
    'has no attestation',
    machineWithGh({isSignedIn: true, isAttested: false}),
    onGitHub,
    1,
    /^no attestations found\nError: gh finds no proof/m,
  ],
  ['gh is not signed in', machineWithGh({isSignedIn: false, isAttested: true}), onGitHub, 0, /^Not checked: .*gh is not signed in$/m],
  ['gh is not there', machineWith(), onGitHub, 0, /^Not checked: .*gh is not installed$/m],
  ['releases are elsewhere', machineWith(), 'https://pix.example/releases', 0, /^Not checked: .*not on GitHub$/m],
])('where the archive was built is told: %s', async (_, path, url, status, message) => {
  const content = archiveOf(programOf('3.0.0'), 'any-folder');
  const server = await serveFiles({'/a.tgz': content});
  const home = newFolder();
  const ended = await install(['--archive', `${server.url}/a.tgz`, '--sha256', sha256(content), '--release-url', url], {home, path});
  expect({status: ended.status, told: `${ended.stdout}${ended.stderr}`}).toEqual({status, told: expect.stringMatching(message)});
  expect(existsSync(join(home, '.local/bin/pixelctl'))).toBe(status === 0);
});
