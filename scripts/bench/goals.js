/** The goals in docs/performance.md, and whether they are reached. */
import {median} from './measured.js';

/** The goal of all commands that have none of their own. */
const anyCommand = 'every command';

/** @param text the document; its goals are the table with this head */
export function goalsIn(text) {
  const [, table] = text.split('| run | beside | processor time, at most |\n|---|---|---|\n');
  if (table === undefined) throw new Error('docs/performance.md has no table of goals');
  const lines = table.split('\n');
  return lines.slice(0, lines.indexOf('')).map((line) => {
    const [, run, beside, most] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    if (!(Number(most) > 0)) throw new Error(`docs/performance.md: "${most}" is no goal for ${run}`);
    return {run, beside, most: Number(most)};
  });
}

/**
 * Compares processor times, not times: those of a busy machine say nothing.
 * @param kinds runs with `name` and `cpu`, a bare Node first
 * @param commands the same of every command
 * @param executable the same of the executable and of gh; undefined: it is not compared
 * @returns for each goal `run`, `ratio` and `most`; without a ratio where nothing was measured
 */
export function compareWithGoals(goals, {kinds, commands, executable}) {
  const found = (runs, name) => runs?.find((run) => run.name === name);
  const ratioOf = (run, base) => (run === undefined || base === undefined ? undefined : median(run.cpu) / median(base.cpu));
  return goals.flatMap(({run, beside, most}) => {
    const runs = [commands, kinds, executable].find((each) => found(each, run) !== undefined && found(each, beside) !== undefined);
    if (run !== anyCommand) return [{run, beside, most, ratio: ratioOf(found(runs, run), found(runs, beside))}];
    const [bare, ...others] = commands;
    return others.map((command) => ({run: command.name, beside, most, ratio: ratioOf(command, bare)}));
  });
}
