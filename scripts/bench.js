/** Start to exit, as ratios of what a bare Node takes in the same run: node scripts/bench.js [rounds] */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {performance} from 'node:perf_hooks';
import {benchBatch} from './bench-batch.js';
import {benchLists} from './bench-lists.js';
import {benchWrites} from './bench-writes.js';
import {bin, startSandbox} from './sandbox.js';

const rounds = Number(process.argv[2] ?? 20);
const warmUps = 3;

const baseline = {name: 'node -e 0', args: ['-e', '0']};
const benches = [
  {name: 'pixelctl --version', args: [bin, '--version']},
  {name: 'pixelctl blocks list --json', args: [bin, 'blocks', 'list', '--json']},
];

const sandbox = await startSandbox();
try {
  const all = [baseline, ...benches].map((bench) => ({...bench, times: []}));
  // In turns, so that whatever else the machine does meanwhile meets all of them alike.
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const {name, args, times} of all) {
      const time = await startToExit(name, args);
      if (round >= 0) times.push(time);
    }
  }
  const bare = median(all[0].times);
  const width = Math.max(...all.map(({name}) => name.length));
  for (const {name, times} of all) {
    const middle = median(times);
    process.stdout.write(`${name.padEnd(width)}  ${(middle / bare).toFixed(2).padStart(6)} ×  ${middle.toFixed(1).padStart(7)} ms\n`);
  }
  const {bare: bareList, long, short} = await benchLists(rounds, sandbox.env);
  const [time, memory] = [median(long.times) / median(bareList.times), median(long.memory) / median(short.memory)];
  process.stdout.write(
    `100,000 rows with --all -o ndjson: ${time.toFixed(2)} × the time of a bare undici loop, ${memory.toFixed(2)} × the memory of 1,000 rows\n`,
  );
  const [bareWrites, ...writes] = await benchWrites(rounds);
  for (const {name, times} of writes) {
    const part = median(bareWrites.times) / median(times);
    process.stdout.write(`5,000 writes, 16 at a time, ${name}: ${part.toFixed(2)} of the throughput of a bare undici loop\n`);
  }
  const {operations, batch, single} = await benchBatch(rounds, sandbox.env);
  const times = (median(single) * operations) / median(batch);
  process.stdout.write(
    `1,000 operations through batch: ${times.toFixed(0)} × as fast as 1,000 processes, reckoned from ${rounds} of them one after another\n`,
  );
  process.stdout.write(`Medians of ${rounds} rounds on Node ${process.versions.node}\n`);
} catch (error) {
  process.stderr.write(`The bench stopped: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  sandbox.stop();
}

async function startToExit(name, args) {
  const start = performance.now();
  const child = spawn(process.execPath, args, {env: sandbox.env, stdio: ['ignore', 'pipe', 'inherit']});
  child.stdout.resume();
  const [status] = await once(child, 'exit');
  const time = performance.now() - start;
  if (status !== 0) throw new Error(`${name} ended with ${status}`);
  return time;
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
