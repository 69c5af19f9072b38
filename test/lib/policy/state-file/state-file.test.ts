/** The state file on the disk: what is written, when, and what two that want it at once see. */
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {Records, aboutIn} from '../../../../src/lib/policy/state-file/records.js';
import {
  emptyOwnership,
  lastApply,
  lockOn,
  type OwnershipRecord,
  ownershipText,
  readOwnership,
  recordOf,
  StateFile,
  withRecord,
} from '../../../../src/lib/policy/state-file/state-file.js';

const owner = {server: 'https://pix.example', account: '@ana', policy: 'p.yml'};
const item = (subject: string) => ({owner: 'ana@pix.example', kind: 'domain_block', subject}) as const;
const record = (more: Partial<OwnershipRecord> = {}): OwnershipRecord => ({...owner, owned: [], applies: [], ...more});
const apply = {at: '2026-01-01T00:00:00.000Z', isFinished: true, owned: [], items: []};

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-state-'));
  path = join(folder, 'p.yml.state.json');
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

const written = () => readOwnership(readFileSync(path), path).records;

describe('the text of a state file', () => {
  test('has a line for each item, and indents everything else', () => {
    const owned = [item('a.example'), {...item('b.example'), was: undefined}];
    expect(ownershipText({version: 2, records: [record({owned, applies: [apply]})]})).toBe(`{
  "version": 2,
  "records": [
    {
      "server": "https://pix.example",
      "account": "@ana",
      "policy": "p.yml",
      "owned": [
        {"owner":"ana@pix.example","kind":"domain_block","subject":"a.example"},
        {"owner":"ana@pix.example","kind":"domain_block","subject":"b.example"}
      ],
      "applies": [
        {
          "at": "2026-01-01T00:00:00.000Z",
          "isFinished": true,
          "owned": [],
          "items": []
        }
      ]
    }
  ]
}
`);
    expect(ownershipText(emptyOwnership)).toBe('{\n  "version": 2,\n  "records": []\n}\n');
  });

  test('has records by server, account and policy, and that of a server after its accounts', () => {
    const {account: _, ...ofServer} = record();
    const sorted = [
      record({account: '@ana', policy: 'a.yml'}),
      record({account: '@ana', policy: 'b.yml'}),
      record({account: '@bo', policy: 'a.yml'}),
      {...ofServer, policy: 'a.yml'},
      {...ofServer, policy: 'b.yml'},
      record({server: 'https://z.example', account: '@a', policy: 'a.yml'}),
    ];
    const names = (records: readonly OwnershipRecord[]) => records.map((one) => [one.server, one.account, one.policy]);
    const text = ownershipText({version: 2, records: sorted.toReversed()});
    expect(names(readOwnership(text, 's.json').records)).toEqual(names(sorted));
    expect(ownershipText({version: 2, records: sorted})).toBe(text);
  });
});

describe('a record', () => {
  test('is empty where there is none', () => {
    expect(recordOf(emptyOwnership, owner)).toEqual(record());
    expect(lastApply(record())).toBeUndefined();
    expect(lastApply(record({applies: [{...apply, plan: 'first'}, apply]}))).toBe(apply);
  });

  test.each([{server: 'https://other.example'}, {account: '@bo'}, {account: undefined}, {policy: 'q.yml'}])(
    'of %j is another one',
    (other) => {
      const own = record({owned: [item('a.example')]});
      const changed = record({...other, applies: [apply]});
      const file = withRecord(withRecord(emptyOwnership, own), changed);
      expect(file.records).toEqual([own, changed]);
      expect([recordOf(file, owner), recordOf(file, {...owner, ...other})]).toEqual([own, changed]);
      const again = record({owned: []});
      expect(withRecord(file, again).records).toEqual([changed, again]);
    },
  );
});

