import {createHash} from 'node:crypto';
import {appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {afterAll, expect, test} from 'vitest';
import {CutLine, LineWriter, linesOfFile, placedLinesOf} from '../../../src/lib/archive/lines.js';

const folder = mkdtempSync(join(tmpdir(), 'pixelctl-lines-'));
afterAll(() => rmSync(folder, {recursive: true}));

const all = (path: string) => Array.fromAsync(linesOfFile(path));

test('lines of any length and any characters are read as they were written, without one that was cut off', async () => {
  const line = fc
    .oneof(
      fc.string({unit: 'grapheme', maxLength: 40}),
      fc.nat(200_000).map((length) => 'ä'.repeat(length)),
    )
    .map((text) => text.replaceAll('\n', ' '));
  await fc.assert(
    fc.asyncProperty(fc.array(line, {maxLength: 8}), fc.constantFrom('', 'cut o', 'ä'.repeat(70_000)), async (lines, torn) => {
      const path = join(folder, 'lines');
      {
        await using writer = await LineWriter.create(path);
        for (const one of lines) await writer.write(`${one}\n`);
        const digest = await writer.end();
        expect(digest).toBe(createHash('sha256').update(readFileSync(path)).digest('hex'));
      }
      appendFileSync(path, torn);
      expect(await all(path)).toEqual(lines);
      const whole = Array.fromAsync(linesOfFile(path, {isWhole: true}));
      if (torn === '') expect(await whole).toEqual(lines);
      else await expect(whole).rejects.toEqual(new CutLine(lines.length + 1));
    }),
    {numRuns: 50},
  );
});

test('the places of lines are those of their bytes', async () => {
  const path = join(folder, 'places');
  writeFileSync(path, 'ä\n\nb\n');
  expect(await Array.fromAsync(placedLinesOf(path))).toEqual([
    {text: 'ä', start: 0, length: 2},
    {text: '', start: 3, length: 0},
    {text: 'b', start: 4, length: 1},
  ]);
});

test('a file that is not there has no lines', async () => {
  expect(await all(join(folder, 'nothing'))).toEqual([]);
});
