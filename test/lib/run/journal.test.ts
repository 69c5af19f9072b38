import {appendFileSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test, vi} from 'vitest';
import {OwnLines} from '../../../src/lib/files/own-lines.js';
import {digestOf, Journal, maxTextLength, type JournalIdentity, type PastState} from '../../../src/lib/run/journal.js';
import type {StepEnding} from '../../../src/lib/run/step.js';
import {withJournal} from './with-journal.js';
import {Failure, type FailureCode} from '../../../src/lib/client/failure.js';
import {newFolder} from '../../new-folder.js';

const identity = {
  command: 'dm accept',
  server: 'https://pix.example',
  account: 'work',
  input: digestOf(['1', '2']),
  targets: 20,
} satisfies JournalIdentity;
const plain = {redact: (text: string) => text};

function newFile(): string {
  const folder = newFolder();
  return join(folder, 'run.journal');
}

const done: StepEnding = {kind: 'done', status: 200, text: '{"id": 12345678901234567890, "amount": 2.50}'};
const failed: StepEnding = {
  kind: 'failed',
  failure: new Failure('not_found', 'pix.example: not found (404)', {status: 404, method: 'POST', path: '/x', hint: 'look'}),
};
const unknown: StepEnding = {kind: 'unknown', failure: new Failure('unavailable', 'No response from pix.example', {fate: 'unknown'})};
const unsent: StepEnding = {kind: 'unsent', failure: new Failure('interrupted', 'Interrupted')};

type Act = {readonly n: number; readonly ending: StepEnding | undefined};

async function perform(path: string, acts: readonly Act[]): Promise<void> {
  await withJournal(path, identity, plain, async (journal) => {
    for (const {n, ending} of acts) await (ending ? journal.settle(n, ending) : journal.intend(n, `target ${n}`, false));
  });
}

async function states(path: string): Promise<PastState[]> {
  return withJournal(path, identity, plain, async (journal) => Array.from({length: identity.targets}, (_, n) => journal.pastState(n)));
}

/** What the acts come to, by the words of the contract. */
function model(acts: readonly Act[]): PastState[] {
  const result = Array.from({length: identity.targets}, (): PastState => 'unsent');
  for (const {n, ending} of acts) result[n] = ending === undefined ? 'unknown' : ending.kind;
  return result;
}

const act: fc.Arbitrary<Act> = fc.record({n: fc.nat({max: 19}), ending: fc.constantFrom(undefined, done, failed, unknown, unsent)});

test('reads back what several runs wrote', async () => {
  const path = newFile();
  const runs = fc.asyncProperty(fc.array(fc.array(act, {maxLength: 30}), {maxLength: 4}), async (lives) => {
    rmSync(path, {force: true});
    for (const life of lives) await perform(path, life);
    expect(await states(path)).toEqual(model(lives.flat()));
  });
  await fc.assert(runs, {numRuns: 30});
});

test('keeps all complete lines of a journal that was cut off anywhere, and continues it', async () => {
  const whole = newFile();
  const acts: Act[] = [
    {n: 0, ending: undefined},
    {n: 0, ending: done},
    {n: 1, ending: undefined},
    {n: 1, ending: failed},
    {n: 2, ending: undefined},
    {n: 2, ending: unknown},
  ];
  await perform(whole, acts);
  const bytes = readFileSync(whole);
  const path = newFile();
  for (let length = bytes.indexOf('\n') + 1; length <= bytes.length; length++) {
    // Around the ends of lines every byte, elsewhere some.
    const isAtEnd = bytes.subarray(Math.max(0, length - 2), length + 1).includes(0x0a);
    if (!isAtEnd && length % 19 !== 0) continue;
    writeFileSync(path, bytes.subarray(0, length));
    const wholeLines = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
    const held = acts.slice(0, wholeLines - 1);
    const isCut = bytes[length - 1] !== 0x0a;
    await withJournal(path, identity, plain, async (journal) => {
      expect(journal.wasTorn).toBe(isCut);
      await journal.settle(9, done);
    });
    expect(await states(path)).toEqual(model([...held, {n: 9, ending: done}]));
  }
});

test('a journal that is empty, or cut off in its first line, is refused and left as it is: a run may have sent something', async () => {
  const whole = newFile();
  await perform(whole, [{n: 0, ending: done}]);
  const bytes = readFileSync(whole);
  const path = newFile();
  for (const length of [0, 1, 10, bytes.indexOf('\n')]) {
    writeFileSync(path, bytes.subarray(0, length));
    await expect(states(path)).rejects.toMatchObject({
      code: 'local',
      message: `The journal ${path} has lost what it recorded: nothing was sent`,
    });
    expect(readFileSync(path)).toEqual(bytes.subarray(0, length));
  }
});

