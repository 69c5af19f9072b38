/** The goals in docs/performance.md, and whether they are reached. */
import {median} from './measured.js';

/** The goal of all commands that have none of their own. */
const anyCommand = 'every command';

/** A run whose ratio is farther from its goal than this part of it is over or not, whatever further rounds say. */
const margin = 0.15;

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
 * @param runs what was measured, with `name` and `cpu`; `isCommand` where the goal of every command is one for it
 * @returns for each run with a goal `run`, `beside`, `most` and `ratio`
 */
export function compareWithGoals(goals, runs) {
  return runs.flatMap(({name, cpu, isCommand}) => {
    const goal = goals.find(({run}) => run === name || (isCommand && run === anyCommand && !goals.some((own) => own.run === name)));
    const base = runs.find((other) => other.name === goal?.beside);
    if (base === undefined || cpu.length === 0) return [];
    return [{run: name, beside: goal.beside, most: goal.most, ratio: median(cpu) / median(base.cpu)}];
  });
}

/** Whether a few rounds are enough. */
export const isFar = ({most, ratio}) => Math.abs(ratio - most) > margin * most;
