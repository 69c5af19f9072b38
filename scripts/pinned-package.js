/** Packages that `npm ci` does not install: each is downloaded when something needs it, and kept in .cache. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './root.js';

/** The first one that names a package says its version and its checksum. */
export const lockfiles = ['scripts/runtimes/package-lock.json', 'package-lock.json'];

/**
 * @param name a package in one of the lockfiles
 * @returns the folder of the unpacked package
 * @throws Error when it cannot be downloaded, or when its content is not what the lockfile says
 */
export function pinnedPackage(name) {
  const {id, integrity} = pinOf(name);
  const folder = join(root, '.cache/packages', id.replaceAll('/', '+'));
  if (existsSync(folder)) return folder;
  mkdirSync(join(root, '.cache/packages'), {recursive: true});
  const place = mkdtempSync(`${folder}-`);
  try {
    const npm = ['pack', id, '--silent', '--ignore-scripts', '--pack-destination', place];
    process.stderr.write(`Downloading ${id}\n`);
    const options = {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32'};
    const archive = join(place, execFileSync('npm', npm, options).trim().split('\n').at(-1));
    const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
    if (found !== integrity) throw new Error(`${id} is not what the lockfile says: its checksum is ${found}`);
    // Every package is in a folder of its archive; most of them call it package.
    mkdirSync(join(place, 'unpacked'));
    execFileSync('tar', ['-xzf', archive, '-C', join(place, 'unpacked'), '--strip-components=1', '--no-same-owner']);
    if (!existsSync(folder)) renameSync(join(place, 'unpacked'), folder);
    return folder;
  } finally {
    rmSync(place, {recursive: true, force: true});
  }
}

function pinOf(name) {
  for (const lockfile of lockfiles) {
    const pin = JSON.parse(readFileSync(join(root, lockfile), 'utf8')).packages[`node_modules/${name}`];
    if (pin !== undefined) return {id: `${pin.name ?? name}@${pin.version}`, integrity: pin.integrity};
  }
  throw new Error(`No lockfile names ${name}`);
}
