/** Changes of one account or several: shows them, asks once, and sends them. */
import type {PerAccount, Accounts, Member} from '../accounts.js';
import type {Connection} from '../connection.js';
import {dryRunOf} from '../dry-run.js';
import {printResult} from '../print-result.js';
import {joinFlags, runFlags, writeFlags} from '../flags.js';
import {Held} from './held-back.js';
import {noteRemarks, warnOfAccounts} from './remarks.js';
import type {Printing} from '../sink.js';
import {actor, allowWrites, requireAnswer, requireAnswerFor} from '../prompts.js';
import type {RunFlags, Work} from '../run-steps.js';
import {Runs} from './runs.js';
import type {Session} from '../session.js';
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure, type AccountFailure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {identifierAt} from '../../json/path.js';
import {perform, requestsFor, resolved} from '../../operations/operation.js';
import {
  type AccountPlan,
  byKind,
  type Change,
  changeName,
  type ChangeRequest,
  countsText,
  plansText,
  type Remarks,
  requestOf,
  sections,
  shownChange,
  type State,
  summaryText,
  type Witness,
} from '../../policy/index.js';
import type {ListView} from '../../api/view.js';
import {valueAt} from '../../print/values.js';
import {resultsView} from '../../run/index.js';

/** Changes are sent one after the other; a run that is repeated continues from the state file. */
export const changeFlags = joinFlags(
  {
    rate: runFlags.rate,
    'fail-fast': runFlags['fail-fast'],
  },
  writeFlags,
);

type ChangeFlags = Pick<RunFlags, 'fail-fast' | 'rate'>;

/** Sends the requests of an account, and prints a result for each. @throws Failure when some failed, or the run was ended */
export type Send = (work: Work) => Promise<void>;

/** The changes of one account. */
export interface AccountChanges {
  readonly changes: readonly Change[];
  readonly remarks: Remarks;
  /** What is lost or left out, and why. */
  readonly warnings?: readonly {readonly subject?: string; readonly why: string}[];
  /** What the changes end or leave, in sentences: it is told before they are sent. */
  readonly ends?: readonly string[] | undefined;
  /** Begins the question about one account: `Apply p.yml as`. */
  readonly question: string;
  /** Why differences are left, in the question: `that pixelctl cannot change`. */
  readonly left?: string | undefined;
  /** What is said when there is nothing to do; undefined where it is not said. */
  readonly nothing: string | undefined;
  /** Makes the changes, or only notes that there is nothing to do. */
  readonly carryOut: (send: Send) => Promise<void>;
}

interface Jobs<One extends AccountChanges> {
  /** Begins the question about several accounts: `Apply p.yml to`. */
  readonly question: string;
  /** Prepares the changes of an account. */
  readonly prepare: (member: Member) => Promise<One>;
  /** Told what was prepared, before it is checked, and which accounts failed. @throws Failure */
  readonly planned?: (jobs: readonly PerAccount<One>[], failed: readonly AccountFailure[]) => Promise<void>;
  /** Checks all of them before anything is sent. @throws Failure */
  readonly check?: (jobs: readonly PerAccount<One>[]) => void;
}

