/** The guides' console blocks: what they show, and what really comes when it is typed. */
import {execFile, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';

/** A command behind `$ `, and what stands below it. */
export interface Step {
  readonly command: string;
  readonly output: string;
}

/** The steps of all console blocks; a line that ends in `\` goes on. */
export function stepsIn(markdown: string): Step[] {
  return [...markdown.matchAll(/^```console\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
    [...block.matchAll(/^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm)].map(([, command = '', output = '']) => ({
      command,
      output: output.trim(),
    })),
  );
}

/** The port that guides show; the real one is whatever is free. */
const shownPort = '8080';
const program = join(import.meta.dirname, '../bin/run.js');
const marker = '--- 7f3a ---';

const startsServer = ({command}: Step) => /^pixelctl sandbox .*--port 8080/.test(command);

/**
 * Types the steps into a shell, against the sandbox that the guide starts, else one with the demo.
 * A `cat` of a file that is not there shows what the file is to contain: it is written, not run.
 */
export async function play(steps: readonly Step[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-guide-'));
  const path = `${folder}/.bin:${dirname(process.execPath)}:${process.env['PATH']}`;
  const env = {...process.env, PATH: path, XDG_CACHE_HOME: folder, PIXELCTL_TOKEN: 'sandbox-ana'};
  mkdirSync(join(folder, '.bin'));
  writeFileSync(join(folder, '.bin/pixelctl'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {mode: 0o755});
  const outputs: string[] = [];
  const rest = [...steps];
  try {
    while (rest.length > 0) {
      const [first] = rest;
      const begins = first !== undefined && startsServer(first);
      const command = begins ? first.command : `pixelctl sandbox --port ${shownPort}`;
      const server = await startServer(command, folder, env);
      if (begins) {
        rest.shift();
        outputs.push(server.said.replaceAll(server.port, shownPort));
      }
      const until = rest.findIndex(startsServer);
      const own = rest.splice(0, until === -1 ? rest.length : until);
      const url = `http://127.0.0.1:${server.port}`;
      const came = await typed(own, folder, {...env, PIXELCTL_SERVER: url});
      server.stop();
      outputs.push(...came.map((text) => text.replaceAll(server.port, shownPort)));
    }
  } finally {
    rmSync(folder, {recursive: true});
  }
  return outputs;
}

type Environment = Readonly<Record<string, string | undefined>>;

async function typed(steps: readonly Step[], cwd: string, env: Environment): Promise<string[]> {
  const script = steps.map((step) => `${shellLine(step, cwd)}\n_status=$?; echo '${marker}'; (exit $_status)`).join('\n');
  // What the last command comes to is no failure of the shell.
  const {stdout} = await promisify(execFile)('bash', ['-c', `exec 2>&1 < /dev/null\n${script}\nexit 0`], {cwd, env});
  return stdout.split(`${marker}\n`).slice(0, -1).map((text) => text.trim());
}

function shellLine({command, output}: Step, cwd: string): string {
  const file = /^cat ([\w.-]+)$/.exec(command)?.[1];
  if (file !== undefined && !existsSync(join(cwd, file))) writeFileSync(join(cwd, file), `${output}\n`);
  return command;
}

async function startServer(command: string, cwd: string, env: Environment) {
  const child = spawn('bash', ['-c', `exec ${command.replace(`--port ${shownPort}`, '--port 0')}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({destroyOnReturn: false})) {
    said += String(text);
    if (said.includes('export PIXELCTL_TOKEN=')) break;
  }
  const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  if (port === undefined) throw new Error(`The sandbox did not start: ${command}`);
  return {said: said.trim(), port, stop: () => child.kill()};
}
