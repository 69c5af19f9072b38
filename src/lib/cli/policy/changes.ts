/** Changes of one account or several: shows them, asks once, and sends them. */
import type {PerAccount, Accounts, Member} from '../accounts.js';
import type {Connection} from '../connection.js';
import {dryRunOf} from '../dry-run.js';
import {printResult} from '../print-result.js';
import {joinFlags, runFlags, writeFlags} from '../flags.js';
import {type Printing} from '../sink.js';
import {actor, allowWrites, requireAnswer, requireAnswerFor} from '../prompts.js';
import {type RunFlags, type Work} from '../run-steps.js';
import {Runs} from './runs.js';
import type {Session} from '../session.js';
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure, type AccountFailure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {nounFor} from '../../operations/handle.js';
import {perform, requestsFor, resolved} from '../../operations/operation.js';
import {
  type AccountPlan,
  countsText,
  type Lines,
  plansText,
  type Recorder,
  type Row,
  rowName,
  type Sending,
  shownRow,
  summaryText,
} from '../../policy/index.js';
import type {ListView} from '../../api/view.js';
import {counted, enumerated} from '../../json/text.js';
import {valueAt} from '../../print/values.js';
import {resultsView} from '../../run/index.js';

/** Changes are sent one after the other; a run that is repeated continues from the state. */
export const changeFlags = joinFlags(
  {
    rate: runFlags.rate,
    'fail-fast': runFlags['fail-fast'],
  },
  writeFlags,
);

type ChangeFlags = Pick<RunFlags, 'fail-fast' | 'rate'>;

/** Sends the requests of an account, and prints a result for each. @throws Failure when some failed, or the run was ended */
export type SendAll = (work: Work) => Promise<void>;

/** The changes of one account. */
export interface AccountChanges {
  readonly sendings: readonly Sending[];
  readonly lines: Lines;
  readonly host: string;
  /** What is held, and what else is to be known. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
  /** What the changes end or leave, in sentences: it is told before they are sent. */
  readonly ends?: readonly string[] | undefined;
  /** Begins the question about one account: `Apply p.yml as`. */
  readonly question: string;
  /** What is said when there is nothing to do; undefined where it is not said. */
  readonly nothing: string | undefined;
  /** Makes the changes, or only notes that there is nothing to do. */
  readonly carryOut: (send: SendAll) => Promise<void>;
}

interface Jobs<One extends AccountChanges> {
  /** Begins the question about several accounts: `Apply p.yml to`. */
  readonly question: string;
  /** Prepares the changes of an account. */
  readonly prepare: (member: Member) => Promise<One>;
  /** Told what was prepared, before it is checked, and which accounts failed. @throws Failure */
  readonly planned?: (jobs: readonly PerAccount<One>[], failed: readonly AccountFailure[]) => Promise<void>;
  /** Checks all of them before anything is sent. @throws Failure */
  readonly check?: (jobs: readonly PerAccount<One>[], failed: readonly AccountFailure[]) => void;
  /** Checks again what may have changed while somebody was asked, right before anything is sent. @throws Failure */
  readonly confirmed?: (jobs: readonly PerAccount<One>[]) => Promise<void>;
  /** Whether somebody has agreed already, because they have read the plan. */
  readonly isAgreed?: boolean;
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
  {question, prepare, planned, check, confirmed, isAgreed = false}: Jobs<One>,
  accounts: Accounts,
  {flags, printing, session}: {readonly flags: ChangeFlags; readonly printing: Printing; readonly session: Session},
): Promise<readonly PerAccount<One>[]> {
  const {members} = accounts;
  const {found, failed} = await accounts.eachApart(prepare);
  await planned?.(found, failed);
  check?.(found, failed);
  const busy = found.filter(({value}) => value.sendings.length > 0);
  const asks = busy.length > 0 && !session.dryRun && !session.assumeYes && !isAgreed;
  if (asks) requireAnswerFor(connectionsOf(busy), session.io);
  show(found, failed, accounts, {session, isAgreed});
  const nothing = busy.length === 0 && failed.length === 0 ? nothingText(found, accounts) : '';
  if (session.dryRun) {
    await printDryRun({found, failed, nothing}, accounts, session);
    return found;
  }
  if (busy.length > 0 && !isAgreed) await ask(busy, question, accounts, session);
  await confirmed?.(found);
  await using runs = await Runs.open({
    session,
    flags: {...flags, concurrency: 1},
    printing,
    total: busy.reduce((sum, {value}) => sum + value.sendings.length, 0),
    view: resultsOf(busy, nothing),
    names: accounts.areNamed ? members.map(({account}) => account) : undefined,
  });
  const outcomes = await carryOutAll(found, runs, accounts);
  const failure = await runs.end(runs.interruption ?? endOf([...failed, ...outcomes], accounts));
  if (failure !== undefined) throw failure;
  return found;
}

