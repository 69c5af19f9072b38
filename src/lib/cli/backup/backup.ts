/** Backs up accounts, and tells of each list. */
import {commandText} from '../../files/command-text.js';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {membersOf} from '../../api/schema.js';
import {fieldsOf, type ListView} from '../../api/view.js';
import {accountFiles, type ConversationResult, openArchive, ownFailure} from '../../archive/index.js';
import {
  backupFolder,
  isLoss,
  type ListResult,
  lossesIn,
  messagesFolder,
  ownPart,
  type Part,
  readLists,
  type ReadLists,
  readmeFile,
  readmeText,
  type SavedLists,
  saveLists,
  serverPart,
} from '../../backup/index.js';
import {asFailure, Failure} from '../../client/failure.js';
import {readText} from '../../files/read-file.js';
import {writeWhole} from '../../files/whole-file.js';
import {countNoun, withCommas} from '../../json/text.js';
import {closingOf, exportTo, hintOfPart, sumOf} from '../archive/export.js';
import {
  archiveOwner,
  errorNote,
  reportedJson,
  runOnArchives,
  sourceOf,
  type AccountRun,
  type Around,
  type Reported,
} from '../archive/run.js';
import type {Connection} from '../connection.js';
import type {Session} from '../session.js';
import type {Result} from '../sink.js';

interface BackupChoice {
  readonly to: string;
  /** Whether the blocks of the server are backed up, too. */
  readonly withServer: boolean;
  /** Whether lists may have lost many entries. */
  readonly acceptsLoss: boolean;
  /** Undefined: no messages. */
  readonly messages: {readonly withHidden: boolean; readonly withMedia: boolean; readonly maxSize: number | undefined} | undefined;
}

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
  fields: fieldsOf<Reported<ListRow>>({
    list: true,
    items: true,
    folder: true,
    files: true,
    added: true,
    removed: true,
    changed: true,
    shrank: true,
    left_out: true,
    error: true,
  }),
  empty: 'Nothing was backed up.',
};

/** @throws Failure `partial` when some of it failed; what ended the run */
export async function backUpAccounts(choice: BackupChoice, around: Around): Promise<Result> {
  const lines: string[] = [];
  return runOnArchives({
    ...around,
    to: choice.to,
    kind: backupFolder,
    view: backupView,
    work: (run) => backUpOne(choice, run, around.session, (line) => lines.push(line)),
    closing: () => lines,
  });
}

interface Reader {
  readonly part: Part;
  readonly through: Connection;
}

/** Whose token reads which lists. */
function readersOf({member: {connection}, admin}: AccountRun, {withServer}: BackupChoice): Reader[] {
  const own = {part: ownPart, through: connection};
  return withServer ? [own, {part: serverPart, through: admin?.connection ?? connection}] : [own];
}

async function backUpOne(
  choice: BackupChoice,
  run: AccountRun,
  session: Session,
  say: (line: string) => void,
): Promise<Failure | undefined> {
  const {member, folder, signal, print} = run;
  const {inUse} = member.connection;
  const {messages} = choice;
  const owner = await archiveOwner(member);
  using _backup = await openArchive(folder, owner, 'making a backup', backupFolder);
  const now = session.io.now();
  let doubt: Failure | undefined;
  const failed: {readonly list: string; readonly failure: Failure}[] = [];
  const tell = async (row: ListRow, failure: Failure | undefined) => {
    if (failure?.code === 'not_found') return session.note(`left out: ${row.list}: ${failure.message}`);
    if (failure !== undefined) failed.push({list: row.list, failure});
    await print(reportedJson({...row, failure}, inUse));
  };
  let saved: SavedLists;
  try {
    const read: ReadLists[] = [];
    for (const {part, through} of readersOf(run, choice)) {
      await using source = sourceOf(through, signal);
      read.push(await readLists(part, source.client, through.server.origin, session.io.now(), owner.account));
      signal.throwIfAborted();
    }
    saved = await saveLists(folder, read, {now, acceptsLoss: choice.acceptsLoss});
    for (const result of saved.results) await tell(rowOf(result, saved), result.failure);
    const isThere = (file: string) =>
      file === messagesFolder ? messages !== undefined || existsSync(join(folder, file)) : existsSync(join(folder, saved.folder, file));
    await writeReadme(folder, readmeText(owner, isThere));
  } catch (error) {
    throw ownFailure(error, folder);
  }
  say(`Backed up to ${folder}: ${readmeFile} there explains the files.`);
  for (const line of notesOf(saved)) say(line);
  if (messages !== undefined) {
    const {failure, ...row} = await messagesOf(join(folder, messagesFolder), messages, run, {session, say});
    // What the server no longer shows much of is said, and is no failure of the backup.
    await tell(row, failure?.code === 'drift' ? undefined : failure);
    if (failure?.code === 'drift') doubt = failure;
  }
  const part = partOf(failed, folder);
  const others = [saved.damage, lossIn(saved, folder, choice), doubt].filter((one) => one !== undefined);
  const [first = part, ...rest] = part === undefined ? others : [part, ...others];
  return rest.length === 0 ? first : first?.saying(rest.map(({message}) => `; ${message}`).join(''));
}

