/** Packages that `npm ci` does not install: each is downloaded when something needs it, and kept in .cache. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {root} from './root.js';

/**
 * @param name a package in scripts/runtimes.json or in the lockfile
 * @returns the folder of the unpacked package
 * @throws Error when it cannot be downloaded, or when its content has another checksum
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
    if (found !== integrity) throw new Error(`${id} is not what is pinned: its checksum is ${found}`);
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
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const pin = read('scripts/runtimes.json')[name] ?? read('package-lock.json').packages[`node_modules/${name}`];
  if (pin === undefined) throw new Error(`${name} is not pinned`);
  return {id: `${pin.name ?? name}@${pin.version}`, integrity: pin.integrity};
}
