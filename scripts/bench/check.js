/** Compares what docs/performance.md has goals for with what is measured. */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../root.js';
import {benchApply} from './applies.js';
import {benchFleet} from './audit.js';
import {benchBinary, whyNoBinary} from './binary.js';
import {compareWithGoals, goalsIn, isFar} from './goals.js';
import {benchCommands, benchKinds} from './start.js';
import {benchTables} from './tables.js';

/** After so many rounds, only what is near its goal is measured further. */
const roundsForAll = 3;

/** What is measured together, by the name that a check of it alone has. */
export const rooms = {
  start: benchKinds,
  commands: benchCommands,
  applies: benchApply,
  binary: benchBinary,
  tables: benchTables,
  fleet: benchFleet,
};

/**
 * Prints the verdicts of each room when it has them, the worst last.
 * @param chosen rooms, and runs such as `plan` or `pixelctl blocks list`; none: everything
 * @throws Error when a goal is not reached, or nothing has the name
 */
export async function check(rounds, env, chosen, say) {
  const goals = goalsIn(readFileSync(join(root, 'docs/performance.md'), 'utf8'));
  const chosenRooms = chosen.filter((word) => Object.hasOwn(rooms, word));
  const names = chosen.filter((word) => !chosenRooms.includes(word));
  const all = [];
  for (const [room, bench] of Object.entries(rooms)) {
    if (chosenRooms.length > 0 && !chosenRooms.includes(room)) continue;
    const reason = room === 'binary' ? whyNoBinary() : undefined;
    if (reason !== undefined) {
      say(`skipped  ${room}: ${reason}`);
      continue;
    }
    const compared = compareWithGoals(goals, await bench(rounds, env, byNeed(room, names, goals)));
    for (const {run, beside, most, ratio} of compared.toSorted((one, other) => one.ratio / one.most - other.ratio / other.most)) {
      say(`${(ratio > most ? 'over' : 'ok').padEnd(7)}  ${ratio.toFixed(2)} of ${most.toFixed(2)} × ${beside}  ${run}`);
    }
    all.push(...compared);
  }
  const over = all.filter(({most, ratio}) => ratio > most);
  if (all.length === 0) throw new Error(`There is no goal for ${names.join(', ')}`);
  if (over.length > 0) {
    throw new Error(`${over.length} of ${all.length} goals of docs/performance.md are not reached: ${over.map(({run}) => run).join(', ')}`);
  }
  say(`All ${all.length} goals of docs/performance.md that were measured are reached`);
}

/** Which runs a round has. Says what it does, because a room takes minutes. */
function byNeed(room, names, goals) {
  return (runs, round) => {
    const goalsOfRound = compareWithGoals(goals, runs);
    const bases = new Set(goals.map(({beside}) => beside));
    const isNeeded = ({name}) => {
      if (names.length > 0 && !names.some((word) => name === word || name === `pixelctl ${word}`)) return false;
      if (round < roundsForAll) return true;
      const goal = goalsOfRound.find(({run}) => run === name);
      return goal !== undefined && !isFar(goal);
    };
    const needed = runs.filter(isNeeded);
    if (needed.length > 0) process.stderr.write(`${room}: ${round < 0 ? 'warm-up' : `round ${round + 1}`}, ${needed.length} runs\n`);
    return needed.length === 0 ? [] : runs.filter((run) => bases.has(run.name) || needed.includes(run));
  };
}
