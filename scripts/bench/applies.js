/** An apply of 10,000 changes, beside the same changes made one at a time with a journal, and beside the plan of them. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {root} from '../root.js';
import {bin} from '../sandbox.js';
import {inTurns} from './measured.js';

const domains = 10_000;
const warmUps = 1;

const whoami = '/api/v1/accounts/verify_credentials';
const account = {id: '1', username: 'ana', acct: 'ana'};

/** As docs/performance.md has them. */
export const names = {
  apply: 'apply of 10,000 changes',
  add: 'domain-blocks add of 10,000',
  plan: 'plan of 10,000 changes',
};

/** @returns the times, processor times and memories of all rounds, by `apply`, `add` and `plan` */
export async function benchApplies(rounds, env) {
  const server = fork(join(root, 'scripts/bench/server.js'), ['[]', JSON.stringify({[whoami]: JSON.stringify(account)})]);
  const [port] = await once(server, 'message');
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-bench-'));
  const lines = Array.from({length: domains}, (_, index) => `spam-${index}.example\n`);
  writeFileSync(join(folder, 'list.txt'), lines.join(''));
  writeFileSync(join(folder, 'policy.yml'), 'version: 1\ndomain_blocks:\n  lists: [{file: list.txt}]\n');
  const way = {env: {...env, PIXELCTL_SERVER: `http://127.0.0.1:${port}`}, cwd: folder};
  const add = ['domain-blocks', 'add', '--from', 'list.txt', '--concurrency', '1', '--journal', 'journal', '--yes', '--quiet'];
  const left = ['policy.yml.state.json', 'journal'];
  const ways = {
    // The server knows of no block, and each round begins without a record of one.
    removal: {...way, args: ['-e', `for (const file of ${JSON.stringify(left)}) fs.rmSync(file, {force: true})`]},
    plan: {...way, args: [bin, 'plan', 'policy.yml'], status: 10},
    apply: {...way, args: [bin, 'apply', 'policy.yml', '--yes', '--quiet']},
    add: {...way, args: [bin, ...add]},
  };
  try {
    const {removal: _, ...all} = await inTurns(ways, rounds, warmUps);
    return all;
  } finally {
    server.disconnect();
    rmSync(folder, {recursive: true});
  }
}

/** Measures applies as runs that goals are compared with. */
export async function benchApply(rounds, env, inRound) {
  const runs = Object.entries(names).map(([way, name]) => ({way, name, times: [], cpu: []}));
  const needed = inRound(runs, 0);
  if (needed.length === 0) return runs;
  const all = await benchApplies(rounds, env);
  return runs.map(({way, name}) => ({name, times: all[way].time, cpu: all[way].cpu}));
}
