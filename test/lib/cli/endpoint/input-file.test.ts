import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {Io} from '../../../../src/lib/cli/io.js';
import {testSystem} from '../../../system.js';
import {readInputFile} from '../../../../src/lib/cli/endpoint/input-file.js';

const io = new Io(testSystem().system);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelctl-input-'));
});
afterAll(() => rm(folder, {recursive: true}));

async function inputOf(content: Buffer | string): Promise<Record<string, unknown>> {
  const path = join(folder, 'input.json');
  await writeFile(path, content);
  return readInputFile(path, io);
}

test('reads an object with unmodified numbers', async () => {
  const text = '{"title":"Ærø","id":12345678901234567890,"share":2.50,"deep":{"list":[1e400]}}';
  expect(JSON.stringify(await inputOf(`\ufeff ${text}\n`))).toBe(text);
});

test.each(['[]', '"text"', '7', '2.50', 'null', 'true'])('refuses %s, which is not an object', async (text) => {
  await expect(inputOf(text)).rejects.toMatchObject({code: 'usage', message: expect.stringMatching(/must be a JSON object/)});
});

describe('invalid JSON', () => {
  test.each(['', '{', '{title: "A"}', "{'title': 'A'}", '{"title": "A",}', '{"a": 1} {"b": 2}', 'title: A'])(
    '%j is refused',
    async (text) => {
      await expect(inputOf(text)).rejects.toMatchObject({code: 'usage', message: expect.stringMatching(/is not valid JSON/)});
    },
  );

  test('invalid JSON is reported with line and column, without its content', async () => {
    const asked = inputOf('{\n  "secret": "abc",\n  oops\n}');
    await expect(asked).rejects.toMatchObject({message: expect.stringMatching(/is not valid JSON, line 3 column 3$/)});
  });
});

test.each([501, 3000, 200_000])('refuses %i levels', async (levels) => {
  for (const inner of ['', '2.50', '"]"']) {
    const asked = inputOf(`{"a":${'['.repeat(levels - 1)}${inner}${']'.repeat(levels - 1)}}`);
    await expect(asked).rejects.toMatchObject({code: 'usage', message: expect.stringMatching(/is nested deeper than 500 levels$/)});
  }
});

test('accepts 500 levels, and ignores brackets in strings', async () => {
  const text = `{"a":${'['.repeat(499)}2.50,"${'['.repeat(5000)}"${']'.repeat(499)}}`;
  expect(JSON.stringify(await inputOf(text))).toBe(text);
});

test('a missing file is a local error', async () => {
  await expect(readInputFile(join(folder, 'missing'), io)).rejects.toMatchObject({
    code: 'local',
    message: `Cannot read the input file ${join(folder, 'missing')}: no such file`,
  });
  await expect(readInputFile(folder, io)).rejects.toMatchObject({code: 'local', message: expect.stringContaining('it is a folder')});
});