test('a journal of targets that are found by reading knows them by name, however it was cut off', async () => {
  const open = {...identity, targets: null};
  const whole = newFile();
  const names = ['a', 'b'];
  await withJournal(whole, open, plain, async (journal) => {
    for (const [n, name] of names.entries()) {
      await journal.intend(n, name, false);
      await journal.settle(n, n === 1 ? failed : done);
    }
    // Sent again by a later run.
    await journal.intend(1, 'b', false);
  });
  const bytes = readFileSync(whole);
  for (let length = bytes.length; length > bytes.indexOf('\n'); length -= 1) {
    const path = newFile();
    writeFileSync(path, bytes.subarray(0, length));
    const known = await withJournal(path, open, plain, async (journal) => [...journal.names]);
    const written = bytes.subarray(0, length).toString().split('\n').slice(0, -1);
    expect(known).toEqual(names.filter((name) => written.some((line) => line.includes(`"intent":"${name}"`))));
  }
});

test('a journal of targets that are found by reading is damaged where it has an outcome without a name', async () => {
  const path = newFile();
  await withJournal(path, {...identity, targets: null}, plain, async (journal) => {
    await journal.settle(0, done);
  });
  await expect(withJournal(path, {...identity, targets: null}, plain, async () => {})).rejects.toThrow('is damaged');
});

const codes: readonly FailureCode[] = [
  'auth',
  'bad_answer',
  'internal',
  'interrupted',
  'local',
  'not_found',
  'rate_limited',
  'refused',
  'unavailable',
  'usage',
];
const failedWith = (code: FailureCode) => ({kind: 'failed', failure: new Failure(code, 'It failed')}) as const;
const ofUnknownFate = {kind: 'unknown', failure: {code: 'unavailable', details: {fate: 'unknown'}}};

type Kept = [name: string, endings: readonly (StepEnding | undefined)[], kept: object];

test.each<Kept>([
  ['the answer of a done target unmodified', [done], done],
  ['the longest answer', [{...done, text: `"${'x'.repeat(maxTextLength - 2)}"`}], {text: expect.stringMatching(/^"x+"$/)}],
  [
    'an answer that is too long without its text',
    [{kind: 'done', status: 201, text: ' '.repeat(maxTextLength + 1)}],
    {kind: 'done', status: 201, text: null},
  ],
  [
    'the details of a failure',
    [failed],
    {
      kind: 'failed',
      failure: {
        code: 'not_found',
        message: 'pix.example: not found (404)',
        details: {status: 404, method: 'POST', path: '/x', hint: 'look'},
      },
    },
  ],
  ...codes.map((code): Kept => [`the code ${code}`, [failedWith(code)], {failure: {code, message: 'It failed'}}]),
  ['the code of a whole run, which is no failure of a target, as internal', [failedWith('partial')], {failure: {code: 'internal'}}],
  ['an intent without an outcome as an unknown fate', [undefined], ofUnknownFate],
  ['an unknown fate', [undefined, unknown], ofUnknownFate],
])('a journal keeps %s', async (_, endings, kept) => {
  const path = newFile();
  await perform(
    path,
    endings.map((ending) => ({n: 3, ending})),
  );
  await withJournal(path, identity, plain, async (journal) => expect(await journal.pastEnding(3)).toMatchObject(kept));
  expect(statSync(path).size).toBeLessThan(maxTextLength + 500);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('writes no secrets', async () => {
  const path = newFile();
  const redact = (text: string) => text.replaceAll('s3cret', '***');
  await withJournal(path, identity, {redact}, async (journal) => {
    await journal.intend(0, 'target s3cret', true);
    await journal.settle(0, {kind: 'done', status: 200, text: '{"token": "s3cret"}'});
    await journal.settle(1, {kind: 'failed', failure: new Failure('refused', 'not s3cret', {path: '/s3cret', hint: 's3cret'})});
  });
  expect(readFileSync(path, 'utf8')).not.toContain('s3cret');
});

describe('a journal of another run', () => {
  test.each([
    [{command: 'dm leave'}, 'its command is dm accept, not dm leave'],
    [{server: 'https://other.example'}, 'its server is https://pix.example, not https://other.example'],
    [{account: null}, 'its account is work, not unknown'],
    [{command: 'dm leave', account: 'home'}, 'its command is dm accept, not dm leave; its account is work, not home: nothing was sent'],
    [{targets: null, input: ''}, 'belongs to another run: its targets or options differ: nothing was sent'],
    [{targets: 21}, 'it has 20 targets, not 21'],
    [{input: digestOf(['1', '3'])}, 'its targets or options differ'],
  ])('a journal of another run is refused: %j', async (other, words) => {
    const path = newFile();
    await perform(path, [{n: 0, ending: done}]);
    const before = readFileSync(path);
    await expect(withJournal(path, {...identity, ...other}, plain, async () => {})).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(words),
    });
    expect(readFileSync(path)).toEqual(before);
  });
});

