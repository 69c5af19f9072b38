/** Changes of one account or several: shows them, asks once, and sends them. */
import {handOnAll, type Gathered, type PerAccount, type Member} from '../account-driver.js';
import type {Connection} from '../connection.js';
import {dryRunOf} from '../dry-run.js';
import {joinFlags, runFlags, writeFlags} from '../flags.js';
import type {Items, Result} from '../sink.js';
import {actor, allowWrites, requireAnswer, requireAnswerFor} from '../prompts.js';
import {type Batch, type RunFlags, Runner} from '../runner.js';
import {readMissing, writeMissing} from './missing-accounts.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Session} from '../session.js';
import type {Answer} from '../../client/answer.js';
import {asFailure, Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import {perform, requestsFor, resolveInput} from '../../operations/operation.js';
import {
  type AccountPlan,
  countsText,
  type Lines,
  plansText,
  type PolicyWithLists,
  type Recorder,
  type Row,
  rowName,
  shownRow,
  summaryText,
} from '../../policy/index.js';
import type {ListView} from '../../api/view.js';
import {countNoun, enumerate} from '../../json/text.js';
import {resultsNaming} from '../../run/index.js';

/** Changes are sent one after the other; a run that is repeated continues from the state. */
export const changeFlags = joinFlags(
  {
    rate: runFlags.rate,
    'fail-fast': runFlags['fail-fast'],
  },
  writeFlags,
);

type ChangeFlags = Pick<RunFlags, 'fail-fast' | 'rate'>;

/** Sends the requests of an account. @throws Failure when some failed, or the run was ended */
export type SendAll = (batch: Batch<Row>) => Promise<void>;

/** The changes of one account. */
export interface AccountChanges {
  readonly rows: readonly Row[];
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
  /** What is changed, of which accounts. */
  readonly given: PolicyWithLists;
  /** Begins the question about several accounts: `Apply p.yml to`. */
  readonly question: string;
  /** Prepares the changes of an account. */
  readonly prepare: (member: Member) => Promise<One>;
  /** Checks all of them before anything is sent. @throws Failure */
  readonly check?: (jobs: Gathered<One>) => Promise<void> | void;
  /** Checks again what may have changed while somebody was asked, right before anything is sent. @throws Failure */
  readonly confirm?: (jobs: readonly PerAccount<One>[]) => Promise<void>;
  /** Whether somebody has agreed already, because they have read the plan. */
  readonly isAgreed?: boolean;
  /** What there is to say in the end, and how it ends. @param ended how the sending ended */
  readonly conclude?: (ended: Failure | undefined, jobs: Gathered<One>) => Pick<Result, 'failure' | 'notes'>;
}

/** Checks, before anything is read, that there is somebody to ask. @throws Failure `usage` */
export function requireConsent(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/**
 * Shows the changes of accounts, asks once, and makes them: accounts side by side, the changes of each one after another. A dry run
 * shows the requests instead.
 * @throws Failure of a single account, and as `check` and `confirmed` do: then nothing is sent to any
 */
export async function changeAccounts<One extends AccountChanges>(
  {given, question, prepare, check, confirm: confirmed, isAgreed = false, conclude = (failure) => ({failure})}: Jobs<One>,
  run: PolicyRun<ChangeFlags & PolicyFlags>,
): Promise<Result> {
  const {flags, opened, session} = run;
  const accounts = await run.accounts([given], 'write');
  const jobs = await accounts.gather(prepare);
  const {found, failed, noun} = jobs;
  await check?.(jobs);
  const busy = found.filter(({value}) => value.rows.length > 0);
  const asks = busy.length > 0 && !session.dryRun && !session.assumeYes && !isAgreed;
  if (asks) requireAnswerFor(connectionsOf(busy), session.io);
  show(jobs, session, isAgreed);
  const nothing = busy.length === 0 && failed.length === 0 ? nothingText(jobs) : '';
  if (session.dryRun) {
    const members = found.map(({member}) => member);
    const rowsOf = new Map(found.map(({member, value: {rows}}) => [member, rows]));
    const planned = await accounts.gather((member) => plannedRequests(rowsOf.get(member) ?? [], member.connection), members);
    const requests = planned.found.map(({member: {label, connection}, value}) => ({account: label, place: connection, requests: value}));
    const {notes = [], ...result} = dryRunOf(requests, session, nothing);
    const end = conclude(accounts.failureOf([...failed, ...planned.failed]), jobs);
    return {...result, ...end, notes: [...notes, ...(end.notes ?? [])]};
  }
  if (busy.length > 0 && !isAgreed) await ask(busy, question, noun, session);
  await confirmed?.(found);
  const total = busy.reduce((sum, {value}) => sum + value.rows.length, 0);
  const runner = new Runner({flags: {...flags, concurrency: 1}, session, opened, total: () => total});
  const jobOf = new Map(found.map(({member, value}) => [member, value]));
  const items = accounts.items(
    async (member, handOn) => {
      const send: SendAll = async (batch) => {
        const ending = await handOnAll(runner.items(batch, member.connection), handOn);
        if (ending?.failure !== undefined) throw ending.failure;
      };
      try {
        await jobOf.get(member)?.carryOut(send);
        return {};
      } catch (error) {
        return {failure: asFailure(error)};
      }
    },
    {members: [...jobOf.keys()], finishes: true, interruption: () => runner.interruption, failed},
  );
  async function* concludeItems(): Items {
    const ending = yield* items;
    return {...ending, ...conclude(ending?.failure, jobs)};
  }
  return {items: concludeItems(), view: resultsOf(busy, nothing), areOfAccounts: noun !== undefined, finishing: runner};
}

/** The results of changes: programs get the names of changes without the `@` of accounts. @param empty is said without results */
function resultsOf(busy: readonly PerAccount<AccountChanges>[], empty: string): ListView {
  const shown = new Map<unknown, string>(
    busy.flatMap(({value: {rows, host}}) =>
      rows.flatMap((row): [string, string][] => {
        const [name, text] = [rowName(row, host), shownRow(row, host)];
        return name === text ? [] : [[name, text]];
      }),
    ),
  );
  return {...resultsNaming(shown), empty};
}

/** The plans of accounts, and why others have none. */
export function accountPlans<One>({all}: Gathered<One>, linesOf: (one: One) => Lines): AccountPlan[] {
  return all.map((one) =>
    'failure' in one
      ? {account: one.member.account, plan: undefined, why: one.failure.message}
      : {account: one.member.account, plan: linesOf(one.value)},
  );
}

/** What is said of an account, with its name where there are several. */
export const naming =
  ({label}: Member) =>
  (text: string) =>
    label === undefined ? text : `${label}: ${text}`;

/** On standard error: standard output has the results. */
function show(jobs: Gathered<AccountChanges>, session: Session, isAgreed: boolean): void {
  const {found, noun} = jobs;
  const {io, dryRun, flags, assumeYes} = session;
  for (const {member, value} of found) for (const text of value.warnings) session.warn(naming(member)(text));
  const plans = accountPlans(jobs, ({lines}) => (dryRun ? {...lines, changes: []} : lines));
  const hasChanges = plans.some(({plan}) => plan !== undefined && plan.changes.length > 0);
  const hasLines = hasChanges || plans.some(({plan}) => plan !== undefined && plan.cannot.length > 0);
  if (hasLines && (session.traits.hasNotes ? !flags.quiet : hasChanges && !assumeYes && !isAgreed))
    for (const text of plansText(plans, {noun, terminal: io.err})) io.tell(text);
  if (session.traits.hasNotes) for (const {member, value} of found) for (const text of value.notes) session.note(naming(member)(text));
}

/** Empty where some of it cannot be changed. */
function nothingText({found, noun}: Gathered<AccountChanges>): string {
  const texts = found.map(({value}) => value.nothing);
  if (texts.includes(undefined)) return '';
  return noun === undefined ? (texts[0] ?? '') : 'Nothing to do.';
}

const connectionsOf = (jobs: readonly PerAccount<AccountChanges>[]): Connection[] => jobs.map(({member}) => member.connection);

/** @throws Failure `usage` when there is no terminal, or the answer is no */
async function ask(
  busy: readonly PerAccount<AccountChanges>[],
  question: string,
  noun: Gathered<unknown>['noun'],
  session: Session,
): Promise<void> {
  const told = busy.flatMap(({value: {ends = []}}) => ends);
  const more = [...new Set(told)].map((sentence) => ` ${sentence}`).join('');
  const [only] = busy;
  const text = async () => {
    if (noun === undefined)
      return only === undefined
        ? ''
        : `${only.value.question} ${await actor(only.member.connection)}: ${countsText([only.value.lines])}?${more}`;
    const plans = busy.map(({member: {account}, value: {lines}}) => ({account, plan: lines}));
    return `${question} ${busy.map(({member}) => member.account).join(', ')}. ${summaryText(plans, noun)}?${more}`;
  };
  await allowWrites(connectionsOf(busy), question, text, session);
}

/** The request of a row. @throws Failure `not_found` for an account that is not there any more */
async function requestOf({kind, action, ...rest}: Row, connection: Connection) {
  const operation = action === 'add' || action === 'remove' ? kind.send[action] : kind.send.update;
  if (operation === undefined) throw new Error(`Nothing ${action}s a ${kind.kind}`);
  const input = kind.send.input({kind, action, ...rest}, {now: connection.session.io.now(), host: connection.server.host});
  return {operation, input: await resolveInput(operation, input, connection)};
}

/** The requests that a dry run shows. */
async function plannedRequests(rows: readonly Row[], connection: Connection): Promise<Request[]> {
  const requests = [];
  for (const row of rows) {
    const {operation, input} = await requestOf(row, connection);
    requests.push(...requestsFor(operation, input));
  }
  return requests;
}

/** The account that a change names by its handle; undefined for any other change. */
function handleIn(row: Row, {session, server}: Connection): string | undefined {
  const {id} = row.kind.send.input(row, {now: session.io.now(), host: server.host}).path ?? {};
  return typeof id === 'string' && id.startsWith('@') ? id : undefined;
}

/** Tries accounts last that an earlier run did not find. */
async function findableFirst(rows: readonly Row[], connection: Connection): Promise<readonly Row[]> {
  const missing = await readMissing(connection);
  const last = new Set(rows.filter((row) => missing.has(handleIn(row, connection) ?? '')));
  return [...rows.filter((row) => !last.has(row)), ...last];
}

/** An hourly quota stops all filter changes that are left. */
function explainQuota(failure: Failure, {kind}: Row): Failure {
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

  async noteSent({action, kind}: Row, send: () => Promise<Answer>): Promise<Answer> {
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
    const counts = enumerate(back.map(([{words}, {held}]) => countNoun(held, words.item)));
    const were = back.reduce((sum, [, {held}]) => sum + held, 0) === 1 ? 'was' : 'were';
    const advice = this.#advisesPolicy ? back.flatMap(([{key, ofDomains}]) => (ofDomains ? `set ${key}.limit in the policy` : [])) : [];
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
  rows: readonly Row[],
  send: SendAll,
  {recorder, host, advisesPolicy = false}: {readonly recorder: Recorder; readonly host: string; readonly advisesPolicy?: boolean},
): Promise<void> {
  let broken: Failure | undefined;
  const held = new Held(advisesPolicy);
  const notFound = new Set<string>();
  let tried: Connection | undefined;
  const make = async (row: Row, connection: Connection): Promise<Answer> => {
    if (broken !== undefined) throw new Failure(broken.code, broken.message, {reason: 'unsent'});
    const answer = await held
      .noteSent(row, async () => {
        const {operation, input} = await requestOf(row, connection);
        await recorder.before(row).catch((error: unknown) => {
          broken = asFailure(error);
          throw new Failure(broken.code, broken.message, {reason: 'unsent'});
        });
        return perform(operation, input, connection);
      })
      .catch(async (error: unknown) => {
        const failure = explainQuota(asFailure(error), row);
        const handle = handleIn(row, connection);
        if (failure.code === 'not_found' && handle !== undefined) notFound.add(handle);
        if (broken === undefined)
          await recorder.noteFailure(row, failure).catch((unwritten: unknown) => void (broken = asFailure(unwritten)));
        throw failure;
      });
    await recorder.noteDone(row, answer).catch((error: unknown) => void (broken = asFailure(error)));
    return answer;
  };
  try {
    await send({
      total: () => rows.length,
      unknownHint: 'the next run first checks what was carried out, and then does the rest',
      async *steps(over) {
        tried = over;
        for (const row of await findableFirst(rows, over)) yield {target: rowName(row, host), request: row, repeat: 'harmless'};
      },
      send: make,
    });
  } catch (error) {
    throw broken ?? held.besides(asFailure(error));
  } finally {
    if (tried !== undefined) await writeMissing(notFound, tried);
  }
  if (broken !== undefined) throw broken;
  if (held.failure !== undefined) throw held.failure;
}
