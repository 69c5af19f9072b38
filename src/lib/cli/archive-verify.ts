/** Compares the archives of accounts with their servers, and estimates what an export would read. */
import type {ListView, RecordView} from '../api/view.js';
import {archiveFolder, openArchive} from '../archive/archive-folder.js';
import type {Estimate} from '../archive/estimate.js';
import type {Wanted} from '../archive/targets.js';
import {isComplete, verifyArchive, type VerifyResult} from '../archive/verify.js';
import {membersOf} from '../api/schema.js';
import {Failure} from '../client/failure.js';
import {counted, firstOf} from '../json/text.js';
import {accountItem} from '../print/print.js';
import {archiveOwner, errorNote, runOnArchives, sourceOf, type AccountRun, type Around} from './archive.js';
import {reportOf} from './errors.js';
import {printResult} from './printing.js';

export interface VerifyChoice extends Wanted {
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
  const {damaged_files: damaged} = membersOf(row);
  const found = Array.isArray(damaged) && damaged.length > 0 ? `damaged: ${firstOf(damaged.map(String), maxTold)}` : '';
  return errorNote(row) ?? found;
}

const view: ListView = {
  kind: 'list',
  columns: [
    {header: 'id', path: 'id'},
    {header: 'on the server', path: 'server.messages', kind: 'number'},
    {header: 'archived', path: 'archive.messages', kind: 'number', priority: 2},
    {header: 'missing', path: 'missing', kind: 'number', stays: true, emphasis: true},
    {header: 'changed', path: 'changed', kind: 'number', priority: 3},
    {header: 'deleted', path: 'deleted', kind: 'number', priority: 3},
    {header: 'files', path: 'media', text: filesIn, priority: 2},
    {header: 'note', path: 'error', text: noteIn, flexible: true, wraps: true, none: ''},
  ],
  empty: 'No conversations.',
};

/** @throws Failure `drift` when something is missing, `partial` when something could not be compared */
export async function verifyAccounts(choice: VerifyChoice, around: Around): Promise<void> {
  let [compared, whole] = [0, 0];
  await runOnArchives({
    ...around,
    to: choice.to,
    kind: archiveFolder,
    view,
    work: (run) =>
      verifyOne(choice, run, around, (result) => {
        compared += 1;
        if (result.failure === undefined && isComplete(result)) whole += 1;
      }),
    closing: () => {
      if (whole === 0) return [];
      return [
        whole === compared
          ? `Nothing is missing of ${counted(whole, 'conversation')}.`
          : `${whole} of ${counted(compared, 'conversation')} ${whole === 1 ? 'is' : 'are'} complete.`,
      ];
    },
  });
}

async function verifyOne(
  {to, ...wanted}: VerifyChoice,
  {member, folder, progress, signal, print}: AccountRun,
  {accounts}: Around,
  tell: (result: VerifyResult) => void,
): Promise<Failure | undefined> {
  const {connection} = member;
  using _archive = await openArchive(folder, await archiveOwner(member), {isNew: false, doing: 'comparing it with the server'});
  await using source = sourceOf(connection, signal);
  let [failed, messages, files, damaged] = [0, 0, 0, 0];
  for await (const result of verifyArchive({...wanted, source, folder, accounts: () => connection.accounts(), progress})) {
    const {failure, ...facts} = result;
    tell(result);
    if (failure !== undefined) failed += 1;
    messages += facts.missing;
    files += facts.media_missing;
    damaged += facts.media_damaged;
    await print(JSON.stringify({...facts, error: failure === undefined ? null : reportOf(failure, connection.suggest)}));
  }
  const missing = [...(messages > 0 ? [counted(messages, 'message')] : []), ...(files > 0 ? [counted(files, 'file')] : [])].join(' and ');
  const left = [
    ...(missing === '' ? [] : [`${missing} of the server ${messages + files === 1 ? 'is' : 'are'} not in ${folder}`]),
    ...(damaged === 0 ? [] : [`${counted(damaged, 'file')} in ${folder} ${damaged === 1 ? 'is' : 'are'} damaged`]),
  ].join('; ');
  if (failed > 0) {
    const uncompared = `${counted(failed, 'conversation')} could not be compared`;
    return new Failure('partial', [uncompared, ...(left === '' ? [] : [left])].join('; '), {hint: 'the results say why'});
  }
  if (left === '') return undefined;
  // The folder is that of all accounts.
  return new Failure('drift', left, {hint: `to fetch them: \`${accounts.suggest(['dm', 'export'], {flags: {to}})}\``});
}

const estimateColumns: RecordView['columns'] & ListView['columns'] = [
  {header: 'conversations', path: 'conversations', kind: 'number'},
  {header: 'messages', path: 'messages', kind: 'number'},
  {header: 'files', path: 'media', kind: 'number'},
  {header: 'requests', path: 'requests', kind: 'number'},
  {header: 'minutes', path: 'minutes', kind: 'number'},
];

const estimateView: RecordView = {kind: 'record', columns: estimateColumns};

const estimatesView: ListView = {kind: 'list', columns: estimateColumns, empty: 'No accounts.'};

/** @throws Failure of the only account; `partial` when some of several failed */
export async function estimateAccounts(wanted: Wanted, {accounts, session, printing}: Around): Promise<void> {
  const {estimateOf} = await import('../archive/estimate.js');
  const signal = new AbortController().signal;
  const {found, failed} = await accounts.eachApart(async ({connection}) => {
    await using source = sourceOf(connection, signal);
    return await estimateOf({...wanted, source, accounts: () => connection.accounts()});
  });
  const items = found.map(({member, value}) =>
    accounts.areNamed ? accountItem(member.account, JSON.stringify(value)) : JSON.stringify(value),
  );
  const document = accounts.areNamed ? `[${items.join(',')}]` : (items[0] ?? '{}');
  if (accounts.areNamed) await printResult({document, at: [], view: estimatesView}, session, {...printing, areOfAccounts: true});
  else await printResult({document, view: estimateView}, session, printing);
  if (found.some(({value}: {readonly value: Estimate}) => !value.exact))
    session.note(
      'Messages of long conversations are estimated from the first and the last of them. Files are fetched beside the requests.',
    );
  const failure = accounts.failureOf(failed);
  if (failure !== undefined) throw failure;
}