test.each([
  ['notes', 'buy milk\n'],
  ['notes without a line break', 'buy milk'],
  ['results', '{"target":"1","ok":true}\n'],
  ['a journal of a later version', '{"pixelctl_journal":2}\n'],
  ['bytes', Buffer.from([0, 159, 146, 150])],
])('rejects a file with %s, and leaves it unchanged', async (_, content) => {
  const path = newFile();
  writeFileSync(path, content);
  await expect(withJournal(path, identity, plain, async () => {})).rejects.toMatchObject({code: 'usage'});
  expect(readFileSync(path)).toEqual(Buffer.from(content));
});

test.each([
  ['words', 'not JSON'],
  ['another object', '{"n":0}'],
  ['a target that there is not', '{"n":20,"intent":"x"}'],
  ['an outcome that there is not', '{"n":0,"outcome":"sent"}'],
  ['an answer that is not JSON', '{"n":0,"outcome":"done","status":200,"text":"<p>"}'],
])('rejects a journal damaged by %s, and names the line', async (_, line) => {
  const path = newFile();
  await perform(path, [{n: 0, ending: undefined}]);
  appendFileSync(path, `${line}\n{"n":1,"intent":"x"}\n`);
  await expect(withJournal(path, identity, plain, async () => {})).rejects.toMatchObject({
    code: 'local',
    message: expect.stringContaining(`Line 3 of the journal ${path} is damaged`),
  });
});

test('rejects a journal damaged by a line that does not end', async () => {
  const path = newFile();
  await perform(path, [{n: 0, ending: done}]);
  // More than there is room for.
  truncateSync(path, 2 ** 30);
  await expect(withJournal(path, identity, plain, async () => {})).rejects.toThrow(`Line 3 of the journal ${path} is damaged`);
});

test('removes zeros at its end, as a power failure leaves them', async () => {
  const path = newFile();
  await perform(path, [{n: 0, ending: done}]);
  truncateSync(path, statSync(path).size + 4096);
  expect((await states(path))[0]).toBe('done');
});

test.each([
  ['ended well', async () => {}],
  ['failed', () => Promise.reject(new Error('in the run'))],
])('flushes everything to disk after a run that %s', async (_, end) => {
  const path = newFile();
  await perform(path, []);
  const handle = await open(path, 'r');
  const forced = vi.spyOn(Object.getPrototypeOf(handle), 'datasync');
  await handle.close();
  const run = withJournal(path, identity, plain, async (journal) => {
    await journal.settle(0, done);
    forced.mockClear();
    return end();
  });
  await run.catch(() => {});
  expect(forced).toHaveBeenCalled();
  forced.mockRestore();
});

describe('a journal that is in use', () => {
  const held = (path: string, other: string) =>
    withJournal(path, identity, plain, () => withJournal(other, identity, plain, async () => {}));
  const refusalOf = (path: string) => ({
    code: 'local',
    message: `Another pixelctl (process ${process.pid}) is using the journal ${path}: nothing was sent`,
  });

  test('a journal that is in use is refused, under another name too', async () => {
    const path = newFile();
    await perform(path, []);
    symlinkSync(path, `${path}.link`);
    await expect(held(path, path)).rejects.toMatchObject(refusalOf(path));
    await expect(held(path, `${path}.link`)).rejects.toMatchObject({code: 'local', message: expect.stringContaining('Another pixelctl')});
  });

  test('a journal that is in use can be opened again afterwards, also when the run failed', async () => {
    const path = newFile();
    await expect(withJournal(path, identity, plain, () => Promise.reject(new Error('in the run')))).rejects.toThrow('in the run');
    expect(await states(path)).toHaveLength(20);
  });
});

test('fails with a clear message where its folder is not there, and where it is a folder', async () => {
  const folder = newFile();
  const path = join(folder, 'run.journal');
  const use = (of: string) => withJournal(of, identity, plain, async () => {});
  await expect(use(path)).rejects.toMatchObject({
    code: 'local',
    message: `Cannot use the journal ${path}: the folder ${folder} does not exist`,
  });
  const parent = join(folder, '..');
  await expect(use(parent)).rejects.toMatchObject({code: 'local', message: `Cannot use the journal ${parent}: it is a folder`});
});

const nothingPast = {steps: new Map(), names: [], isTorn: false};

test('fails with a clear message when the disk fails at the end', async () => {
  const file = await open(newFile(), 'a+');
  await using journal = new Journal('run.journal', [new OwnLines(file), nothingPast], plain);
  vi.spyOn(file, 'datasync').mockRejectedValue(Object.assign(new Error('no disk'), {code: 'EIO'}));
  await expect(journal.end()).rejects.toMatchObject({code: 'local', message: 'Cannot write to the journal run.journal: EIO'});
});

test.skipIf(!existsSync('/dev/full'))('fails with a clear message when the disk is full', async () => {
  await using journal = new Journal('run.journal', [new OwnLines(await open('/dev/full', 'w')), nothingPast], plain);
  await expect(journal.intend(0, 'x', true)).rejects.toMatchObject({
    code: 'local',
    message: 'Cannot write to the journal run.journal: the disk is full',
  });
});
