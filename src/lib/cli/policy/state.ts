/** What the commands about state files share: which record is meant, and how items are shown. */
import {commandText} from '../../files/command-text.js';
import {Args, Flags} from '@oclif/core';
import {accountOf, connect} from '../connection.js';
import type {GivenFlags} from '../flags.js';
import {printResult} from '../print-result.js';
import {printingOfOwn, ownResult} from '../sink.js';
import type {Session} from '../session.js';
import type {ListView} from '../../api/view.js';
import {Failure} from '../../client/failure.js';
import {handleOf} from '../../operations/handle.js';
import {
  type FoundRecord,
  type Item,
  type MadeItem,
  type ManagedItemJson,
  nameOfOwner,
  ownedItems,
  type Owner,
  recordsUnder,
  NameSelection,
  stateFilesFor,
  what,
  withoutPrivate,
} from '../../policy/index.js';
import {counted} from '../../json/text.js';

export const recordFlags = {
  state: Flags.string({description: 'the state file (default: those beside the policy)', helpValue: 'FILE'}),
  account: Flags.string({
    description: 'the account, as in the state file: ana@pix.example (default: the account of the profile, or the only one)',
    helpValue: 'ACCOUNT',
  }),
};

export const policyArguments = {
  POLICY: Args.string({description: 'the policy, YAML or JSON (-: one from standard input, with --state)', ignoreStdin: true}),
};

/** One argument for oclif, which takes no optional ones before many. */
export const subjectArguments = {
  POLICY: Args.string({
    description: 'the policy, then domains, accounts, and titles or ids of filters; * matches any text',
    multiple: true,
    ignoreStdin: true,
  }),
};

/** @throws Failure `usage` for a policy from standard input, which has no state file beside it */
export function refuseNameless(policy: string | undefined, {state}: {readonly state?: string | undefined}): void {
  if (policy === '-' && state === undefined)
    throw new Failure('usage', 'A policy from standard input has no state file beside it', {hint: 'name the file with --state'});
}

/** @throws Failure `usage` where no policy is named */
export function requirePolicy(policy: string | undefined): string {
  if (policy === undefined) throw new Failure('usage', 'Missing: POLICY');
  return policy;
}

export interface PolicyAndSubjects {
  readonly policy: string;
  /** Names and patterns. */
  readonly subjects: readonly string[];
}

/** @throws Failure `usage` where no policy is named */
export function policyAndSubjects({POLICY = []}: {readonly POLICY?: readonly string[] | undefined}): PolicyAndSubjects {
  const [first, ...subjects] = POLICY;
  return {policy: requirePolicy(first), subjects};
}

export const selectionFlags = {
  all: Flags.boolean({description: 'all items instead of named ones'}),
  'dry-run': Flags.boolean({description: 'show what would change, and write nothing'}),
};

export type RecordFlags = GivenFlags<typeof recordFlags> & {readonly policy?: string | undefined};

/** The records of the state files that the flags name. @throws Failure `local` when one cannot be read */
async function recordsIn({policy, state, account}: RecordFlags, session: Session): Promise<FoundRecord[]> {
  refuseNameless(policy, {state});
  const {profile, server} = session.flags;
  const owner = account === undefined && (profile !== undefined || server !== undefined) ? await ownerInUse(session) : undefined;
  const found = await recordsUnder(policy, await stateFilesFor(policy, state));
  return found.filter(({record}) => {
    const name = nameOfOwner(record);
    const isOfAccount = account === undefined || name === account || name === handleOf(account, new URL(record.server).host);
    return isOfAccount && (owner === undefined || isOwnedBy(record, owner));
  });
}

type Account = Pick<Owner, 'account' | 'server'>;

/** What the accounts of a server share is each one's. */
const isOwnedBy = (record: Account, {server, account}: Account): boolean =>
  record.server === server && (record.account === undefined || record.account === account);

async function ownerInUse(session: Session): Promise<Account> {
  await using connection = await connect(session);
  return {server: connection.server.origin, account: (await accountOf(connection)) ?? ''};
}

type Named = RecordFlags & {readonly policy: string};

/**
 * The record that is meant, the only one or that of the account in use, and that of what the accounts of its server share.
 * @throws Failure `not_found` when there is none, `usage` when there are those of several accounts
 */
export async function recordsFor(flags: Named, session: Session): Promise<[FoundRecord, ...FoundRecord[]]> {
  const found = await recordsIn(flags, session);
  const [shared, own] = [found.filter(isShared), found.filter((one) => !isShared(one))];
  const first = recordAmong(own.length === 0 ? shared : own, flags);
  return [first, ...shared.filter((one) => one !== first && one.record.server === first.record.server)];
}

