/** What the commands about policies share: flags, reading, showing a plan and asking, and carrying changes out. */
import {Args, Flags} from '@oclif/core';
import {accountOf, type Connection} from './connection.js';
import {runFlags, writeFlags} from './flags.js';
import type {Member} from './fleet.js';
import {listAccess, type ListFlags, sameLists} from './list-access.js';
import {actor, allowWrite, requireAnswer} from './prompts.js';
import {type RunFlags, runSteps, type StepRun, type Work} from './run.js';
import {notePart, type PartFlags, partIn} from './policy-part.js';
import type {Session} from './session.js';
import type {Answer} from '../client/answer.js';
import {asFailure, Failure} from '../client/failure.js';
import type {Request} from '../client/request.js';
import type {SuggestedFlags} from '../client/suggest.js';
import {hostOf} from '../operations/domains.js';
import {identifierAt} from '../json/path.js';
import {perform, requestsFor, resolved} from '../operations/operation.js';
import type {Remarks, Witness} from '../policy/apply.js';
import type {Change} from '../policy/change.js';
import {adviceOf, policyName, type Skipped, type Target, unknownAccount} from '../policy/difference.js';
import type {List} from '../policy/lists/list.js';
import {copyText} from '../policy/lists/agreement.js';
import {type ListSummary, summaryOf, type WantedDomains} from '../policy/lists/merge.js';
import {readList, refuseRowMistakes} from '../policy/lists/read-list.js';
import {headerOf} from '../policy/lists/table-list.js';
import {locationText} from '../policy/location.js';
import {changeName, countsText, type PlanParts, planText} from '../policy/plan-text.js';
import {refuseOtherAccount, refuseOtherServer} from '../policy/policy-file.js';
import {readWanted, type Wanted, wantedFor} from '../policy/wanted.js';
import {counted, grouped} from '../policy/reports/text.js';
import {whoText} from '../policy/plan-of-several.js';
import {type ChangeRequest, requestOf} from '../policy/requests.js';
import {lockAccount, stateFileOf} from '../policy/state-file.js';

const domainsFlag = {helpValue: 'DOMAIN', multiple: true, multipleNonGreedy: true} as const;

/** Protected domains that are blocked anyway. */
export const protectionFlags = {
  'block-protected': Flags.string({...domainsFlag, description: 'block this domain even if the policy protects it (repeatable)'}),
  /** The earlier name, which means the reverse in FediBlockHole. */
  allow: Flags.string({...domainsFlag, description: 'the earlier name of --block-protected', hidden: true}),
};

interface ProtectionFlags {
  readonly 'block-protected'?: readonly string[] | undefined;
  readonly allow?: readonly string[] | undefined;
}

/** The domains of both flags; undefined where neither is given. */
export function unprotectedBy({'block-protected': domains, allow}: ProtectionFlags): readonly string[] | undefined {
  return domains === undefined && allow === undefined ? undefined : [...(domains ?? []), ...(allow ?? [])];
}

export const privateFlags = {
  'show-private': Flags.boolean({
    description: 'also show private comments in text and reports; explain and output for programs always have them',
  }),
};

export const stateFlags = {
  state: Flags.string({
    description: 'the state file, which records what applies made and what existed before (default: POLICY.state.json beside the policy)',
    helpValue: 'FILE',
  }),
};

/** Changes are sent one after the other; a run that is repeated continues from the state file. */
export const changeFlags = {
  rate: runFlags.rate,
  'fail-fast': runFlags['fail-fast'],
  'max-failures': runFlags['max-failures'],
  ...writeFlags,
};

export const policyArgument = Args.string({description: 'a policy, YAML or JSON', required: true, ignoreStdin: true});

/** The flags of these commands, as parsed; not every command has all of them. */
export interface PolicyFlags extends ListFlags, PartFlags, ProtectionFlags, RunFlags {
  readonly 'show-private'?: boolean | undefined;
  readonly state?: string | undefined;
}

/** The flags that lead to the same lists, domains and state files, for commands that are suggested. */
export function sameFlags(flags: PolicyFlags): SuggestedFlags {
  const {state} = flags;
  const domains = unprotectedBy(flags);
  return {...sameLists(flags), ...(domains !== undefined && {'block-protected': domains}), ...(state !== undefined && {state})};
}

function targetNamed(account: string, connection: Connection, flags: PolicyFlags): Target {
  const {client, server, suggest, session} = connection;
  const followed = () => connection.followed();
  return {client, server, account, followed, advice: adviceOf(suggest, sameFlags(flags)), now: session.io.now};
}

