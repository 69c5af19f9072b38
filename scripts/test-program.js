/** Runs the end-to-end tests and the guides with another program than the clone. */
import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {root} from './root.js';

/** The program of vitest, to be run by Node. */
export const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/** The tests that start the program all import the first file, and those of its faults the second one. */
const parts = {all: 'test/e2e/program.ts', faults: 'test/e2e/faults/stage.ts'};

/**
 * @param program an executable, as an absolute path
 * @param args further arguments of vitest
 * @param {keyof typeof parts} part of the tests
 * @returns whether all tests passed
 */
export function testProgram(program, args = [], part = 'all') {
  const command = [vitest, 'related', '--run', parts[part], ...args];
  const {status} = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {...process.env, PIXELCTL_TEST_PROGRAM: program},
  });
  return status === 0;
}
