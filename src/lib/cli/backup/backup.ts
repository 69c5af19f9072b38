/** Backs up accounts, and tells of each list. */
import {commandText} from '../../files/command-text.js';
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {membersOf} from '../../api/schema.js';
import {fieldsOf, type ListView} from '../../api/view.js';
import {accountFiles, type ConversationResult, openArchive, ownFailure} from '../../archive/index.js';
import {backupFolder} from '../../backup/backup-folder.js';
import {isLoss} from '../../backup/entries.js';
import {latestFile, listsFolder} from '../../backup/generations.js';
import {keepLists, type SavedLists, type ListResult, lossesIn, type ReadLists, readLists} from '../../backup/lists.js';
import {jsonOf, messagesFolder, ownPart, readmeFile, serverPart, type Part} from '../../backup/parts.js';
import {readmeText} from '../../backup/readme.js';
import {asFailure, Failure} from '../../client/failure.js';
import {writeWhole} from '../../files/whole-file.js';
import {counted, withCommas} from '../../json/text.js';
import {firstAdmin, type Member} from '../accounts.js';
import {exportTo, hintOfPart, Totals} from '../archive/export.js';
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

interface BackupChoice {
  readonly to: string;
  /** Whether the blocks of the server are backed up, too. */
  readonly withServer: boolean;
  /** Whether lists may have lost many entries. */
  readonly acceptsLoss: boolean;
  /** Whether what is damaged of it is brought in order, lists aside. */
  readonly repairs: boolean;
  /** Days for which every generation is kept. */
  readonly days: number;
  /** Undefined: no messages. */
  readonly messages: {readonly withHidden: boolean; readonly withMedia: boolean; readonly maxSize: number | undefined} | undefined;
}

