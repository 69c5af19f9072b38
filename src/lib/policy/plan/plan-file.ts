/** A plan in a file, to be reviewed now and applied later. */
import {isObject} from '../../api/schema.js';
import {createHash, type Hash} from 'node:crypto';
import * as z from 'zod/mini';
import {Failure, guarded} from '../../client/failure.js';
import {at} from '../../json/path.js';
import type {Change} from '../model/change.js';
import {adviceOf, isNamedByHost, findingJson, type Target, whoseText} from '../model/difference.js';
import {byKind, type Touched} from '../model/items.js';
import {refuseMismatches} from '../source/mistakes.js';
import {guardJson} from './guard.js';
import type {PlannedChanges} from './plan.js';
import {keptPlan, keptPlans} from './plan-file-schema.js';
import {refuseRepeated} from './plan-fit.js';
import {chosenPolicy, type PolicyChoice, policyFrom} from './plan-policy.js';
import type {Records} from '../state-file/records.js';
import {lastApply} from '../state-file/state-file.js';
import {fingerprint} from '../sections/read-state.js';
import {changingOf, inPlans, sections} from '../sections/index.js';
import {type PrivateComments, withoutPrivate} from '../model/domain-facts.js';
import type {State} from '../model/server-state.js';

/** A plan as a file has it, without the digest of the file. */
type PlanContent = Omit<z.infer<typeof keptPlan>, 'digest'>;

export interface KeptPlan extends PlanContent {
  /** The path of the policy. */
  readonly policy: string;
  /** Identifies the plan by its content. */
  readonly digest: string;
  /** Whether private comments are shown. */
  readonly showsPrivate: boolean;
}

type AboutPlan = Pick<PlanContent, 'account' | 'made_at' | 'parts' | 'policy' | 'server'>;

function addTo(hash: Hash, value: unknown): void {
  hash.update(`${JSON.stringify(value)}\n`);
}

/** Tells accidental edits of a plan file, whatever its white space. */
function digestOf(content: object): string {
  const hash = createHash('sha256');
  for (const [name, value] of Object.entries(content)) {
    if (name === 'digest' || value === undefined) continue;
    addTo(hash, name);
    for (const part of [value].flat()) addTo(hash, part);
  }
  return hash.digest('hex');
}

function kept(plan: PlannedChanges, about: AboutPlan): PlanContent {
  return {
    pixelctl_plan: 1,
    ...about,
    fingerprint: plan.fingerprint(),
    guard: guardJson(plan.guard),
    changes: [...plan.changes],
    cannot: plan.cannot.map((one) => findingJson(one)),
    ...(plan.part && {part: {...plan.part}}),
    ...(plan.followedRule && {protect_followed: plan.followedRule}),
  };
}

/** @param file that it is written to */
export function keptPlanText(plan: PlannedChanges, about: AboutPlan, file: string): string {
  const content = kept(plan, {...about, policy: policyFrom(file, about.policy)});
  return sealedPlan(content);
}

/** A plan file with its digest. */
export function sealedPlan(content: object): string {
  return `${JSON.stringify({...content, digest: digestOf(content)}, null, 2)}\n`;
}

/**
 * A file with the plans of several accounts, in pieces: it may be long.
 * @param file that it is written to
 */
