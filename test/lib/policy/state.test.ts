/** The file of a state: every beginning of it is a state, and every flipped byte is found. */
import {createHash} from 'node:crypto';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {sealLine} from '../../../src/lib/files/chain.js';
import {timeAfter} from '../../../src/lib/policy/rows/states.js';
import {readState, StateFile} from '../../../src/lib/policy/state/file.js';
import {type Line, State} from '../../../src/lib/policy/model/policy-state.js';
import type {Value} from '../../../src/lib/policy/model/value.js';
import {newFolder} from '../../new-folder.js';

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

/** What is sent, and what becomes of it, at once or never. */
const sent = fc.record({key, was: orNone, set: orNone, end: fc.constantFrom('done', 'open', 'refused')});
const linesOf = ({key: name, was, set, end}: {key: string; was: Value | null; set: Value | null; end: string}): Line[] => [
  {try: {key: name, was, set}},
  ...(end === 'done' ? [{done: name}] : end === 'refused' ? [{refused: name}] : []),
];
const writes = fc.array(sent, {minLength: 1, maxLength: 4}).map((all) => all.flatMap(linesOf));
/** What one command after another may leave. What is open is settled before the next one writes. */
const history: fc.Arbitrary<Line[]> = fc
  .array(
    fc.oneof(
      fc.record({run: writes, end: fc.boolean()}).map(({run, end}) => (at: string): Line[] => [
        {run: at},
        ...run,
        ...(end ? [{end: true} as const] : []),
      ]),
      fc.record({undo: writes, end: fc.boolean()}).map(({undo, end}) => (at: string): Line[] => [
        {undo: at},
        ...undo,
        ...(end ? [{undone: true} as const] : []),
      ]),
      fc.record({key, was: orNone, set: value}).map((own) => (at: string): Line[] => [{own: {...own, at}}]),
      key.map((disown) => (): Line[] => [{disown}]),
    ),
    {maxLength: 6},
  )
  .chain((commands) =>
    fc.infiniteStream(fc.boolean()).map((settles) => {
      const all: Line[] = [{run: '2026-11-19T00:00:00.000Z'}];
      for (const [index, command] of commands.entries()) {
        for (const name of new State(of, all).open.keys()) all.push(settles.next().value === true ? {done: name} : {refused: name});
        all.push(...command(new Date(Date.UTC(2026, 10, 20 + index)).toISOString()));
      }
      return all;
    }),
  );

function bytesOf(all: readonly Line[]): Buffer {
  let before = '';
  const texts = [{pixelctl_state: 1, of}, ...all].map((one) => {
    const {line: text, x} = sealLine(before, JSON.stringify(one));
    before = x;
    return `${text}\n`;
  });
  return Buffer.from(texts.join(''));
}

const folded = (all: readonly Line[]) => {
  const {owned, open, lastRun} = new State(of, all);
  return {owned: [...owned], open: [...open], lastRun, taken: new State(of, all).takeBack()};
};

test('a line is chained to the one before it, as the format says', () => {
  const first = sealLine('', JSON.stringify({pixelctl_state: 1, of}));
  const body = first.line.replace(/,"x":"[\da-f]{12}"\}$/, '}');
  expect(first.x).toBe(createHash('sha256').update(body).digest('hex').slice(0, 12));
  const second = sealLine(first.x, '{"end":true}');
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
    {numRuns: 300},
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
    {numRuns: 300},
  );
});

test('what a rewrite keeps says the same of what is owned, open and can be undone', () => {
  fc.assert(
    fc.property(history, (all) => {
      // Before a rewrite, what is open is settled.
      const settled = [...all, ...Array.from(new State(of, all).open.keys(), (refused): Line => ({refused}))];
      const kept = new State(of, new State(of, settled).listKept());
      const {owned, open, lastRun, taken} = folded(settled);
      expect(Object.fromEntries(kept.owned)).toEqual(Object.fromEntries(owned));
      if (lastRun === undefined || taken.length === 0) return;
      expect({open: [...kept.open], taken: kept.takeBack()}).toEqual({open, taken});
      const undone: Line[] = [{undo: '2027-01-01T00:00:00.000Z'}, {undone: true}];
      expect(new State(of, [...kept.lines, ...undone]).owned).toEqual(new State(of, [...settled, ...undone]).owned);
    }),
    {numRuns: 300},
  );
});