function noteIn(row: unknown): string {
  const {added, removed, changed, shrank, accepted, left_out: left} = membersOf(row);
  const changes = Object.entries({added, removed, changed}).flatMap(([what, count]) =>
    Number(count) > 0 ? `${withCommas(Number(count))} ${what}` : [],
  );
  const notes = [
    ...(changes.length > 0 ? [changes.join(', ')] : []),
    ...(shrank === true && accepted === false ? ['not accepted'] : []),
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
    generation: true,
    accepted: true,
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
export async function backUpAccounts(choice: BackupChoice, around: Around): Promise<void> {
  const lines: string[] = [];
  await runOnArchives({
    ...around,
    to: choice.to,
    kind: backupFolder,
    view: backupView,
    work: (run) => backUpOne(choice, run, around, (line) => lines.push(line)),
    closing: () => lines,
  });
}

interface Reader {
  readonly part: Part;
  readonly through: Connection;
}

/** Whose token reads which lists. */
function readersOf({connection}: Member, {withServer}: BackupChoice, {accounts}: Around): Reader[] {
  const own = {part: ownPart, through: connection};
  if (!withServer) return [own];
  const admin = firstAdmin(accounts.byServer.get(connection.server.origin) ?? [], 'read');
  return [own, {part: serverPart, through: admin?.connection ?? connection}];
}

async function backUpOne(choice: BackupChoice, run: AccountRun, around: Around, say: (line: string) => void): Promise<Failure | undefined> {
  const {member, folder, signal, print} = run;
  const {session} = around;
  const {inUse} = member.connection;
  const {messages} = choice;
  const owner = await archiveOwner(member);
  using _backup = await openArchive(folder, owner, {isNew: true, repairs: choice.repairs, kind: backupFolder, doing: 'making a backup'});
  const now = session.io.now();
  const failed: {readonly list: string; readonly failure: Failure}[] = [];
  const tell = async (row: ListRow, failure: Failure | undefined) => {
    if (failure?.code === 'not_found') return session.note(`left out: ${row.list}: ${failure.message}`);
    if (failure !== undefined) failed.push({list: row.list, failure});
    await print(reportedJson({...row, failure}, inUse));
  };
  let kept: SavedLists;
  try {
    const read: ReadLists[] = [];
    for (const {part, through} of readersOf(member, choice, around)) {
      await using source = sourceOf(through, signal);
      read.push(await readLists(part, source.client, through.server.origin, owner.account));
      signal.throwIfAborted();
    }
    kept = await keepLists(folder, read, {now, acceptsLoss: choice.acceptsLoss, days: choice.days});
    for (const result of kept.results) await tell(rowOf(result, kept), result.failure);
    const isThere = (file: string) =>
      file === messagesFolder ? messages !== undefined || existsSync(join(folder, file)) : kept.files.has(file);
    await writeWhole(join(folder, readmeFile), readmeText(owner, isThere));
  } catch (error) {
    throw ownFailure(error, folder);
  }
  for (const warning of kept.pruned.warnings) session.warn(warning);
  if (kept.isAccepted && kept.damage !== undefined) session.warn(kept.damage.message);
  say(`Backed up to ${folder}: ${readmeFile} there explains the files.`);
  for (const line of notesOf(kept)) say(line);
  if (messages !== undefined) {
    const {failure, ...row} = await messagesOf(join(folder, messagesFolder), {...messages, repairs: choice.repairs}, run, {
      session,
      now,
      say,
    });
    await tell(row, failure);
  }
  const [part, held] = [partOf(failed, folder), heldBack(kept, folder, choice)];
  return held === undefined ? part : (part?.saying(`; ${held.message}`) ?? held);
}

/** A list, or the messages, for programs. Of messages there are no generations. */
interface ListRow extends Pick<ListResult, 'files' | 'items' | 'left_out'> {
  readonly list: string;
  readonly generation: string | null;
  /** Whether `latest` names it. */
  readonly accepted: boolean | null;
  /** Since what `latest` named before; null where there was nothing to compare with. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly changed: number | null;
  /** Whether it lost more than a person removes at once. */
  readonly shrank: boolean;
}

function rowOf({list, items, files, left_out, difference, failure}: ListResult, {generation, isAccepted}: SavedLists): ListRow {
  const isRead = failure === undefined;
  return {
    list,
    items,
    generation: isRead ? generation : null,
    accepted: isRead ? isAccepted : null,
    files: files.map((file) => join(listsFolder, generation, file)),
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
        `${list} lost ${withCommas(removed)} of ${counted(before, 'entry', 'entries')}`,
    )
    .join(', ');

/** What there is to say of the lists. */
function notesOf({generation, isNew, pruned: {removed}, isAccepted, results, files}: SavedLists): string[] {
  const losses = lossesIn(results);
  const carried = results.flatMap(({list, failure}) => (failure !== undefined && files.has(jsonOf(list)) ? list : []));
  return [
    isNew ? `The lists are in ${join(listsFolder, generation)}.` : `The lists are unchanged: ${join(listsFolder, generation)}.`,
    ...(carried.length > 0 ? [`Carried over from before: ${carried.join(', ')}.`] : []),
    ...(isAccepted && losses.length > 0 ? [`Accepted: ${lossText(losses)}.`] : []),
    ...(removed.length > 0 ? [`Removed ${counted(removed.length, 'older generation')}.`] : []),
  ];
}

/** Why `latest` does not name what was read; undefined where it does. */
function heldBack({results, generation, isAccepted, before, damage}: SavedLists, to: string, choice: BackupChoice): Failure | undefined {
  const losses = lossesIn(results);
  if (isAccepted) return undefined;
  const latest = join(to, listsFolder, latestFile);
  const reasons = [...(damage === undefined ? [] : [damage.message]), ...(losses.length > 0 ? [lossText(losses)] : [])].join('; ');
  const stays = before === undefined ? `, and ${latest} is as it was` : `, and ${latest} still names ${before}`;
  const flags = {to, admin: choice.withServer || undefined, 'no-messages': choice.messages === undefined || undefined, 'accept-loss': true};
  const shows = damage === undefined ? '' : `; \`${commandText('backup', {flags: {to, list: true}})}\` shows what is there`;
  const what = losses.length > 0 ? 'if that is right, accept it' : 'to make these lists the latest ones';
  return new Failure(
    damage === undefined ? 'drift' : 'local',
    `${reasons}; what was read is in ${join(to, listsFolder, generation)}${stays}`,
    {
      hint: `${what}: \`${commandText('backup', {flags})}\`${shows}`,
    },
  );
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
  readonly now: Date;
  readonly say: (line: string) => void;
}

/** Failures after which nothing else is tried. */
const endsAll = ({code}: Failure): boolean => ['interrupted', 'local', 'terminated', 'usage'].includes(code);

async function messagesOf(
  folder: string,
  choice: NonNullable<BackupChoice['messages']> & Pick<BackupChoice, 'repairs'>,
  run: AccountRun,
  {session, now, say}: Telling,
): Promise<ListRow & {readonly failure: Failure | undefined}> {
  const totals = new Totals();
  const wanted = {...choice, named: undefined, range: {}, onlyNew: false, dropsMissing: false};
  const tell = async ({id, with: handles, failure}: ConversationResult) => {
    if (failure !== undefined)
      session.warn(`conversation ${id}${handles.length > 0 ? ` (${handles.join(', ')})` : ''}: ${failure.message}`);
  };
  const failure = await exportTo(folder, wanted, run, {session, now, totals, tell}).catch((error: unknown) => {
    const one = asFailure(error);
    if (endsAll(one)) throw one;
    return one;
  });
  if (totals.conversations > 0) for (const line of totals.closing(folder)) say(line);
  const files = [join(messagesFolder, accountFiles.index)];
  const without = {generation: null, accepted: null, added: null, removed: null, changed: null, shrank: false, left_out: []};
  return {list: messagesFolder, items: totals.messages, files, ...without, failure};
}
