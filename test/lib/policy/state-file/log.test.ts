/** What the log beside a state file has while records are changed, and what becomes of it when a run ends anywhere. */
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import fc from 'fast-check';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {type Edit, RecordDraft} from '../../../../src/lib/policy/state-file/draft.js';
import {ownershipIn, type OwnershipRecord, ownershipText, StateFile} from '../../../../src/lib/policy/state-file/state-file.js';

const names = ['a.example', 'b.example', 'c.example', 'd.example'];
const ana = {owner: 'ana@pix.example', kind: 'domain_block'} as const;
const item = (subject: string) => ({kind: ana.kind, subject});
const owned = (subject: string) => ({...ana, subject});
const touched = (subject: string, more: {readonly unsent?: true} = {unsent: true}) => ({...ana, subject, was: null, ...more});

/** As an apply begins it. */
const begun = (account = '@ana'): OwnershipRecord => {
  const owner = `${account.slice(1)}@pix.example`;
  const items = names.map((subject) => ({...touched(subject), owner}));
  return {
    server: 'https://pix.example',
    account,
    policy: 'p.yml',
    owned: [],
    applies: [{at: '2026-01-01T00:00:00.000Z', isFinished: false, owned: [], items}],
  };
};

let folder: string;
let path: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-log-'));
  path = join(folder, 's.json');
  log = `${path}.log`;
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

/** Changes a record, and notes that. */
async function noted(file: StateFile, draft: RecordDraft, ...edits: readonly Edit[]): Promise<void> {
  for (const edit of edits) draft.edit(edit);
  await file.note(draft, edits, false);
}

const made = (at: number): readonly Edit[] => {
  const subject = names[at] ?? '';
  return [{touched: touched(subject, {})}, {owned: owned(subject)}];
};

const recordsIn = async () => (await ownershipIn(path)).records;
const subjects = async () => (await recordsIn()).map((record) => record.owned.map(({subject}) => subject));
const linesIn = () => readFileSync(log, 'utf8').trimEnd().split('\n');

test('a step is a line of the log, and the file is written at the beginning and at the end', async () => {
  using file = await StateFile.lock(path);
  const draft = new RecordDraft(begun());
  await file.begin(draft);
  const before = readFileSync(path, 'utf8');
  await noted(file, draft, ...made(1));
  await noted(file, draft, {gone: item('b.example')}, {untouched: item('b.example')});
  expect(readFileSync(path, 'utf8')).toBe(before);
  const [header, ...lines] = linesIn().map((line) => JSON.parse(line));
  expect(header).toEqual({
    pixelctl_state_log: 1,
    id: JSON.parse(before).log,
    records: [{server: 'https://pix.example', account: '@ana', policy: 'p.yml'}],
  });
  expect(lines).toEqual([
    {record: 0, touched: touched('b.example', {})},
    {record: 0, owned: owned('b.example')},
    {record: 0, gone: item('b.example')},
    {record: 0, untouched: item('b.example')},
  ]);
  await noted(file, draft, ...made(0));
  expect(await recordsIn()).toEqual([draft.record]);
  await file.end(draft, draft.record);
  expect(existsSync(log)).toBe(false);
  expect(JSON.parse(readFileSync(path, 'utf8'))).not.toHaveProperty('log');
  expect(await recordsIn()).toEqual([draft.record]);
});

test('accounts that share a file go on in one log, whichever begins or ends in between', async () => {
  using file = await StateFile.lock(path);
  const [one, other] = [new RecordDraft(begun()), new RecordDraft(begun('@bo'))];
  const ofBo = (at: number) => made(at).map((edit) => JSON.parse(JSON.stringify(edit).replace('ana@', 'bo@')) as Edit);
  await file.begin(one);
  await noted(file, one, ...made(0));
  await Promise.all([file.begin(other), noted(file, one, ...made(1))]);
  await noted(file, other, ...ofBo(2));
  expect(await subjects()).toEqual([['a.example', 'b.example'], ['c.example']]);
  await Promise.all([file.end(one, one.record), noted(file, other, ...ofBo(3))]);
  expect(await subjects()).toEqual([
    ['a.example', 'b.example'],
    ['c.example', 'd.example'],
  ]);
  expect(existsSync(log)).toBe(true);
  await file.end(other, other.record);
  expect([existsSync(log), await subjects()]).toEqual([
    false,
    [
      ['a.example', 'b.example'],
      ['c.example', 'd.example'],
    ],
  ]);
});

test('what a log says counts also where the file was about to say it when the run was killed', async () => {
  using file = await StateFile.lock(path);
  const [one, other] = [new RecordDraft(begun()), new RecordDraft(begun('@bo'))];
  await file.begin(one);
  await noted(file, one, ...made(0));
  const before = readFileSync(path);
  await file.begin(other);
  await noted(file, one, ...made(1));
  // The second part of the log is there, and the file that names it is not.
  writeFileSync(path, before);
  expect(await subjects()).toEqual([['a.example', 'b.example']]);
});

/** A run that ended in the middle. */
async function cutOff(): Promise<void> {
  using file = await StateFile.lock(path);
  const draft = new RecordDraft(begun());
  await file.begin(draft);
  for (const at of names.keys()) await noted(file, draft, ...made(at));
}

