import {kinds} from '../../../../src/lib/api/kinds.js';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {Io} from '../../../../src/lib/cli/io.js';
import {testSystem} from '../../../system.js';
import {collectTargets} from '../../../../src/lib/cli/endpoint/targets.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelctl-targets-'));
});
afterAll(() => rm(folder, {recursive: true}));

async function collected(given: readonly string[], from?: string) {
  const {targets, isSingle, mistakes} = await collectTargets(given, {wanted: {kind: kinds.filter}, from, io: new Io(testSystem().system)});
  return {values: targets.map(({value}) => value), isSingle, mistakes: mistakes.text};
}

test('arguments are targets, in the order given', async () => {
  expect(await collected(['7', '5', '6'])).toEqual({values: ['7', '5', '6'], isSingle: false, mistakes: ''});
});

test('one argument is one target', async () => {
  expect(await collected(['7'])).toMatchObject({values: ['7'], isSingle: true});
});

test('arguments are not parsed as JSON or lists', async () => {
  expect((await collected(['{"id": "5"}', '# 6', '["7"]'])).values).toEqual(['{"id": "5"}', '# 6', '["7"]']);
});

test('a file adds its targets, and one target from a file is still a list', async () => {
  const file = join(folder, 'targets.txt');
  await writeFile(file, '8\n7\n{"id": null}\n');
  expect(await collected(['7'], file)).toEqual({
    values: ['7', '8', '7'],
    isSingle: false,
    mistakes: expect.stringMatching(/^Line 3 of .* names no filter/),
  });
});

test('an unreadable file is a local error', async () => {
  await expect(collected([], join(folder, 'missing'))).rejects.toMatchObject({code: 'local'});
});
