/** A batch of operations in one process, and one process for one operation, in the same run. */
import {fork, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {root} from '../root.js';
import {bin} from '../sandbox.js';

const operations = 1000;
const warmUps = 1;
const lines = Array.from(
  {length: operations},
  (_, index) => `${JSON.stringify({command: 'dm mute', args: [String(index)], id: index})}\n`,
).join('');

/**
 * @param env without the settings of the user
 * @returns the milliseconds of each round, for a batch of 1,000 operations and for a process with one
 */
export async function benchBatch(rounds, env) {
  const server = fork(join(root, 'scripts/bench/server.js'));
  const [port] = await once(server, 'message');
  const settings = {...env, PIXELCTL_SERVER: `http://127.0.0.1:${port}`};
  const batch = [];
  const single = [];
  try {
    for (let round = -warmUps; round < rounds; round += 1) {
      const times = [
        await startToExit(['batch'], lines, settings, operations),
        await startToExit(['dm', 'mute', '1', '-o', 'ndjson'], '', settings, 1),
      ];
      if (round < 0) continue;
      batch.push(times[0]);
      single.push(times[1]);
    }
  } finally {
    server.disconnect();
  }
  return {operations, batch, single};
}

async function startToExit(args, input, env, results) {
  const start = performance.now();
  const child = spawn(process.execPath, [bin, ...args], {env, stdio: ['pipe', 'pipe', 'inherit']});
  child.stdin.end(input);
  let count = 0;
  child.stdout.setEncoding('utf8').on('data', (text) => (count += text.split('\n').length - 1));
  await once(child, 'close');
  const time = performance.now() - start;
  if (child.exitCode !== 0 || count !== results) throw new Error(`${args.join(' ')} ended with ${child.exitCode} after ${count} results`);
  return time;
}