/**
 * The account of a connection, with suggestions that lead to the same lists and the same state file.
 * @param policies that are about to be used with it
 * @throws Failure `usage` before any request when a policy is for another server; else when the server refuses to name the account
 */
export async function targetOf(connection: Connection, flags: PolicyFlags, policies: readonly Wanted[] = []): Promise<Target> {
  for (const {policy} of policies) refuseOtherServer(policy, connection.server);
  return targetFor((await accountOf(connection)) ?? unknownAccount, connection, flags, policies);
}

/** The state file of one account under a policy. @throws Failure `local` when a state file cannot be read */
export async function stateFileIn(policy: string, {state}: PolicyFlags, target: Target, isOfSeveral = false): Promise<string> {
  const owner = {policy, server: target.server.origin, account: target.account};
  return stateFileOf(owner, {chosen: state, handle: policyName(target), isOfSeveral});
}

/**
 * Locks the account of an apply, whichever state file other applies of the policy to it use. To be called when its own one is locked.
 * @param path of that
 * @throws Failure `local` when another apply of the policy to the account is going on, or has just made another state file
 */
export async function lockedAccount(
  path: string,
  [policy, flags, target, isOfSeveral]: Parameters<typeof stateFileIn>,
): Promise<Disposable | undefined> {
  const handle = policyName(target);
  if (flags.state !== undefined || handle === undefined) return undefined;
  const lock = await lockAccount(policy, handle);
  try {
    if ((await stateFileIn(policy, flags, target, isOfSeveral)) === path) return lock;
    throw new Failure('local', `Another pixelctl has just applied ${policy} to ${handle}: nothing was sent`, {hint: 'run this again'});
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/** @throws Failure `usage` when a policy is for other accounts */
function targetFor(account: string, connection: Connection, flags: PolicyFlags, policies: readonly Wanted[]): Target {
  const target = targetNamed(account, connection, flags);
  for (const {policy} of policies) refuseOtherAccount(policy, policyName(target));
  return target;
}

/** The same for a command that can do without the name of the account. */
export async function targetIfKnown(connection: Connection, flags: PolicyFlags, policies: readonly Wanted[]): Promise<Target> {
  for (const {policy} of policies) refuseOtherServer(policy, connection.server);
  const account = await accountOf(connection).catch((error: unknown) => {
    if (error instanceof Failure) return undefined;
    throw error;
  });
  return targetFor(account ?? unknownAccount, connection, flags, policies);
}

/**
 * What a policy wants of the account of a connection. The account is asked for only where that depends on it.
 * @throws Failure `usage` when the policy is for another server or account
 */
export async function wantedOn(wanted: Wanted, connection: Connection): Promise<Wanted> {
  const {policy} = wanted;
  if (policy.accounts !== undefined || policy.variants !== undefined) return wantedFor(wanted, await targetOf(connection, {}, [wanted]));
  refuseOtherServer(policy, connection.server);
  return wanted;
}

/** @throws Failure `usage` before any request when a policy is not for one of the accounts */
export function refuseOthers(policies: readonly Wanted[], members: readonly Member[]): void {
  for (const {policy} of policies)
    for (const {connection, handle} of members) {
      refuseOtherServer(policy, connection.server);
      refuseOtherAccount(policy, handle);
    }
}

/** How many invalid rows of a list a note names. */
const mostLines = 5;

/**
 * Prints mistakes one on a line, as compilers do and editors read them; the error itself stays short.
 * @throws Failure of the reading
 */
export async function withMistakesByLine<Value>(reading: () => Promise<Value> | Value, session: Session): Promise<Value> {
  try {
    return await reading();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const [first = '', ...mistakes] = error.message.split('\n');
    if (mistakes.length === 0) throw error;
    if (session.format === 'json' || session.format === 'ndjson')
      throw new Failure(error.code, `${first}: ${mistakes.join('; ')}`, error.details);
    for (const mistake of mistakes) session.tell(mistake);
    throw new Failure(error.code, first, error.details);
  }
}

/**
 * @param text of the policy, where it was read already
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicyAndLists(file: string, flags: PolicyFlags, session: Session, text?: string): Promise<Wanted> {
  if (flags.allow !== undefined) session.warnOnce('--allow is now called --block-protected: use that name');
  const unprotected = unprotectedBy(flags);
  const allowed = unprotected && new Set(unprotected.map((text) => hostOf(text)));
  const wanted = await withMistakesByLine(() => readWanted(file, listAccess(flags, session), text), session);
  if (wanted.domains !== undefined) noteLists(wanted.domains, session);
  const part = partIn(flags);
  return {...wanted, ...(part && {part}), ...(allowed && {allowed}), ...(flags['show-private'] && {showsPrivate: true})};
}

/** Reports what of a list is left out, the first invalid rows with their places, and whether it is a copy. */
function noteLeftOut({list, obfuscated, wildcards, tooMild, skipped, skippedRows, copyOf, stale}: ListSummary, session: Session): void {
  if (stale !== undefined) session.warn(`${stale.why}; the copy of ${stale.at.toISOString()} is used`);
  if (copyOf !== undefined) session.note(copyText(list, copyOf));
  const parts = [
    ...(skippedRows > 0 ? [`${skippedRows} invalid`] : []),
    ...(obfuscated > 0 ? [`${obfuscated} obfuscated, never applied`] : []),
    ...(wildcards > 0 ? [`${counted(wildcards, 'wildcard')}, not applied`] : []),
    ...(tooMild > 0 ? [`${tooMild} below min_severity`] : []),
  ];
  if (parts.length > 0) session.note(`${list}: left out ${parts.join(', ')}`);
  for (const {file, line, message} of skipped.slice(0, mostLines)) session.note(`${locationText({file, line})}: ${message}`);
  const rest = skippedRows - mostLines;
  if (rest > 0)
    session.note(
      `${list}: and ${rest} more that are invalid; --json lists ${skippedRows > skipped.length ? `the first ${skipped.length}` : 'all of them'}`,
    );
}

/** Reports what lists leave out. */
function noteLists({summaries, wanted}: WantedDomains, session: Session): void {
  for (const summary of summaries) noteLeftOut(summary, session);
  const covered = [...wanted.values()].filter(({coveredBy}) => coveredBy !== undefined);
  const [first] = covered;
  if (first === undefined) return;
  const others = covered.length > 1 ? `, and ${covered.length - 1} more like it` : '';
  session.note(`${first.domain} is below ${first.coveredBy}, which must be blocked too${others}`);
}

/** A policy names the version of its format; no list does. */
function isPolicy(text: string): boolean {
  const [first = ''] = text.split(/\r\n|\r|\n/, 1);
  // A comment in a table may have any lines.
  return headerOf(first) === undefined && /^[ \t{]*["']?version["']?[ \t]*:/m.test(text);
}

/**
 * Reads what is named on the command line: a policy with its lists, or a list, without anything that is not valid.
 * @param name of the file or URL that the text is from
 * @throws Failure `local` or `usage` for what cannot be read or used
 */
export async function readPolicyOrList(
  name: string,
  text: string,
  flags: PolicyFlags,
  session: Session,
): Promise<{readonly wanted: Wanted} | {readonly list: List}> {
  if (isPolicy(text)) return {wanted: await readPolicyAndLists(name, flags, session, text)};
  const list = await withMistakesByLine(() => {
    const read = readList(text, name, session.timeout);
    refuseRowMistakes(read);
    return read;
  }, session);
  if (list.kind === 'domains') noteLeftOut(summaryOf(list), session);
  return {list};
}

/** How many names a warning lists. */
const mostNamed = 3;

function ofMany(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  const rest = names.length - mostNamed;
  return `${names.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''} (${names.length} in all)`;
}

/** Prints a warning that holds for many once, with the count and the first names. */
export function warnOfEach(warnings: readonly {readonly subject: string; readonly why: string}[], session: Session): void {
  for (const [why, same] of grouped(warnings, (one) => one.why)) session.warn(`${ofMany(same.map(({subject}) => subject))}: ${why}`);
}

/** Reports what was not compared or is held back, and why; a reason that holds for many rules once. */
export function noteSkipped(skipped: readonly Skipped[], session: Session): void {
  noteSkippedOf([{account: '', skipped}], session);
}

/** The same of several accounts; what holds for many of them once, with their names. */
export function noteSkippedOf(
  accounts: readonly {readonly account: string; readonly skipped: readonly Skipped[]}[],
  session: Session,
): void {
  const names = accounts.map(({account}) => account);
  const all = accounts.flatMap(({skipped}, index) => skipped.map((one) => ({...one, index})));
  const once = grouped(all, ({kind, subject, why, heldBy}) => JSON.stringify([kind, subject, why, heldBy?.rule])).map(([, same]) => ({
    same,
    indexes: [...new Set(same.map(({index}) => index))],
  }));
  for (const [, alike] of grouped(once, ({same: [first], indexes}) =>
    JSON.stringify([first?.kind, first?.why, first?.heldBy?.rule, indexes]),
  )) {
    const [{same: [first] = [], indexes} = {indexes: []}] = alike;
    if (first === undefined) continue;
    const subjects = ofMany(alike.flatMap(({same: [one]}) => one?.subject ?? []));
    const where = accounts.length === 1 ? '' : ` ${whoText(indexes, names)}`;
    const what = first.heldBy ? 'Held back' : 'Not checked';
    session.note(`${what}${where}: ${first.kind.replace('_', ' ')}${subjects === '' ? '' : ` ${subjects}`}: ${first.why}`);
  }
}

/** For people; the JSON of a plan has it for programs. */
export function noteRemarks({skipped = [], limits, part}: Remarks, session: Session): void {
  if (session.format !== 'table') return;
  notePart(part, session);
  noteSkipped(skipped, session);
  for (const limit of limits) session.warn(limit);
}

/** On standard error: standard output has the results. */
export function showPlan(plan: PlanParts, {io}: Session): void {
  io.tell(planText(plan, io.err.color));
}

/** Checks, before anything is read, that there is somebody to ask. @throws Failure `usage` */
export function requireConsent(session: Session): void {
  if (!session.assumeYes && !session.dryRun) requireAnswer(session.io);
}

/**
 * Shows what is about to be sent, and asks for confirmation.
 * @param question without the counts, which come after it
 * @throws Failure `usage` when there is no terminal, or the answer is no
 */
export async function confirm(changes: readonly Change[], remarks: Remarks, question: string, connection: Connection): Promise<void> {
  const {session} = connection;
  if (session.format === 'table' ? !session.flags.quiet : !session.assumeYes) showPlan({changes, ...remarks}, session);
  noteRemarks(remarks, session);
  const text = () => `${question} ${actor(connection)}: ${countsText(changes, remarks.cannot)}?${warningOf(changes)}`;
  await allowWrite(connection, question, text);
}

/** What changes end for good, to be said before they are made. */
export function warningOf(changes: readonly Change[]): string {
  const adds = (wanted: Change['kind']) => changes.some(({action, kind}) => action === 'add' && kind === wanted);
  return (
    (adds('domain_block') ? ' Followers on blocked domains are dropped for good.' : '') +
    (adds('block') ? ' Following between you and blocked accounts ends for good.' : '')
  );
}

/** The request of a change. @throws Failure `not_found` for an account that is not there any more */
async function requestOfNow(change: Change, connection: Connection): Promise<ChangeRequest> {
  const {endpoint, input} = requestOf(change, connection.session.io.now());
  return {endpoint, input: await resolved(endpoint, input, connection)};
}

/** The requests that a dry run shows. */
export async function plannedRequests(changes: readonly Change[], connection: Connection): Promise<Request[]> {
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
    hint: 'servers accept 20 new filters and 40 updates an hour, and some never reset the count: what was done is kept, and the next apply does the rest',
  });
}

async function sendChange(change: Change, connection: Connection): Promise<Answer> {
  const {endpoint, input} = await requestOfNow(change, connection);
  return perform(endpoint, input, connection);
}

/**
 * Sends the changes one after another, and prints a result for each.
 * @throws Failure as {@link runSteps} does, or as the witness does
 */
export async function carryOut(changes: readonly Change[], run: StepRun, witness?: Witness): Promise<void> {
  await carryOutBy(changes, (work) => runSteps(work, {...run, flags: {...run.flags, concurrency: 1}}), witness);
}

/**
 * Sends the changes one after another.
 * @param send carries out the steps, and prints a result for each
 * @throws Failure as `send` and the witness do
 */
export async function carryOutBy(changes: readonly Change[], send: (work: Work) => Promise<void>, witness?: Witness): Promise<void> {
  let broken: Failure | undefined;
  const make = async (change: Change, connection: Connection): Promise<Answer> => {
    if (broken !== undefined) throw new Failure(broken.code, broken.message, {reason: 'unsent'});
    const answer = await sendChange(change, connection).catch((error: unknown) => {
      const failure = explained(asFailure(error), change);
      witness?.failed(change, failure);
      throw failure;
    });
    try {
      await witness?.made(change, change.kind === 'filter' && change.action === 'add' ? identifierAt(answer.text, ['id']) : undefined);
    } catch (error) {
      broken = asFailure(error);
    }
    return answer;
  };
  try {
    await send({
      total: changes.length,
      inputs: changes.map((change) => JSON.stringify(change)),
      unknownHint: 'the next apply or undo checks first what was carried out, and does the rest',
      *steps(connection) {
        for (const change of changes) yield {target: changeName(change), repeat: 'harmless', run: () => make(change, connection)};
      },
    });
  } catch (error) {
    throw broken ?? error;
  }
  if (broken !== undefined) throw broken;
}
