/** `dm export` exports conversations, and checks archives. */
import {Flags} from '@oclif/core';
import {kinds} from '../../api/kinds.js';
import {membersOf} from '../../api/schema.js';
import type {ListView} from '../../api/view.js';
import {
  archiveFolder,
  type ConversationResult,
  exportConversations,
  isDamage,
  nothingDone,
  openArchive,
  openToLook,
  verifyArchive,
  type ExportOptions,
} from '../../archive/index.js';
import {Failure} from '../../client/failure.js';
import {isIdentifier} from '../../client/request.js';
import {itemsAt} from '../../json/path.js';
import {countNoun, firstOf, withCommas} from '../../json/text.js';
import {conversationName} from '../../operations/account-name.js';
import {hostOfAccounts} from '../../operations/accounts.js';
import {defaultAccount} from '../account-in-use.js';
import type {CommandRun} from '../command.js';
import {collectTargets, prepareTargets, refuseOtherAccounts} from '../endpoint/targets.js';
import {hintFor} from '../errors.js';
import {accountsFlags, type FlagsOf, joinFlags, refuseTogether, sizeFlag, spanFlag, targetFlags} from '../flags.js';
import type {Session} from '../session.js';
import {checkFields, type Result} from '../sink.js';
import {
  archiveOwner,
  errorNote,
  reportedFields,
  reportedJson,
  runOnArchives,
  sourceOf,
  verifyFolders,
  type AccountRun,
} from './archive-run.js';

const ownFlags = {
  to: Flags.string({description: 'the folder; it is created', helpValue: 'DIR'}),
  hidden: Flags.boolean({description: 'export hidden conversations too'}),
  since: spanFlag({description: 'only messages sent on this date or later (UTC)', helpValue: 'DATE'}),
  'new-only': Flags.boolean({description: 'read only messages that no run has read yet, and mark nothing as missing'}),
  'no-media': Flags.boolean({description: 'do not fetch photos and videos'}),
  'max-size': sizeFlag({
    description: 'fetch no more photos and videos than fit into this size, all in the folder together',
    helpValue: 'SIZE',
  }),
  verify: Flags.boolean({description: 'check all that is in the folder, without a server'}),
  'dry-run': Flags.boolean({description: 'ask the server what is new, changed or gone, and write nothing'}),
  from: targetFlags.from,
  column: targetFlags.column,
  'skip-invalid': targetFlags['skip-invalid'],
};

export const archiveFlags = joinFlags(ownFlags, accountsFlags);

type ArchiveFlags = FlagsOf<typeof archiveFlags>;

/** Each flag with the flags that have no effect beside it. */
const contradictions = {
  'no-media': ['max-size'],
  verify: ['dry-run', 'new-only', 'since', 'max-size'],
  'dry-run': ['max-size'],
} as const;

interface ExportChoice extends Pick<ExportOptions, 'isDryRun' | 'named' | 'onlyNew' | 'since' | 'withHidden'> {
  readonly withMedia: boolean;
  readonly maxSize: number | undefined;
}

/** How many reasons, or names of files, a note has at most. */
const maxTold = 3;

function noteIn(row: unknown): string {
  const {failed_media: failed, skipped_media: skipped, media_errors: errors, doubtful, not_read: gaps} = membersOf(row);
  const files = Number(failed) + Number(skipped);
  const why = new Set((itemsAt(errors, []) ?? []).map((one) => String(membersOf(one)['error'])));
  const isPart = itemsAt(gaps, [])?.length !== 0;
  const notes = [
    errorNote(row) ?? [],
    files > 0 ? `${countNoun(files, 'file')} not fetched: ${firstOf([...why], maxTold)}` : [],
    doubtful === true ? 'the server suddenly shows little' : isPart ? 'not read completely' : [],
  ];
  return notes.flat().join('; ');
}

function handlesIn(row: unknown): string {
  const {with: handles, id} = membersOf(row);
  return Array.isArray(handles) && handles.length > 0 ? handles.join(', ') : String(id);
}