/** A backup with nothing new writes nothing. */
async function writeReadme(folder: string, text: string): Promise<void> {
  const path = join(folder, readmeFile);
  if ((await readText(path).catch(() => undefined)) !== text) await writeWhole(path, text);
}

/** A list, or the messages, for programs. */
interface ListRow extends Pick<ListResult, 'files' | 'items' | 'left_out'> {
  readonly list: string;
  /** In the backup; null for messages, and for a list that could not be read. */
  readonly folder: string | null;
  /** Since the latest lists; null where there was nothing to compare with. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly changed: number | null;
  /** Whether it lost more than a person removes at once. */
  readonly shrank: boolean;
}

function rowOf({list, items, files, left_out, difference, failure}: ListResult, {folder}: SavedLists): ListRow {
  return {
    list,
    items,
    folder: failure === undefined ? folder : null,
    files: files.map((file) => join(folder, file)),
    added: difference?.added ?? null,
    removed: difference?.removed ?? null,
    changed: difference?.changed ?? null,
    shrank: difference !== undefined && isLoss(difference),
    left_out,
  };
}

const lossText = (losses: readonly ListResult[]): string =>
  losses
    .map(
      ({list, difference: {removed, before} = {removed: 0, before: 0}}) =>
        `${list} lost ${withCommas(removed)} of ${countNoun(before, 'entry', 'entries')}`,
    )
    .join(', ');

/** What there is to say of the lists. */
const notesOf = ({folder, isNew, takenOver, accepted}: SavedLists): string[] => [
  isNew ? `The lists are in ${folder}.` : `The lists are unchanged: ${folder}.`,
  ...(takenOver.length > 0 ? [`Taken over from before: ${takenOver.join(', ')}.`] : []),
  ...(accepted === undefined ? [] : [`Accepted: ${accepted}.`]),
];

/** How a backup ends of which a list lost much; undefined where none did. */
function lossIn({results, folder, isShrunk}: SavedLists, to: string, {withServer, messages}: BackupChoice): Failure | undefined {
  if (!isShrunk) return undefined;
  const flags = {to, admin: withServer || undefined, 'no-messages': messages === undefined || undefined, 'accept-loss': true};
  const losses = lossesIn(results);
  const lost = losses.length === 0 ? 'The lists had lost much' : lossText(losses);
  const what = `${lost}; what was read is in ${join(to, folder)}, and restore passes it over`;
  return new Failure('drift', what, {hint: `if that is right, accept it: \`${commandText('backup', {flags})}\``});
}

/** What became of the parts of a backup that failed. */
function partOf(failed: readonly {readonly list: string; readonly failure: Failure}[], folder: string): Failure | undefined {
  const [first] = failed;
  if (first === undefined) return undefined;
  // A run of which a part failed says so in its result.
  const why = failed.length === 1 && first.failure.code !== 'partial' ? `: ${first.failure.message}` : '';
  return new Failure('partial', `${failed.map(({list}) => list).join(', ')} failed${why}; the rest is in ${folder}`, {
    hint: hintOfPart(failed.map(({failure}) => failure)),
  });
}

interface Telling {
  readonly session: Session;
  readonly say: (line: string) => void;
}

/** Failures after which nothing else is tried. */
const endsAll = ({code}: Failure): boolean => ['interrupted', 'local', 'terminated', 'usage'].includes(code);

async function messagesOf(
  folder: string,
  choice: NonNullable<BackupChoice['messages']>,
  run: AccountRun,
  {session, say}: Telling,
): Promise<ListRow & {readonly failure: Failure | undefined}> {
  const results: ConversationResult[] = [];
  const wanted = {...choice, named: undefined, onlyNew: false, isDryRun: false};
  const tell = async (result: ConversationResult) => {
    results.push(result);
    const {id, with: handles, failure} = result;
    if (failure !== undefined)
      session.warn(`conversation ${id}${handles.length > 0 ? ` (${handles.join(', ')})` : ''}: ${failure.message}`);
  };
  const failure = await exportTo(folder, wanted, run, {session, tell}).catch((error: unknown) => {
    const one = asFailure(error);
    if (endsAll(one)) throw one;
    return one;
  });
  const whole = results.filter((one) => one.failure === undefined);
  if (whole.length > 0) for (const line of closingOf(results, folder)) say(line);
  const without = {folder: null, added: null, removed: null, changed: null, shrank: false, left_out: []};
  return {list: messagesFolder, items: sumOf(whole, 'messages'), files: [join(messagesFolder, accountFiles.index)], ...without, failure};
}
