import {Config} from '@oclif/core';
import {describe, expect, test} from 'vitest';
import {root, run} from './program.js';

const {commands} = await Config.load({root});
const calls = /^Calls (?:GET|POST|PUT|DELETE) \/\S+ \(section \d\.\d of the API description\)\. (?:It needs a token|It never sends the token)/m;

describe('--help of a command', () => {
  const named = commands.map(({id, summary = ''}) => ({id, summary, words: id.split(':')}));

  test.concurrent.each(named)('$id', async ({id, summary, words}) => {
    const {stdout, stderr, status} = await run([...words, '--help']);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(stdout.startsWith(`${summary}\n\nUSAGE\n  $ pixelctl ${words.join(' ')} `)).toBe(true);
    const [, about = ''] = stdout.split(/^DESCRIPTION\n/m);
    expect(about.replaceAll(/\s+/g, ' ')).toMatch(/Calls (nothing|whatever it is told to|(GET|POST|PUT|DELETE) \/)/);
    expect((stdout.split(/^EXAMPLES\n/m)[1] ?? '').match(/^ {2,}\$ .*pixelctl /gm)?.length).toBeGreaterThanOrEqual(2);
    expect(stdout.split('\n').filter((line) => line.startsWith(summary))).toHaveLength(1);
    if (id === 'api' || !about.includes('Calls nothing')) expect(about.replaceAll(/\s+/g, ' ')).toMatch(/scope|never sends the token/);
  });

  test('says which endpoint it calls, for all 41', () => {
    expect(commands.filter(({description = ''}) => calls.test(description))).toHaveLength(41);
  });
});

test.concurrent.each([[[]], [['--help']]])('the front page fits a screen: %j', async (args) => {
  const {stdout, stderr, status} = await run(args);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  for (const topic of new Set(commands.map(({id}) => id.split(':')[0] ?? ''))) expect(stdout).toMatch(new RegExp(`^[A-Z]* +${topic} `, 'm'));
});
