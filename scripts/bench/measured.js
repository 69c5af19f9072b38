/** Runs a program and measures it. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import {performance} from 'node:perf_hooks';
import {text} from 'node:stream/consumers';
import {root} from '../root.js';

const usage = join(root, 'scripts/bench/usage.js');

/**
 * @param way `args` of Node, `env`, the `cwd`, the exit `status`, and how many `lines` it prints; the status and lines only if they are given
 * @returns milliseconds from start to exit, milliseconds of processor time, and the peak memory in MB
 */
export async function measured({args, env, cwd, status = 0, lines}) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', usage, ...args], {env, cwd, stdio: ['ignore', 'pipe', 'pipe', 'pipe']});
  let printed = 0;
  child.stdout.on('data', (chunk) => {
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) printed += 1;
  });
  const [said, used] = await Promise.all([text(child.stderr), text(child.stdio[3]), once(child, 'close')]);
  const time = performance.now() - start;
  if (child.exitCode !== status || (lines !== undefined && printed !== lines)) {
    throw new Error(`${args.join(' ')} ended with ${child.exitCode} after ${printed} lines: ${said}`);
  }
  return {time, ...JSON.parse(used)};
}

/**
 * Measures several ways in turns, so that other load on the machine affects all of them alike.
 * @param ways by name, as {@link measured} takes them
 * @returns by name the times, processor times and memories of all rounds
 */
export async function inTurns(ways, rounds, warmUps) {
  const results = Object.fromEntries(Object.keys(ways).map((name) => [name, {time: [], cpu: [], memory: []}]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const run = await measured(way);
      if (round < 0) continue;
      for (const [measure, values] of Object.entries(results[name])) values.push(run[measure]);
    }
  }
  return results;
}

/** The middle one, or the mean of the two in the middle. */
export function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
