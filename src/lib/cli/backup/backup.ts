/** What `backup` does: backs up accounts, tells of each list, and checks backups. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {Flags} from '@oclif/core';
import {membersOf} from '../../api/schema.js';
import type {ListView} from '../../api/view.js';
import {archiveFolder, openArchive, ownerOf, ownFailure, verifyArchive} from '../../archive/index.js';
import {
  backupFolder,
  damagedLists,
  DatedFolders,
  emptyRow,
  type ListRow,
  listsFolder,
  messagesFolder,
  ownPart,
  readLists,
  type ReadLists,
  readmeFile,
  readmeText,
  type SavedLists,
  saveLists,
  serverPart,
} from '../../backup/index.js';
import {asFailure, Failure} from '../../client/failure.js';
import {commandText} from '../../files/command-text.js';
import {writeChanged} from '../../files/whole-file.js';
import {withCommas} from '../../json/text.js';
import {closingOf, exportTo, hintOfPart, sumOf} from '../archive/dm-export.js';
import {
  archiveOwner,
  errorNote,
  reportedFields,
  reportedJson,
  runOnArchives,
  verifyFolders,
  type AccountRun,
} from '../archive/archive-run.js';
import type {CommandRun, ParsedValues} from '../command.js';
import {accountsFlags, type FlagsOf, joinFlags, refuseTogether, sizeFlag} from '../flags.js';
import type {Session} from '../session.js';
import {checkFields, type Result} from '../sink.js';

const ownFlags = {
  to: Flags.string({description: 'the folder; it is created', helpValue: 'DIR', required: true}),
  'accept-loss': Flags.boolean({description: 'accept that lists lost many entries: the newest ones in the folder count'}),
  verify: Flags.boolean({description: 'check all that is in the folder, without a server'}),
  admin: Flags.boolean({description: 'also back up the domains that the server blocks (needs an admin token)'}),
  hidden: Flags.boolean({description: 'also back up hidden conversations'}),
  'no-messages': Flags.boolean({description: 'do not back up messages'}),
  'no-media': Flags.boolean({description: 'do not fetch photos and videos'}),
  'max-size': sizeFlag({
    description: 'fetch no more photos and videos than fit into this size, all in the folder together',
    helpValue: 'SIZE',
  }),
};

export const backupFlags = joinFlags(ownFlags, accountsFlags);

type BackupFlags = FlagsOf<typeof backupFlags>;

/** Each flag with the flags that have no effect beside it. */
const contradictions = {
  'no-messages': ['hidden', 'no-media', 'max-size'],
  'no-media': ['max-size'],
  verify: ['accept-loss', 'max-size'],
};

function noteIn(row: unknown): string {
  const {added, removed, changed, shrank, left_out: left} = membersOf(row);
  const changes = Object.entries({added, removed, changed}).flatMap(([what, count]) =>
    Number(count) > 0 ? `${withCommas(Number(count))} ${what}` : [],
  );
  const notes = [
    ...(changes.length > 0 ? [changes.join(', ')] : []),
    ...(shrank === true ? ['lost much'] : []),
    ...(Array.isArray(left) && left.length > 0 ? [`only as JSON: ${left.join(', ')}`] : []),
  ];
  return errorNote(row) ?? notes.join('; ');
}

export const backupView: ListView = {
  kind: 'list',
  columns: [
    {header: 'list', path: 'list', key: true},
    {header: 'items', path: 'items', kind: 'number'},
    {header: 'note', path: 'error', text: noteIn, stays: true, none: ''},
  ],
  fields: reportedFields({list: '', ...emptyRow}),
  empty: 'Nothing was backed up.',
};

/** A folder that was checked: that of a date, or of a conversation. */
interface VerifiedFolder {
  readonly folder: string;
  /** How many lists or messages it has. */
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
  fields: ['folder', 'items', 'error'],
  empty: 'The backup is empty.',
};

async function* verifyBackup(backup: string, flags: BackupFlags): AsyncGenerator<VerifiedFolder> {
  const dated = await DatedFolders.in(backup);
  for (const name of dated.names) {
    const found = await dated.read(name);
    const items = [...found.files.keys()].filter((file) => file.endsWith('.json')).length;
    yield {folder: join(listsFolder, name), items, failure: found.damage.length > 0 ? damagedLists(found) : undefined};
  }
  const messages = join(backup, messagesFolder);
  if (flags['no-messages'] || !existsSync(messages)) return;
  const failure = await ownerOf(messages, archiveFolder).then(() => undefined, asFailure);
  if (failure !== undefined) yield {folder: messagesFolder, items: 0, failure};
  for await (const one of verifyArchive(messages, !flags['no-media']))
    yield {folder: join(messagesFolder, one.id), items: one.messages, failure: one.failure};
}

/** @throws Failure `usage` for flags that contradict each other; `partial` if something failed, `drift` if a list lost much */
export async function backUp(run: CommandRun<ParsedValues, BackupFlags>): Promise<Result> {
  const {flags, session} = run;
  const {to, verify} = flags;
  if (to === '') throw new Failure('usage', '--to needs the name of a folder');
  refuseTogether(flags, contradictions);
  await checkFields(run.printing, {of: 'own', view: verify ? verifiedBackupView : backupView}, session);
  const place = {to, kind: backupFolder};
  if (verify) return verifyFolders({...place, view: verifiedBackupView}, (folder) => verifyBackup(folder, flags), session);
  const lines: string[] = [];
  return runOnArchives(run, {
    ...place,
    view: backupView,
    work: (one) => backUpOne(flags, one, session, (line) => lines.push(line)),
    closing: () => lines,
  });
}

