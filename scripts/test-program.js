/**
 * Runs the end-to-end tests and the guides with another program than the clone: node scripts/test-program.js packed|binary|matrix [WORD]...
 *
 *   packed [22|24|26]... [-- ARGUMENT...]   the installed package, on each Node
 *   binary [ARGUMENT...]                    the single executable of this machine
 *   matrix [ARGUMENT...]                    all cases of what `npm test` samples, and then faults with the single executable
 *
 * Arguments go to vitest.
 */
import {spawnSync} from 'node:child_process';
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {executableFor, hostPlatform} from './binaries/platforms.js';
import {installPackage} from './installed-package.js';
import {pinnedPackage} from './pinned-package.js';
import {root} from './root.js';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** Runs the tests that import a file. @param program an executable, as an absolute path @returns whether all passed */
function testsOf(file, args, program) {
  const env = {...process.env, ...(program !== undefined && {PIXELCTL_TEST_PROGRAM: program})};
  const options = {cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env};
  return spawnSync(process.execPath, [vitest, 'related', '--run', file, ...args], options).status === 0;
}

/** All that start the program import this. */
const starting = 'test/e2e/program.ts';

/** The executable of each release line: the oldest that package.json allows, a later one, and the one that all scripts run on. */
const nodes = {
  22: () => join(pinnedPackage('node-22'), 'bin/node'),
  24: () => join(pinnedPackage('node-24'), 'bin/node'),
  26: () => process.execPath,
};

/** @returns undefined where it cannot be had */
function nodeOf(line) {
  if (nodes[line] === undefined) throw new Error(`There is no Node ${line} to test with; there are ${Object.keys(nodes).join(', ')}`);
  try {
    if (line !== '26' && `${process.platform}-${process.arch}` !== 'linux-x64') throw new Error('only the one for Linux on x64 is pinned');
    return nodes[line]();
  } catch (error) {
    process.stderr.write(`Node ${line}: skipped: ${error.message}\n`);
    return undefined;
  }
}

function packed(words) {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-packed-'));
  // Some tests run the program as another user.
  chmodSync(folder, 0o755);
  try {
    installPackage(folder);
    return (end === 0 ? Object.keys(nodes) : words.slice(0, end)).every((line) => {
      const node = nodeOf(line);
      if (node === undefined) return true;
      process.stderr.write(`Node ${line}\n`);
      const program = join(folder, `pixelctl-on-${line}`);
      writeFileSync(program, `#!/bin/sh\nexec '${node}' '${join(folder, 'bin/pixelctl')}' "$@"\n`, {mode: 0o755});
      return testsOf(starting, words.slice(end + 1), program);
    });
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const ways = {
  packed,
  binary: (words) => testsOf(starting, words, executableFor(hostPlatform())),
  matrix(words) {
    const args = ['--mode', 'matrix', ...words];
    const isWell = testsOf('test/contract/sample.ts', args);
    const {status} = spawnSync('npm', ['run', '-s', 'build:binaries', '--', 'host'], {cwd: root, stdio: ['ignore', 'inherit', 'inherit']});
    return status === 0 && testsOf('test/e2e/faults/stage.ts', args, executableFor(hostPlatform())) && isWell;
  },
};

const [way, ...words] = process.argv.slice(2);
if (!ways[way](words)) process.exitCode = 1;
