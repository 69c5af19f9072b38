/** Changes of one account or several: shows them, asks once, and sends them. */
import type {AccountInUse} from '../account-in-use.js';
import {handOnAll, type Gathered, type PerAccount, type Member} from '../account-driver.js';
import type {Connection} from '../connection.js';
import {dryRunOf} from '../dry-run.js';
import {hintFor} from '../errors.js';
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
import {commandText} from '../../files/command-text.js';
import {perform, requestsFor, resolveInput} from '../../operations/operation.js';
import {
  type Changes,
  doneText,
  plansText,
  type PolicyWithLists,
  type Recorder,
  type Row,
  rowNames,
  summaryText,
  timeAfter,
} from '../../policy/index.js';
import type {ListView} from '../../api/view.js';
import {countNoun, enumerate} from '../../json/text.js';
import {resultsNaming} from '../../run/index.js';

/** Sends the requests of an account. @throws Failure when some failed, or the run was ended */
type SendAll = (batch: Batch<Row>) => Promise<void>;

/** There is no `--concurrency` and no `--journal`: changes are sent one after another, and the state says what a repeated run has left to do. */
export const changeFlags = joinFlags(
  {
    rate: runFlags.rate,
    'fail-fast': runFlags['fail-fast'],
  },
  writeFlags,
);

type ChangeFlags = Pick<RunFlags, 'fail-fast' | 'rate'>;

interface Jobs<One extends Changes> {
  /** The policy, which says what accounts and servers are meant. */
  readonly given: PolicyWithLists;
  /** What the question is about: `Apply p.yml`. */
  readonly what: string;
  /** What the last note says: `Applied`, and what `undo` takes to revert it, if it can: `p.yml`. */
  readonly done: {readonly said: string; readonly undo?: string};
  readonly prepare: (member: Member) => Promise<One>;
  /** Checks all changes before anything is sent. @returns what to say if there is nothing to do @throws Failure: nothing is sent */
  readonly check?: (jobs: Gathered<One>) => Promise<string | undefined>;
  /** Checks again what may have changed while somebody was asked, right before anything is sent. @throws Failure: nothing is sent */
  readonly confirm?: (jobs: readonly PerAccount<One>[]) => Promise<void>;
  /** The digest of the plan that somebody has read and agreed to: nobody is asked. */
  readonly expected?: string | undefined;
  /** Whether a failure may advise to change the policy: people write those of an apply, but not those of a restore. */
  readonly advisesPolicy?: boolean;
  /** The differences that are left whatever was sent. */
  readonly left?: (jobs: Gathered<One>) => readonly Failure[];
}