/** Checks, before anything is read, that there is somebody to ask. @throws Failure `usage` */
export function requireConsent(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/**
 * Shows the changes of accounts, asks once, and makes them: accounts side by side, the changes of each one after another. A dry run
 * prints the requests instead.
 * @returns what was prepared, by account
 * @throws Failure of a single account; `partial` when some of several failed; that of a signal
 */
export async function changeAccounts<One extends AccountChanges>(
  {question, prepare, planned, check}: Jobs<One>,
  accounts: Accounts,
  {flags, printing, session}: {readonly flags: ChangeFlags; readonly printing: Printing; readonly session: Session},
): Promise<readonly PerAccount<One>[]> {
  const {members} = accounts;
  const {found, failed} = await accounts.eachApart(prepare);
  await planned?.(found, failed);
  check?.(found);
  const busy = found.filter(({value}) => value.changes.length > 0);
  if (busy.length > 0 && !session.dryRun && !session.assumeYes) requireAnswerFor(connectionsOf(busy), session.io);
  warnOfAccounts(
    found.map(({member: {account, owner}, value: {warnings = []}}) => ({account, owner, remarks: warnings})),
    session,
  );
  show(found, failed, accounts, session);
  const nothing = busy.length === 0 && failed.length === 0 ? nothingText(found, accounts) : '';
  if (session.dryRun) {
    await printDryRun({found, failed, nothing}, accounts, session);
    return found;
  }
  if (busy.length > 0) await ask(busy, question, accounts, session);
  await using runs = await Runs.open({
    session,
    flags: {...flags, concurrency: 1},
    printing,
    total: busy.reduce((sum, {value}) => sum + value.changes.length, 0),
    view: resultsOf(
      busy.flatMap(({value}) => value.changes),
      nothing,
    ),
    names: accounts.areNamed ? members.map(({account}) => account) : undefined,
  });
  const outcomes = await carryOutAll(found, runs, accounts);
  const failure = await runs.end(runs.interruption ?? endOf([...failed, ...outcomes], accounts));
  if (failure !== undefined) throw failure;
  return found;
}

/** The results of changes: programs get the names of changes without the `@` of accounts. @param empty is said without results */
function resultsOf(changes: readonly Change[], empty: string): ListView {
  const shown = new Map<unknown, string>(
    changes.flatMap((change): [string, string][] => {
      const [name, text] = [changeName(change), shownChange(change)];
      return name === text ? [] : [[name, text]];
    }),
  );
  const columns = resultsView.columns?.map((column) =>
    column.path === 'target' ? {...column, text: (row: unknown) => shown.get(valueAt(row, column.path))} : column,
  );
  return {...resultsView, empty, ...(columns && {columns})};
}

/** How it ends. What limits of servers hold back is a difference that is left, and no failure. */
function endOf(failed: readonly AccountFailure[], accounts: Accounts): Failure | undefined {
  const held = failed.filter(({failure}) => failure.code === 'drift');
  const [first] = held;
  if (first === undefined || !accounts.areNamed) return accounts.failureOf(failed);
  const message = held.map(({account, failure}) => `${account}: ${failure.message}`).join('; ');
  const failure = accounts.failureOf(failed.filter((one) => !held.includes(one)));
  if (failure !== undefined) return failure.saying(`; ${message}`);
  return new Failure('drift', message, {hint: first.failure.details.hint});
}

/** On standard error: standard output has the results. */
function show(
  found: readonly PerAccount<AccountChanges>[],
  failed: readonly AccountFailure[],
  {members, areNamed}: Accounts,
  session: Session,
): void {
  const {io, dryRun, flags, assumeYes} = session;
  const shown = found.map(({member, value: {changes, remarks}}) => ({member, value: {changes: dryRun ? [] : changes, ...remarks}}));
  const hasChanges = shown.some(({value}) => value.changes.length > 0);
  const hasLines = hasChanges || shown.some(({value: {cannot = []}}) => cannot.length > 0);
  if (hasLines && (session.traits.hasNotes ? !flags.quiet : hasChanges && !assumeYes)) {
    for (const text of plansText(accountPlans(members, shown, failed), {areNamed, terminal: io.err})) io.tell(text);
  }
  noteRemarks(
    found.map(({member, value}) => ({member, value: value.remarks})),
    session,
  );
}

/** The plans of accounts, and why others have none, in the order of the accounts. */
export function accountPlans(
  members: readonly Member[],
  found: readonly PerAccount<NonNullable<AccountPlan['plan']>>[],
  failed: readonly AccountFailure[],
): AccountPlan[] {
  return members.flatMap((member): AccountPlan[] => {
    const own = found.find((one) => one.member === member);
    const why = failed.find(({account}) => account === member.account)?.failure.message;
    const {account, owner} = member;
    if (own !== undefined) return [{account, owner, plan: own.value}];
    return why === undefined ? [] : [{account, owner, plan: undefined, why}];
  });
}

/** Empty where some of it cannot be changed. */
function nothingText(found: readonly PerAccount<AccountChanges>[], {areNamed}: Accounts): string {
  const texts = found.map(({value}) => value.nothing);
  if (texts.includes(undefined)) return '';
  return areNamed ? 'Nothing to do.' : (texts[0] ?? '');
}

const connectionsOf = (jobs: readonly PerAccount<AccountChanges>[]): Connection[] => jobs.map(({member}) => member.connection);

/** @throws Failure `usage` when there is no terminal, or the answer is no */
async function ask(busy: readonly PerAccount<AccountChanges>[], question: string, {areNamed}: Accounts, session: Session): Promise<void> {
  const told = busy.flatMap(({value: {ends = []}}) => ends);
  const more = [...new Set(told)].map((sentence) => ` ${sentence}`).join('');
  const text = () => {
    const [alone] = areNamed ? [] : busy;
    if (alone !== undefined) {
      const {changes, remarks, question: own, left} = alone.value;
      return `${own} ${actor(alone.member.connection)}: ${countsText([{changes, ...remarks}], left)}?${more}`;
    }
    const plans = busy.map(({member: {account, owner}, value: {changes, remarks}}) => ({account, owner, plan: {changes, ...remarks}}));
    return `${question} ${busy.map(({member}) => member.account).join(', ')}. ${summaryText(plans)}?${more}`;
  };
  await allowWrites(connectionsOf(busy), question, text, session);
}

interface Prepared {
  readonly found: readonly PerAccount<AccountChanges>[];
  readonly failed: readonly AccountFailure[];
  readonly nothing: string;
}

async function printDryRun({found, failed, nothing}: Prepared, accounts: Accounts, session: Session): Promise<void> {
  const changesOf = new Map(found.map(({member, value: {changes}}) => [member, changes]));
  const planned = await accounts.eachApart(
    (member) => plannedRequests(changesOf.get(member) ?? [], member.connection),
    [...changesOf.keys()],
  );
  const requests = planned.found.map(({member: {account, connection}, value}) => ({
    ...(accounts.areNamed && {account}),
    place: connection,
    requests: value,
  }));
  await printResult(dryRunOf(requests, session, nothing), session);
  const failure = accounts.failureOf([...failed, ...planned.failed]);
  if (failure !== undefined) throw failure;
}

/** @returns the accounts that failed */
async function carryOutAll(
  found: readonly PerAccount<AccountChanges>[],
  runs: Runs,
  accounts: Accounts,
): Promise<readonly AccountFailure[]> {
  const jobs = new Map(found.map(({member, value}) => [member, value]));
  const {members} = accounts;
  for (const [index, member] of members.entries()) if (!jobs.has(member)) runs.over(index);
  const work = async (member: Member): Promise<void> => {
    const job = jobs.get(member);
    const index = members.indexOf(member);
    try {
      // After a signal nothing more is begun.
      if (job === undefined || (runs.interruption !== undefined && job.changes.length > 0)) return;
      await job.carryOut((steps) => runs.send(index, member.connection, steps));
    } finally {
      runs.over(index);
    }
  };
  const results = await accounts.each(work, [...jobs.keys()]);
  return found.flatMap(({member: {account}}, index) => {
    const failure = results[index];
    return failure instanceof Failure ? [{account, failure}] : [];
  });
}

/** Which follows the changes end, by sections. */
export function endsOf(changes: readonly Change[], state: State): string[] {
  const changesOf = byKind(changes);
  return sections.flatMap(({kind, changing}) => changing?.warning?.(changesOf(kind), state) ?? []);
}

/** The request of a change. @throws Failure `not_found` for an account that is not there any more */
async function requestOfNow(change: Change, connection: Connection): Promise<ChangeRequest> {
  const {endpoint, input} = requestOf(change, connection.session.io.now());
  return {endpoint, input: await resolved(endpoint, input, connection)};
}

/** Changes of accounts that an earlier run did not find come last: servers look up only so many a day. */
async function findableFirst(changes: readonly Change[], connection: Connection): Promise<readonly Change[]> {
  const now = connection.session.io.now();
  const last = new Set<Change>();
  for (const change of changes) {
    const {id} = requestOf(change, now).input.path ?? {};
    if (typeof id !== 'string' || !id.startsWith('@')) continue;
    if (await (await connection.accounts()).wasMissing(id, connection.client)) last.add(change);
  }
  return [...changes.filter((change) => !last.has(change)), ...last];
}

/** The requests that a dry run shows. */
async function plannedRequests(changes: readonly Change[], connection: Connection): Promise<Request[]> {
  const requests = [];
  for (const change of changes) {
    const {endpoint, input} = await requestOfNow(change, connection);
    requests.push(...requestsFor(endpoint, input));
  }
  return requests;
}

/** An hourly quota stops all filter changes that are left. */
function explained(failure: Failure, {kind}: Change): Failure {
  if (failure.code !== 'rate_limited' || failure.details.reason !== 'hourly_quota' || kind !== 'filter') return failure;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    reason: 'wait_too_long',
    hint: 'servers accept 20 new filters and 40 updates an hour, and some never reset the count: the next run does the rest',
  });
}

