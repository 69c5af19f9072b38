/** The single executable of this machine beside gh, which is a native program: one that asks the same server for the same list. */
import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync} from 'node:fs';
import {performance} from 'node:perf_hooks';
import {executableFor, hostPlatform} from '../binaries/platforms.js';

const warmUps = 3;

/** Why this cannot be measured here; undefined when it can. */
export function whyNoBinary() {
  if (!existsSync(executableFor(hostPlatform()))) return 'there is no executable of this machine: npm run build:binaries -- host makes it';
  return spawnSync('gh', ['--version']).status === 0 ? undefined : 'gh is not installed';
}

/** @returns for each run its name, the milliseconds of all rounds, and the name of the run that it is compared with, if it is */
export async function benchBinary(rounds, env) {
  const {PIXELCTL_SERVER: server, PIXELCTL_TOKEN: token} = env;
  const program = executableFor(hostPlatform());
  // gh sends no request without a token of its own, and would look for a newer gh.
  const settings = {...env, GH_TOKEN: token, GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'};
  const api = ['api', '-H', `Authorization: Bearer ${token}`, `${server}/api/v1/blocks`];
  const runs = [
    {name: 'gh --version', file: 'gh', args: ['--version']},
    {name: 'pixelctl --version', file: program, args: ['--version'], beside: 'gh --version'},
    {name: 'gh api of the list of blocks', file: 'gh', args: api},
    ...[
      ['blocks', 'list', '--json'],
      ['blocks', 'list'],
    ].map((args) => ({
      name: `pixelctl ${args.join(' ')}`,
      file: program,
      args,
      beside: 'gh api of the list of blocks',
    })),
  ].map((run) => ({...run, times: []}));
  // In turns, so that other load on the machine affects all of them alike.
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const {file, args, times} of runs) {
      const time = await startToExit(file, args, settings);
      if (round >= 0) times.push(time);
    }
  }
  return runs;
}

async function startToExit(file, args, env) {
  const start = performance.now();
  const child = spawn(file, args, {env, stdio: ['ignore', 'pipe', 'inherit']});
  child.stdout.resume();
  const [status] = await once(child, 'exit');
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${file} ${args[0]} ended with ${status}`);
  return time;
}
