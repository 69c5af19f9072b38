import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {lockfiles} from '../../scripts/pinned-package.js';
import {actionProblems, licenseProblems, lockfileProblems, publishedProblems, scriptProblems} from '../../scripts/supply/files.js';
import {compared} from '../../scripts/supply/rebuild.js';
import {signatureResult} from '../../scripts/supply/signatures.js';

const root = join(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const json = (file: string) => JSON.parse(text(file));
const digest = 'de0fac2e4500dabe0009e67214ff5f5447ce83dd';

test.each([
  `      - uses: actions/checkout@${digest} # v6.0.2`,
  `    uses: 'https://data.forgejo.org/actions/checkout@${digest}' # v6.0.2`,
  '- uses: ./local/action',
  '- uses: OWNER/pixelctl@v0.1.0',
  '- uses: https://FORGE/OWNER/pixelctl@v0.1.0',
  `- uses: docker://alpine@sha256:${'0'.repeat(64)} # v3.20`,
  'It uses: nothing',
])('the action is accepted: %s', (line) => {
  expect(actionProblems(line)).toEqual([]);
});

test.each([
  ['- uses: actions/checkout@v6', 'line 1: actions/checkout@v6 is not pinned by its digest'],
  ['- uses: actions/checkout', 'line 1: actions/checkout is not pinned by its digest'],
  [`- uses: actions/checkout@${digest.slice(1)} # v6`, /not pinned/],
  ['- uses: docker://alpine:3', /not pinned/],
  ['- uses: SOMEBODY/pixelctl@v1', /not pinned/],
  [`- uses: actions/checkout@${digest}`, /does not say which version/],
])('the action is refused: %s', (line, said) => {
  expect(actionProblems(line)).toEqual([expect.stringMatching(said)]);
});

test('all actions of the project are pinned by their digests', () => {
  const paths = ['.github', 'action.yml', 'ci', 'docs', 'README.md'];
  const files = execFileSync('git', ['ls-files', ...paths], {cwd: root, encoding: 'utf8'})
    .trim()
    .split('\n');
  const found = files.filter((file) => /uses: /.test(text(file)));
  expect(found.length).toBeGreaterThan(5);
  expect(found.flatMap((file) => actionProblems(text(file)))).toEqual([]);
});

const checksum = `sha512-${'A'.repeat(86)}==`;
const lock = (packages: object) => ({lockfileVersion: 3, packages: {'': {name: 'pixelctl'}, ...packages}});

test.each(lockfiles)('%s has a checksum for each package, and no address', (file) => {
  expect(lockfileProblems(json(file))).toEqual([]);
});

test.each([
  [{'node_modules/a': {version: '1.0.0'}}, 'node_modules/a has no SHA-512 checksum'],
  [{'node_modules/a': {version: '1.0.0', integrity: 'sha1-AAAA'}}, 'node_modules/a has no SHA-512 checksum'],
  [{'node_modules/a': {link: true}}, 'node_modules/a is a link'],
  [
    {'node_modules/a': {integrity: checksum, resolved: 'https://r.example/a.tgz'}},
    'node_modules/a is bound to an address: https://r.example/a.tgz',
  ],
])('a lockfile with %j is refused', (packages, said) => {
  expect(lockfileProblems(lock(packages))).toEqual([said]);
});

test('install scripts are those that allowScripts permits', () => {
  expect(scriptProblems(json('package-lock.json'), json('package.json').allowScripts)).toEqual([]);
  const packages = lock({'node_modules/a/node_modules/@b/c': {hasInstallScript: true}});
  expect(scriptProblems(packages, {node: true})).toEqual([
    '@b/c has an install script, and allowScripts does not permit it',
    'allowScripts permits node, which has no install script',
  ]);
});

test('a package that runs something when it is installed is refused', () => {
  expect(publishedProblems(json('package.json'), ['bin/run.js'])).toEqual([]);
  expect(publishedProblems({scripts: {postinstall: 'x'}, dependencies: {}}, ['binding.gyp'])).toHaveLength(3);
});

test('a licence that is not on the list is refused', () => {
  const packages = [
    {id: 'a@1.0.0', license: 'MIT'},
    {id: 'b@1.0.0', license: 'GPL-3.0-only'},
    {id: 'c@1.0.0', license: undefined},
  ];
  expect(licenseProblems(packages).map((problem: string) => problem.split(',')[0])).toEqual([
    'b@1.0.0 has the licence GPL-3.0-only',
    'c@1.0.0 has the licence (none)',
  ]);
});

test.each([
  [{invalid: [], missing: []}, {problems: []}],
  [{invalid: [{name: 'a', version: '1.0.0'}], missing: []}, {problems: ['a@1.0.0 has an invalid signature']}],
  [{invalid: [], missing: [{name: 'a', version: '1.0.0'}]}, {problems: ['a@1.0.0 has no signature']}],
  [{error: {code: 'ENOTFOUND', summary: 'request failed'}}, {problems: [], notRun: 'there is no network for it: request failed'}],
  [
    {error: {code: null, summary: 'found no dependencies to audit that were installed from a supported registry'}},
    {problems: [], notRun: 'the registry that npm is set to offers no signatures'},
  ],
  [{error: {code: 'EINTEGRITY', summary: 'changed'}}, {problems: ['npm audit signatures failed: changed']}],
])('the answer of npm audit signatures %j means what it says', (answer, result) => {
  expect(signatureResult(answer)).toEqual(result);
});

test('what two builds made is compared file by file', () => {
  const place = mkdtempSync(join(tmpdir(), 'pixelctl-compared-'));
  try {
    const builds = [
      {same: 'a', other: 'abc', longer: 'ab', 'in/one': ''},
      {same: 'a', other: 'abd', longer: 'abc', 'in/two': ''},
    ].map((files, index) => {
      const folder = join(place, String(index));
      mkdirSync(join(folder, 'in'), {recursive: true});
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      return folder;
    });
    expect(compared(builds[0], builds[1])).toEqual({
      files: 4,
      problems: [
        'in/one is only in the first build',
        'in/two is only in the second build',
        'longer differs from byte 2: it has 2 and 3 bytes',
        'other differs from byte 2: it has 3 and 3 bytes',
      ],
    });
  } finally {
    rmSync(place, {recursive: true});
  }
});