async function sendChange(change: Change, connection: Connection): Promise<Answer> {
  const {endpoint, input} = await requestOfNow(change, connection);
  return perform(endpoint, input, connection);
}

/**
 * Sends the changes of an account one after another.
 * @param send carries out the steps, and prints a result for each
 * @param advisesPolicy whether they come from a policy that people write
 * @throws Failure as `send` and the witness do
 */
export async function carryOut(
  changes: readonly Change[],
  send: Send,
  {witness, advisesPolicy = false}: {readonly witness?: Witness; readonly advisesPolicy?: boolean} = {},
): Promise<void> {
  let broken: Failure | undefined;
  const held = new Held(advisesPolicy);
  const make = async (change: Change, connection: Connection): Promise<Answer> => {
    if (broken !== undefined) throw new Failure(broken.code, broken.message, {reason: 'unsent'});
    const answer = await held
      .sent(change, async () => {
        await witness?.sending?.(change).catch((error: unknown) => {
          broken = asFailure(error);
          throw new Failure(broken.code, broken.message, {reason: 'unsent'});
        });
        return sendChange(change, connection);
      })
      .catch((error: unknown) => {
        const failure = explained(asFailure(error), change);
        witness?.failed?.(change, failure);
        throw failure;
      });
    try {
      if (answer.stood === true && witness?.stood !== undefined) await witness.stood(change);
      else await witness?.made(change, change.action === 'add' ? identifierAt(answer.exact, ['id']) : undefined);
    } catch (error) {
      broken = asFailure(error);
    }
    return answer;
  };
  try {
    await send({
      total: changes.length,
      inputs: () => changes.map((change) => JSON.stringify(change)),
      unknownHint: 'the next run first checks what was carried out, and then does the rest',
      async *steps(connection) {
        for (const change of await findableFirst(changes, connection))
          yield {target: changeName(change), repeat: 'harmless', run: () => make(change, connection)};
      },
    });
  } catch (error) {
    throw broken ?? held.besides(asFailure(error));
  }
  if (broken !== undefined) throw broken;
  if (held.failure !== undefined) throw held.failure;
}
