/** Changes of one account or several: shows them, asks once, and sends them. */
import type {AccountInUse} from '../account-in-use.js';
import type {Gathered, PerAccount, Member} from '../account-driver.js';
import {dryRunOf} from '../dry-run.js';
import {hintFor} from '../errors.js';
import {joinFlags, runFlags, writeFlags} from '../flags.js';
import type {Items, Result} from '../sink.js';
import {actor, allowWrites, requireAnswer, requireAnswerFor} from '../prompts.js';
import {type RunFlags, Runner} from '../runner.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-run.js';
import type {Session} from '../session.js';
import {asFailure, Failure} from '../../client/failure.js';
import {type Change, type Changes, plansText} from '../../policy/index.js';
import {resultsNaming} from '../../run/index.js';

/** There is no `--concurrency` and no `--journal`: changes are sent one after another, and the state says what a repeated run has left to do. */
export const changeFlags = joinFlags(
  {
    rate: runFlags.rate,
    'fail-fast': runFlags['fail-fast'],
  },
  writeFlags,
);

type ChangeFlags = Pick<RunFlags, 'fail-fast' | 'rate'>;

/** Checks, before anything is read, that there is somebody to ask. @throws Failure `usage` */
export function requireConsent(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/**
 * Shows the changes of accounts, asks once, and makes them: accounts side by side, the changes of each one after another. A dry run
 * shows the requests instead.
 * @param report writes the changes to reports before they are made
 * @throws Failure of a single account, or of a guard: then nothing is sent to any
 */
export async function changeAccounts(
  change: Change,
  run: PolicyRun<ChangeFlags & PolicyFlags>,
  report?: (gathered: Gathered<Changes>) => Promise<unknown>,
): Promise<Result> {
  const {flags, opened, session} = run;
  const {given, what, expected} = change.setting;
  const {dryRun, assumeYes, io} = session;
  const isAgreed = expected !== undefined;
  const accounts = await run.accounts([given], 'write');
  const gathered = await accounts.gather(async (member) => change.prepare(await run.target(member, [given], true), !dryRun));
  await report?.(gathered);
  const {found, failed, noun, inUse} = gathered;
  const advice = run.adviceOn(inUse);
  const all = found.map(({value}) => value);
  const known = change.check(all, failed, advice, !dryRun);
  const busy = found.filter(({value}) => value.rows.length > 0);
  if (busy.length > 0 && !dryRun && !assumeYes && !isAgreed) requireAnswerFor(connectionsOf(busy), io);
  show(gathered, session, isAgreed);
  const nothing = busy.length > 0 || failed.length > 0 ? '' : (known ?? nothingText(gathered));
  const end = (failure: Failure | undefined) => joinFailures(failure, change.left(all, advice), inUse);
  const changesOf = new Map(found.map(({member, value}) => [member, value]));
  if (dryRun) {
    const requestsFor = async (member: Member) => {
      const changes = changesOf.get(member);
      return changes === undefined ? [] : change.requestsOf(changes, member.connection);
    };
    const planned = await accounts.gather(requestsFor, [...changesOf.keys()]);
    const requests = planned.found.map(({member: {label, connection}, value}) => ({account: label, place: connection, requests: value}));
    return {...dryRunOf(requests, session, nothing), failure: end(accounts.failureOf([...failed, ...planned.failed]))};
  }
  if (busy.length > 0 && !isAgreed) {
    const connections = connectionsOf(busy);
    const [only] = connections;
    const asked = busy.map(({member: {account}, value}) => ({account, changes: value}));
    const question = async () => change.question(asked, noun, only === undefined || noun !== undefined ? '' : await actor(only));
    await allowWrites(connections, what, question, session);
  }
  const begin = await change.confirm(all, io.now());
  const total = busy.reduce((sum, {value}) => sum + value.rows.length, 0);
  const runner = new Runner({flags: {...flags, concurrency: 1}, session, opened, total: () => total});
  async function* send(member: Member): Items {
    const changes = changesOf.get(member);
    if (changes === undefined) return {};
    const sending = await begin(changes);
    const batch = {
      total: () => changes.rows.length,
      unknownHint: 'the next run first checks what was carried out, and then does the rest',
      steps: () => sending.steps,
      send: sending.send,
    };
    let failure: Failure | undefined;
    try {
      failure = (yield* runner.items(batch, member.connection))?.failure;
    } catch (error) {
      failure = asFailure(error);
    }
    return {failure: await sending.end(failure)};
  }
  const members = [...changesOf.keys()];
  const items = accounts.items(send, {members, finishes: true, interruption: () => runner.interruption, failed});
  async function* concludeItems(): Items {
    const {notes = [], failure, ...ending} = (yield* items) ?? {};
    return {...ending, notes: [...notes, ...change.doneTexts(advice, flags.state)], failure: end(failure)};
  }
  return {
    items: concludeItems(),
    view: {...resultsNaming(change.shownNames(all)), empty: nothing},
    areOfAccounts: noun !== undefined,
    finishing: runner,
  };
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

const connectionsOf = (jobs: readonly PerAccount<Changes>[]) => jobs.map(({member}) => member.connection);
