/** Compares the archives of accounts with their servers. */
import {hintFor} from '../errors.js';
import {type AccountInUse, completeCommand} from '../account-in-use.js';
import {commandText} from '../../files/command-text.js';
import {basename} from 'node:path';
import {fieldsOf, type ListView} from '../../api/view.js';
import {
  archiveFolder,
  archivesIn,
  checkArchive,
  isComplete,
  openArchive,
  OwnerLost,
  ownerOf,
  verifyArchive,
  type VerifyResult,
  type WantedConversations,
} from '../../archive/index.js';
import {membersOf} from '../../api/schema.js';
import {type AccountFailure, Failure} from '../../client/failure.js';
import {closeTree} from '../../files/closed-tree.js';
import {counted, firstOf} from '../../json/text.js';
import {accountItem} from '../../print/print.js';
import {archiveOwner, errorNote, reportedJson, runOnArchives, sourceOf, type Around, type Reported} from './run.js';
import {accountOfOwner} from '../known-profiles.js';
import {printResult} from '../print-result.js';

interface VerifyChoice extends WantedConversations {
  readonly to: string;
  readonly since: Date | undefined;
  readonly withMedia: boolean;
}

function filesIn(row: unknown): string {
  const {media_missing: missing, media_damaged: damaged} = membersOf(row);
  const parts = [
    ...(Number(missing) > 0 ? [`${String(missing)} missing`] : []),
    ...(Number(damaged) > 0 ? [`${String(damaged)} damaged`] : []),
  ];
  return parts.join(', ');
}

/** Names of files in a note. */
const maxTold = 3;

function noteIn(row: unknown): string {
  const {damaged_files: damaged, incomplete, not_read: gaps} = membersOf(row);
  const notes = [
    Array.isArray(damaged) && damaged.length > 0 ? [`damaged: ${firstOf(damaged.map(String), maxTold)}`] : [],
    incomplete === true ? ['incomplete'] : [],
    Array.isArray(gaps) && gaps.length > 0 && incomplete !== true ? ['not read completely'] : [],
  ];
  return errorNote(row) ?? notes.flat().join('; ');
}

export const verifiedView: ListView = {
  kind: 'list',
  columns: [
    {header: 'id', path: 'id', key: true},
    {header: 'on the server', path: 'server.messages', kind: 'number', none: '–'},
    {header: 'archived', path: 'archive.messages', kind: 'number', priority: 2},
    {header: 'missing', path: 'missing', kind: 'number', stays: true, emphasis: true},
    {header: 'changed', path: 'changed', kind: 'number', priority: 3},
    {header: 'deleted', path: 'deleted', kind: 'number', priority: 3},
    {header: 'files', path: 'media', text: filesIn, priority: 2},
    {header: 'note', path: 'error', text: noteIn, stays: true, none: ''},
  ],
  fields: fieldsOf<Reported<VerifyResult>>({
    id: true,
    with: true,
    server: true,
    archive: true,
    missing: true,
    gaps: true,
    changed: true,
    deleted: true,
    media: true,
    media_missing: true,
    media_damaged: true,
    damaged_files: true,
    incomplete: true,
    not_read: true,
    error: true,
  }),
  empty: 'No conversations.',
};

/** What came of all conversations of a folder. */
class Findings {
  /** Conversations that the server does not list. */
  unlisted = 0;
  compared = 0;
  whole = 0;
  incomplete = 0;
  #failed = 0;
  #messages = 0;
  #missingFiles = 0;
  #damagedFiles = 0;
  /** Files that were kept once, of messages that no server was asked for. */
  #goneFiles = 0;
  #damaged = 0;

  add(result: VerifyResult): void {
    const {failure} = result;
    if (failure?.details.reason === 'damaged') this.#damaged += 1;
    else if (failure !== undefined) this.#failed += 1;
    else if (result.server === null) this.unlisted += 1;
    else {
      this.compared += 1;
      if (isComplete(result)) this.whole += 1;
      if (result.incomplete) this.incomplete += 1;
    }
    this.#messages += result.missing;
    // Of what the server does not list, what is gone was kept once.
    if (result.server === null) this.#goneFiles += result.media_missing;
    else this.#missingFiles += result.media_missing;
    this.#damagedFiles += result.media_damaged;
  }