/** Checks, before anything is read, that there is somebody to ask. @throws Failure `usage` */
export function requireConsent(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/**
 * Shows the changes of accounts, asks once, and makes them: accounts side by side, the changes of each one after another. A dry run
 * shows the requests instead.
 * @throws Failure of a single account, and as `check` and `confirm` do: then nothing is sent to any
 */
export async function changeAccounts<One extends Changes>(jobs: Jobs<One>, run: PolicyRun<ChangeFlags & PolicyFlags>): Promise<Result> {
  const {flags, opened, session} = run;
  const {given, what, prepare, check, confirm, expected, advisesPolicy = false, left = () => []} = jobs;
  const isAgreed = expected !== undefined;
  const accounts = await run.accounts([given], 'write');
  const gathered = await accounts.gather(prepare);
  const {found, failed, noun} = gathered;
  const known = await check?.(gathered);
  const busy = found.filter(({value}) => value.rows.length > 0);
  if (busy.length > 0 && !session.dryRun && !session.assumeYes && !isAgreed) requireAnswerFor(connectionsOf(busy), session.io);
  show(gathered, session, isAgreed);
  const nothing = busy.length > 0 || failed.length > 0 ? '' : (known ?? nothingText(gathered));
  if (session.dryRun) {
    const rowsOf = new Map(found.map(({member, value: {rows}}) => [member, rows]));
    const planned = await accounts.gather((member) => plannedRequests(rowsOf.get(member) ?? [], member.connection), [...rowsOf.keys()]);
    const requests = planned.found.map(({member: {label, connection}, value}) => ({account: label, place: connection, requests: value}));
    const failure = accounts.failureOf([...failed, ...planned.failed]);
    return {...dryRunOf(requests, session, nothing), failure: joinFailures(failure, left(gathered), gathered.inUse)};
  }
  if (busy.length > 0 && !isAgreed) await ask(busy, what, noun, session);
  await confirm?.(found);
  const at = timeAfter(
    found.flatMap(({value: {states}}) => [states.account, states.server]),
    session.io.now(),
  );
  const total = busy.reduce((sum, {value}) => sum + value.rows.length, 0);
  const runner = new Runner({flags: {...flags, concurrency: 1}, session, opened, total: () => total});
  const jobOf = new Map(found.map(({member, value}) => [member, value]));
  const done: Row[] = [];
  const items = accounts.items(
    async (member, handOn) => {
      const send: SendAll = async (batch) => {
        const ending = await handOnAll(runner.items(batch, member.connection), handOn);
        if (ending?.failure !== undefined) throw ending.failure;
      };
      const {host} = member.connection.server;
      try {
        await jobOf.get(member)?.send((rows, recorder) => carryOut(rows, send, {recorder, host, advisesPolicy, done}), {at, expected});
        return {};
      } catch (error) {
        return {failure: asFailure(error)};
      }
    },
    {members: [...jobOf.keys()], finishes: true, interruption: () => runner.interruption, failed},
  );
  async function* concludeItems(): Items {
    const {notes = [], failure, ...ending} = (yield* items) ?? {};
    const {said, undo} = jobs.done;
    const command = undo && commandText('undo', {args: [undo], flags: {state: flags.state, ...gathered.inUse.flags}});
    const more = command === undefined ? '' : ` To revert: ${command}`;
    const told = done.length === 0 ? [] : [`${said}: ${doneText(done)}.${more}`];
    return {...ending, notes: [...notes, ...told], failure: joinFailures(failure, left(gathered), gathered.inUse)};
  }
  return {items: concludeItems(), view: resultsOf(busy, nothing), areOfAccounts: noun !== undefined, finishing: runner};
}

/** Joins the differences that limits leave with those that cannot be changed into one failure. An error counts alone. */
function joinFailures(ended: Failure | undefined, left: readonly Failure[], inUse: AccountInUse): Failure | undefined {
  if (ended !== undefined && ended.code !== 'drift') return ended;
  const all = [ended, ...left].filter((one) => one !== undefined).map((failure) => ({failure, hint: hintFor(failure, inUse)}));
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first?.failure;
  return new Failure('drift', first.failure.messageWith(others.map(({failure}) => `; ${failure.message}`).join('')), {
    hint: all.flatMap(({hint}) => hint ?? []).join('; '),
    closing: all.flatMap(({failure, hint}) => failure.closingWith(hint) ?? []),
  });
}

/** The results of changes: programs get the names of changes without the `@` of accounts. @param empty what to say without results */
function resultsOf(busy: readonly PerAccount<Changes>[], empty: string): ListView {
  const texts = busy.flatMap(({member, value: {rows}}) => rows.map((row) => rowNames(row, member.connection.server.host)));
  return {...resultsNaming(new Map(texts.filter(({name, shown}) => name !== shown).map(({name, shown}) => [name, shown]))), empty};
}

/** Puts the name of the account before a text, if there are several accounts. */
const naming =
  ({label}: Member) =>
  (text: string) =>
    label === undefined ? text : `${label}: ${text}`;

/** Shows plans on standard error, because standard output has the results. */
function show({all, found, noun}: Gathered<Changes>, session: Session, isAgreed: boolean): void {
  const {io, dryRun, flags, assumeYes} = session;
  for (const {member, value} of found) for (const text of value.warnings) session.warn(naming(member)(text));
  const plans = all.map((one) => {
    const {account} = one.member;
    if ('failure' in one) return {account, failure: one.failure};
    const {plan} = one.value;
    return {account, plan: dryRun ? {...plan, changes: []} : plan};
  });
  const has = (part: 'cannot' | 'changes') => plans.some(({plan}) => plan !== undefined && plan[part].length > 0);
  const hasNotes = session.traits.hasNotes;
  if (hasNotes ? !flags.quiet && (has('changes') || has('cannot')) : has('changes') && !assumeYes && !isAgreed)
    for (const text of plansText(plans, {noun, terminal: io.err})) io.tell(text);
  if (hasNotes) for (const {member, value} of found) for (const text of value.notes) session.note(naming(member)(text));
}

/** What to say if nothing changes; empty if there are differences that cannot be changed. */
function nothingText({found, noun}: Gathered<Changes>): string {
  const texts = found.map(({value}) => value.nothing);
  if (texts.includes(undefined)) return '';
  return noun === undefined ? (texts[0] ?? '') : 'Nothing to do.';
}

const connectionsOf = (jobs: readonly PerAccount<Changes>[]): Connection[] => jobs.map(({member}) => member.connection);

/** @throws Failure `usage` when there is no terminal, or the answer is no */
async function ask(busy: readonly PerAccount<Changes>[], what: string, noun: Gathered<unknown>['noun'], session: Session): Promise<void> {
  const told = new Set(busy.flatMap(({value: {ends}}) => ends));
  const more = [...told].map((sentence) => ` ${sentence}`).join('');
  const connections = connectionsOf(busy);
  const [only] = connections;
  const text = async () => {
    const summary = summaryText(
      busy.map(({member: {account}, value: {plan}}) => ({account, plan})),
      noun,
    );
    if (noun === undefined && only !== undefined) return `${what} as ${await actor(only)}: ${summary}?${more}`;
    return `${what} to ${busy.map(({member}) => member.account).join(', ')}. ${summary}?${more}`;
  };
  await allowWrites(connections, what, text, session);
}

/** The request of a row. @throws Failure `not_found` for an account that is not there any more */
async function requestOf({kind, action, ...rest}: Row, connection: Connection) {
  const operation = action === 'add' || action === 'remove' ? kind.send[action] : kind.send.update;
  if (operation === undefined) throw new Error(`Nothing ${action}s a ${kind.kind}`);
  const input = kind.send.input({kind, action, ...rest}, {now: connection.session.io.now(), host: connection.server.host});
  return {operation, input: await resolveInput(operation, input, connection)};
}

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
      // An earlier attempt may have added the item, and so have filled the list.
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

  /** Adds to another failure what was held back. */
  besides(failure: Failure): Failure {
    const held = this.failure;
    return held === undefined ? failure : failure.saying(`; ${held.message}`);
  }
}

interface Sending {
  readonly recorder: Recorder;
  readonly host: string;
  /** Whether a failure may advise to change the policy. */
  readonly advisesPolicy: boolean;
  /** Rows that were carried out are added here. */
  readonly done: Row[];
}

/**
 * Sends the changes of an account one after another.
 * @param send carries out the steps, and prints a result for each
 * @throws Failure as `send` and the recorder do
 */
async function carryOut(rows: readonly Row[], send: SendAll, {recorder, host, advisesPolicy, done}: Sending): Promise<void> {
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
    if (answer.stood !== true) done.push(row);
    await recorder.noteDone(row, answer).catch((error: unknown) => void (broken = asFailure(error)));
    return answer;
  };
  try {
    await send({
      total: () => rows.length,
      unknownHint: 'the next run first checks what was carried out, and then does the rest',
      async *steps(over) {
        tried = over;
        for (const row of await findableFirst(rows, over)) yield {target: rowNames(row, host).name, request: row, repeat: 'harmless'};
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
