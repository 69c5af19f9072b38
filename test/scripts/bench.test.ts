import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {compareWithGoals, goalsIn} from '../../scripts/bench.js';

const head = '| run | beside | processor time, at most |\n|---|---|---|\n';
const run = (name: string, ...cpu: readonly number[]) => ({name, cpu});

test('the document has a goal for every command, and for the executable beside gh', () => {
  const goals = goalsIn(readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8'));
  expect(goals).toContainEqual({run: 'every command', beside: 'node -e 0', most: 4.5});
  expect(goals).toContainEqual({run: 'executable blocks list --json', beside: 'gh api', most: 0.9});
});

test.each(['', `${head}| \`a\` | \`b\` | soon |\n\n`])('a document without goals is refused: %j', (text) => {
  expect(() => goalsIn(text)).toThrow('docs/performance.md');
});

test('each run is compared with its goal, in the median, beside another run', () => {
  const goals = goalsIn(
    `${head}| \`pixelctl a\` | \`node\` | 2 |\n| every command | \`node\` | 3 |\n| \`b\` | \`node\` | 5 |\n| \`executable a\` | \`gh\` | 0.9 |\n\n`,
  );
  const command = (name: string, ...cpu: readonly number[]) => ({...run(name, ...cpu), isCommand: true});
  expect(compareWithGoals(goals, [run('node', 10, 11, 90), run('pixelctl a', 22, 1, 99), run('no goal', 1)])).toEqual([
    {run: 'pixelctl a', beside: 'node', most: 2, ratio: 2},
  ]);
  expect(compareWithGoals(goals, [run('node', 10), command('a', 25), command('b', 40), command('not measured')])).toEqual([
    {run: 'a', beside: 'node', most: 3, ratio: 2.5},
    {run: 'b', beside: 'node', most: 5, ratio: 4},
  ]);
  expect(compareWithGoals(goals, [run('gh', 10), run('executable a', 8)])).toEqual([
    {run: 'executable a', beside: 'gh', most: 0.9, ratio: 0.8},
  ]);
});