  /** @param repair suggests the export that mends what can be mended */
  failureIn(folder: string, repair: (flags: {readonly repair?: true}) => string): Failure | undefined {
    const missing = [
      ...(this.#messages > 0 ? [counted(this.#messages, 'message')] : []),
      ...(this.#missingFiles > 0 ? [counted(this.#missingFiles, 'file')] : []),
    ].join(' and ');
    const damaged = [
      ...(this.#damaged > 0 ? [counted(this.#damaged, 'conversation')] : []),
      ...(this.#damagedFiles > 0 ? [counted(this.#damagedFiles, 'file')] : []),
    ].join(' and ');
    const left = [
      ...(this.#failed > 0 ? [`${counted(this.#failed, 'conversation')} could not be compared`] : []),
      ...(missing === '' ? [] : [`${missing} of the server ${this.#messages + this.#missingFiles === 1 ? 'is' : 'are'} not in ${folder}`]),
      ...(damaged === '' ? [] : [`${damaged} in ${folder} ${this.#damaged + this.#damagedFiles === 1 ? 'is' : 'are'} damaged`]),
      ...(this.#goneFiles > 0
        ? [`${counted(this.#goneFiles, 'file')} of messages in ${folder} ${this.#goneFiles === 1 ? 'is' : 'are'} gone`]
        : []),
    ].join('; ');
    if (left === '') return undefined;
    if (damaged !== '' || this.#goneFiles > 0) {
      const what = this.#damaged > 0 ? 'keep the readable part, and read the rest again' : 'fetch them again';
      return new Failure('local', left, {reason: 'damaged', hint: `to ${what}: \`${repair({repair: true})}\``});
    }
    if (this.#failed > 0) return new Failure('partial', left, {hint: 'the results say why'});
    return new Failure('drift', left, {hint: `to fetch them: \`${repair({})}\``});
  }
}

/** @throws Failure `drift` when something is missing, `local` when something is damaged, `partial` when something could not be compared */
export async function verifyAccounts(choice: VerifyChoice, around: Around): Promise<void> {
  const all = new Findings();
  const {accounts} = around;
  await runOnArchives({
    ...around,
    to: choice.to,
    kind: archiveFolder,
    view: verifiedView,
    work: async ({member, folder, progress, signal, print}) => {
      const {connection} = member;
      const own = new Findings();
      const {to, ...wanted} = choice;
      using _archive = await openArchive(folder, await archiveOwner(member), {isNew: false, doing: 'comparing it with the server'});
      await using source = sourceOf(connection, signal);
      for await (const result of verifyArchive({...wanted, source, folder, accounts: () => connection.accounts(), progress})) {
        all.add(result);
        own.add(result);
        await print(reportedJson(result, connection.inUse));
      }
      // The folder is that of all accounts.
      return own.failureIn(folder, (flags) =>
        completeCommand(commandText('dm export', {args: wanted.named, flags: {to, ...flags}}), accounts.inUse),
      );
    },
    closing: () => closingOf(all),
  });
}

function closingOf({compared, whole, incomplete, unlisted}: Findings): string[] {
  const all = counted(whole, 'conversation');
  const whatIsWhole =
    whole < compared
      ? `${whole} of ${counted(compared, 'conversation')} ${whole === 1 ? 'is' : 'are'} complete.`
      : incomplete > 0
        ? `The archive has everything that the server shows of ${all} is kept.`
        : `Nothing is missing of ${all}.`;
  return [
    ...(whole === 0 ? [] : [whatIsWhole]),
    ...(incomplete === 0
      ? []
      : [`Of ${counted(incomplete, 'thread')} it shows only the first and the last messages: the rest could not be compared.`]),
    ...(unlisted === 0
      ? []
      : [`The server does not list ${counted(unlisted, 'conversation')} of the archive: only the files were checked.`]),
  ];
}

/** Checks the files of a folder without a network. @throws Failure `local` when something is damaged */
export async function checkFolder(
  {to, ...wanted}: Pick<VerifyChoice, 'named' | 'to' | 'withMedia'>,
  {session, printing}: Pick<Around, 'printing' | 'session'>,
): Promise<void> {
  const findings = new Findings();
  const items: string[] = [];
  const folders = await archivesIn(to, archiveFolder);
  const areOfAccounts = folders[0] !== to;
  const failed: AccountFailure[] = [];
  for (const folder of folders) {
    using _tree = closeTree(folder);
    const own = new Findings();
    const account = decodeURIComponent(basename(folder));
    const owner = await ownerOf(folder, archiveFolder).catch((error: unknown) => {
      if (!(error instanceof OwnerLost)) throw error;
      failed.push({account, failure: error});
      return undefined;
    });
    const inUse = owner === undefined ? session.inUse : await accountOfOwner(owner, session);
    for await (const result of checkArchive({...wanted, folder})) {
      findings.add(result);
      own.add(result);
      const item = reportedJson(result, inUse);
      items.push(areOfAccounts ? accountItem(account, item) : item);
    }
    // A folder is repaired with the account that it belongs to.
    const failure = own.failureIn(folder, (flags) =>
      completeCommand(commandText('dm export', {args: wanted.named, flags: {to: folder, ...flags}}), inUse),
    );
    if (failure !== undefined) failed.push({account, failure});
  }
  await printResult({document: `[${items.join(',')}]`, at: [], view: verifiedView}, session, {...printing, areOfAccounts});
  const failure = allOf(failed, session.inUse);
  if (failure !== undefined) throw failure;
  session.note(`The files of ${counted(findings.unlisted, 'conversation')} are unchanged.`);
}

/** What is wrong with several folders, as one. */
function allOf(failed: readonly AccountFailure[], inUse: AccountInUse): Failure | undefined {
  const [first, ...others] = failed.map(({failure}) => failure);
  if (first === undefined || others.length === 0) return first;
  const hints = new Set([first, ...others].flatMap((failure) => hintFor(failure, inUse) ?? []));
  return first.saying(others.map(({message}) => `; ${message}`).join(''), {hint: [...hints].join('; ')});
}
