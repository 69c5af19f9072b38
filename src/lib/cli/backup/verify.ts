/** Checks backups without a server: lists against their sums, messages as an archive. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {fieldsOf, type ListView} from '../../api/view.js';
import {archiveFolder, ownerOf, verifyArchive} from '../../archive/index.js';
import {backupFolder, damagedLists, DatedFolders, listsFolder, messagesFolder} from '../../backup/index.js';
import {asFailure, type Failure} from '../../client/failure.js';
import {countNoun} from '../../json/text.js';
import {verifyFolders} from '../archive/verify.js';
import {errorNote, type Reported} from '../archive/run.js';

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
export async function verifyBackups({to, ...wanted}: VerifyChoice, around: Parameters<typeof verifyFolders>[1]): Promise<void> {
  const verify = (folder: string) => verifyBackup(folder, wanted);
  const results = await verifyFolders({to, kind: backupFolder, view: verifiedBackupView, verify}, around);
  around.session.note(`Nothing is damaged: ${countNoun(results.length, 'folder')}.`);
}
