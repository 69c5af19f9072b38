/** What comes in and what goes out. Whether the registry signed what is installed: `npm audit signatures`. */
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {bundledPackages} from '../../scripts/licenses/index.js';
import {compared} from '../../scripts/release/twice.js';
import {newFolder} from '../new-folder.js';

const root = join(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const json = (file: string) => JSON.parse(text(file));

interface Locked {
  readonly name?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const packagesOf = (file: string) => Object.entries<Locked>(json(file).packages).filter(([path]) => path !== '');

test('all actions of the project are pinned by their digests, beside their versions', () => {
  const files = execFileSync('git', ['ls-files', '.github', 'action.yml', 'ci', 'docs', 'README.md'], {cwd: root, encoding: 'utf8'});
  const lines = files
    .trim()
    .split('\n')
    .flatMap((file) => text(file).match(/^\s*(?:-\s+)?uses: .*$/gm) ?? []);
  const own = /uses: '?(?:\.\/|(?:\S*\/)?OWNER\/pixelctl@v[\d.]+)/;
  const pinned = /uses: '?(?:\S+@[0-9a-f]{40}|docker:\S+@sha256:[0-9a-f]{64})'? # v\d/;
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => !own.test(line) && !pinned.test(line))).toEqual([]);
});

test.each([
  ['package-lock.json', packagesOf('package-lock.json')],
  ['scripts/runtimes.json', Object.entries<Locked>(json('scripts/runtimes.json'))],
])('%s has a checksum for each package, and no address', (_, packages) => {
  expect(packages.length).toBeGreaterThan(5);
  for (const [path, {integrity, resolved, link}] of packages)
    expect({path, integrity, resolved, link}).toEqual({path, integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/)});
});

test('install scripts are those that allowScripts permits', () => {
  const names = packagesOf('package-lock.json').flatMap(([path, {name, hasInstallScript}]) =>
    hasInstallScript === true ? [name ?? path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(Object.keys(json('package.json').allowScripts)).toEqual([...new Set(names)]);
});

test('what is bundled asks for no more than its licence beside every copy', () => {
  const allowed = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT'];
  const packages: readonly {readonly id: string; readonly license?: string}[] = bundledPackages();
  expect(packages.length).toBeGreaterThan(10);
  expect(packages.filter(({license = ''}) => !allowed.includes(license))).toEqual([]);
});

test('what two builds made is compared file by file', () => {
  const place = newFolder();
  const [one, two] = [
    {same: 'a', other: 'abc', longer: 'ab', 'in/one': ''},
    {same: 'a', other: 'abd', longer: 'abc', 'in/two': ''},
  ].map((files, index) => {
    const folder = join(place, String(index));
    mkdirSync(join(folder, 'in'), {recursive: true});
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return folder;
  });
  expect(compared(one, two)).toEqual({
    files: 4,
    problems: [
      'in/one is only in the first build',
      'in/two is only in the second build',
      'longer differs from byte 2: it has 2 and 3 bytes',
      'other differs from byte 2: it has 3 and 3 bytes',
    ],
  });
});
