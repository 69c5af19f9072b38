/** Long lists: the memory beside that of a short one, the time beside that of a bare undici loop over the same pages. */
import {fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {text} from 'node:stream/consumers';
import {root} from '../root.js';
import {bin} from '../sandbox.js';

const warmUps = 1;
const listAll = [bin, 'dm', 'list', '--limit', '40', '--all', '-o', 'ndjson'];

/**
 * @param env without the settings of the user
 * @returns the milliseconds and KiB of each round, for the bare loop and for lists of 100,000 and 1,000 rows
 */
export async function benchLists(rounds, env) {
  const servers = await Promise.all([100_000, 1000].map(startServer));
  const [long, short] = servers.map(({port}) => ({...env, PIXELCTL_SERVER: `http://127.0.0.1:${port}`}));
  const ways = [
    {name: 'bare', rows: 100_000, args: [join(root, 'scripts/bench/bare-list.js')], env: long},
    {name: 'long', rows: 100_000, args: listAll, env: long},
    {name: 'short', rows: 1000, args: listAll, env: short},
  ].map((way) => ({...way, runs: []}));
  try {
    for (let round = -warmUps; round < rounds; round += 1) {
      for (const {args, rows, env: settings, runs} of ways) {
        const run = await listed(args, rows, settings);
        if (round >= 0) runs.push(run);
      }
    }
  } finally {
    for (const {server} of servers) server.disconnect();
  }
  return Object.fromEntries(
    ways.map(({name, runs}) => [name, {times: runs.map(({time}) => time), memory: runs.map(({memory}) => memory)}]),
  );
}

async function startServer(rows) {
  const server = fork(join(root, 'scripts/bench/list-server.js'), [String(rows)]);
  const [port] = await once(server, 'message');
  return {server, port};
}

async function listed(args, rows, env) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', join(root, 'scripts/bench/memory.js'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  let lines = 0;
  child.stdout.on('data', (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  const [memory] = await Promise.all([text(child.stdio[3]), once(child, 'close')]);
  const time = performance.now() - start;
  if (child.exitCode !== 0 || lines !== rows) throw new Error(`${args.join(' ')} ended with ${child.exitCode} after ${lines} rows`);
  return {time, memory: Number(memory)};
}