describe('a state file', () => {
  test('that is not there is empty, and not made by reading it', async () => {
    for (const file of [await StateFile.read(path), await StateFile.readIfThere(path)]) {
      expect([file.path, file.records, file.has(owner)]).toEqual([path, [], false]);
      expect(file.recordOf(owner)).toEqual(record());
    }
    expect(existsSync(path)).toBe(false);
  });

  test('that is there is read, whether it has to be there or not', async () => {
    writeFileSync(path, ownershipText({version: 2, records: [record({owned: [item('a.example')]})]}), {mode: 0o600});
    for (const file of [await StateFile.read(path), await StateFile.readIfThere(path)]) {
      expect([file.has(owner), file.has({...owner, account: '@bo'})]).toEqual([true, false]);
      expect(file.recordOf(owner).owned).toEqual([item('a.example')]);
    }
  });

  test('is written with each change, and closed to others', async () => {
    const file = await StateFile.read(path);
    await file.write(record({owned: [item('a.example')]}));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(written()).toEqual([record({owned: [item('a.example')]})]);
    // Several at once: each follows the one before.
    await Promise.all([
      file.write(record({account: '@bo'})),
      file.write(record({account: '@clara'})),
      file.remove(owner),
      file.write(record({account: '@bo', applies: [apply]})),
    ]);
    expect(written().map(({account, applies}) => [account, applies.length])).toEqual([
      ['@bo', 1],
      ['@clara', 0],
    ]);
    expect(file.records).toHaveLength(2);
  });

  test('is not written where nothing changed', async () => {
    const file = await StateFile.read(path);
    const own = record({owned: [item('a.example')]});
    await file.write(own);
    writeFileSync(path, 'of somebody else');
    await file.write(own);
    await file.write({...own});
    await file.remove({...owner, account: '@bo'});
    expect(readFileSync(path, 'utf8')).toBe('of somebody else');
    await file.write({...own, owned: []});
    expect(written()).toEqual([record()]);
  });

  test('is not made for no records', async () => {
    const file = await StateFile.read(path);
    await file.remove(owner);
    expect(existsSync(path)).toBe(false);
  });

  test('that cannot be written says so, and the next write is tried', async () => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    const file = await StateFile.read(join(inner, 's.json'));
    rmSync(inner, {recursive: true});
    writeFileSync(inner, '');
    await expect(file.write(record())).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining(`Cannot write the state file ${join(inner, 's.json')}: `),
      details: {hint: 'fix this first, because later runs need the file'},
    });
    expect(file.records).toEqual([]);
    rmSync(inner);
    await file.write(record());
    expect(readOwnership(readFileSync(join(inner, 's.json')), 's.json').records).toEqual([record()]);
  });

  test('that is a folder cannot be read', async () => {
    mkdirSync(path);
    await expect(StateFile.read(path)).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining(`Cannot read the state file ${path}: `),
    });
  });
});

describe('the lock of a state file', () => {
  test('is held until it is given back', async () => {
    const held = await StateFile.lock(path);
    await expect(StateFile.lock(path)).rejects.toMatchObject({code: 'local', message: expect.stringContaining(path)});
    held[Symbol.dispose]();
    const next = await StateFile.lock(path);
    next[Symbol.dispose]();
  });

  test('is given back where the file cannot be understood', async () => {
    writeFileSync(path, '{}', {mode: 0o600});
    await expect(StateFile.lock(path)).rejects.toMatchObject({message: expect.stringContaining('is not a state file')});
    rmSync(path);
    (await StateFile.lock(path))[Symbol.dispose]();
  });

  test('is of what it is called', async () => {
    using _held = await lockOn(path, 'p.yml for ana@pix.example');
    await expect(lockOn(path, 'p.yml for ana@pix.example')).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining('p.yml for ana@pix.example'),
    });
  });

  test('makes the folder of the file', async () => {
    const deep = join(folder, 'new', 's.json');
    (await StateFile.lock(deep))[Symbol.dispose]();
    expect(existsSync(join(folder, 'new'))).toBe(true);
  });

  test('cannot be in a folder that is a file', async () => {
    writeFileSync(join(folder, 'taken'), '');
    await expect(StateFile.lock(join(folder, 'taken', 's.json'))).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining(`Cannot use the state file ${join(folder, 'taken', 's.json')}: `),
    });
  });
});

describe('the records of a run', () => {
  const {account: _, ...ofServer} = record();
  const serverItem = {owner: 'pix.example', kind: 'admin_domain_block', subject: 'a.example', id: '1'} as const;

  test('are changed together, and own what each owns', async () => {
    const file = await StateFile.read(path);
    const records = new Records([
      {file, record: record({owned: [item('a.example')]})},
      {file, record: {...ofServer, owned: [serverItem]}},
    ]);
    expect(records.owned).toEqual([item('a.example'), serverItem]);
    const changed = records.changed((one) => ({...one, applies: [apply]}));
    expect(changed.all.map(({record: {account, applies}}) => [account, applies])).toEqual([
      ['@ana', [apply]],
      [undefined, [apply]],
    ]);
    await changed.write();
    expect(written()).toHaveLength(2);
  });

  test.each<[string, OwnershipRecord, number]>([
    ['an empty one of a server is not', ofServer, 0],
    ['one of a server that owns something is', {...ofServer, owned: [serverItem]}, 1],
    ['one of a server with an apply is', {...ofServer, applies: [apply]}, 1],
    ['an empty one of an account is', record(), 1],
  ])('of which %s written for the first time', async (_name, one, count) => {
    const file = await StateFile.read(path);
    await new Records([{file, record: one}]).write();
    expect(file.records).toHaveLength(count);
  });

  test('of which an empty one of a server is written where it is there', async () => {
    const file = await StateFile.read(path);
    await file.write({...ofServer, owned: [serverItem]});
    await new Records([{file, record: ofServer}]).write();
    expect(written()).toEqual([ofServer]);
  });

  test("are about what is an account's own, or what the accounts of its server share", () => {
    const all = [item('a.example'), serverItem];
    expect([aboutIn(owner, all), aboutIn(ofServer, all)]).toEqual([[item('a.example')], [serverItem]]);
    const own = [item('a.example')];
    expect(aboutIn(owner, own)).toBe(own);
  });
});
