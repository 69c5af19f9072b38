/** Programs of a few lines that run what was built in a process of their own, to be killed, starved and run side by side. */
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {onTestFinished} from 'vitest';

const built = join(import.meta.dirname, '../../dist/lib');

if (!existsSync(join(built, 'files/lock.js')))
  throw new Error('These tests run what was built, and it is not built: npm test builds it first, npm run build does only that');

/** The address of a built module, as `files/lock.js`, for an import in such a program. */
export const builtModule = (path: string): string => pathToFileURL(join(built, path)).href;

export interface Child {
  readonly process: ChildProcess;
  /** The first of its standard output; fails when it ends without any. */
  readonly begun: Promise<string>;
  /** Standard output, when it has ended in whatever way. */
  readonly output: Promise<string>;
}

/** @param before a command that runs the program: `unshare`, `dbus-run-session` */
export function startChild(program: string, env: Readonly<Record<string, string>> = {}, before: readonly string[] = []): Child {
  const [command = '', ...args] = [...before, process.execPath, '--input-type=module', '--eval', program];
  const child = spawn(command, args, {env: {...process.env, ...env}, stdio: ['ignore', 'pipe', 'inherit']});
  // A test that failed leaves it running.
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part));
  const begun = new Promise<string>((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.on('close', () => reject(new Error('The program ended without a word')));
  });
  begun.catch(() => {});
  const output = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
  return {process: child, begun, output};
}

export const runChild = (program: string, env?: Readonly<Record<string, string>>, before?: readonly string[]): Promise<string> =>
  startChild(program, env, before).output;

/** Whether a program may have mounts of its own, which other processes do not see. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

/** Runs a program with a small disk of its own in a folder; `mount` in it changes that disk alone. */
export const runOnDisk = (folder: string, size: string, program: string): Promise<string> => {
  const mountAndRun = 'mount -t tmpfs -o mode=700,size="$1" tmpfs "$0" && shift && exec "$@"';
  return runChild(program, {}, ['unshare', '-rm', 'sh', '-c', mountAndRun, folder, size]);
};
