/** Checks archives without a server. */
import {basename} from 'node:path';
import {fieldsOf, type ListView} from '../../api/view.js';
import {accountFolders, archiveFolder, ownerOf, verifyArchive, type VerifyResult} from '../../archive/index.js';
import {membersOf} from '../../api/schema.js';
import {asFailure, Failure} from '../../client/failure.js';
import {closeTree} from '../../files/closed-tree.js';
import {counted, firstOf} from '../../json/text.js';
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

/** How a check ends that found damage: as the first one, with the number of others. @returns undefined where there is none */
export function joinDamage(failures: readonly Failure[]): Failure | undefined {
  const [first, ...others] = failures;
  return others.length === 0 ? first : first?.saying(`; ${others.length} more ${others.length === 1 ? 'is' : 'are'} damaged`);
}

/** Checks every byte of an archive, or of those of several accounts in a folder. @throws Failure `local` when something is damaged */
export async function verifyArchives(
  {to, ...wanted}: VerifyChoice,
  {session, printing}: {readonly session: Session; readonly printing: Printing},
): Promise<void> {
  const {inUse} = session;
  const folders = await accountFolders(to, archiveFolder);
  const areOfAccounts = folders[0] !== to;
  const items: object[] = [];
  const failures: Failure[] = [];
  let messages = 0;
  for (const folder of folders) {
    using _tree = closeTree(folder);
    const account = decodeURIComponent(basename(folder));
    await ownerOf(folder, archiveFolder).catch((error: unknown) => failures.push(asFailure(error)));
    for await (const result of verifyArchive({...wanted, folder})) {
      const item = reportedJson(result, inUse);
      items.push(areOfAccounts ? accountItem(account, item) : item);
      messages += result.messages;
      if (result.failure !== undefined) failures.push(result.failure);
    }
  }
  await printResult({document: items, at: [], view: verifiedView, areOfAccounts}, session, printing);
  const failure = joinDamage(failures);
  if (failure !== undefined) throw failure;
  session.note(`Nothing is damaged: ${counted(items.length, 'conversation')}, ${counted(messages, 'message')}.`);
}
