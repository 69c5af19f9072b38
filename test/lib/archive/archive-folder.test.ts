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

/** What comes of it, or why not, with the hint. */
const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => (Array.isArray(value) ? `found ${value.join(' ')}` : 'fine').replaceAll(folder, 'F'),
    (error: unknown) =>
      (error instanceof Failure ? `${error.code}: ${error.message}; ${String(error.details.hint)}` : String(error)).replaceAll(folder, 'F'),
  );

const make = 'make one with `pixelctl dm export --to=F`';
const line = `this file names the owner of the archive F. Nothing was sent; if it belongs to @ana on pix.example, write this line into F/archive.json: ${fileOf(ana)}`;
const copy = 'this file names the owner of the archive F. Nothing was sent; bring it back from a copy';
const several = 'it has folders of accounts: name one of F/a, F/b';
const link =
  'F/1 is a symbolic link; an archive has only files and folders: nothing was sent; check what is in the folder, and remove the symbolic';
const foreign = 'usage: F/archive.json does not belong to an archive';
const shared = 'F is the archive of @ana on pix.example, and several accounts need';
const later = 'local: F/archive.json is damaged, or a later pixelctl wrote it';
const lost = 'local: F/archive.json is missing';
const odd = 'local: Cannot read F/archive.json: it is a folder';

type Outcomes = [open: string, owned: string, folders: string, several: string];

/** Of a folder with these files, given by their text; null for a link to nothing, a name with a slash at its end for a folder. */
test.each<[what: string, files: Readonly<Record<string, string | null>>, ...Outcomes]>([
  ['what systems leave', {'.DS_Store': '', 'a.temporary': ''}, 'fine', `usage: F is no archive: nothing was sent; ${make}`, make, 'fine'],
  ['a file of the user', {'a.txt': ''}, 'usage: F is not empty, and not an archive', make, 'not_found: There is no archive in F', 'fine'],
  ['an archive', {'archive.json': fileOf(ana), '1/': ''}, 'fine', 'fine', 'found F', shared],
  ['an archive of another account', {'archive.json': fileOf(bob)}, 'usage: F is the archive of @bob', 'fine', 'found F', 'of @bob'],
  ['archives', {'a/archive.json': fileOf(ana), 'b/conversations.ndjson': '', 'c/a.txt': ''}, several, several, 'found F/a F/b', 'fine'],
  ['a link in an archive', {'archive.json': fileOf(ana), 1: null}, link, link, link, shared],
  ['conversations alone', {'12/': ''}, line, copy, 'found F', lost],
  ['a name that is no text of ours', {'archive.json': '{'}, foreign, foreign, 'found F', foreign],
  ['a server that is no address', {'archive.json': fileOf({...ana, server: 'pix.example'})}, foreign, foreign, 'found F', foreign],
  ['a later archive', {'archive.json': fileOf(ana, 2), 'conversations.ndjson': ''}, later, later, 'found F', copy],
  ['a folder in the place of the name', {'archive.json/': ''}, odd, odd, 'found F', copy],
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
  expect(found).toEqual([...outcomes, outcomes[0]].map((outcome) => expect.stringContaining(outcome)));
});