async function* backUpOne(
  flags: BackupFlags,
  run: AccountRun,
  session: Session,
  say: (line: string) => void,
): AsyncGenerator<object, Failure | undefined, undefined> {
  const {member, folder, signal, admin = member} = run;
  const owner = await archiveOwner(member);
  using _backup = await openArchive(folder, owner, backupFolder);
  const now = session.io.now();
  const failed: ListRow[] = [];
  const tell = (row: ListRow): object[] => {
    if (row.failure !== undefined && row.failure.code !== 'not_found') failed.push(row);
    if (row.failure?.code !== 'not_found') return [reportedJson(row, member.connection.session.inUse)];
    session.note(`left out: ${row.list}: ${row.failure.message}`);
    return [];
  };
  let saved: SavedLists;
  try {
    const read: ReadLists[] = [];
    for (const part of flags.admin ? [ownPart, serverPart] : [ownPart]) {
      const {connection} = part === serverPart ? admin : member;
      read.push(await readLists(part, connection.client, connection.server.origin, now));
      signal.throwIfAborted();
    }
    saved = await saveLists(folder, read, {now, acceptsLoss: flags['accept-loss']});
    await writeChanged(join(folder, readmeFile), readmeText(owner));
  } catch (error) {
    throw ownFailure(error, folder);
  }
  yield* saved.rows.flatMap(tell);
  say(`Backed up to ${folder}: ${readmeFile} there explains the files.`);
  say(saved.isNew ? `The lists are in ${saved.folder}.` : `The lists are unchanged: ${saved.folder}.`);
  if (saved.takenOver.length > 0) say(`Taken over from before: ${saved.takenOver.join(', ')}.`);
  if (saved.accepted !== undefined) say(`Accepted: ${saved.accepted}.`);
  let doubt: Failure | undefined;
  if (!flags['no-messages']) {
    const row = await backUpMessages(flags, {...run, folder: join(folder, messagesFolder)}, session, say);
    // If the server suddenly shows few messages, the run says so, but the backup of messages has not failed.
    if (row.failure?.code === 'drift') doubt = row.failure;
    yield* tell(doubt === undefined ? row : {...row, failure: undefined});
  }
  const [first, ...rest] = [partOf(failed, folder), saved.damage, lossIn(saved, folder, flags), doubt].filter((one) => one !== undefined);
  return rest.length === 0 ? first : first?.saying(rest.map(({message}) => `; ${message}`).join(''));
}

/** The failure of a backup in which a list lost much; undefined where none did. */
function lossIn({losses, folder, isShrunk}: SavedLists, to: string, {admin, 'no-messages': noMessages}: BackupFlags): Failure | undefined {
  if (!isShrunk) return undefined;
  const flags = {to, admin: admin || undefined, 'no-messages': noMessages || undefined, 'accept-loss': true};
  const lost = losses.length === 0 ? 'The lists had lost much' : losses.join(', ');
  const what = `${lost}; what was read is in ${join(to, folder)}, and restore passes it over`;
  return new Failure('drift', what, {hint: `if that is right, accept it: \`${commandText('backup', {flags})}\``});
}

/** The failure that names the lists that failed; undefined where none did. */
function partOf(failed: readonly ListRow[], folder: string): Failure | undefined {
  const failures = failed.flatMap(({failure}) => failure ?? []);
  const [first] = failures;
  if (first === undefined) return undefined;
  // Where only some conversations failed, warnings have said why.
  const why = failures.length === 1 && first.code !== 'partial' ? `: ${first.message}` : '';
  const what = `${failed.map(({list}) => list).join(', ')} failed${why}; the rest is in ${folder}`;
  return new Failure('partial', what, {hint: hintOfPart(failures)});
}

/** Whether nothing else is tried after a failure. */
const endsAll = ({code}: Failure): boolean => ['interrupted', 'local', 'terminated', 'usage'].includes(code);

async function backUpMessages(flags: BackupFlags, run: AccountRun, session: Session, say: (line: string) => void): Promise<ListRow> {
  const {hidden: withHidden, 'no-media': noMedia, 'max-size': maxSize} = flags;
  const wanted = {named: undefined, withHidden, withMedia: !noMedia, maxSize, onlyNew: false, isDryRun: false};
  const {results, failure} = await exportTo(wanted, run, session).catch((error: unknown) => ({results: [], failure: asFailure(error)}));
  for (const {id, with: handles, failure: own} of results)
    if (own !== undefined) session.warn(`conversation ${id}${handles.length > 0 ? ` (${handles.join(', ')})` : ''}: ${own.message}`);
  if (failure !== undefined && endsAll(failure)) throw failure;
  const whole = results.filter((one) => one.failure === undefined);
  if (whole.length > 0) for (const line of closingOf(results, run.folder)) say(line);
  return {list: messagesFolder, ...emptyRow, items: sumOf(whole, 'messages'), failure};
}
