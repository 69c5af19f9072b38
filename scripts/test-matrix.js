/**
 * Tries all cases of what `npm test` samples, then faults with the single executable of this machine: npm run test:matrix -- [ARGUMENT OF VITEST]...
 */
import {spawnSync} from 'node:child_process';
import {root} from './root.js';
import {testProgram, vitest} from './test-program.js';
import {executableFor, hostPlatform} from './binaries/platforms.js';

/** All files that try a sample import it. */
const sample = 'test/contract/sample.ts';

const args = ['--mode', 'matrix', ...process.argv.slice(2)];
const succeeds = (file, words) => spawnSync(file, words, {cwd: root, stdio: ['ignore', 'inherit', 'inherit']}).status === 0;

const isWell = succeeds(process.execPath, [vitest, 'related', '--run', sample, ...args]);
const isBuilt = succeeds('npm', ['run', '-s', 'build:binaries', '--', 'host']);
if (!isWell || !isBuilt || !testProgram(executableFor(hostPlatform()), args, 'faults')) process.exitCode = 1;
