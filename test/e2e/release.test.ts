/** A release, from `npm version` to the draft on the forge, in a copy of the checkout, with small files in place of the single executables. */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Ajv} from 'ajv';
import formats from 'ajv-formats';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {parse} from 'yaml';
import {copyProject} from '../project-copy.js';
import {sha256} from '../ci/release-server.js';

const root = join(import.meta.dirname, '../..');
const releases = 'https://forge.example/ana/pixelctl/releases';
const platforms = ['linux-arm64', 'linux-arm64-musl', 'linux-x64', 'linux-x64-musl', 'macos-arm64', 'macos-x64'];

let project: string;
const path = (...names: readonly string[]) => join(project, ...names);
const text = (...names: readonly string[]) => readFileSync(path(...names), 'utf8');

const person = {
  GIT_AUTHOR_NAME: 'ana',
  GIT_AUTHOR_EMAIL: 'ana@pix.example',
  GIT_COMMITTER_NAME: 'ana',
  GIT_COMMITTER_EMAIL: 'ana@pix.example',
};

function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawnSync(program, args, {
    cwd: project,
    encoding: 'utf8',
    env: {...process.env, ...person, PIXELCTL_RELEASE_URL: releases, ...env},
  });
}

/** Without the build that `npm run release` begins with. */
const release = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, ['scripts/release/index.js', ...words], env);

const entries = (changelog: string) =>
  changelog
    .split('\n')
    .filter((line) => /^(- |  )/.test(line))
    .sort();

/** Bun is not needed to test what is made of its files. */
const binariesScript = `
  import {mkdirSync, writeFileSync} from 'node:fs';
  mkdirSync('dist-binaries', {recursive: true});
  for (const platform of ${JSON.stringify([...platforms, 'windows-x64.exe'])})
    writeFileSync('dist-binaries/pixelctl-' + platform, '#!/bin/sh\\necho pixelctl/7.8.9 ' + platform + '\\n', {mode: 0o700});
`;

const workflow: {readonly jobs: {readonly release: {readonly steps: readonly {readonly run?: string}[]}}} = parse(
  readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
);
const script = workflow.jobs.release.steps.flatMap(({run: line}) => line ?? []).join('\n');

/** Runs the steps of the workflow, with a `gh` that only says how it was called. */
function runWorkflow(tag: string) {
  mkdirSync(join(project, '.git/tools'), {recursive: true});
  writeFileSync(path('.git/tools/gh'), '#!/bin/sh\nprintf "%s\\n" "$@" >.git/called\n', {mode: 0o755});
  return run('bash', ['-e', '-c', script], {GITHUB_REF_NAME: tag, PATH: `${path('.git/tools')}:${process.env['PATH']}`});
}

type Ended = ReturnType<typeof run>;

/** What each step came to: one release is made, and the tests look at it. */
let steps: {
  readonly changelog: string;
  /** Before there is a version to release. */
  readonly unready: {readonly dryRun: Ended; readonly refused: Ended; readonly isMade: boolean};
  readonly version: Ended;
  readonly described: Ended;
  readonly ready: Ended;
  readonly otherTag: Ended;
  readonly workflow: Ended;
  /** How `gh` was called. */
  readonly called: readonly string[];
};

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'pixelctl-release-'));
  copyProject(project);
  rmSync(path('test'), {recursive: true});
  // What is packed of the bundle takes seconds each time, and none of it runs here.
  for (const name of readdirSync(path('bundle')).filter((each) => /\.(?:cjs|mjs|br)$/.test(each))) writeFileSync(path('bundle', name), '');
  const changelog = text('CHANGELOG.md');
  writeFileSync(path('scripts/binaries/index.js'), binariesScript);
  writeFileSync(path('.ci/run'), 'exit 0\n');
  // What was built is copied: of what is generated, a version is in the manifest and the man pages.
  const manifest = JSON.parse(text('package.json'));
  Object.assign(manifest.scripts, {compile: 'true', build: 'true', generate: 'node scripts/generate.js manifest man', prepack: 'true'});
  writeFileSync(path('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  run('git', ['init', '--quiet', '--initial-branch=main']);
  run('git', ['remote', 'add', 'origin', 'https://forge.example/ana/pixelctl.git']);
  run('git', ['add', '--all']);
  run('git', ['commit', '--quiet', '--message=All']);
  writeFileSync(path('notes.txt'), '');
  const dryRun = release(['--dry-run', '7.8.9'], {PIXELCTL_RELEASE_URL: ''});
  rmSync(path('notes.txt'));
  const refused = release(['--no-tests', '7.8.9']);
  const unready = {dryRun, refused, isMade: existsSync(path('release'))};
  const version = run('npm', ['version', '7.8.9']);
  const described = run('git', ['describe', '--exact-match', '--dirty']);
  const ready = release(['--dry-run', '7.8.9']);
  const otherTag = runWorkflow('v7.8.8');
  const ended = runWorkflow('v7.8.9');
  const called = text('.git/called').trim().split('\n');
  steps = {changelog, unready, version, described, ready, otherTag, workflow: ended, called};
});
afterAll(() => rmSync(project, {recursive: true}));

