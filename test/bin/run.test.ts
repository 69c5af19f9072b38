import {spawn, spawnSync} from 'node:child_process';
import {accessSync, constants, cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import semver from 'semver';
import {fileOf} from '../../scripts/bundle-file.js';
import {newFolder} from '../new-folder.js';
import manifest from '../../package.json' with {type: 'json'};

const {engines} = manifest;
const root = join(import.meta.dirname, '../..');
const main = `
  exports.main = async (argv) => {
    if (argv[0] === 'wait') {
      if (argv[1] === 'catch') process.on('SIGTERM', () => process.exit(143));
      setInterval(() => {}, 1000);
      process.stdout.write('waiting');
      return;
    }
    let input = '';
    for await (const chunk of process.stdin) input += chunk;
    process.stdout.write(JSON.stringify({argv, input, node: process.versions.node}));
    process.stderr.write('noted');
    process.exitCode = 7;
  };
`;

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'pixelctl run '));
  cpSync(join(root, 'bin'), join(project, 'bin'), {recursive: true});
  cpSync(join(root, 'package.json'), join(project, 'package.json'));
  cpSync(join(root, 'bundle'), join(project, 'bundle'), {recursive: true});
  writeFileSync(join(project, 'bundle/main.cjs'), fileOf([{fileName: 'main.cjs', code: main}]));
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'junction');
});

const bin = () => join(project, 'bin/run.js');

test('the version that bin asks for is the one in engines', () => {
  const [, major, minor] = /^>=(\d+)\.(\d+)/.exec(engines.node)!;
  const source = readFileSync(join(root, 'bin/run.js'), 'utf8');
  expect(source).toContain(`major > ${major} || (major === ${major} && minor >= ${minor})`);
  expect(source).toContain(`runOnNewerNode('${major}.${minor}')`);
});

/** What a copy of bin says that has no bundle, or this one. */
function bareRun(node: string, code?: string) {
  const bare = newFolder();
  for (const name of ['bin', 'package.json', ...(code === undefined ? [] : ['bundle'])])
    cpSync(join(project, name), join(bare, name), {recursive: true});
  if (code !== undefined) writeFileSync(join(bare, 'bundle/main.cjs'), fileOf([{fileName: 'main.cjs', code}]));
  const {status, stdout, stderr} = spawnSync(node, [join(bare, 'bin/run.js'), '--version'], {encoding: 'utf8'});
  return {status, stdout, stderr};
}

test.each([undefined, "require('./missing.cjs');"])('what is not built, or not wholly installed, says how to build it: %s', (code) => {
  const stderr = 'pixelctl is not built, or not fully installed: run npm run build\n';
  expect(bareRun(process.execPath, code)).toEqual({status: 1, stdout: '', stderr});
});

const old = oldNode();
const nodes = [['a Node that is new enough', process.execPath], ...(old ? [['a Node that is too old', old]] : [])] as [string, string][];

describe.each(nodes)('under %s', (_, node) => {
  test('arguments, streams and exit status pass through', () => {
    const argv = ['blocks', 'list', '--server', "a b'c", ''];
    const {status, stdout, stderr} = spawnSync(node, [bin(), ...argv], {encoding: 'utf8', input: 'in\n'});
    expect({status, stderr}).toEqual({status: 7, stderr: 'noted'});
    const {node: version, ...rest} = JSON.parse(stdout);
    expect(rest).toEqual({argv, input: 'in\n'});
    expect(semver.satisfies(version, engines.node)).toBe(true);
  });

  test.each([
    {name: 'a signal that ends it', args: ['wait'], end: {status: null, signal: 'SIGTERM'}},
    {name: 'a signal that it answers', args: ['wait', 'catch'], end: {status: 143, signal: null}},
  ])('$name reaches the program and is how the run ends', async ({args, end}) => {
    const child = spawn(node, [bin(), ...args], {stdio: ['ignore', 'pipe', 'inherit']});
    child.stdout.once('data', () => child.kill('SIGTERM'));
    const closed = await new Promise((resolve) => child.on('close', (status, signal) => resolve({status, signal})));
    expect(closed).toEqual(end);
  });
});

test.runIf(old)('an old Node says in one line what is needed', () => {
  const stderr = expect.stringMatching(/^pixelctl needs Node 22\.19 or newer, and this is [\d.]+\n$/);
  expect(bareRun(old!)).toEqual({status: 1, stdout: '', stderr});
});

/** The machine's own Node where that is older than ours; without one those cases cannot be tried. */
function oldNode(): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    if (folder.includes('node_modules')) continue;
    const executable = join(folder, 'node');
    try {
      accessSync(executable, constants.X_OK);
    } catch {
      continue;
    }
    const version = spawnSync(executable, ['--version'], {encoding: 'utf8'}).stdout;
    if (Number(version.slice(1).split('.')[0]) < 22) return executable;
  }
  return undefined;
}
