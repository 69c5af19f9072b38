/** Backs up accounts, and tells of each list. */
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {membersOf} from '../api/schema.js';
import type {ListView} from '../api/view.js';
import {backupFolder, openArchive} from '../archive/archive-folder.js';
import type {ConversationResult} from '../archive/export.js';
import {ownFailure} from '../archive/failures.js';
import {accountFiles} from '../archive/places.js';
import {readLists, writeLists, type ListResult} from '../backup/lists.js';
import {messagesFolder, ownPart, readmeFile, serverPart, type Part} from '../backup/parts.js';
import {readmeText} from '../backup/readme.js';
import {asFailure, Failure} from '../client/failure.js';
import {writeWhole} from '../files/whole-file.js';
import {firstThatMay, type Accounts, type Choice, type Member} from './accounts.js';
import {exportTo, hintOfPart, Totals} from './archive-export.js';
import {archiveOwner, errorNote, runOnArchives, sourceOf, type AccountRun, type Around} from './archive.js';
import type {Connection} from './connection.js';
import {reportOf} from './errors.js';
import type {Session} from './session.js';

export interface BackupChoice {
  readonly to: string;
  /** Whether the blocks of the server are backed up, too. */
  readonly withServer: boolean;
  /** Undefined: no messages. */
  readonly messages: {readonly withHidden: boolean; readonly withMedia: boolean; readonly maxSize: number | undefined} | undefined;
}

function noteIn(row: unknown): string {
  const {left_out: left} = membersOf(row);
  return errorNote(row) ?? (Array.isArray(left) && left.length > 0 ? `only as JSON: ${left.join(', ')}` : '');
}

const view: ListView = {
  kind: 'list',
  columns: [
    {header: 'list', path: 'list'},
    {header: 'items', path: 'items', kind: 'number'},
    {header: 'note', path: 'error', text: noteIn, flexible: true, wraps: true, none: ''},
  ],
  empty: 'Nothing was backed up.',
};

/** @throws Failure `partial` when some of it failed; what ended the run */
export async function backUpAccounts(choice: BackupChoice, around: Around): Promise<void> {
  const lines: string[] = [];
  const adminOf = choice.withServer ? adminsIn(around.accounts) : undefined;
  await runOnArchives({
    ...around,
    to: choice.to,
    kind: backupFolder,
    view,
    work: (run) => backUpOne(choice, {...run, adminOf}, around, (line) => lines.push(line)),
    closing: () => lines,
  });
}

type AdminOf = (server: URL) => Promise<Member | undefined>;

/** Who may read what a server blocks: found once for each server. */
function adminsIn({admins}: Accounts): AdminOf {
  const reads = serverPart.sections.map((section) => section.reads);
  const found = new Map<string, Promise<Choice>>();
  return async ({origin}) => {
    const own = admins.filter(({connection}) => connection.server.origin === origin);
    const choice = found.get(origin) ?? firstThatMay(own, reads);
    found.set(origin, choice);
    return (await choice).chosen;
  };
}

interface Reader {
  readonly part: Part;
  readonly through: Connection;
}

/** Whose token reads which lists. @param adminOf undefined: not those of the server */
async function readersOf({connection}: Member, adminOf: AdminOf | undefined): Promise<Reader[]> {
  const own = {part: ownPart, through: connection};
  if (adminOf === undefined) return [own];
  return [own, {part: serverPart, through: (await adminOf(connection.server))?.connection ?? connection}];
}

async function backUpOne(
  {messages}: BackupChoice,
  run: AccountRun & {readonly adminOf: AdminOf | undefined},
  {session}: Around,
  say: (line: string) => void,
): Promise<Failure | undefined> {
  const {member, folder, signal, print} = run;
  const {suggest} = member.connection;
  const owner = await archiveOwner(member);
  using _backup = await openArchive(folder, owner, {isNew: true, kind: backupFolder, doing: 'making a backup'});
  const now = session.io.now();
  const failed: {readonly list: string; readonly failure: Failure}[] = [];
  const tell = async ({failure, ...facts}: Result) => {
    if (failure !== undefined) failed.push({list: facts.list, failure});
    await print(JSON.stringify({...facts, error: failure === undefined ? null : reportOf(failure, suggest)}));
  };
  const leftOut = (list: string, {message}: Failure) => session.note(`left out: ${list}: ${message}`);
  try {
    const results: ListResult[] = [];
    for (const {part, through} of await readersOf(member, run.adminOf)) {
      await using source = sourceOf(through, signal);
      const read = await readLists(part, source.client, through.server.origin, owner.account);
      signal.throwIfAborted();
      results.push(...(await writeLists(folder, read, now)));
    }
    const [first] = results;
    if (first?.failure !== undefined && results.every(({failure}) => failure !== undefined)) throw first.failure;
    for (const result of results) {
      const {list, failure} = result;
      if (failure?.code === 'not_found') leftOut(list, failure);
      else await tell(result);
    }
    const isThere = (file: string) => (file === messagesFolder && messages !== undefined) || existsSync(join(folder, file));
    await writeWhole(join(folder, readmeFile), readmeText(owner, isThere));
  } catch (error) {
    throw ownFailure(error, folder);
  }
  say(`Backed up to ${folder}: ${readmeFile} there says what is what.`);
  if (messages !== undefined) {
    const result = await messagesOf(join(folder, messagesFolder), messages, run, {session, now, say});
    if (result.failure?.code === 'not_found') leftOut(result.list, result.failure);
    else await tell(result);
  }
  const [first] = failed;
  if (first === undefined) return undefined;
  // A run of which a part failed says so in its result.
  const why = failed.length === 1 && first.failure.code !== 'partial' ? `: ${first.failure.message}` : '';
  return new Failure('partial', `${failed.map(({list}) => list).join(', ')} failed${why}; the rest is in ${folder}`, {
    hint: hintOfPart(failed.map(({failure}) => failure)),
  });
}

/** What became of a list, or of the messages. */
interface Result extends Omit<ListResult, 'list'> {
  readonly list: string;
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
  choice: NonNullable<BackupChoice['messages']>,
  run: AccountRun,
  {session, now, say}: Telling,
): Promise<Result> {
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
  return {list: messagesFolder, items: totals.messages, files, left_out: [], failure};
}
