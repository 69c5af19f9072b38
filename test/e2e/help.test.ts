import {Config} from '@oclif/core';
import {describe, expect, test} from 'vitest';
import {run} from './in-process.js';
import {root} from './program.js';
import {table} from '../endpoints/table.js';

const {commands} = await Config.load({root});

describe('--help of a command', () => {
  const named = commands.map(({id, summary = ''}) => ({id, summary, words: id.split(':')}));

  test.concurrent.each(named)('$id', async ({summary, words}) => {
    const {stdout, stderr, status} = await run([...words, '--help']);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(stdout.startsWith(`${summary}\n\nUSAGE\n  $ pixelctl ${words.join(' ')} `)).toBe(true);
    expect(stdout.split('\n').filter((line) => line.startsWith(summary))).toHaveLength(1);
    expect(stdout.split(/^DESCRIPTION\n/m)).toHaveLength(2);
    const [, examples = ''] = stdout.split(/^EXAMPLES\n/m);
    expect(examples.match(/^ {4}\S.*pixelctl /gm)?.length).toBeGreaterThanOrEqual(2);
  });

  test.each(table)('$command says which endpoint it calls, and which scope it needs', ({command, on2026}) => {
    const {description = ''} = commands.find(({id}) => id === command.replaceAll(' ', ':')) ?? {};
    const [, method, path = '', rest] = /^Calls (\w+) (\S+?)(?: \(undocumented, but on real servers\))?\. (.+)\.$/m.exec(description) ?? [];
    const asked = on2026.sent.map(({line}) => line.split('?')[0] ?? '');
    expect(asked).toContainEqual(expect.stringMatching(new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)));
    expect(rest).toMatch(
      /^It (never sends the token|needs a token; no scope is marked for it|needs a token with the scope (read|write|push))$/,
    );
  });
});

test.concurrent.each([[[]], [['--help']]])('the front page fits a screen: %j', async (args) => {
  const {stdout, stderr, status} = await run(args);
  expect({stderr, status}).toEqual({stderr: '', status: 0});
  const lines = stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  for (const topic of new Set(commands.map(({id}) => id.split(':')[0] ?? '')))
    expect(stdout).toMatch(new RegExp(`^[A-Z]* +(?:\\w+, )*${topic}[ ,]`, 'm'));
});
