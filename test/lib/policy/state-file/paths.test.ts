/** Which state file has the record of an account or of a server under a policy, and which is going to have it. */
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {
  findLastApply,
  isKeptOfAccounts,
  keptOfServer,
  lastApplyTo,
  lockFor,
  nameInState,
  placesFor,
  recordsUnder,
  stateFileFor,
  stateFilesFor,
} from '../../../../src/lib/policy/state-file/paths.js';
import type {OwnershipRecord} from '../../../../src/lib/policy/state-file/record.js';
import {ownershipText} from '../../../../src/lib/policy/state-file/state-file.js';

const server = new URL('https://pix.example');
const ana = {account: '@ana', server};
const ownFile = 'p.yml.ana@pix.example.state.json';
const serversFile = 'p.yml.@pix.example.state.json';
const shared = 'p.yml.state.json';

let folder: string;
let policy: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pixelctl-paths-'));
  policy = join(folder, 'p.yml');
  onTestFinished(() => rmSync(folder, {recursive: true}));
});

const path = (name: string) => join(folder, name);

type Given = Partial<OwnershipRecord>;

const record = (given: Given = {}): OwnershipRecord => ({
  server: server.origin,
  account: '@ana',
  policy: 'p.yml',
  owned: [],
  applies: [],
  ...given,
});
const ofServer = (given: Given = {}): OwnershipRecord => ({server: server.origin, policy: 'p.yml', owned: [], applies: [], ...given});

function keep(name: string, ...records: readonly OwnershipRecord[]): string {
  writeFileSync(path(name), ownershipText({version: 2, records}), {mode: 0o600});
  return path(name);
}

const item = {owner: 'ana@pix.example', kind: 'domain_block', subject: 'a.example'} as const;
const serverItem = {owner: 'pix.example', kind: 'admin_domain_block', subject: 'a.example', id: '1'} as const;
const applied = (at: string, kind: 'domain_block' | 'filter' = 'domain_block', isFinished = true) => ({
  at,
  isFinished,
  owned: [],
  items: [{owner: 'ana@pix.example', kind, subject: 'a.example', ...(kind === 'filter' && {id: '4'}), was: null}],
});
const appliedToServer = (at: string, isFinished = true) => ({at, isFinished, owned: [], items: [{...serverItem, was: null}]});

test('a state file is beside its policy, unless another one is chosen', () => {
  expect([stateFileFor('p.yml', undefined), stateFileFor('p.yml', 'other.json')]).toEqual(['p.yml.state.json', 'other.json']);
});

test.each([
  ['p.yml', 's.json', 'p.yml'],
  ['a/p.yml', 'a/s.json', 'p.yml'],
  ['a/b/p.yml', 'a/s.json', 'b/p.yml'],
  ['p.yml', 'a/s.json', 'p.yml'],
  ['../x/p.yml', 'a/s.json', 'p.yml'],
  ['/etc/x/p.yml', '/etc/s.json', 'x/p.yml'],
])('the policy %s is named in %s as %s', (file, state, name) => {
  expect(nameInState(file, state)).toBe(name);
});

describe('where records are', () => {
  const places = async (
    target: Parameters<typeof placesFor>[1] = {...ana, owner: 'account'},
    given: Partial<Parameters<typeof placesFor>[2]> = {},
  ) => {
    const found = await placesFor(policy, target, {chosen: undefined, isOfSeveral: false, server: undefined, ...given});
    return found.map(({path: at, owner}) => [at.slice(folder.length + 1), owner.account, owner.policy]);
  };
  const both = {...ana, owner: undefined};

  test('a first record is in the file beside the policy', async () => {
    expect(await places()).toEqual([[shared, '@ana', 'p.yml']]);
  });

  test('a first record among several accounts is in a file of its own', async () => {
    expect(await places(undefined, {isOfSeveral: true})).toEqual([[ownFile, '@ana', 'p.yml']]);
    expect(await places({account: 'a/b@other.example:8443', server, owner: 'account'}, {isOfSeveral: true})).toEqual([
      ['p.yml.a-b@other.example-8443.state.json', 'a/b@other.example:8443', 'p.yml'],
    ]);
    expect(await places({...ana, account: 'unknown', owner: 'account'}, {isOfSeveral: true})).toEqual([[shared, 'unknown', 'p.yml']]);
  });

  test('a record is where it is, its own file first', async () => {
    keep(shared, record({account: '@bo'}), record());
    expect(await places(undefined, {isOfSeveral: true})).toEqual([[shared, '@ana', 'p.yml']]);
    keep(ownFile, record());
    expect(await places()).toEqual([[ownFile, '@ana', 'p.yml']]);
  });

  test.each([{policy: 'q.yml'}, {account: '@bo'}, {server: 'https://other.example'}])('a record of %j is another one', async (other) => {
    keep(ownFile, record(other));
    expect(await places()).toEqual([[shared, '@ana', 'p.yml']]);
  });

  test('a record is in the file that is chosen, whether it is there or not', async () => {
    const chosen = path('other.json');
    expect(await places(undefined, {chosen, isOfSeveral: true})).toEqual([['other.json', '@ana', 'p.yml']]);
    keep('other.json', record());
    expect(await places(undefined, {chosen})).toEqual([['other.json', '@ana', 'p.yml']]);
  });

  test.each([
    [undefined, [[shared, '@ana', 'p.yml']]],
    [false, [[shared, '@ana', 'p.yml']]],
    [
      true,
      [
        [shared, '@ana', 'p.yml'],
        [shared, undefined, 'p.yml'],
      ],
    ],
  ])('a policy that is about a server: %j has these places', async (isAbout, expected) => {
    expect(await places(both, {server: isAbout})).toEqual(expected);
  });

  test('the server of an account that has a file of its own has one, too', async () => {
    keep(ownFile, record());
    expect(await places(both, {server: true})).toEqual([
      [ownFile, '@ana', 'p.yml'],
      [serversFile, undefined, 'p.yml'],
    ]);
    expect(await places(both, {server: true, chosen: path('other.json')})).toEqual([
      ['other.json', '@ana', 'p.yml'],
      ['other.json', undefined, 'p.yml'],
    ]);
  });

  test('a record of a server that earlier applies made counts, unless the policy is not about servers', async () => {
    keep(serversFile, ofServer());
    expect(await places(both)).toEqual([
      [shared, '@ana', 'p.yml'],
      [serversFile, undefined, 'p.yml'],
    ]);
    expect(await places(both, {server: false})).toHaveLength(1);
    expect(await places({...ana, account: 'pix.example', owner: 'server'})).toEqual([[serversFile, undefined, 'p.yml']]);
  });

  test('a server that alone is meant has a place', async () => {
    expect(await places({...ana, account: 'pix.example', owner: 'server'})).toEqual([[shared, undefined, 'p.yml']]);
  });
});

