/** The file of a state: every beginning of it is a state, and every flipped byte is found. */
import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {readState, StateFile, written} from '../../../src/lib/policy/state/file.js';
import {type Line, State} from '../../../src/lib/policy/model/state.js';

const of = 'ana@pix.example';
const keys = ['domain_block a.example', 'domain_block b.example', 'mute ben@far.example'];
const value = fc.constantFrom(true as const, {severity: 'suspend' as const}, {severity: 'silence' as const, private_comment: 'ours'});
const orNone = fc.option(value, {nil: null});
const at = fc.integer({min: 0, max: 86_400}).map((seconds) => new Date(Date.UTC(2026, 10, 20) + seconds * 1000).toISOString());
const key = fc.constantFrom(...keys);

const line: fc.Arbitrary<Line> = fc.oneof(
  at.map((run) => ({run})),
  fc.record({key, was: orNone, set: orNone}).map((attempt) => ({try: attempt})),
  key.map((done) => ({done})),
  key.map((refused) => ({refused})),
  key.map((disown) => ({disown})),
  fc.record({key, was: orNone, set: value, at}).map((own) => ({own})),
  at.map((undo) => ({undo})),
  fc.constant({end: true} as const),
  fc.constant({undone: true} as const),
);
const lines = fc.array(line, {maxLength: 12});

function bytesOf(all: readonly Line[]): Buffer {
  let x = '';
  const texts = [{pixelctl_state: 1, of}, ...all].map((one) => {
    const made = written(one, x);
    x = made.x;
    return made.text;
  });
  return Buffer.from(texts.join(''));
}

const folded = (all: readonly Line[]) => {
  const {owned, open, lastRun} = new State(of, all);
  return {owned: [...owned], open: [...open], lastRun, taken: new State(of, all).taken()};
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pixelctl-state-'));
  onTestFinished(() => rmSync(folder, {recursive: true, force: true}));
  return folder;
}

test('a line is chained to the one before it, as the format says', () => {
  const first = written({pixelctl_state: 1, of}, '');
  const body = first.text.replace(/,"x":"[\da-f]{12}"\}\n$/, '}');
  expect(first.x).toBe(createHash('sha256').update(body).digest('hex').slice(0, 12));
  const second = written({end: true}, first.x);
  expect(second.x).toBe(createHash('sha256').update(`${first.x}{"end":true}`).digest('hex').slice(0, 12));
});

test('a state that was killed at any byte says the lines that are whole', () => {
  fc.assert(
    fc.property(lines, fc.nat(), (all, where) => {
      const bytes = bytesOf(all);
      const cut = where % (bytes.length + 1);
      const whole = bytes.subarray(0, cut).toString().split('\n').length - 1;
      // One that lacks nothing but its newline counts.
      const isWhole = bytes[cut] === 0x0a;
      const read = readState(bytes.subarray(0, cut), 'p.state.ndjson');
      expect(read?.lines.length ?? -1).toBe(whole + (isWhole ? 1 : 0) - 1);
      expect(read?.lines ?? []).toEqual(JSON.parse(JSON.stringify(all.slice(0, read?.lines.length ?? 0))));
    }),
    {numRuns: 500},
  );
});

test('any flipped bit is damage, which names a line', () => {
  fc.assert(
    fc.property(lines, fc.nat(), fc.nat({max: 7}), (all, where, bit) => {
      const bytes = bytesOf(all);
      // The last newline alone may be missing.
      const place = where % (bytes.length - 1);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
      let found: unknown;
      try {
        found = readState(bytes, 'p.state.ndjson');
      } catch (error) {
        found = error;
      }
      expect(found).toBeInstanceOf(Failure);
      expect(String(found)).toMatch(/is damaged in line \d+/);
    }),
    {numRuns: 500},
  );
});

test('what a rewrite keeps says the same of what is owned, open and can be undone', () => {
  fc.assert(
    fc.property(lines, (all) => {
      // Before a rewrite, what is open is settled.
      const run: Line[] = [{run: '2026-11-20T00:00:00.000Z'}, ...all];
      const settled = [...run, ...Array.from(new State(of, run).open.keys(), (refused): Line => ({refused}))];
      const kept = new State(of, new State(of, settled).kept());
      const {owned, open, lastRun, taken} = folded(settled);
      expect(Object.fromEntries(kept.owned)).toEqual(Object.fromEntries(owned));
      if (lastRun !== undefined && taken.length > 0) expect({open: [...kept.open], taken: kept.taken()}).toEqual({open, taken});
    }),
    {numRuns: 500},
  );
});

test('a file goes on where it ended, whatever was cut off its last line', async () => {
  const path = join(newFolder(), 'p.yml.ana@pix.example.state.ndjson');
  const all: Line[] = [
    {run: '2026-11-20T00:00:00.000Z'},
    {try: {key: 'mute ben@far.example', was: null, set: true}},
    {done: 'mute ben@far.example'},
  ];
  const bytes = bytesOf(all);
  for (const cut of [bytes.length - 1, bytes.length - 5, bytes.length]) {
    writeFileSync(path, bytes.subarray(0, cut), {mode: 0o600});
    {
      await using file = await StateFile.open(path, of);
      await file.append([{end: true}], true);
    }
    const read = readState(readFileSync(path), path);
    expect(read?.lines.at(-1)).toEqual({end: true});
    expect(read?.lines).toHaveLength(cut === bytes.length - 5 ? 3 : 4);
  }
  await expect(StateFile.open(path, 'bob@pix.example')).rejects.toThrow('is the state of ana@pix.example, not of bob@pix.example');
});
