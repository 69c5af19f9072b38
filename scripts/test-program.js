/** Runs the end-to-end tests and the guides with another program than the clone. */
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {root} from './root.js';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/**
 * @param program an executable, as an absolute path
 * @param args further arguments of vitest
 * @returns whether all tests passed
 */
export function testProgram(program, args = []) {
  // The tests that start the program all import this file.
  const command = [vitest, 'related', '--run', 'test/e2e/program.ts', ...args];
  const {status} = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {...process.env, PIXELCTL_TEST_PROGRAM: program},
  });
  return status === 0;
}
