/**
 * Measures the program beside a bare program in the same run, and prints the ratios of the medians:
 * node scripts/bench/index.js [ROUNDS] [start|lists|writes|batch|audit|answers]...
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {performance} from 'node:perf_hooks';
import {bin, startSandbox} from '../sandbox.js';
import {benchAnswers} from './answers.js';
import {benchAudit} from './audit.js';
import {benchBatch} from './batch.js';
import {benchLists} from './lists.js';
import {benchWrites} from './writes.js';

const benches = {
  start: benchStart,
  lists: reportLists,
  writes: reportWrites,
  batch: reportBatch,
  audit: reportAudit,
  answers: reportAnswers,
};
const words = process.argv.slice(2);
const rounds = Number(words.find((word) => /^\d+$/.test(word)) ?? 20);
const chosen = words.filter((word) => !/^\d+$/.test(word));
const unknown = chosen.find((name) => !Object.hasOwn(benches, name));
const warmUps = 3;

const say = (line) => process.stdout.write(`${line}\n`);

if (unknown !== undefined || rounds === 0) {
  process.stderr.write(`Usage: npm run bench -- [ROUNDS] [${Object.keys(benches).join('|')}]...\n`);
  process.exitCode = 2;
} else {
  await run(chosen.length > 0 ? chosen : Object.keys(benches));
}

async function run(names) {
  const sandbox = await startSandbox();
  try {
    for (const name of names) await benches[name](sandbox.env);
    say(`Medians of ${rounds} rounds on Node ${process.versions.node}`);
  } catch (error) {
    process.stderr.write(`The benchmark failed: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    sandbox.stop();
  }
}

/** From start to exit, as a multiple of what a bare Node takes. */
async function benchStart(env) {
  const commands = [['--version'], ['--help'], ['blocks', 'list', '--json'], ['blocks', 'list']];
  const all = [
    {name: 'node -e 0', args: ['-e', '0'], times: []},
    ...commands.map((args) => ({name: `pixelctl ${args.join(' ')}`, args: [bin, ...args], times: []})),
  ];
  // In turns, so that other load on the machine affects all of them alike.
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const {name, args, times} of all) {
      const time = await startToExit(name, args, env);
      if (round >= 0) times.push(time);
    }
  }
  const bare = median(all[0].times);
  const width = Math.max(...all.map(({name}) => name.length));
  for (const {name, times} of all) {
    const middle = median(times);
    say(`${name.padEnd(width)}  ${(middle / bare).toFixed(2).padStart(6)} ×  ${middle.toFixed(1).padStart(7)} ms`);
  }
}

async function reportLists(env) {
  const {bare, long, short} = await benchLists(rounds, env);
  const [time, cpu] = ['time', 'cpu'].map((measure) => (median(long[measure]) / median(bare[measure])).toFixed(2));
  say(`100,000 rows with --all -o ndjson: ${time} × the time and ${cpu} × the processor time of a bare undici loop`);
  say(`100,000 rows with --all -o ndjson: ${(median(long.memory) / median(short.memory)).toFixed(2)} × the memory of 1,000 rows`);
}

async function reportWrites() {
  const [bare, ...writes] = await benchWrites(rounds);
  for (const {name, times} of writes) {
    const part = median(bare.times) / median(times);
    say(`5,000 writes, 16 at a time, ${name}: ${part.toFixed(2)} of the throughput of a bare undici loop`);
  }
}

async function reportBatch(env) {
  const {operations, batch, single} = await benchBatch(rounds, env);
  const times = (median(single) * operations) / median(batch);
  say(`1,000 operations through batch: ${times.toFixed(0)} × as fast as 1,000 processes, estimated from ${rounds} processes`);
}

async function reportAudit(env) {
  for (const [name, used] of Object.entries(await benchAudit(rounds, env))) {
    const [cpu, memory] = [median(used.cpu), median(used.memory)].map(Math.round);
    say(`audit of 50,000 domains, ${name}: ${cpu} ms of processor time, ${memory} MB`);
  }
}

async function reportAnswers(env) {
  const {start, ...answers} = await benchAnswers(rounds, env);
  for (const [name, {memory}] of Object.entries(answers)) {
    say(`${name}: ${Math.round(median(memory) - median(start.memory))} MB more than a short answer`);
  }
}

async function startToExit(name, args, env) {
  const start = performance.now();
  const child = spawn(process.execPath, args, {env, stdio: ['ignore', 'pipe', 'inherit']});
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