const isShared = ({record}: FoundRecord): boolean => record.account === undefined;

function recordAmong(found: readonly FoundRecord[], flags: Named): FoundRecord {
  const [first, ...others] = found;
  if (first === undefined) {
    throw new Failure('not_found', `No state file has a record of ${flags.account ?? 'this account'} under ${flags.policy}`, {
      hint: `to see what there is: ${commandText('state list', {flags: {state: flags.state}})}`,
    });
  }
  if (others.length === 0) return first;
  // An account whose items have moved keeps what can be reverted on it.
  const [only, ...more] = found.filter(({record}) => ownedItems(record).length > 0);
  if (only !== undefined && more.length === 0) return only;
  const names = found.map(({record}) => nameOfOwner(record)).join(', ');
  throw new Failure('usage', `Several accounts have a record under ${flags.policy}: ${names}`, {hint: 'name one of them with --account'});
}

interface Choice {
  readonly subjects: readonly string[];
  readonly isAll: boolean;
  /** Says why a name is not among the items. */
  readonly why: string;
  readonly hint: string;
}

/**
 * The items that are named, of each account: what is named has to be among the items of one of them.
 * @throws Failure `usage` when nothing is named, or with --all and names; `not_found` when a name is not among the items
 */
export function chosenOf<One extends Item>(
  accounts: readonly {readonly items: readonly One[]; readonly host: string}[],
  {subjects, isAll, why, hint}: Choice,
): (readonly One[])[] {
  if (isAll && subjects.length > 0) throw new Failure('usage', '--all and subjects cannot be used together');
  if (isAll) return accounts.map(({items}) => items);
  if (subjects.length === 0)
    throw new Failure('usage', 'No subjects given', {hint: 'name domains, accounts or titles of filters, or pass --all'});
  const selections = accounts.map(({items, host}) => {
    const selection = new NameSelection(subjects, host);
    return {chosen: items.filter((item) => selection.matches(item)), unmatched: selection.unmatched};
  });
  const unmatched = subjects.filter((name) => selections.every((one) => one.unmatched.includes(name)));
  new NameSelection(unmatched, '').refuseUnmatched(why, hint);
  return selections.map(({chosen}) => chosen);
}

export const itemsView: ListView = {
  kind: 'list',
  columns: [
    {header: 'kind', path: 'kind', priority: 3},
    what,
    {header: 'since', path: 'since', kind: 'time', none: 'unknown', priority: 4},
    {header: 'account', path: 'account', key: true},
    {header: 'policy', path: 'policy', flexible: true, priority: 2},
    {header: 'state file', path: 'file', priority: 5},
  ],
  fields: ['kind', 'subject', 'id', 'was', 'since', 'account', 'server', 'policy', 'file'],
  empty: '',
};

/** Items with the record that they are in, as the commands print them. @param empty is said without items, where no note says it */
export async function printItems(
  items: readonly {readonly item: MadeItem & {readonly since?: string | undefined}; readonly found: FoundRecord}[],
  session: Session,
  empty = '',
): Promise<void> {
  const rows = items.map(({item: {kind, subject, id, was, since}, found: {path, record}}): ManagedItemJson => ({
    kind,
    subject,
    ...(id !== undefined && {id}),
    ...(was !== undefined && {was: withoutPrivate(was)}),
    since: since ?? null,
    account: nameOfOwner(record),
    server: record.server,
    policy: record.policy,
    file: path,
  }));
  await printResult(ownResult(rows, {view: {...itemsView, empty}, at: []}), session);
}

/** Prints the items of all records that the flags name. @throws Failure as {@link recordsIn} */
export async function listItems(flags: RecordFlags, session: Session): Promise<void> {
  await printingOfOwn(itemsView, session);
  const records = await recordsIn(flags, session);
  const items = records.flatMap((found) => ownedItems(found.record).map((item) => ({item, found})));
  await printItems(items, session, 'No managed items.');
}

/** What became of items: `Adopted 2 items.`, or that nothing was written. @param verbs `['adopt', 'Adopted']` */
export function noteWritten(
  count: number,
  [todo, done]: readonly [todo: string, done: string],
  {isDryRun, more = '', session}: {readonly isDryRun: boolean; readonly more?: string; readonly session: Session},
): void {
  const items = counted(count, 'item');
  if (count === 0) session.note(`Nothing to ${todo}${more === '' ? '' : `: ${more}`}.`);
  else {
    const what = isDryRun ? `Nothing was written: ${items} to ${todo}.` : `${done} ${items}.`;
    session.note(more === '' ? what : `${what} ${more}.`);
  }
}
