/**
 * Brings the checkout up and then runs a script of it: node scripts/up.js [script [argument...]]
 *
 * It runs on older Nodes too, as nothing may be installed yet. The script is run on the project's own Node, from here and not
 * after `&&` in package.json: a shell that has found the machine's `node` does not look again once a newer one is installed.
 */
import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {bundledNode} from '../bin/newer-node.js';
import {runInstead} from '../bin/run-instead.js';
import {isBuilt} from './build-stamp.js';
import {install} from './install.js';
import {difference} from './installed.js';
import {locked} from './lock.js';
import {root} from './root.js';

const ownNode = () => bundledNode(join(root, 'package.json')).executable;

function build() {
  if (isBuilt(root)) return;
  process.stderr.write('Building\n');
  const {status} = spawnSync(ownNode(), [join(root, 'scripts/build.js')], {cwd: root, stdio: ['ignore', 2, 2]});
  if (status !== 0) throw new Error('see above');
}

try {
  if (difference(root) || !isBuilt(root)) {
    await locked(join(root, '.cache/up.lock'), () => {
      install(root);
      build();
    });
  }
  if (process.argv.length > 2) runInstead(ownNode(), process.argv.slice(2));
} catch (error) {
  process.stderr.write(`The set-up failed: ${error.message}\n`);
  process.exitCode = 1;
}