describe('what became of a write after its run had ended', () => {
  const [made, later] = ['mute ben@far.example', 'domain_block a.example'];
  const wrote = (name: string, run: string): Line[] => [{run}, {try: {key: name, was: null, set: true}}];
  // The answer was lost: the run ends with an open key, and the next one looks.
  const lost: Line[] = [...wrote(made, '2026-11-20T00:00:00.000Z'), {end: true}, {done: made}];
  const next: Line[] = [...lost, ...wrote(later, '2026-11-21T00:00:00.000Z'), {done: later}, {end: true}];

  test('is kept by the rewrite of the run after the next one', () => {
    expect([...new State(of, new State(of, next).listKept()).owned.keys()]).toEqual([made, later]);
  });

  test('stays owned when the next run is undone', () => {
    const undone: Line[] = [
      ...next,
      {undo: '2026-11-22T00:00:00.000Z'},
      {try: {key: later, was: true, set: null}},
      {done: later},
      {undone: true},
    ];
    expect([...new State(of, undone).owned.keys()]).toEqual([made]);
  });

  test('is taken back by an undo of its own run', () => {
    expect(new State(of, lost).takeBack()).toEqual([{key: made, was: null, set: true}]);
  });
});

test('a refusal in a later run does not hide that an earlier one wrote the same key', () => {
  const name = 'mute ben@far.example';
  const wrote: Line[] = [{run: '2026-11-20T00:00:00.000Z'}, {try: {key: name, was: null, set: true}}, {done: name}, {end: true}];
  const state = new State(of, [...wrote, {run: '2026-11-21T00:00:00.000Z'}, {refused: name}, {end: true}]);
  expect(state.lastRun).toBe('2026-11-20T00:00:00.000Z');
  expect(state.takeBack()).toEqual([{key: name, was: null, set: true}]);
});

test('what was given up after a run is not taken back by its undo, and not owned after it', () => {
  const [kept, forgotten] = ['mute ben@far.example', 'domain_block a.example'];
  const wrote = (run: string, was: true | null): Line[] => [
    {run},
    ...[kept, forgotten].flatMap((key): Line[] => [{try: {key, was, set: true}}, {done: key}]),
    {end: true},
  ];
  const all: Line[] = [
    {own: {key: forgotten, was: null, set: {severity: 'silence'}, at: '2026-11-19T00:00:00.000Z'}},
    ...wrote('2026-11-20T00:00:00.000Z', null),
    {disown: forgotten},
  ];
  expect(new State(of, all).takeBack()).toEqual([{key: kept, was: null, set: true}]);
  const undone: Line[] = [
    ...all,
    {undo: '2026-11-21T00:00:00.000Z'},
    {try: {key: kept, was: true, set: null}},
    {done: kept},
    {undone: true},
  ];
  expect([...new State(of, undone).owned.keys()]).toEqual([]);
  // A run that goes on after one that was broken off takes both back, but what was given up only to what it was then.
  const goesOn: Line[] = [
    ...wrote('2026-11-20T00:00:00.000Z', null).slice(0, -1),
    {disown: forgotten},
    {run: '2026-11-21T00:00:00.000Z'},
    {try: {key: forgotten, was: true, set: {severity: 'silence'}}},
    {done: forgotten},
    {end: true},
  ];
  expect(new State(of, goesOn).takeBack()).toContainEqual({key: forgotten, was: true, set: {severity: 'silence'}});
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

test('a run is later than the one before it, whatever the clock says', () => {
  const at = (second: string) => `2026-11-20T12:00:${second}Z`;
  const file = StateFile.inMemory(of, [{run: at('05.000')}]);
  const times = ['04.000', '05.000', '05.002'].map((second) => timeAfter([file], new Date(at(second))));
  expect(times).toEqual([at('05.001'), at('05.001'), at('05.002')]);
});
