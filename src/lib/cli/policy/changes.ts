/** Changes of one account or several: shows them, asks once, and sends them. */
import type {AccountInUse} from '../account-in-use.js';
import type {Member} from '../account-driver.js';
import {dryRunOf} from '../dry-run.js';
import {hintFor} from '../errors.js';
import {type GivenFlags, joinFlags, runFlags, writeFlags} from '../flags.js';
import type {Items, Result} from '../sink.js';
import {actor, allowWrites, requireAnswer} from '../prompts.js';
import {Runner} from '../runner.js';
import type {PolicyFlags} from './policy-flags.js';
import type {PolicyRun} from './policy-command.js';
import type {Session} from '../session.js';
import {asFailure, Failure} from '../../client/failure.js';
import {apply, type Change} from '../../policy/index.js';
import {resultsView} from '../../run/index.js';

/** There is no `--concurrency` and no `--journal`: changes are sent one after another, and the state says what a repeated run has left to do. */
export const changeFlags = joinFlags(
  {
    rate: runFlags.rate,
    'fail-fast': runFlags['fail-fast'],
  },
  writeFlags,
);

export type ChangeFlags = GivenFlags<typeof changeFlags> & PolicyFlags;

/** Checks, before anything is read, that there is somebody to ask. @throws Failure `usage` */
export function requireConsent(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/** @param name the policy @throws Failure as {@link changeAccounts} does; the result ends with `drift` when differences are left */
export async function applyPolicy(name: string, run: PolicyRun<ChangeFlags & {readonly expect?: string | undefined}>): Promise<Result> {
  const {flags, session} = run;
  const text = await session.io.read(name, `the policy ${name}`);
  if (flags.expect === undefined) requireConsent(session);
  const given = await run.read(name, text);
  const what = `${given.only ? 'this part of ' : ''}${given.policy.file}`;
  const setting = {
    given,
    what: `Apply ${name}`,
    done: 'Applied',
    undo: given.takesNothing === true ? undefined : name,
    expected: flags.expect,
    allowed: flags,
  };
  const change = apply(setting, (host) => `Nothing to do: no differences between ${host} and ${what}.`);
  return changeAccounts(change, run);
}

/**
 * Shows the changes of accounts, asks once, and makes them: accounts side by side, the changes of each one after another. A dry run
 * shows the requests instead.
 * @throws Failure of a single account, or of a guard: then nothing is sent to any
 */
export async function changeAccounts(change: Change, run: PolicyRun<ChangeFlags>): Promise<Result> {
  const {flags, opened, session} = run;
  const {given, what, expected} = change.setting;
  const {dryRun, assumeYes, io, traits} = session;
  const isAgreed = expected !== undefined;
  const accounts = await run.accounts([given], 'write');
  const {all, found, failed, noun, inUse} = await accounts.gather(async (member) =>
    change.prepare(await run.target(member, [given], true), !dryRun),
  );
  const plans = all.map((one) =>
    'value' in one ? one.value.changes : change.planUnread(run.known(one.member, one.member.acct), one.failure),
  );
  await run.reports.write((format) => change.report(format, plans, noun));
  const advice = run.adviceOn(inUse);
  const changes = found.map(({value}) => value.changes);
  const known = change.check(changes, failed, advice, !dryRun);
  const busy = found.filter(({value}) => value.changes.rows.length > 0);
  const connections = busy.map(({member}) => member.connection);
  const isAsked = !assumeYes && !isAgreed && !dryRun;
  if (busy.length > 0 && isAsked) requireAnswer(io, connections);
  const say = ({label}: Member, tell: (text: string) => void, texts: readonly string[]) => {
    for (const text of texts) tell(label === undefined ? text : `${label}: ${text}`);
  };
  for (const {member, value} of found) say(member, (text) => session.warn(text), value.changes.warnings);
  // Standard output has the results.
  const isShown = traits.hasNotes ? session.flags.quiet !== true : isAsked && busy.length > 0;
  for (const text of isShown ? change.plansText(plans, noun, {terminal: io.err, isDryRun: dryRun}) : []) io.tell(text);
  if (traits.hasNotes) for (const {member, value} of found) say(member, (text) => session.note(text), value.changes.notes);
  const nothing = busy.length > 0 || failed.length > 0 ? '' : (known ?? nothingText(changes, noun !== undefined));
  const end = (failure: Failure | undefined) => joinFailures(failure, change.left(changes, advice), inUse);
  const sendings = new Map(found.map(({member, value}) => [member, value]));
  const members = [...sendings.keys()];
  if (dryRun) {
    const planned = await accounts.gather(async (member) => (await sendings.get(member)?.requests(member.connection)) ?? [], members);
    const requests = planned.found.map(({member: {label, connection}, value}) => ({account: label, place: connection, requests: value}));
    return {...dryRunOf(requests, session, nothing), failure: end(accounts.failureOf([...failed, ...planned.failed]))};
  }
  if (busy.length > 0 && !isAgreed) {
    const [only] = connections;
    const question = async () =>
      change.question(
        busy.map(({value}) => value.changes),
        noun,
        only === undefined || noun !== undefined ? '' : await actor(only),
      );
    await allowWrites(connections, what, question, session);
  }
  const begun = await change.confirm(changes, io.now());
  const total = changes.reduce((sum, {rows}) => sum + rows.length, 0);
  const runner = new Runner({flags: {...flags, concurrency: 1}, session, opened, total: () => total});
  async function* send(member: Member): Items {
    const sending = sendings.get(member);
    if (sending === undefined) return {};
    await sending.begin(begun);
    const batch = {
      total: () => sending.changes.rows.length,
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
  const items = accounts.items(send, {members, interruption: () => runner.interruption, failed});
  async function* concludeItems(): Items {
    const {notes = [], failure, ...ending} = (yield* items) ?? {};
    const done = found.flatMap(({value}) => value.done);
    return {...ending, notes: [...notes, ...change.doneTexts(done, advice, flags.state)], failure: end(failure)};
  }
  return {items: concludeItems(), view: {...resultsView, empty: nothing}, areOfAccounts: noun !== undefined, finishing: runner};
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

/** What to say if nothing changes; empty if there are differences that cannot be changed. */
function nothingText(all: readonly {readonly nothing: string | undefined}[], areSeveral: boolean): string {
  const texts = all.map(({nothing}) => nothing);
  if (texts.includes(undefined)) return '';
  return areSeveral ? 'Nothing to do.' : (texts[0] ?? '');
}