describe('what is kept', () => {
  const kinds = async (chosen?: string) => [...(await keptOfServer(policy, server, chosen))].sort();

  test('what applies made of a server is kept by its kinds, with what an interrupted one touched', async () => {
    expect(await kinds()).toEqual([]);
    keep(shared, record({owned: [item]}), ofServer({server: 'https://other.example', owned: [{...serverItem, owner: 'other.example'}]}));
    expect(await kinds()).toEqual([]);
    keep(serversFile, ofServer({applies: [appliedToServer('2026-01-01T00:00:00.000Z')]}));
    expect(await kinds()).toEqual([]);
    keep(serversFile, ofServer({applies: [appliedToServer('2026-01-01T00:00:00.000Z', false)]}));
    expect(await kinds()).toEqual(['admin_domain_block']);
    keep(serversFile, ofServer({owned: [serverItem]}));
    expect(await kinds()).toEqual(['admin_domain_block']);
    expect(await kinds(path('nowhere.json'))).toEqual([]);
    expect(await kinds(keep('other.json', ofServer({policy: 'q.yml', owned: [serverItem]})))).toEqual([]);
    expect(await kinds(keep('other.json', ofServer({owned: [serverItem]})))).toEqual(['admin_domain_block']);
  });

  test.each<[string, OwnershipRecord[], boolean]>([
    ['nothing', [], false],
    ['an account without items', [record()], false],
    ['a server alone', [ofServer({owned: [serverItem]})], false],
    ['an account', [record({owned: [item]})], true],
    ['an account of another policy', [record({policy: 'q.yml', owned: [item]})], false],
    ['a finished apply', [record({applies: [applied('2026-01-01T00:00:00.000Z')]})], false],
    ['an interrupted apply', [record({applies: [applied('2026-01-01T00:00:00.000Z', 'filter', false)]})], true],
  ])('a state file with %s says whether something of accounts is kept', async (_, records, isKept) => {
    keep(ownFile, ...records);
    expect(await isKeptOfAccounts(policy, undefined)).toBe(isKept);
    expect(await isKeptOfAccounts(policy, path('nowhere.json'))).toBe(false);
  });
});

describe('the state files of a policy', () => {
  test('are all that begin with its name, in order', async () => {
    for (const name of [
      ownFile,
      shared,
      'p.yml.Z@pix.example.state.json',
      'q.yml.state.json',
      'p.yaml.state.json',
      'p.yml.state.json.lock',
    ])
      writeFileSync(path(name), '');
    expect(await stateFilesFor(policy, undefined)).toEqual([path('p.yml.Z@pix.example.state.json'), path(ownFile), path(shared)].sort());
    expect(await stateFilesFor(policy, 'other.json')).toEqual(['other.json']);
  });

  test('cannot be looked for in a folder that is not there', async () => {
    await expect(stateFilesFor(join(folder, 'nowhere/p.yml'), undefined)).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining(`Cannot look for state files in ${join(folder, 'nowhere')}`),
    });
  });

  test('have records, of one policy where it is named', async () => {
    const file = keep(shared, record(), record({policy: 'q.yml'}));
    expect((await recordsUnder(policy, [file])).map(({record: one}) => one.policy)).toEqual(['p.yml']);
    expect((await recordsUnder(undefined, [file])).map(({path: at, record: one}) => [at, one.policy])).toEqual([
      [file, 'p.yml'],
      [file, 'q.yml'],
    ]);
  });
});

