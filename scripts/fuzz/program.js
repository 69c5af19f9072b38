/** The program in the thread of the parsers, with a machine that has nothing. */
import {PassThrough, Writable} from 'node:stream';
import {Io} from '../../dist/lib/cli/io.js';
import {runWith} from '../../dist/lib/cli/shell/main.js';
import {program} from '../../dist/main.js';

/**
 * @param {readonly string[]} args
 * @param {Readonly<Record<string, string>>} environment
 * @returns {Promise<{stdout: string, stderr: string, status: number}>}
 */
export async function ran(args, environment) {
  const printed = {stdout: '', stderr: ''};
  const into = (name) => new Writable({decodeStrings: false, write: (chunk, _, done) => done(void (printed[name] += chunk))});
  const system = {
    stdin: new PassThrough().end(''),
    stdout: Object.assign(into('stdout'), {end: () => {}}),
    stderr: Object.assign(into('stderr'), {end: () => {}}),
    env: {HOME: '/nonexistent', PIXELCTL_CONFIG_DIR: '/nonexistent/config', ...environment},
    on: () => system,
    off: () => system,
    once: () => system,
    removeListener: () => system,
  };
  await runWith(args, await program(), new Io(system));
  return {...printed, status: Number(system.exitCode ?? 0)};
}
