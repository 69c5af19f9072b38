/** Checks backups without a server: lists against their sums, messages as an archive. */
import {existsSync} from 'node:fs';
import {basename, join} from 'node:path';
import {fieldsOf, type ListView} from '../../api/view.js';
import {accountFolders, archiveFolder, ownerOf, verifyArchive} from '../../archive/index.js';
import {backupFolder, damagedLists, DatedFolders, listsFolder, messagesFolder} from '../../backup/index.js';
import {asFailure, type Failure} from '../../client/failure.js';
import {closeTree} from '../../files/closed-tree.js';
import {counted} from '../../json/text.js';
import {accountItem} from '../../print/print.js';
import {joinDamage} from '../archive/verify.js';
import {errorNote, reportedJson, type Reported} from '../archive/run.js';
import {printResult} from '../print-result.js';
import type {Printing} from '../sink.js';
import type {Session} from '../session.js';

/** The lists of a date, or a conversation. */
interface VerifiedFolder {
  /** In the backup. */
  readonly folder: string;
  /** Lists, or messages. */
  readonly items: number;
  readonly failure: Failure | undefined;
}

export const verifiedBackupView: ListView = {
  kind: 'list',
  columns: [
    {header: 'folder', path: 'folder', key: true},
    {header: 'items', path: 'items', kind: 'number'},
    {header: 'note', path: 'error', text: (row) => errorNote(row) ?? '', stays: true, none: ''},
  ],
  fields: fieldsOf<Reported<VerifiedFolder>>({folder: true, items: true, error: true}),
  empty: 'The backup is empty.',
};

interface VerifyChoice {
  readonly to: string;
  readonly withMessages: boolean;
  readonly withMedia: boolean;
}

async function* verifyBackup(backup: string, {withMessages, withMedia}: Omit<VerifyChoice, 'to'>): AsyncGenerator<VerifiedFolder> {
  const dated = await DatedFolders.in(backup);
  for (const name of dated.names) {
    const found = await dated.read(name);
    const items = [...found.files.keys()].filter((file) => /^[a-z_]+\.json$/.test(file)).length;
    yield {folder: join(listsFolder, name), items, failure: found.damage.length > 0 ? damagedLists(found) : undefined};
  }
  const messages = join(backup, messagesFolder);
  if (!withMessages || !existsSync(messages)) return;
  try {
    await ownerOf(messages, archiveFolder);
  } catch (error) {
    yield {folder: messagesFolder, items: 0, failure: asFailure(error)};
  }
  for await (const {id, messages: items, failure} of verifyArchive({folder: messages, withMedia, named: undefined}))
    yield {folder: join(messagesFolder, id), items, failure};
}

/** @throws Failure `local` when something is damaged */
export async function verifyBackups(
  {to, ...wanted}: VerifyChoice,
  {session, printing}: {readonly session: Session; readonly printing: Printing},
): Promise<void> {
  const folders = await accountFolders(to, backupFolder);
  const areOfAccounts = folders[0] !== to;
  const items: object[] = [];
  const failures: Failure[] = [];
  for (const folder of folders) {
    using _tree = closeTree(folder);
    await ownerOf(folder, backupFolder).catch((error: unknown) => failures.push(asFailure(error)));
    for await (const result of verifyBackup(folder, wanted)) {
      const item = reportedJson(result, session.inUse);
      items.push(areOfAccounts ? accountItem(decodeURIComponent(basename(folder)), item) : item);
      if (result.failure !== undefined) failures.push(result.failure);
    }
  }
  await printResult({document: items, at: [], view: verifiedBackupView, areOfAccounts}, session, printing);
  const failure = joinDamage(failures);
  if (failure !== undefined) throw failure;
  session.note(`Nothing is damaged: ${counted(items.length, 'folder')}.`);
}
