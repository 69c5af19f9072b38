import {spawnSync} from 'node:child_process';
import {delimiter, join} from 'node:path';
import {difference} from './installed.js';

/** Installs exactly what the lockfile says, when something else is there. */
export function install(root) {
  const before = difference(root);
  if (!before) return;
  process.stderr.write(`Installing from the lockfile (${before} installed)\n`);
  const {status, error} = spawnSync('npm', ['ci', '--include=dev', '--no-engine-strict', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: {...process.env, PATH: pathWithout(join(root, 'node_modules'))},
    shell: process.platform === 'win32',
  });
  if (error) throw new Error(`npm does not run: ${error.message}`);
  if (status !== 0) throw new Error('npm ci failed; its own words are above');
  const after = difference(root);
  if (after) throw new Error(`npm ci went through and yet ${after} installed; is npm told to leave out install scripts or packages?`);
}

/** npm must not run on the Node that it is about to remove. */
function pathWithout(folder) {
  return process.env.PATH.split(delimiter).filter((each) => !each.startsWith(folder)).join(delimiter);
}