export const exportedView: ListView = {
  kind: 'list',
  columns: [
    {header: 'id', path: 'id', key: true},
    {header: 'with', path: 'with', text: handlesIn, key: true},
    {header: 'messages', path: 'messages', kind: 'number'},
    {header: 'new', path: 'new', kind: 'number', stays: true},
    {header: 'changed', path: 'changed', kind: 'number', priority: 3},
    {header: 'gone', path: 'gone', kind: 'number', priority: 3},
    {header: 'files', path: 'media', kind: 'number', priority: 2},
    {header: 'note', path: 'error', text: noteIn, stays: true, none: ''},
  ],
  fields: reportedFields({id: '', type: '', ...nothingDone}),
  empty: 'No conversations.',
};

type Results = readonly ConversationResult[];

export const sumOf = <Name extends string>(results: readonly Readonly<Record<Name, number>>[], name: Name): number =>
  results.reduce((sum, result) => sum + result[name], 0);

const differenceWords = {new: 'new', changed: 'changed', gone: 'no longer on the server', back: 'back on the server'} as const;

/** `2 new, 1 no longer on the server`; undefined where nothing differs. */
function differencesIn(results: Results): string | undefined {
  const sums = (['new', 'changed', 'gone', 'back'] as const).map((name) => [sumOf(results, name), differenceWords[name]] as const);
  const differences = sums.filter(([sum]) => sum > 0).map(([sum, words]) => `${withCommas(sum)} ${words}`);
  return differences.length === 0 ? undefined : differences.join(', ');
}

/** The lines at the end of a run. */
export function closingOf(results: Results, to: string): string[] {
  const whole = results.filter(({failure}) => failure === undefined);
  if (results.length === 0) return ['No conversations.'];
  if (whole.length === 0) return [];
  const [files, left] = [sumOf(whole, 'new_media'), sumOf(whole, 'skipped_media')];
  const changes = [differencesIn(whole) ?? '0 new', files > 0 ? countNoun(files, 'new file') : []].flat().join(', ');
  const parts = whole.filter((one) => one.not_read.length > 0).length;
  return [
    `Exported ${countNoun(whole.length, 'conversation')} to ${to}: ${countNoun(sumOf(whole, 'messages'), 'message')}, ${changes}.`,
    left > 0 ? `${countNoun(left, 'file')} left out: the next run tries again.` : [],
    parts > 0 ? `${countNoun(parts, 'conversation')} not read completely.` : [],
  ].flat();
}

export const verifiedView: ListView = {
  kind: 'list',
  columns: [
    {header: 'id', path: 'id', key: true},
    {header: 'messages', path: 'messages', kind: 'number'},
    {header: 'files', path: 'media', kind: 'number'},
    {header: 'damaged', path: 'damaged', text: (row) => String(itemsAt(row, ['damaged'])?.length), kind: 'number'},
    {header: 'note', path: 'error', text: (row) => errorNote(row) ?? '', stays: true, none: ''},
  ],
  fields: ['id', 'with', 'messages', 'media', 'damaged', 'error'],
  empty: 'No conversations.',
};

/**
 * @returns with a failure `partial` when some conversations failed; `drift` where a server suddenly shows little, or a dry run found something
 * @throws Failure `usage` for flags that contradict each other
 */
export async function exportOrVerify(run: CommandRun<{readonly ID?: readonly string[] | undefined}, ArchiveFlags>): Promise<Result> {
  const {args, flags, session} = run;
  refuseTogether(flags, contradictions);
  const {to = '', verify, 'no-media': noMedia, 'dry-run': isDryRun} = flags;
  if (to === '') throw new Failure('usage', 'Missing: --to', {hint: 'name the folder of the archive: --to DIR'});
  await checkFields(run.printing, {of: 'own', view: verify ? verifiedView : exportedView}, session);
  const place = {to, kind: archiveFolder};
  const areNamed = args.ID !== undefined || flags.from !== undefined;
  if (verify) {
    if (areNamed) throw new Failure('usage', '--verify checks all conversations in the folder: name none');
    return verifyFolders({...place, view: verifiedView}, (folder) => verifyArchive(folder, !noMedia), session);
  }
  const collected = await collectTargets(args.ID ?? [], {kind: kinds.conversation}, {flags, session});
  const targets = prepareTargets(
    collected,
    {flags, session},
    ({value}) => nameOf(value),
    (name) => name.toLowerCase(),
  );
  const choice = {
    named: areNamed ? targets : undefined,
    withHidden: flags.hidden,
    since: flags.since && new Date(flags.since.first),
    onlyNew: flags['new-only'],
    isDryRun,
    withMedia: !noMedia,
    maxSize: flags['max-size'],
  };
  // A dry run reads from the server: it only writes nothing.
  const reading = session.with({'dry-run': false});
  const results: ConversationResult[] = [];
  return runOnArchives(
    {...run, session: reading},
    {
      ...place,
      view: exportedView,
      check: (connection) => refuseOtherAccounts(collected.targets, connection),
      async *work(one) {
        const exported = await exportTo(choice, one, reading);
        results.push(...exported.results);
        for (const result of exported.results) yield reportedJson(result, one.member.connection.session.inUse);
        if (exported.failure !== undefined && exported.results.length === 0) throw exported.failure;
        return exported.failure;
      },
      closing: (hasFailed) => (isDryRun || (hasFailed && results.length === 0) ? [] : closingOf(results, to)),
    },
  );
}

