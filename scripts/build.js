import {spawnSync} from 'node:child_process';
import {renameSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {sourceDigest, stampBuild} from './build-stamp.js';
import {root} from './root.js';

// Compiled beside dist and then put in its place: a build that fails leaves the last good one, with its own stamp.
const next = join(root, '.cache/dist');
const dist = join(root, 'dist');
const digest = sourceDigest(root);

rmSync(next, {recursive: true, force: true});
const {status} = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--outDir', next], {
  cwd: root,
  stdio: 'inherit',
});
if (status === 0) {
  rmSync(dist, {recursive: true, force: true});
  renameSync(next, dist);
  stampBuild(root, digest);
} else {
  process.stderr.write('The build failed\n');
  process.exitCode = 1;
}