export function* keptPlansText(
  plans: readonly {readonly plan: PlannedChanges; readonly about: Omit<AboutPlan, 'made_at' | 'policy'>}[],
  about: Pick<AboutPlan, 'made_at' | 'policy'>,
  file: string,
): Generator<string> {
  const indexes = new Map<string, number>();
  // Accounts share most of their changes: of these the text is made once.
  const known = new Map<Change, number>();
  const head = {pixelctl_plan: 2, policy: policyFrom(file, about.policy), made_at: about.made_at};
  const hash = createHash('sha256');
  for (const [name, value] of Object.entries(head)) {
    addTo(hash, name);
    addTo(hash, value);
  }
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "changes": [`;
  addTo(hash, 'changes');
  for (const {plan} of plans)
    for (const change of plan.changes) {
      if (known.has(change)) continue;
      const text = JSON.stringify(change);
      const index = indexes.get(text) ?? indexes.size;
      known.set(change, index);
      if (indexes.has(text)) continue;
      yield `${index === 0 ? '' : ','}\n    ${text}`;
      hash.update(`${text}\n`);
      indexes.set(text, index);
    }
  yield '\n  ],\n  "accounts": [';
  addTo(hash, 'accounts');
  for (const [index, {plan, about: own}] of plans.entries()) {
    const {pixelctl_plan: _, policy: _policy, made_at: _made, changes, ...rest} = kept(plan, {...about, ...own});
    const text = JSON.stringify({...rest, changes: changes.map((change) => known.get(change))});
    yield `${index === 0 ? '' : ','}\n    ${text}`;
    hash.update(`${text}\n`);
  }
  yield `\n  ],\n  "digest": ${JSON.stringify(hash.digest('hex'))}\n}\n`;
}

/** Whether a file is a plan rather than a policy. */
export function isKeptPlan(text: string): boolean {
  return /^\s*\{\s*"pixelctl_plan"/.test(text);
}

const again = {hint: 'make a new one with `pixelctl plan --out`'};

/** @throws Failure `usage` for a file that is not as `plan` wrote it */
function refuseEdited(value: unknown, file: string): void {
  if (!isObject(value)) throw new Failure('usage', `${file} is not a plan file`, again);
  if (at(value, ['digest']).value !== digestOf(value))
    throw new Failure('usage', `${file} has been edited since it was made: plan again`, again);
}

/**
 * The plans in a file, one for each account.
 * @param choice of the policy, instead of what the file says
 * @throws Failure `usage` when it is not a valid plan, or may not choose the policy that it names
 */
export function readKeptPlans(
  text: string,
  file: string,
  {comments = 'sent', ...choice}: PolicyChoice & {readonly comments?: PrivateComments} = {},
): readonly KeptPlan[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Failure('usage', `${file} is not a complete plan file`, {...again, cause: error});
  }
  refuseEdited(value, file);
  const isOfSeveral = at(value, ['pixelctl_plan']).value === 2;
  const schema = isOfSeveral ? keptPlans : keptPlan;
  refuseMismatches(file, schema, value);
  const plans = isOfSeveral ? contentsIn(z.parse(keptPlans, value), file) : [contentIn(z.parse(keptPlan, value))];
  const names = new Set<string>();
  return plans.map((plan) => {
    const name = whoseText(plan);
    if (names.has(name)) throw new Failure('usage', `${file} has two plans for ${name}`, again);
    names.add(name);
    refuseRepeated(plan.changes, new URL(plan.server).host, file);
    const digest = createHash('sha256').update(JSON.stringify(plan)).digest('hex');
    const changes = comments === 'all' ? plan.changes : plan.changes.map((change) => (isSent(change) ? change : withoutPrivate(change)));
    return {...plan, changes, policy: chosenPolicy(plan.policy, file, choice), showsPrivate: comments === 'all', digest};
  });
}

const isSent = ({kind}: Change): boolean => sections.some((section) => section.kind === kind && section.sendsPrivate === true);

function contentIn({digest: _, ...content}: z.infer<typeof keptPlan>): PlanContent {
  return content;
}

function contentsIn({policy, made_at, changes, accounts}: z.infer<typeof keptPlans>, file: string): PlanContent[] {
  return accounts.map(({changes: indexes, ...own}) => ({
    pixelctl_plan: 1,
    ...own,
    policy,
    made_at,
    changes: indexes.map((index) => {
      const change = changes[index];
      if (change === undefined) throw new Failure('usage', `${file} has no change ${index}`, again);
      return change;
    }),
  }));
}

/**
 * The plan of an account.
 * @throws Failure `usage` when there is none
 */
export function keptPlanOf(plans: readonly KeptPlan[], {account, server}: Pick<Target, 'account' | 'server'>): KeptPlan {
  const found = plans.find((one) => one.server === server.origin && one.account === account);
  if (found !== undefined) return found;
  const [first] = plans;
  if (first === undefined)
    throw new Failure('usage', 'The plan file is empty, because every account failed when it was made: nothing was sent', {
      hint: 'make a new plan',
    });
  const of = (one: Pick<PlanContent, 'account' | 'server'>) => (isNamedByHost(one) ? one.server : `${one.account} on ${one.server}`);
  const theirs = plans.length === 1 ? of(first) : `${plans.length} other accounts`;
  throw new Failure('usage', `The plan is for ${theirs}, not for ${of({account, server: server.origin})}: nothing was sent`);
}

/** @throws Failure `refused` when the server has changed since the plan was made */
export function refuseChangedState(kept: KeptPlan, state: State): void {
  if (fingerprint(state) === kept.fingerprint) return;
  throw guarded(
    `${state.host} has changed since the plan was made (${kept.made_at}); nothing was sent`,
    `make a new plan: ${adviceOf().onPolicy('plan', kept.policy)}`,
  );
}

/** The state before these changes of an apply; what differs from what they made stays different. */
function stateBefore(items: Touched, done: readonly Change[], state: State): State {
  const [itemsOf, doneOf] = [byKind(items), byKind(done)];
  return Object.assign({}, state, ...inPlans.map(({kind, changing}) => changing?.before(itemsOf(kind), doneOf(kind), state)));
}

/**
 * The changes of a plan file that are left to make. What an interrupted apply of it changed does not count as a change of the server.
 * @param records with what an apply made before it was killed
 * @throws Failure `refused` when anything else changed on the server since the plan was made
 */
export function leftToDo(kept: KeptPlan, records: Records, state: State): readonly Change[] {
  const begun = records.all.flatMap(({record}) => lastApply(record) ?? []).filter(({plan}) => plan === kept.digest);
  if (begun.length === 0) {
    refuseChangedState(kept, state);
    return kept.changes;
  }
  const items = begun.flatMap((apply) => apply.items);
  const itemsOf = byKind(items);
  const done = new Set(kept.changes.filter((change) => changingOf(change.kind).isDone(change, itemsOf(change.kind), state)));
  const left = kept.changes.filter((change) => !done.has(change));
  if (left.length > 0) refuseChangedState(kept, stateBefore(items, [...done], state));
  return left;
}
