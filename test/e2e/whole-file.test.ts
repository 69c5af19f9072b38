import {spawnSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {writeWhole} from '../../src/lib/files/whole-file.js';
import {builtModule, canMount, runChild, runOnDisk} from './child-process.js';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'pixelctl-whole-')));
});
afterEach(() => rmSync(home, {recursive: true, force: true}));

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test.runIf(process.platform !== 'win32')('a link to a file that does not exist stays a link, and the file is created', async () => {
  mkdirSync(join(home, 'settings'));
  mkdirSync(join(home, 'elsewhere'));
  symlinkSync(join(home, 'settings'), join(home, 'moved'));
  symlinkSync('moved/second', join(home, 'first'));
  symlinkSync('../elsewhere/new/third', join(home, 'settings/second'));
  await writeWhole(join(home, 'first'), 'one');
  expect(readFileSync(join(home, 'elsewhere/new/third'), 'utf8')).toBe('one');
  await writeWhole(join(home, 'first'), 'two');
  expect(readFileSync(join(home, 'first'), 'utf8')).toBe('two');
  expect([readlinkSync(join(home, 'first')), readdirSync(home).sort()]).toEqual([
    'moved/second',
    ['elsewhere', 'first', 'moved', 'settings'],
  ]);
  symlinkSync('round', join(home, 'round'));
  await expect(writeWhole(join(home, 'round'), 'one')).rejects.toMatchObject({code: 'ELOOP'});
});

test('closes a file that was open to others', async () => {
  const file = join(home, 'file');
  writeFileSync(file, 'old');
  chmodSync(file, 0o666);
  await writeWhole(file, 'new');
  expect(modeOf(file)).toBe('600');
});

test('keeps the mode of an existing folder', async () => {
  chmodSync(home, 0o755);
  await writeWhole(join(home, 'file'), 'text');
  expect(modeOf(home)).toBe('755');
});

test('removes what a killed run left more than an hour ago, whatever file it wrote, and nothing else', async () => {
  const gone = 2 ** 22 + 1;
  const named = (name: string) => join(home, name);
  const old = named(`.pixelctl-a-file-${gone}-abcdef.temporary`);
  const fresh = named(`.pixelctl-a-file-${gone}-abcdeg.temporary`);
  const running = named(`.pixelctl-a-file-${process.pid}-abcdef.temporary`);
  const others = [`.pixelctl-a-file-${gone}-abcdef`, `pixelctl-a-file-${gone}-abcdef.temporary`, `.file.${gone}-abcdef.temporary`].map(
    named,
  );
  const lost = named(`.pixelctl-a-file-${gone}-abcdeh.temporary`);
  for (const file of [old, fresh, running, ...others]) writeFileSync(file, '');
  symlinkSync('nowhere', lost);
  const before = Date.now() / 1000 - 3660;
  for (const file of [old, running, ...others]) utimesSync(file, before, before);
  await writeWhole(join(home, 'file'), 'text');
  expect([old, fresh, running, ...others].map((file) => existsSync(file))).toEqual([false, true, true, true, true, true]);
  expect(readdirSync(home)).toContain(basename(lost));
});

const attempt = (file: string, text: string): string => `
  import {readFileSync, readdirSync} from 'node:fs';
  import {dirname} from 'node:path';
  import {writeWhole} from '${builtModule('files/whole-file.js')}';
  const file = ${JSON.stringify(file)};
  await writeWhole(file, 'old');
  const code = await writeWhole(file, ${text}).then(() => 'written', (error) => error.code);
  process.stdout.write(JSON.stringify({code, text: readFileSync(file, 'utf8'), names: readdirSync(dirname(file))}));`;

test('leaves the file unchanged on a full disk', async ({skip}) => {
  if (!canMount) skip('a disk of its own cannot be mounted here');
  const output = await runOnDisk(home, '64k', attempt(join(home, 'file'), `'x'.repeat(100_000)`));
  expect(JSON.parse(output)).toEqual({code: 'ENOSPC', text: 'old', names: ['file']});
});

test('leaves the file unchanged at a limit on file sizes', async ({skip}) => {
  const limited = ['prlimit', '--fsize=4096'];
  if (spawnSync('prlimit', ['--version']).status !== 0) skip('there is no prlimit here');
  const output = await runChild(attempt(join(home, 'file'), `'x'.repeat(100_000)`), {NODE_COMPILE_CACHE: ''}, limited);
  expect(JSON.parse(output)).toEqual({code: 'EFBIG', text: 'old', names: ['file']});
});

test('reports a read-only disk', async ({skip}) => {
  if (!canMount) skip('a disk of its own cannot be mounted here');
  const program = `
    import {execFileSync} from 'node:child_process';
    import {writeWhole} from '${builtModule('files/whole-file.js')}';
    execFileSync('mount', ['-o', 'remount,bind,ro', ${JSON.stringify(home)}]);
    process.stdout.write(await writeWhole(${JSON.stringify(join(home, 'file'))}, 'text').then(() => 'written', (error) => error.code));`;
  expect(await runOnDisk(home, '64k', program)).toBe('EROFS');
});
