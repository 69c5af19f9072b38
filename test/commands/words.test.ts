/** The file of a command has its words: what it does is in a room of the command line. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const folder = join(import.meta.dirname, '../../src/commands');
const files = readdirSync(folder, {recursive: true, encoding: 'utf8'})
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({name, lines: readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')}));
const place = 'move what it does to src/lib/cli';

test.each(files)('$name has at most 100 lines', ({lines}) => {
  expect(lines.length, place).toBeLessThanOrEqual(100);
});

const isRun = (line: string): boolean => line.startsWith('  override async run(');

test.each(files.filter(({lines}) => lines.some(isRun)))('$name parses the command line and makes one call', ({lines}) => {
  const start = lines.findIndex(isRun);
  const body = lines.slice(start + 1, lines.indexOf('  }', start));
  const statements = body.filter((line) => /^ {4}[^\s)}\]]/.test(line));
  expect(statements.length, place).toBeLessThanOrEqual(2);
  expect(
    lines.filter((line) => /^(?:async )?function/.test(line)),
    place,
  ).toEqual([]);
});
