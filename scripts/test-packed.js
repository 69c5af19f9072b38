/**
 * Installs the package in an empty folder, and runs the end-to-end tests with it on each Node: node scripts/test-packed.js [22|24|26]... [-- ARGUMENT...]
 * What comes after -- goes to vitest.
 */
import {chmodSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {installPackage} from './installed-package.js';
import {pinnedPackage} from './pinned-package.js';
import {testProgram} from './test-program.js';

/** The executable of each release line: the oldest that package.json allows, a later one, and the one that all scripts run on. */
const nodes = {
  22: () => join(pinnedPackage('node-22'), 'bin/node'),
  24: () => join(pinnedPackage('node-24'), 'bin/node'),
  26: () => process.execPath,
};

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const chosen = end === 0 ? Object.keys(nodes) : words.slice(0, end);

/** @returns undefined where it cannot be had */
function nodeOf(line) {
  if (nodes[line] === undefined) throw new Error(`There is no Node ${line} to test with; there are ${Object.keys(nodes).join(', ')}`);
  if (line !== '26' && `${process.platform}-${process.arch}` !== 'linux-x64') {
    process.stderr.write(`Node ${line}: skipped, because only the one for Linux on x64 is pinned\n`);
    return undefined;
  }
  try {
    return nodes[line]();
  } catch (error) {
    process.stderr.write(`Node ${line}: skipped, because it cannot be downloaded: ${error.message}\n`);
    return undefined;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'pixelctl-packed-'));
// Some tests run the program as another user.
chmodSync(folder, 0o755);
try {
  const {unpackedSize, entryCount} = installPackage(folder);
  process.stderr.write(`The package has ${entryCount} files and ${unpackedSize} bytes\n`);
  for (const line of chosen) {
    const node = nodeOf(line);
    if (node === undefined) continue;
    process.stderr.write(`Node ${line}\n`);
    const program = join(folder, `pixelctl-on-${line}`);
    writeFileSync(program, `#!/bin/sh\nexec '${node}' '${join(folder, 'node_modules/.bin/pixelctl')}' "$@"\n`, {mode: 0o755});
    if (!testProgram(program, words.slice(end + 1))) process.exitCode = 1;
  }
} finally {
  rmSync(folder, {recursive: true, force: true});
}
