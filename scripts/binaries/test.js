/** Runs the end-to-end tests and the guides with the single executable of this machine: node scripts/binaries/test.js [ARGUMENT OF VITEST]... */
import {testProgram} from '../test-program.js';
import {executableFor, hostPlatform} from './platforms.js';

if (!testProgram(executableFor(hostPlatform()), process.argv.slice(2))) process.exitCode = 1;
