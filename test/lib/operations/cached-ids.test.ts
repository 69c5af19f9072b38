/** Ids that are kept for later runs: for how long, how many, and beside what other runs write. */
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, expect, onTestFinished, test} from 'vitest';
import {CachedIds} from '../../../src/lib/operations/cached-ids.js';

const day = 86_400_000;
const origin = 'https://pix.example';
const file = `accounts-${encodeURIComponent(origin)}.json`;

let folder: string;
let now: number;

const kept = (of = origin) => new CachedIds(folder, of, () => now);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-kept-'));
  now = Date.parse('2026-11-22T10:00:00Z');
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

/** What a run keeps. */
async function keep(change: (ids: CachedIds) => void, of = origin): Promise<void> {
  const ids = kept(of);
  change(ids);
  await ids.write();
}

test('a kept id is known for a day, to later runs, on its own server', async () => {
  await keep((ids) => ids.add('bo@pix.example', '5'));
  now += day - 1;
  expect(await kept().idOf('bo@pix.example')).toBe('5');
  expect(await kept().idOf('bo2@pix.example')).toBeUndefined();
  expect(await kept('https://other.example').idOf('bo@pix.example')).toBeUndefined();
  now += 1;
  expect(await kept().idOf('bo@pix.example')).toBeUndefined();
});

test('a handle that was not found is known for a month, and until it is found', async () => {
  await keep((ids) => ids.addMissing('gone@pix.example'));
  await keep((ids) => ids.addMissing('late@pix.example'));
  now += 30 * day - 1;
  expect(await kept().wasMissing('gone@pix.example')).toBe(true);
  expect(await kept().wasMissing('bo@pix.example')).toBe(false);
  await keep((ids) => ids.add('late@pix.example', '7'));
  expect(await kept().wasMissing('late@pix.example')).toBe(false);
  expect(await kept().wasMissing('gone@pix.example')).toBe(true);
  now += 1;
  expect(await kept().wasMissing('gone@pix.example')).toBe(false);
});

test('a handle that is missing again is kept from then on, once', async () => {
  await keep((ids) => ids.addMissing('gone@pix.example'));
  now += 20 * day;
  await keep((ids) => ids.addMissing('gone@pix.example'));
  now += 20 * day;
  expect(await kept().wasMissing('gone@pix.example')).toBe(true);
  expect(JSON.parse(readFileSync(join(folder, file), 'utf8')).missing).toHaveLength(1);
});

test('ids that turned out wrong are forgotten, and others stay', async () => {
  await keep((ids) => {
    ids.add('bo@pix.example', '5');
    ids.add('eve@pix.example', '6');
  });
  await keep((ids) => ids.remove('bo@pix.example', '5'));
  await keep((ids) => ids.remove('eve@pix.example', 'another'));
  expect(await kept().idOf('bo@pix.example')).toBeUndefined();
  expect(await kept().idOf('eve@pix.example')).toBe('6');
});

test('what another run writes meanwhile stays, and the newest id counts', async () => {
  const [one, other] = [kept(), kept()];
  expect(await one.idOf('bo@pix.example')).toBeUndefined();
  one.add('bo@pix.example', '5');
  other.add('eve@pix.example', '6');
  other.add('bo@pix.example', '4');
  await other.write();
  await one.write();
  expect([await kept().idOf('bo@pix.example'), await kept().idOf('eve@pix.example')]).toEqual(['5', '6']);
  expect(JSON.parse(readFileSync(join(folder, file), 'utf8')).accounts).toHaveLength(2);
});

test('nothing is written where nothing is new, and only once what is', async () => {
  await kept().write();
  expect(() => readFileSync(join(folder, file))).toThrow('ENOENT');
  const ids = kept();
  ids.add('bo@pix.example', '5');
  ids.addMissing('gone@pix.example');
  ids.remove('eve@pix.example', '6');
  await ids.write();
  rmSync(join(folder, file));
  await ids.write();
  expect(() => readFileSync(join(folder, file))).toThrow('ENOENT');
});

test('a run without new ids that found one missing writes it', async () => {
  await keep((ids) => ids.addMissing('gone@pix.example'));
  expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toEqual({accounts: [], missing: [{handle: 'gone@pix.example', at: now}]});
});

test('the oldest of more than 5,000 ids, and of as many missing handles, go', async () => {
  await keep((ids) => {
    for (let index = 0; index <= 5000; index++) {
      ids.add(`a${index}@pix.example`, String(index));
      ids.addMissing(`m${index}@pix.example`);
    }
  });
  expect([await kept().idOf('a0@pix.example'), await kept().idOf('a1@pix.example')]).toEqual([undefined, '1']);
  expect([await kept().wasMissing('m0@pix.example'), await kept().wasMissing('m1@pix.example')]).toEqual([false, true]);
  expect(await kept().idOf('a5000@pix.example')).toBe('5000');
});

test.each([
  ['no JSON', '{'],
  ['an id that no request can carry', JSON.stringify({accounts: [{handle: 'bo@pix.example', id: '..', at: 0}]})],
  ['another shape', JSON.stringify({accounts: {}})],
])('a file with %s is as none', async (_, text) => {
  writeFileSync(join(folder, file), text, {mode: 0o600});
  now = 0;
  expect(await kept().idOf('bo@pix.example')).toBeUndefined();
  expect(await kept().wasMissing('bo@pix.example')).toBe(false);
});
