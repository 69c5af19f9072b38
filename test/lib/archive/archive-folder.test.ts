/** The folder of an account: what it may be, and that one account at a time takes it. */
import {mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import promises from 'node:fs/promises';
import {syncBuiltinESMExports} from 'node:module';
import {join} from 'node:path';
import {beforeEach, expect, onTestFinished, test, vi} from 'vitest';
import {
  accountFolders,
  archiveFolder,
  openArchive,
  openToLook,
  refuseOwned,
  requireOwned,
} from '../../../src/lib/archive/archive-folder.js';
import {Failure} from '../../../src/lib/client/failure.js';
import {newFolder} from '../../new-folder.js';

let folder: string;
beforeEach(() => void (folder = newFolder()));

const ana = {server: 'https://pix.example', account: {id: '1', acct: 'ana'}};
const bob = {server: 'https://pix.example', account: {id: '2', acct: 'bob'}};

test('a file is no folder, and is left as it is', async () => {
  const to = join(folder, 'archive');
  writeFileSync(to, 'mine');
  await expect(openArchive(to, ana)).rejects.toMatchObject({
    code: 'local',
    message: `Cannot use the folder ${to}: part of the path is not a folder`,
  });
  expect(readFileSync(to, 'utf8')).toBe('mine');
});

test('a folder that another account takes meanwhile is refused, and can be used by that one', async () => {
  const {link} = promises;
  vi.spyOn(promises, 'link').mockImplementationOnce(async (from, to) => {
    writeFileSync(join(folder, 'archive.json'), JSON.stringify({archive: 1, ...bob}));
    return link(from, to);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await expect(openArchive(folder, ana)).rejects.toMatchObject({
    code: 'usage',
    message: `${folder} is the archive of @bob on pix.example, not of @ana on pix.example: nothing was sent`,
  });
  expect(readdirSync(folder)).toEqual(['archive.json']);
  using _opened = await openArchive(folder, bob);
});

const fileOf = (owner: object, version = 1): string => JSON.stringify({archive: version, ...owner});

/** What comes of it, or why not: the code, the message without its end that is always the same, and the hint. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => (Array.isArray(value) ? value.join(' ') : 'fine').replaceAll(folder, 'F'),
    (error: unknown) =>
      (error instanceof Failure
        ? `${error.code}: ${error.message.replace(/[:.] [Nn]othing was sent$/, '')}; ${String(error.details.hint)}`
        : String(error)
      ).replaceAll(folder, 'F'),
  );

const make = 'make one with `pixelctl dm export --to=F`';
const another = 'choose another folder';
const lost = (what: string) => `local: ${what}: this file names the owner of the archive F; `;
const copy = 'bring it back from a copy';
const line = `if it belongs to @ana on pix.example, write this line into F/archive.json: ${fileOf(ana)}`;
const several = 'it has folders of accounts: name one of F/a, F/b';
const linked =
  'usage: F/1 is a symbolic link; an archive has only files and folders; check what is in the folder, and remove the symbolic link';
const full = 'usage: F is not empty, and not an archive';
const none = 'usage: F is no archive';
const shared = (name: string) => `usage: F is the archive of @${name} on pix.example, and several accounts need folders of their own`;
const foreign = 'usage: F/archive.json does not belong to an archive; choose another folder';
const damaged = lost('F/archive.json is damaged, or a later pixelctl wrote it');

/** Of a folder with these files, given by their text; null for a link to nothing, an empty name at the end for a folder. */
test.each<[what: string, files: Readonly<Record<string, string | null>>, open: string, owned: string, folders: string, several: string]>([
  [
    'what systems leave',
    {'.DS_Store': '', 'a.temporary': ''},
    'fine',
    `${none}; ${make}`,
    `not_found: There is no archive in F; ${make}`,
    'fine',
  ],
  [
    'a file of the user',
    {'a.txt': ''},
    `${full}; choose a new folder with --to`,
    `${none}; ${make}`,
    `not_found: There is no archive in F; ${make}`,
    'fine',
  ],
  ['an archive', {'archive.json': fileOf(ana), '1/': ''}, 'fine', 'fine', 'F', `${shared('ana')}; ${another} with --to`],
  [
    'an archive of another account',
    {'archive.json': fileOf(bob)},
    `usage: F is the archive of @bob on pix.example, not of @ana on pix.example; ${another} with --to`,
    'fine',
    'F',
    `${shared('bob')}; ${another} with --to`,
  ],
  [
    'archives',
    {'a/archive.json': fileOf(ana), 'b/conversations.ndjson': '', 'c/a.txt': ''},
    `${full}; ${several}`,
    `${none}; ${several}`,
    'F/a F/b',
    'fine',
  ],
  ['a link in an archive', {'archive.json': fileOf(ana), 1: null}, linked, linked, linked, `${shared('ana')}; ${another} with --to`],
  [
    'conversations alone',
    {'12/': ''},
    `${lost('F/archive.json is missing')}${line}`,
    `${lost('F/archive.json is missing')}${copy}`,
    'F',
    `${lost('F/archive.json is missing')}${copy}`,
  ],
  ['a name that is no text of ours', {'archive.json': '{'}, foreign, foreign, 'F', foreign],
  ['a server that is no address', {'archive.json': fileOf({...ana, server: 'pix.example'})}, foreign, foreign, 'F', foreign],
  [
    'a later archive',
    {'archive.json': fileOf(ana, 2), 'conversations.ndjson': ''},
    `${damaged}${line}`,
    `${damaged}${copy}`,
    'F',
    `${damaged}${copy}`,
  ],
  [
    'a folder in the place of the name',
    {'archive.json/': ''},
    `${lost('Cannot read F/archive.json: it is a folder')}${line}`,
    `${lost('Cannot read F/archive.json: it is a folder')}${copy}`,
    'F',
    `${lost('Cannot read F/archive.json: it is a folder')}${copy}`,
  ],
])('a folder with %s is opened, is one or has some, and may be for several accounts', async (_, files, ...outcomes) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, name.endsWith('/') ? '.' : '..'), {recursive: true});
    if (text === null) symlinkSync('nowhere', join(folder, name));
    else if (!name.endsWith('/')) writeFileSync(join(folder, name), text);
  }
  const works = [
    () => openToLook(folder, ana).then((opened) => opened[Symbol.dispose]()),
    () => requireOwned(folder, archiveFolder),
    () => accountFolders(folder, archiveFolder),
    () => refuseOwned(folder, archiveFolder),
    () => openArchive(folder, ana).then((opened) => opened[Symbol.dispose]()),
  ];
  const found: string[] = [];
  for (const work of works) found.push(await outcomeOf(work()));
  expect(found).toEqual([...outcomes, outcomes[0]]);
});