/** The results of changes: programs get the names of changes without the `@` of accounts. @param empty is said without results */
function resultsOf(busy: readonly PerAccount<AccountChanges>[], empty: string): ListView {
  const shown = new Map<unknown, string>(
    busy.flatMap(({value: {sendings, host}}) =>
      sendings.flatMap(({row}): [string, string][] => {
        const [name, text] = [rowName(row, host), shownRow(row, host)];
        return name === text ? [] : [[name, text]];
      }),
    ),
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

/** The plans of accounts, and why others have none, in the order of the accounts. */
export function accountPlans(
  members: readonly Member[],
  found: readonly PerAccount<Lines>[],
  failed: readonly AccountFailure[],
): AccountPlan[] {
  return members.flatMap((member): AccountPlan[] => {
    const own = found.find((one) => one.member === member);
    const why = failed.find(({account}) => account === member.account)?.failure.message;
    if (own !== undefined) return [{account: member.account, plan: own.value}];
    return why === undefined ? [] : [{account: member.account, plan: undefined, why}];
  });
}

/** What is said of an account, with its name where there are several. */
export const naming =
  ({areNamed}: Accounts, {account}: Member) =>
  (text: string) =>
    areNamed ? `${account}: ${text}` : text;

/** On standard error: standard output has the results. */
function show(
  found: readonly PerAccount<AccountChanges>[],
  failed: readonly AccountFailure[],
  accounts: Accounts,
  {session, isAgreed}: {readonly session: Session; readonly isAgreed: boolean},
): void {
  const {io, dryRun, flags, assumeYes} = session;
  for (const {member, value} of found) for (const text of value.warnings) session.warn(naming(accounts, member)(text));
  const lines = found.map(({member, value}) => ({member, value: {...value.lines, changes: dryRun ? [] : value.lines.changes}}));
  const hasChanges = lines.some(({value}) => value.changes.length > 0);
  const hasLines = hasChanges || lines.some(({value}) => value.cannot.length > 0);
  if (hasLines && (session.traits.hasNotes ? !flags.quiet : hasChanges && !assumeYes && !isAgreed)) {
    const noun = accounts.areNamed ? nounFor(accounts.members) : undefined;
    for (const text of plansText(accountPlans(accounts.members, lines, failed), {noun, terminal: io.err})) io.tell(text);
  }
  if (session.traits.hasNotes)
    for (const {member, value} of found) for (const text of value.notes) session.note(naming(accounts, member)(text));
}

/** Empty where some of it cannot be changed. */
function nothingText(found: readonly PerAccount<AccountChanges>[], {areNamed}: Accounts): string {
  const texts = found.map(({value}) => value.nothing);
  if (texts.includes(undefined)) return '';
  return areNamed ? 'Nothing to do.' : (texts[0] ?? '');
}

const connectionsOf = (jobs: readonly PerAccount<AccountChanges>[]): Connection[] => jobs.map(({member}) => member.connection);

/** @throws Failure `usage` when there is no terminal, or the answer is no */
async function ask(
  busy: readonly PerAccount<AccountChanges>[],
  question: string,
  {areNamed, members}: Accounts,
  session: Session,
): Promise<void> {
  const told = busy.flatMap(({value: {ends = []}}) => ends);
  const more = [...new Set(told)].map((sentence) => ` ${sentence}`).join('');
  const text = () => {
    const [alone] = areNamed ? [] : busy;
    if (alone !== undefined) return `${alone.value.question} ${actor(alone.member.connection)}: ${countsText([alone.value.lines])}?${more}`;
    const plans = busy.map(({member: {account}, value: {lines}}) => ({account, plan: lines}));
    return `${question} ${busy.map(({member}) => member.account).join(', ')}. ${summaryText(plans, nounFor(members))}?${more}`;
  };
  await allowWrites(connectionsOf(busy), question, text, session);
}

interface Prepared {
  readonly found: readonly PerAccount<AccountChanges>[];
  readonly failed: readonly AccountFailure[];
  readonly nothing: string;
}

async function printDryRun({found, failed, nothing}: Prepared, accounts: Accounts, session: Session): Promise<void> {
  const sendingsOf = new Map(found.map(({member, value: {sendings}}) => [member, sendings]));
  const planned = await accounts.eachApart(
    (member) => plannedRequests(sendingsOf.get(member) ?? [], member.connection),
    [...sendingsOf.keys()],
  );
  await printResult(
    dryRunOf(
      planned.found.map(({member: {account, connection}, value: requests}) => ({
        ...(accounts.areNamed && {account}),
        place: connection,
        requests,
      })),
      session,
      nothing,
    ),
    session,
  );
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
      if (job === undefined || (runs.interruption !== undefined && job.sendings.length > 0)) return;
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

/** The request of a row. @throws Failure `not_found` for an account that is not there any more */
async function requestOf({kind, action, ...rest}: Row, connection: Connection) {
  const operation = action === 'add' ? kind.operations.add : action === 'remove' ? kind.operations.remove : kind.operations.update;
  if (operation === undefined) throw new Error(`Nothing ${action}s a ${kind.kind}`);
  const input = kind.input({kind, action, ...rest}, {now: connection.session.io.now(), host: connection.server.host});
  return {operation, input: await resolved(operation, input, connection)};
}

/** The requests that a dry run shows. */
async function plannedRequests(sendings: readonly Sending[], connection: Connection): Promise<Request[]> {
  const requests = [];
  for (const {row} of sendings) {
    const {operation, input} = await requestOf(row, connection);
    requests.push(...requestsFor(operation, input));
  }
  return requests;
}

/** Changes of accounts that an earlier run did not find come last: servers look up only so many a day. */
async function findableFirst(sendings: readonly Sending[], connection: Connection): Promise<readonly Sending[]> {
  const last = new Set<Sending>();
  for (const sending of sendings) {
    const {row} = sending;
    const {id} = row.kind.input(row, {now: connection.session.io.now(), host: connection.server.host}).path ?? {};
    if (typeof id !== 'string' || !id.startsWith('@')) continue;
    if (await (await connection.accounts()).wasMissing(id, connection.client)) last.add(sending);
  }
  return [...sendings.filter((one) => !last.has(one)), ...last];
}

/** An hourly quota stops all filter changes that are left. */
function explained(failure: Failure, {kind}: Row): Failure {
  if (failure.code !== 'rate_limited' || failure.details.reason !== 'hourly_quota' || kind.kind !== 'filter') return failure;
  return new Failure(failure.code, failure.message, {
    ...failure.details,
    reason: 'wait_too_long',
    hint: 'servers accept 20 new filters and 40 updates an hour, and some never reset the count: the next run does the rest',
  });
}

/** Additions that a server's limit does not allow: of each kind one is tried, and the rest is not sent. */
class Held {
  readonly #full = new Map<Row['kind'], {readonly failure: Failure; held: number}>();
  readonly #advisesPolicy: boolean;

  constructor(advisesPolicy: boolean) {
    this.#advisesPolicy = advisesPolicy;
  }

  async sent({action, kind}: Row, send: () => Promise<Answer>): Promise<Answer> {
    if (action !== 'add') return send();
    const known = this.#full.get(kind);
    if (known !== undefined) {
      known.held += 1;
      throw new Failure('refused', 'held back: the limit of the server is reached', {heldBack: 'server_limit'});
    }
    try {
      return await send();
    } catch (error) {
      const failure = asFailure(error);
      if (failure.details.reason !== 'server_limit') throw failure;
      // An earlier attempt may have made it, and so have filled the list.
      const isOpen = failure.details.fate === 'unknown';
      this.#full.set(kind, {failure, held: isOpen ? 0 : 1});
      throw isOpen ? failure : failure.with({heldBack: 'server_limit'});
    }
  }

  /** Set when something was held back: then a difference is left. */
  get failure(): Failure | undefined {
    const back = [...this.#full].filter(([, {held}]) => held > 0);
    const [first] = back;
    if (first === undefined) return undefined;
    const counts = enumerated(back.map(([{words}, {held}]) => counted(held, ...words.counted)));
    const were = back.reduce((sum, [, {held}]) => sum + held, 0) === 1 ? 'was' : 'were';
    const advice = this.#advisesPolicy ? back.flatMap(([{limitAdvice}]) => limitAdvice ?? []) : [];
    return new Failure('drift', `The limit of the server is reached, and ${counts} ${were} held back: ${first[1].failure.message}`, {
      hint: `${['ask its administrators to raise the limit', ...advice].join(', or ')}; the next run tries one again`,
    });
  }

  /** Another failure, with what was held back. */
  besides(failure: Failure): Failure {
    const held = this.failure;
    return held === undefined ? failure : failure.saying(`; ${held.message}`);
  }
}

/**
 * Sends the changes of an account one after another.
 * @param send carries out the steps, and prints a result for each
 * @param advisesPolicy whether they come from a policy that people write
 * @throws Failure as `send` and the recorder do
 */
export async function carryOut(
  sendings: readonly Sending[],
  send: SendAll,
  {recorder, host, advisesPolicy = false}: {readonly recorder: Recorder; readonly host: string; readonly advisesPolicy?: boolean},
): Promise<void> {
  let broken: Failure | undefined;
  const held = new Held(advisesPolicy);
  const make = async (sending: Sending, connection: Connection): Promise<Answer> => {
    if (broken !== undefined) throw new Failure(broken.code, broken.message, {reason: 'unsent'});
    const {row} = sending;
    const answer = await held
      .sent(row, async () => {
        const {operation, input} = await requestOf(row, connection);
        await recorder.before(sending).catch((error: unknown) => {
          broken = asFailure(error);
          throw new Failure(broken.code, broken.message, {reason: 'unsent'});
        });
        return perform(operation, input, connection);
      })
      .catch(async (error: unknown) => {
        const failure = explained(asFailure(error), row);
        if (broken === undefined)
          await recorder.failed(sending, failure).catch((unwritten: unknown) => void (broken = asFailure(unwritten)));
        throw failure;
      });
    await recorder.done(sending, answer).catch((error: unknown) => void (broken = asFailure(error)));
    return answer;
  };
  try {
    await send({
      total: sendings.length,
      inputs: () => [],
      unknownHint: 'the next run first checks what was carried out, and then does the rest',
      async *steps(connection) {
        for (const sending of await findableFirst(sendings, connection))
          yield {target: rowName(sending.row, host), repeat: 'harmless', run: () => make(sending, connection)};
      },
    });
  } catch (error) {
    throw broken ?? held.besides(asFailure(error));
  }
  if (broken !== undefined) throw broken;
  if (held.failure !== undefined) throw held.failure;
}
