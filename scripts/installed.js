import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {bundledNode} from '../bin/newer-node.js';

/** What stands in node_modules otherwise than in the lockfile, in words; undefined when nothing does. */
export function difference(root) {
  const wanted = packages(join(root, 'package-lock.json'));
  // npm writes this file last, so an install that was cut short has none.
  const found = packages(join(root, 'node_modules/.package-lock.json'));
  if (!found) return 'nothing is';

  for (const path of Object.keys(found)) if (!wanted[path]) return `${path} is not in the lockfile`;
  for (const [path, want] of Object.entries(wanted)) {
    if (path === '') continue;
    const have = found[path];
    if (!have && want.optional && !isForThisPlatform(want)) continue;
    if (!have || !existsSync(join(root, path, 'package.json'))) return `${path} is not`;
    if (have.version !== want.version || have.integrity !== want.integrity) return `${path} is another than ${want.version}`;
  }
  // Its binary comes from an install script, which npm can be told not to run.
  if (!nodeRuns(root, wanted['node_modules/node'].version)) return 'Node is not';
  return undefined;
}

function packages(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  } catch (error) {
    if (error.code !== 'ENOENT' && error.name !== 'SyntaxError') throw error;
    return undefined;
  }
}

/** Optional packages that name no platform belong to others that may not be here, so they say nothing. */
function isForThisPlatform({os, cpu, libc}) {
  if (!os || !cpu) return false;
  return os.includes(process.platform) && cpu.includes(process.arch) && (!libc || libc.includes(libcFamily()));
}

function libcFamily() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

function nodeRuns(root, version) {
  const node = bundledNode(join(root, 'package.json'));
  return node !== undefined && spawnSync(node.executable, ['--version'], {encoding: 'utf8'}).stdout?.trim() === `v${version}`;
}
