import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {compareWithGoals, goalsIn} from '../../scripts/bench/goals.js';

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

test('each goal is compared with the median of its run beside that of another', () => {
  const goals = goalsIn(
    `${head}| \`pixelctl a\` | \`node\` | 2 |\n| every command | \`node\` | 3 |\n| \`executable a\` | \`gh\` | 0.9 |\n\n`,
  );
  const kinds = [run('node', 10, 11, 90), run('pixelctl a', 22, 1, 99)];
  const commands = [run('node', 10), run('a', 25), run('b', 40)];
  expect(compareWithGoals(goals, {kinds, commands, executable: [run('gh', 10), run('executable a', 8)]})).toEqual([
    {run: 'pixelctl a', beside: 'node', most: 2, ratio: 2},
    {run: 'a', beside: 'node', most: 3, ratio: 2.5},
    {run: 'b', beside: 'node', most: 3, ratio: 4},
    {run: 'executable a', beside: 'gh', most: 0.9, ratio: 0.8},
  ]);
  expect(compareWithGoals(goals, {kinds, commands, executable: undefined}).at(-1)).toEqual({
    run: 'executable a',
    beside: 'gh',
    most: 0.9,
    ratio: undefined,
  });
});