test('a dry run lists what is not ready, and writes nothing', () => {
  const {status, stdout} = steps.unready.dryRun;
  expect(status).toBe(1);
  expect(stdout).toMatch(/^not ok {2}everything is committed: git status shows changes/m);
  expect(stdout).toMatch(/^not ok {2}package.json has the version: it has \S+: run npm version 7\.8\.9$/m);
  expect(stdout).toMatch(/^not ok {2}the tag of the version is on this commit: there is no tag v7\.8\.9/m);
  expect(stdout).toMatch(/^not ok {2}CHANGELOG\.md has a section/m);
  expect(stdout).toMatch(/^not ok {2}the address of the releases is known: set PIXELCTL_RELEASE_URL$/m);
  expect(stdout).toMatch(/^1\. Run all tests/m);
  expect(stdout).toContain('--tag IMAGE:7.8.9 --tag IMAGE:7.8 --tag IMAGE:7 --tag IMAGE:latest');
});

test.each([[['1.2']], [['--publsh', '1.2.3']]])('refuses the words %j', (words) => {
  expect(release(words)).toMatchObject({status: 1, stderr: expect.stringMatching(/^Release: /)});
});

test('a release that is not ready is not made', () => {
  expect(steps.unready).toMatchObject({refused: {status: 1, stderr: expect.stringContaining('Nothing was made')}, isMade: false});
});

