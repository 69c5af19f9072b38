/** Checks archives without a server. */
import {basename} from 'node:path';
import {fieldsOf, type ListView} from '../../api/view.js';
import {accountFolders, archiveFolder, type FolderKind, ownerOf, verifyArchive, type VerifyResult} from '../../archive/index.js';
import {membersOf} from '../../api/schema.js';
import {asFailure, type Failure} from '../../client/failure.js';
import {closeTree} from '../../files/closed-tree.js';
import {countNoun, firstOf} from '../../json/text.js';
import {accountItem} from '../../print/print.js';
import {printResult} from '../print-result.js';
import type {Printing} from '../sink.js';
import type {Session} from '../session.js';
import {errorNote, reportedJson, type Reported} from './run.js';

/** Names of files in a note. */
const maxTold = 3;

function noteIn(row: unknown): string {
  const {damaged_files: damaged} = membersOf(row);
  const names = Array.isArray(damaged) ? damaged.map(String) : [];
  return names.length > 0 ? `damaged or missing: ${firstOf(names, maxTold)}` : (errorNote(row) ?? '');
}

export const verifiedView: ListView = {
  kind: 'list',
  columns: [
    {header: 'id', path: 'id', key: true},
    {header: 'messages', path: 'messages', kind: 'number'},
    {header: 'files', path: 'media', kind: 'number'},
    {header: 'missing', path: 'media_missing', kind: 'number', priority: 2},
    {header: 'damaged', path: 'media_damaged', kind: 'number', priority: 2},
    {header: 'note', path: 'error', text: noteIn, stays: true, none: ''},
  ],
  fields: fieldsOf<Reported<VerifyResult>>({
    id: true,
    with: true,
    messages: true,
    media: true,
    media_missing: true,
    media_damaged: true,
    damaged_files: true,
    error: true,
  }),
  empty: 'No conversations.',
};

interface VerifyChoice {
  readonly to: string;
  readonly named: readonly string[] | undefined;
  readonly withMedia: boolean;
}

interface VerifiedFolders<Result> {
  readonly to: string;
  readonly kind: FolderKind;
  readonly view: ListView;
  /** Checks the folder of an account. */
  readonly verify: (folder: string) => AsyncIterable<Result>;
}

interface Around {
  readonly session: Session;
  readonly printing: Printing;
}

/** Checks a folder, or those of several accounts in it, and prints what was found. @throws Failure `local` when something is damaged */
export async function verifyFolders<Result extends {readonly failure: Failure | undefined}>(
  {to, kind, view, verify}: VerifiedFolders<Result>,
  {session, printing}: Around,
): Promise<readonly Result[]> {
  const folders = await accountFolders(to, kind);
  const areOfAccounts = folders[0] !== to;
  const results: Result[] = [];
  const items: object[] = [];
  const failures: Failure[] = [];
  for (const folder of folders) {
    using _tree = closeTree(folder);
    await ownerOf(folder, kind).catch((error: unknown) => failures.push(asFailure(error)));
    for await (const result of verify(folder)) {
      const item = reportedJson(result, session.inUse);
      results.push(result);
      items.push(areOfAccounts ? accountItem(decodeURIComponent(basename(folder)), item) : item);
      if (result.failure !== undefined) failures.push(result.failure);
    }
  }
  await printResult({document: items, at: [], view, areOfAccounts}, session, printing);
  const [first, ...others] = failures;
  if (first !== undefined)
    throw others.length === 0 ? first : first.saying(`; ${others.length} more ${others.length === 1 ? 'is' : 'are'} damaged`);
  return results;
}

/** Checks every byte of archives. @throws Failure `local` when something is damaged */
export async function verifyArchives({to, ...wanted}: VerifyChoice, around: Around): Promise<void> {
  const verify = (folder: string) => verifyArchive({...wanted, folder});
  const results = await verifyFolders({to, kind: archiveFolder, view: verifiedView, verify}, around);
  const messages = results.reduce((sum, result) => sum + result.messages, 0);
  around.session.note(`Nothing is damaged: ${countNoun(results.length, 'conversation')}, ${countNoun(messages, 'message')}.`);
}
