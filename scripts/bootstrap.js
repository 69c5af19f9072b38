/**
 * Installs the dependencies unless what is installed matches package-lock.json. `npm run build` starts with it, so that a fresh
 * clone needs no step before. Nothing is installed yet when it runs, and the Node may be old: it keeps to what Node 18 has.
 */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {root} from './root.js';

const modules = join(root, 'node_modules');
const lock = join(root, '.cache/installing');

/** npm writes the lockfile inside node_modules as its last step: after an install that was interrupted there is none. */
function isInstalled() {
  if (!existsSync(join(modules, '.package-lock.json'))) return false;
  const packagesOf = (file) => Object.entries(JSON.parse(readFileSync(file, 'utf8')).packages).filter(([path]) => path !== '');
  const found = new Map(packagesOf(join(modules, '.package-lock.json')));
  const wanted = new Map(packagesOf(join(root, 'package-lock.json')));
  const isFound = ([path, {version, integrity, optional}]) => {
    const there = found.get(path);
    return there ? there.version === version && there.integrity === integrity && existsSync(join(root, path)) : optional;
  };
  return [...wanted].every(isFound) && [...found.keys()].every((path) => wanted.has(path));
}

/** Two installs at once would remove each other's files. The lock of a process that is gone does not count. */
function takeLock() {
  mkdirSync(join(root, '.cache'), {recursive: true});
  for (;;) {
    try {
      return writeFileSync(lock, String(process.pid), {flag: 'wx'});
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      process.kill(Number(readFileSync(lock, 'utf8')), 0);
    } catch (error) {
      if (error.code === 'ESRCH') rmSync(lock, {force: true});
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function install() {
  process.stderr.write('Installing dependencies (npm ci)\n');
  // npm must not run on the Node in node_modules, which it removes first.
  const path = process.env.PATH.split(delimiter)
    .filter((folder) => !folder.startsWith(modules))
    .join(delimiter);
  const {status} = spawnSync('npm', ['ci', '--include=dev', '--no-engine-strict', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: {...process.env, PATH: path},
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail('The install failed. Fix what npm reports above, then run the command again.');
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

if (!isInstalled()) {
  takeLock();
  if (!isInstalled()) install();
  rmSync(lock, {force: true});
}
if (!process.exitCode && parseInt(process.versions.node, 10) < 22 && !existsSync(join(modules, '.bin/node'))) {
  fail(`Node ${process.versions.node} is too old, and npm has not installed a newer one here. Run: npm ci --ignore-scripts=false`);
}
