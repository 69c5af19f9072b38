/** The built program as a child process, with nothing of this machine's settings around it. */
import {spawn, spawnSync, type ChildProcessWithoutNullStreams} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {fileThere} from '../events.js';

export const root = join(import.meta.dirname, '../..');

/** Another executable to test in place of the clone, such as the installed package or a single executable: an absolute path. */
const otherProgram = process.env['PIXELCTL_TEST_PROGRAM'];

/** Whether these tests run another program than the clone. What only the clone has, such as a list of its modules, is not tested then. */
export const isOtherProgram = otherProgram !== undefined;

/** The command that runs pixelctl: everything that starts it, starts this. */
export const program: readonly [file: string, ...args: string[]] =
  otherProgram === undefined ? [process.execPath, join(root, 'bin/run.js')] : [otherProgram];

/** Whether Bun runs the program, inside a single executable, and not Node. */
export const isSingleFile =
  otherProgram !== undefined && spawnSync(otherProgram, ['--version'], {encoding: 'utf8'}).stdout.includes(' bun-');

if (!existsSync(join(root, 'dist/lib/cli/shell/main.js')))
  throw new Error('These tests run the built program, and it is not built: npm test builds it first, npm run build does only that');

const place = mkdtempSync(join(tmpdir(), 'pixelctl-e2e-'));

/** Where `pixelctl` is on the path of shells. */
const shims = join(place, 'bin');
mkdirSync(shims);
const quoted = program.map((word) => `'${word}'`).join(' ');
writeFileSync(join(shims, 'pixelctl'), `#!/bin/sh\nexec ${quoted} "$@"\n`, {mode: 0o755});

/** A folder of its own, gone when the run of the tests is over. */
export const newFolder = (): string => mkdtempSync(join(place, 'folder-'));

/** The environment in which the program runs this code before its own. */
export function preloading(code: string): Record<string, string> {
  if (!isSingleFile) return {NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(code)}"`};
  const file = join(newFolder(), 'preloaded.js');
  writeFileSync(file, code);
  return {BUN_OPTIONS: `--preload ${file}`};
}

/** The environment in which the program tells of the first signal of a kind that it gets, and what waits for that. */
export function tellingSignals() {
  const file = join(newFolder(), 'heard');
  const code = `
    import {writeFileSync} from 'node:fs';
    for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => writeFileSync(${JSON.stringify(file)}, name));`;
  return {env: preloading(code), heard: () => fileThere(file)};
}

/** A line of shell that reads a part of a pipe and then leaves it, and what waits until it has left. */
export function leavingReader(command: string) {
  const file = join(newFolder(), 'gone');
  // The braces hold the pipe open until they close it.
  return {line: `{ ${command}; exec <&-; echo gone > '${file}'; }`, gone: () => fileThere(file)};
}

export interface Circumstances {
  readonly env?: Readonly<Record<string, string>>;
  /** All of standard input; null leaves it open. */
  readonly stdin?: string | null;
  /** The working folder. */
  readonly folder?: string;
}

export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A run that has not ended yet. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  /** Waits until standard output and standard error, together, contain this. */
  seen(pattern: RegExp): Promise<string>;
}

/** Runs the program to its end. */
export const run = (args: readonly string[], circumstances: Circumstances = {}): Promise<Ended> => start(args, circumstances).ended;

/** Runs a line of shell in which `pixelctl` is the program. */
export const runShell = (line: string, circumstances: Circumstances = {}): Promise<Ended> => startShell(line, circumstances).ended;

export function start(args: readonly string[], circumstances: Circumstances = {}): Running {
  const [file, ...first] = program;
  return startProgram(file, [...first, ...args], circumstances);
}

export const startShell = (line: string, circumstances: Circumstances = {}): Running => startProgram('sh', ['-c', line], circumstances);

/** Whether there is the tool that gives a program a terminal, as util-linux has it. */
export const hasTerminal = spawnSync('script', ['--version'], {encoding: 'utf8'}).stdout?.includes('util-linux') ?? false;

/** The line that says what is waited for, each time that it is drawn, and its end. */
export const waits = new RegExp(String.raw`(?:\r\u001B\[K(?:\u001B\[2m)?(?:Waiting|Trying) [^\r\n]*)+\r\u001B\[K`, 'g');

/**
 * Runs a line of shell at a terminal of so many columns, which stays open for input; both outputs come as standard output. What
 * was said of waits is not in what it ends with: on a busy machine there is more of it.
 */
export function startAtTerminal(line: string, columns: number, circumstances: Circumstances = {}): Running {
  const running = startProgram('script', ['-qec', `stty cols ${columns} rows 24 && ${line}`, '/dev/null'], {
    ...circumstances,
    stdin: null,
    env: {TERM: 'xterm-256color', SHELL: '/bin/sh', ...circumstances.env},
  });
  return {...running, ended: running.ended.then((ended) => ({...ended, stdout: ended.stdout.replaceAll(waits, '')}))};
}

export function startProgram(file: string, args: readonly string[], {env = {}, stdin = '', folder = newFolder()}: Circumstances): Running {
  const child = spawn(file, args, {cwd: folder, env: environment(env)});
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Who ends without reading what is written to them is no failure of the test.
  child.stdin.on('error', () => {});
  if (stdin !== null) child.stdin.end(stdin);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      const [warning] = /^\(node:\d+\) .*/m.exec(stdout + stderr) ?? [];
      if (warning === undefined) resolve({stdout, stderr, status, signal});
      else reject(new Error(`Node warned: ${warning}`));
    });
  });
  const seen = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(stdout + stderr)) resolve(stdout + stderr);
      };
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      child.on('close', () => reject(new Error(`It ended without ${pattern}: ${stdout}${stderr}`)));
      look();
    });
  return {child, ended, seen};
}

function environment(given: Readonly<Record<string, string>>): Record<string, string> {
  const home = newFolder();
  return {
    PATH: [shims, process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    LANG: 'C.UTF-8',
    ...given,
  };
}