test('npm version writes the version and the changelog, and makes the tag', () => {
  expect(steps.version).toMatchObject({status: 0, stdout: expect.stringContaining('v7.8.9\n')});
  expect(steps.described.stdout).toBe('v7.8.9\n');
  const after = text('CHANGELOG.md');
  expect(after).toMatch(/^## \[7\.8\.9\] - \d{4}-\d\d-\d\d$/m);
  expect(after).not.toMatch(/^## .*Unreleased/m);
  expect(entries(after)).toEqual(entries(steps.changelog));
  expect(text('oclif.manifest.json')).toContain('"version": "7.8.9"');
  expect(steps.ready).toMatchObject({status: 0, stdout: expect.not.stringContaining('not ok')});
});

test('the workflow refuses the tag of another version', () => {
  expect(steps.otherTag).toMatchObject({status: 1, stdout: expect.stringContaining('not ok  package.json has the version')});
});

const files = [
  ...platforms.map((platform) => `pixelctl-7.8.9-${platform}.tar.gz`),
  'pixelctl-7.8.9-windows-x64.zip',
  'pixelctl-7.8.9.cdx.json',
  'pixelctl-7.8.9.tgz',
  'pixelctl.rb',
  'install.sh',
].sort();

test('the workflow makes a draft with every file', () => {
  const {workflow: ended, called} = steps;
  expect(ended.status, ended.stderr).toBe(0);
  expect(called.slice(0, 8)).toEqual(['release', 'create', 'v7.8.9', '--draft', '--verify-tag', '--title', 'v7.8.9', '--notes-file']);
  expect(called.slice(9)).toEqual([...files, 'SHA256SUMS'].map((file) => `release/${file}`));
  const notes = text('release/notes.md');
  expect(notes).toMatch(/^## \[?7\.8\.9\]? /);
  expect(entries(notes)).toEqual(entries(text('CHANGELOG.md')));
  expect(run('git', ['status', '--porcelain']).stdout).toBe('');
});

test('every file has a checksum', () => {
  const sums = text('release/SHA256SUMS').trim().split('\n');
  expect(sums).toEqual(files.map((file) => `${sha256(readFileSync(path('release', file)))}  ${file}`));
});

test('archives contain the program and its licence, without users and times of this machine', () => {
  const listed = run('tar', ['-tvzf', 'release/pixelctl-7.8.9-linux-x64.tar.gz']).stdout.trim().split('\n');
  expect(listed.map((line) => line.split(/\s+/).at(-1))).toEqual(
    expect.arrayContaining([
      'pixelctl-7.8.9-linux-x64/pixelctl',
      'pixelctl-7.8.9-linux-x64/man/pixelctl.1',
      'pixelctl-7.8.9-linux-x64/LICENSE',
      'pixelctl-7.8.9-linux-x64/THIRD-PARTY-LICENSES.txt',
    ]),
  );
  for (const line of listed) expect(line).toMatch(line.endsWith('/pixelctl') ? /^-rwxr-xr-x 0\/0/ : /^-rw-r--r-- 0\/0/);
  const zip = run('python3', ['-m', 'zipfile', '-l', 'release/pixelctl-7.8.9-windows-x64.zip']);
  if (zip.status === 0) expect(zip.stdout).toMatch(/pixelctl-7\.8\.9-windows-x64\/pixelctl\.exe/);
});

test('install.sh and the formula name this release', () => {
  expect(text('release/install.sh')).toContain(`filled_in_release_url='${releases}'\n`);
  const formula = text('release/pixelctl.rb');
  expect(formula).not.toContain('{{');
  for (const platform of platforms.filter((each) => !each.includes('musl'))) {
    const file = `pixelctl-7.8.9-${platform}.tar.gz`;
    expect(formula).toContain(`url "${releases}/download/v7.8.9/${file}"\n      sha256 "${sha256(readFileSync(path('release', file)))}"`);
  }
  const ruby = run('ruby', ['-c', 'release/pixelctl.rb']);
  if (ruby.error === undefined) expect(ruby).toMatchObject({status: 0});
  else process.stderr.write('The formula is not parsed: there is no ruby on the path\n');
});

const ajv = new Ajv({strict: false, unicodeRegExp: false});
formats.default(ajv);
ajv.addFormat('iri-reference', true).addFormat('idn-email', true);
const schema = (name: string) => JSON.parse(readFileSync(join(root, `test/fixtures/release/${name}.SNAPSHOT.schema.json`), 'utf8'));
for (const name of ['spdx', 'jsf-0.82']) ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
const isBom = ajv.compile(schema('bom-1.5'));

interface Bom {
  readonly metadata: {readonly component: {readonly name: string; readonly version: string; readonly purl: string}};
  readonly components: readonly {readonly name: string; readonly version: string; readonly scope: string}[];
}

test('the bill of materials fits the schema, and names what is in the bundle, no folder of this machine and no registry', () => {
  const bomText = text('release/pixelctl-7.8.9.cdx.json');
  const bom: Bom = JSON.parse(bomText);
  expect(isBom(bom), JSON.stringify(isBom.errors)).toBe(true);
  expect(isBom({...bom, components: [{name: 'without a type'}]})).toBe(false);
  // Not the name on npm, which is not ours.
  expect(bom.metadata.component).toMatchObject({name: 'pixelctl', version: '7.8.9', purl: 'pkg:generic/pixelctl@7.8.9'});
  const scopes = Object.fromEntries(bom.components.map(({name, scope}) => [name, scope]));
  expect(scopes).toMatchObject({
    undici: 'required',
    '@oclif/core': 'required',
    zod: 'required',
    '@napi-rs/keyring': 'optional',
    bun: 'optional',
  });
  for (const name of ['vitest', 'typescript', 'rolldown']) expect(scopes).not.toHaveProperty([name]);
  const addresses = [...bomText.matchAll(/https?:\/\/[^/"\s]*/g)].map(([address]) => address);
  expect(new Set(addresses)).toEqual(new Set(['http://cyclonedx.org']));
  for (const machine of [project, root, tmpdir(), process.env['HOME'] ?? '/root']) expect(bomText).not.toContain(`${machine}/`);
});

test('a second run makes the same files, and publishes only what was agreed to', () => {
  const before = text('release/SHA256SUMS');
  rmSync(path('.git/called'));
  const ended = release(['--no-tests', '--no-binaries', '--publish', '7.8.9']);
  expect(ended).toMatchObject({status: 1, stderr: expect.stringContaining('Nothing was published')});
  expect(existsSync(path('.git/called'))).toBe(false);
  expect(text('release/SHA256SUMS')).toBe(before);
});

test('the image takes its files from the release', () => {
  const copied = [...text('Dockerfile').matchAll(/^COPY (?:--\S+ )*(.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const inContext = readdirSync(path('release/docker'), {recursive: true, encoding: 'utf8'});
  expect(copied.length).toBeGreaterThan(2);
  for (const source of copied) {
    for (const architecture of ['amd64', 'arm64']) {
      expect(inContext).toContain(source.replace('${TARGETARCH}', architecture).replace(/\/$/, ''));
    }
  }
});