test('the next write folds the log in, also where it changes nothing', async () => {
  await cutOff();
  using file = await StateFile.lock(path);
  expect(existsSync(log)).toBe(true);
  const record = file.recordOf(begun());
  await file.write(record);
  expect([existsSync(log), readFileSync(path, 'utf8')]).toEqual([false, ownershipText({version: 2, records: [record]})]);
});

test('a file that cannot be written at the end keeps its log, and the next write tries again', async () => {
  using file = await StateFile.lock(path);
  const draft = new RecordDraft(begun());
  await file.begin(draft);
  await noted(file, draft, ...made(2));
  const before = readFileSync(path);
  rmSync(path);
  mkdirSync(path);
  await expect(file.end(draft, draft.record)).rejects.toMatchObject({code: 'local'});
  rmSync(path, {recursive: true});
  writeFileSync(path, before, {mode: 0o600});
  expect(await subjects()).toEqual([['c.example']]);
  await file.end(draft, draft.record);
  expect([existsSync(log), await subjects()]).toEqual([false, [['c.example']]]);
});

describe('a log that is damaged is refused:', () => {
  test.each<[string, (lines: readonly string[]) => readonly string[], number]>([
    ['a line that is no JSON', (lines) => lines.with(2, '{'), 3],
    ['a line that says something else', (lines) => lines.with(2, '{"record":0,"did":"a.example"}'), 3],
    ['an item of an unknown kind', (lines) => lines.with(2, '{"record":0,"gone":{"kind":"planet","subject":"mars"}}'), 3],
    ['a record that it does not have', (lines) => lines.with(2, `{"record":1,"owned":${JSON.stringify(owned('a.example'))}}`), 3],
    ['a second header without an id', (lines) => lines.with(3, '{"pixelctl_state_log":1,"records":[]}'), 4],
    ['a record that the file does not have', (lines) => lines.with(0, (lines[0] ?? '').replace('@ana', '@bo')), 2],
  ])('%s', async (_, change, line) => {
    await cutOff();
    writeFileSync(log, `${change(linesIn()).join('\n')}\n`);
    await expect(StateFile.read(path)).rejects.toMatchObject({code: 'local', message: `Line ${line} of ${log} is damaged`});
  });

  test('an item of somebody else', async () => {
    await cutOff();
    writeFileSync(log, readFileSync(log, 'utf8').replaceAll('ana@pix.example', 'eve@pix.example'));
    await expect(StateFile.read(path)).rejects.toMatchObject({message: expect.stringContaining('expected ana@pix.example')});
  });
});

test('cut anywhere, it says what its whole lines say', async () => {
  await cutOff();
  const text = readFileSync(log, 'utf8');
  for (let end = text.indexOf('\n') + 1; end <= text.length; end += 7) {
    truncateSync(log, end);
    const expected = new RecordDraft(begun());
    for (const line of text.slice(0, end).split('\n').slice(1, -1)) expected.edit(JSON.parse(line));
    expect(await recordsIn()).toEqual([expected.record]);
    writeFileSync(log, text);
  }
});

test('without its first line whole, it is not the log that the file names', async () => {
  await cutOff();
  for (const end of [0, 5, 40]) {
    truncateSync(log, end);
    await expect(StateFile.read(path)).rejects.toMatchObject({message: `s.json goes on in ${log}, which is of another run`});
  }
});

test('whatever is done in whatever order, file and log say the same as the records', async () => {
  const step = fc.oneof(
    fc.record({name: fc.constantFrom(...names)}).map(({name}): Edit => ({owned: owned(name)})),
    fc.record({name: fc.constantFrom(...names)}).map(({name}): Edit => ({gone: item(name)})),
    fc
      .record({name: fc.constantFrom(...names), isSent: fc.boolean()})
      .map(({name, isSent}): Edit => ({touched: touched(name, isSent ? {} : undefined)})),
    fc.record({name: fc.constantFrom(...names)}).map(({name}): Edit => ({untouched: item(name)})),
  );
  const isOtherWrite = fc.boolean();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, isOtherWrite), {maxLength: 20}), async (steps) => {
      rmSync(path, {force: true});
      rmSync(log, {force: true});
      const draft = new RecordDraft(begun());
      {
        using file = await StateFile.lock(path);
        await file.begin(draft);
        for (const [count, [edit, isWritten]] of steps.entries()) {
          const writing = isWritten ? file.write({...begun('@bo'), applies: [], policy: `${count}.yml`}) : undefined;
          await noted(file, draft, edit);
          await writing;
        }
        const [own] = (await recordsIn()).filter(({account}) => account === '@ana');
        expect(own).toEqual(draft.record);
      }
      // Who goes on has the same, and writes it whole.
      using next = await StateFile.lock(path);
      expect(next.recordOf(begun())).toEqual(draft.record);
      await next.write(draft.record);
      expect([existsSync(log), (await recordsIn()).find(({account}) => account === '@ana')]).toEqual([false, draft.record]);
    }),
    {numRuns: 60},
  );
});
