/**
 * Measures the program beside a bare program in the same run, and prints the ratios of the medians:
 * node scripts/bench/index.js [ROUNDS] [start|commands|binary|tables|lists|writes|batch|audit|fleet|applies|answers]...
 * With --check [start|commands|applies|binary|tables|fleet|RUN]... it compares what docs/performance.md has goals for with these, and ends with 1 where one is not reached.
 */
import {startSandbox} from '../sandbox.js';
import {benchAnswers} from './answers.js';
import {benchApplies, names} from './applies.js';
import {benchAudit, benchFleet} from './audit.js';
import {benchBatch} from './batch.js';
import {benchBinary, whyNoBinary} from './binary.js';
import {check, rooms} from './check.js';
import {benchLists} from './lists.js';
import {median} from './measured.js';
import {benchCommands, benchStart} from './start.js';
import {benchTables} from './tables.js';
import {benchWrites} from './writes.js';

const benches = {
  start: reportStart,
  commands: reportCommands,
  binary: reportBinary,
  tables: async (env) => reportBeside(await benchTables(rounds, env)),
  lists: reportLists,
  writes: reportWrites,
  batch: reportBatch,
  audit: reportAudit,
  fleet: async (env) => reportBeside(await benchFleet(rounds, env)),
  applies: reportApplies,
  answers: reportAnswers,
};
const isCheck = process.argv.includes('--check');
const words = process.argv.slice(2).filter((word) => word !== '--check');
const rounds = Number(words.find((word) => /^\d+$/.test(word)) ?? 20);
const chosen = words.filter((word) => !/^\d+$/.test(word));
const unknown = isCheck ? undefined : chosen.find((name) => !Object.hasOwn(benches, name));

const say = (line) => process.stdout.write(`${line}\n`);

if (unknown !== undefined || rounds === 0) {
  const usage = `Usage: npm run bench -- [ROUNDS] [${Object.keys(benches).join('|')}]...`;
  process.stderr.write(`${usage}\n       npm run bench -- [ROUNDS] --check [${Object.keys(rooms).join('|')}|RUN]...\n`);
  process.exitCode = 2;
} else {
  await run(
    isCheck ? [(env) => check(rounds, env, chosen, say)] : (chosen.length > 0 ? chosen : Object.keys(benches)).map((name) => benches[name]),
  );
}

async function run(all) {
  const sandbox = await startSandbox({limitsRate: false});
  try {
    for (const bench of all) await bench(sandbox.env);
    say(`Medians of ${rounds} rounds on Node ${process.versions.node}`);
  } catch (error) {
    process.stderr.write(`The benchmark failed: ${error.message}\n`);
    process.exitCode = 1;
  } finally {
    sandbox.stop();
  }
}

/** As multiples of what a bare Node takes. */
function reportTimes(runs) {
  const [bare] = runs;
  const width = Math.max(...runs.map(({name}) => name.length));
  for (const {name, times, cpu} of runs) {
    const [time, used] = [median(times) / median(bare.times), median(cpu) / median(bare.cpu)].map((ratio) => ratio.toFixed(2).padStart(6));
    say(`${name.padEnd(width)}  ${time} × the time  ${used} × the processor time, ${median(cpu).toFixed(0)} ms`);
  }
}

async function reportStart(env) {
  const {times, memory} = await benchStart(rounds, env);
  reportTimes(times);
  say(`memory of pixelctl blocks list --json: ${(median(memory.list) / median(memory.bare)).toFixed(2)} × that of a bare Node`);
}

async function reportCommands(env) {
  const [bare, ...runs] = await benchCommands(rounds, env);
  reportTimes([bare, ...runs.toSorted((one, other) => median(other.cpu) - median(one.cpu))]);
}

async function reportBinary(env) {
  const reason = whyNoBinary();
  if (reason !== undefined) return say(`The single executable was not measured, because ${reason}`);
  reportBeside(await benchBinary(rounds, env));
}

/** Each with what it is compared with. */
function reportBeside(runs) {
  for (const {name, times, cpu, beside} of runs) {
    const other = runs.find((run) => run.name === beside);
    say(
      `${name}: ${median(times).toFixed(1)} ms, ${median(cpu).toFixed(1)} ms of processor time${other === undefined ? '' : besideText({times, cpu}, other)}`,
    );
  }
}

function besideText(run, other) {
  const [time, cpu] = ['times', 'cpu'].map((measure) => (median(run[measure]) / median(other[measure])).toFixed(2));
  return `; ${time} × and ${cpu} × ${other.name}`;
}

async function reportLists(env) {
  const {bare, long, short} = await benchLists(rounds, env);
  const [time, cpu] = ['time', 'cpu'].map((measure) => (median(long[measure]) / median(bare[measure])).toFixed(2));
  say(`100,000 rows with --all -o ndjson: ${time} × the time and ${cpu} × the processor time of a bare undici loop`);
  say(`100,000 rows with --all -o ndjson: ${(median(long.memory) / median(short.memory)).toFixed(2)} × the memory of 1,000 rows`);
}

async function reportWrites() {
  const [bare, ...writes] = await benchWrites(rounds);
  for (const {name, times, cpu} of writes) {
    const [part, used] = [median(bare.times) / median(times), median(cpu) / median(bare.cpu)];
    say(
      `5,000 writes, 16 at a time, ${name}: ${part.toFixed(2)} of the throughput of a bare undici loop, ${used.toFixed(2)} × its processor time`,
    );
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

async function reportApplies(env) {
  const all = await benchApplies(rounds, env);
  const {add} = all;
  for (const [way, {time, cpu, memory}] of Object.entries(all)) {
    const [ofTime, ofCpu] = [median(time) / median(add.time), median(cpu) / median(add.cpu)].map((ratio) => ratio.toFixed(2));
    say(`${names[way]}: ${ofTime} × the time and ${ofCpu} × the processor time of ${names.add}, ${Math.round(median(memory))} MB`);
  }
}

async function reportAnswers(env) {
  const {start, ...answers} = await benchAnswers(rounds, env);
  for (const [name, {memory}] of Object.entries(answers)) {
    say(`${name}: ${Math.round(median(memory) - median(start.memory))} MB more than a short answer`);
  }
}
