/** The single executable of this machine beside gh, which is a native program: one that asks the same server for the same list. */
import {spawnSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {executableFor, hostPlatform} from '../binaries/platforms.js';
import {timesInTurns} from './start.js';

/** Why this cannot be measured here; undefined when it can. */
export function whyNoBinary() {
  if (!existsSync(executableFor(hostPlatform()))) return 'there is no executable of this machine: npm run build:binaries -- host makes it';
  return spawnSync('gh', ['--version']).status === 0 ? undefined : 'gh is not installed';
}

/** @returns for each run what {@link timesInTurns} does, and the name of the run that it is compared with, if it is; `inRound` as there */
export async function benchBinary(rounds, env, inRound) {
  const {PIXELCTL_SERVER: server, PIXELCTL_TOKEN: token} = env;
  const program = executableFor(hostPlatform());
  // gh sends no request without a token of its own, and would look for a newer gh.
  const settings = {...env, GH_TOKEN: token, GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1'};
  const api = ['api', '-H', `Authorization: Bearer ${token}`, `${server}/api/v1/blocks`];
  const runs = [
    {name: 'gh --version', file: 'gh', args: ['--version']},
    {name: 'executable --version', file: program, args: ['--version'], beside: 'gh --version'},
    {name: 'gh api', file: 'gh', args: api},
    {name: 'executable blocks list --json', file: program, args: ['blocks', 'list', '--json'], beside: 'gh api'},
    {name: 'executable blocks list', file: program, args: ['blocks', 'list'], beside: 'gh api'},
  ];
  return timesInTurns(
    runs.map((run) => ({...run, status: 0})),
    rounds,
    {env: settings},
    inRound,
  );
}