/** @throws Failure `usage` for a text that is neither an id nor the name of an account */
function nameOf(text: string): string {
  const name = conversationName(text);
  if (isIdentifier(name)) return name;
  throw new Failure('usage', `"${text}" is not the id of a conversation`, {hint: 'use an id that `pixelctl dm list` prints, or @user'});
}

/**
 * Exports the conversations of an account.
 * @returns also a failure when some of it failed; `drift` if the server suddenly shows little, or if a dry run found differences
 */
export async function exportTo(
  {withMedia, maxSize, ...wanted}: ExportChoice,
  {folder, member, progress, signal}: AccountRun,
  session: Session,
): Promise<{readonly results: Results; readonly failure: Failure | undefined}> {
  const {connection} = member;
  const {timeout, userAgent} = session;
  const owner = await archiveOwner(member);
  const {isDryRun} = wanted;
  using _archive = await (isDryRun ? openToLook : openArchive)(folder, owner);
  const source = sourceOf(connection, signal);
  const {server, token} = connection.identity;
  const ownHost = () => hostOfAccounts(source.client);
  const media = withMedia
    ? {server, token: () => token(), ownHost, timeout, retries: session.flags.retries, userAgent, maxSize, signal}
    : undefined;
  const [now, warn, accounts] = [session.io.now(), (text: string) => session.warn(text), () => connection.accounts()];
  const {results, failure} = await exportConversations({...wanted, source, folder, owner, accounts, media, now, progress, warn});
  const found = partOf(results, folder) ?? doubtIn(results, folder) ?? (isDryRun ? differenceIn(results, folder) : undefined);
  return {results, failure: failure ?? found};
}

function doubtIn(results: Results, folder: string): Failure | undefined {
  const doubtful = results.filter((one) => one.doubtful).map((one) => `${handlesIn(one)}: ${countNoun(one.gone, 'message')}`);
  if (doubtful.length === 0) return undefined;
  const what = `The server no longer shows much of what it had: ${firstOf(doubtful, maxTold, {between: '; '})}. All of it stays in ${folder}`;
  return new Failure('drift', what, {hint: 'if that is right, there is nothing to do: the next run takes it as it is'});
}

function differenceIn(results: Results, folder: string): Failure | undefined {
  const differences = differencesIn(results);
  return differences === undefined ? undefined : new Failure('drift', `${folder} and the server differ: ${differences}`);
}

export function hintOfPart(failures: readonly Failure[]): string {
  const [first, ...others] = failures;
  const own = first !== undefined && others.length === 0 ? hintFor(first, defaultAccount) : undefined;
  return own ?? 'the results say why; to try again what failed, run the same command again';
}

/** @returns the failure of a run; with a single conversation, its own failure */
function partOf(results: Results, folder: string): Failure | undefined {
  const failures = results.flatMap(({failure}) => failure ?? []);
  const files = sumOf(results, 'failed_media');
  const [first] = failures;
  if (first === undefined && files === 0) return undefined;
  if (first !== undefined && results.length === 1) return first;
  const all = `${withCommas(failures.length)} of ${countNoun(results.length, 'conversation')}`;
  const failed = [...(first === undefined ? [] : [all]), ...(files > 0 ? [countNoun(files, 'file')] : [])].join(' and ');
  const why = first === undefined || failures.length > 1 ? '' : `: ${first.message}`;
  const rest = failures.length < results.length ? `; the rest is in ${folder}` : '';
  return new Failure('partial', `${failed} failed${why}${rest}`, {hint: hintOfPart(files > 0 && !failures.some(isDamage) ? [] : failures)});
}