describe('the last apply', () => {
  const looked = (given: {policy?: string | undefined; chosen?: string} = {}) => ({policy, chosen: undefined, ...given});
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];

  test('the last apply of a policy is found with its kinds', async () => {
    keep(shared, record({applies: [applied(early), applied(late, 'filter')]}));
    expect(await findLastApply(looked(), ana)).toEqual({
      policy: 'p.yml',
      places: [{path: path(shared), owner: {server: server.origin, account: '@ana', policy: 'p.yml'}}],
      kinds: new Set(['filter']),
    });
  });

  test('the latest of several policies counts, and another account does not', async () => {
    const file = keep(
      'all.json',
      record({applies: [applied(late)]}),
      record({policy: 'q.yml', applies: [applied(early)]}),
      record({account: '@bo', policy: 'r.yml', applies: [applied('2026-03-01T00:00:00.000Z')].map((one) => ({...one, items: []}))}),
      record({server: 'https://other.example', policy: 's.yml', applies: [{...applied('2026-03-01T00:00:00.000Z'), items: []}]}),
    );
    expect((await findLastApply(looked({policy: undefined, chosen: file}), ana))?.policy).toBe('p.yml');
  });

  test('an apply that changed an account and its server is found in both', async () => {
    keep(shared, record({applies: [applied(late)]}));
    keep(serversFile, ofServer({applies: [appliedToServer(late)]}));
    const found = await findLastApply(looked(), ana);
    expect(found?.places.map(({path: at, owner}) => [at, owner.account]).sort()).toEqual([
      [path(serversFile), undefined],
      [path(shared), '@ana'],
    ]);
    expect(found?.kinds).toEqual(new Set(['admin_domain_block', 'domain_block']));
    expect((await findLastApply(looked(), {...ana, owner: 'account'}))?.kinds).toEqual(new Set(['domain_block']));
    expect((await findLastApply(looked(), {...ana, owner: 'server'}))?.kinds).toEqual(new Set(['admin_domain_block']));
  });

  test('an earlier apply of the server alone is another one', async () => {
    keep(shared, record({applies: [applied(late)]}), ofServer({applies: [appliedToServer(early)]}));
    expect((await findLastApply(looked(), ana))?.places).toHaveLength(1);
  });

  const elsewhere = {server: 'https://other.example'};

  test.each<[string, readonly [string, OwnershipRecord][], string, (string | undefined)?]>([
    ['no state file', [], `to revert for WHO: there is no ${'PATH'}`],
    ['a state file of others', [[shared, record(elsewhere)]], 'to revert for WHO: PATH has none'],
    [
      'two state files of others',
      [
        [shared, record(elsewhere)],
        [ownFile, record(elsewhere)],
      ],
      `to revert for WHO: OWN, PATH have none`,
    ],
    ['a record without one', [[shared, record()]], 'left to revert for WHO: every apply in PATH was reverted', 'nothing'],
  ])('with %s there is nothing to revert', async (_, files, why, hint) => {
    for (const [name, one] of files) keep(name, one);
    expect(await findLastApply(looked(), ana)).toBeUndefined();
    await expect(lastApplyTo(looked(), ana)).rejects.toMatchObject({
      code: 'not_found',
      message: `Nothing ${why.replace('WHO', '@ana on pix.example').replace('PATH', path(shared)).replace('OWN', path(ownFile))}`,
      details: {hint: hint === undefined ? 'name the policy, or its state file with --state' : undefined},
    });
  });

  test('without a policy there is nothing to revert in a folder without state files', async () => {
    await expect(lastApplyTo({policy: undefined, chosen: undefined}, ana)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Nothing to revert for @ana on pix.example: there is no state file in this folder',
    });
  });

  test('a last apply that is there is given', async () => {
    keep(shared, record({applies: [applied(late)]}));
    expect((await lastApplyTo(looked(), ana)).policy).toBe('p.yml');
  });
});

describe('the lock of a policy', () => {
  test('is held for an account until it is given back, and for others apart', async () => {
    const lock = await lockFor(policy, {account: '@ana', server: server.origin});
    await expect(lockFor(policy, {account: '@ana', server: server.origin})).rejects.toMatchObject({
      code: 'local',
      message: expect.stringContaining(`${policy} for ana@pix.example`),
    });
    for (const other of [{account: '@bo', server: server.origin}, {server: server.origin}])
      (await lockFor(policy, other))?.[Symbol.dispose]();
    lock?.[Symbol.dispose]();
    (await lockFor(policy, {account: '@ana', server: server.origin}))?.[Symbol.dispose]();
  });

  test('is none for an account that is not known', async () => {
    expect(await lockFor(policy, {account: 'unknown', server: server.origin})).toBeUndefined();
  });

  test('cannot be held in a folder that is a file', async () => {
    mkdirSync(path('x'));
    writeFileSync(path('x/y'), '');
    await expect(lockFor(path('x/y/p.yml'), {account: '@ana', server: server.origin})).rejects.toMatchObject({code: 'local'});
  });
});
