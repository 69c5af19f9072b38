/** Applies a policy, or restores a backup; and what these have in common with an undo: what is changed in accounts, what stops it, and what is left. */
import type {AccountFailure, Failure} from '../../client/failure.js';
import type {Request} from '../../client/request.js';
import type {Via} from '../../operations/operation.js';
import {commandText} from '../../files/command-text.js';
import type {Terminal} from '../../print/format.js';
import type {PolicyWithLists} from '../reading/read-policy.js';
import {planReport} from '../reports/plans.js';
import {keyOf, type Row} from '../sections/policy-kind.js';
import {comparisonOf, compareWhole, followTexts} from './compare.js';
import {checkExpected, refuseNoDigest} from './digest.js';
import {type Allowed, refuseFollowed, refuseGuarded} from './guards.js';
import {cannotIn, doneText, leftFailure, type Plan, planOf, plansText, summaryText} from './plan.js';
import {heldTexts, rowNames} from './row-text.js';
import {type Changes, requestsOf, type Run, Sending} from './sending.js';
import {filesIn, openStates, type States, timeAfter} from './states.js';
import {type Advice, type Known, type Noun, suggest, type Target} from './target.js';

interface Wording {
  /** What the question is about: `Apply p.yml`. */
  readonly what: string;
  readonly done: string;
  /** What `undo` takes to revert it; undefined: it cannot be reverted. */
  readonly undo?: string | undefined;
  /** The digest of the plan that somebody has read and agreed to: nobody is asked. */
  readonly expected?: string | undefined;
  readonly allowed?: Allowed | undefined;
  /** A difference that is left even if all changes succeed. */
  readonly beyond?: Failure | undefined;
  /** What to do about differences that are left; undefined: read the plan. */
  readonly remedy?: string | undefined;
}

interface Setting extends Wording {
  /** The policy, which says what accounts and servers are meant. */
  readonly given: PolicyWithLists;
  readonly prepare: (target: Target, states: States) => Promise<Changes>;
}

export class Change {
  readonly #sendings: Sending[] = [];

  constructor(readonly setting: Setting) {}

  /** @param isWriting whether states are locked and will be written @throws Failure of a part that could not be read, or of a state that cannot be used */
  async prepare(target: Target, isWriting: boolean): Promise<Changes> {
    return this.setting.prepare(target, await openStates(this.setting.given, target, isWriting));
  }

  planUnread(target: Known, failure: Failure): Plan {
    return planOf(comparisonOf(target, this.setting.given, {failure}));
  }

  report(format: string, plans: readonly Plan[], noun: Noun) {
    return planReport(format, plans, noun);
  }

  /** The plans, unless nothing differs. Of a dry run, which prints the requests, only what no request can change. */
  plansText(plans: readonly Plan[], noun: Noun, {terminal, isDryRun}: {terminal: Terminal; isDryRun: boolean}): Iterable<string> {
    const shown = isDryRun ? plans.map((plan) => ({...plan, changes: [], findings: cannotIn(plan)})) : plans;
    return shown.some(({findings}) => findings.length > 0) ? plansText(shown, noun, terminal) : [];
  }

  /**
   * Checks all changes before anything is sent.
   * @param isRefusing whether guards are asked: a dry run shows what they would refuse
   * @returns what to say if there is nothing to do
   * @throws Failure `refused`: nothing is sent to any account
   */
  check(all: readonly Changes[], failed: readonly AccountFailure[], advice: Advice, isRefusing: boolean): string | undefined {
    const {expected, allowed = {}} = this.setting;
    if (expected === undefined) {
      if (isRefusing) for (const {guard, label} of all) refuseGuarded(guard, allowed, label);
      return undefined;
    }
    // Somebody has agreed to the plan, so no guard is asked.
    const [first] = failed;
    if (first !== undefined) throw first.failure.saying(': an account could not be read, so nothing was sent');
    return checkExpected(expected, all, this.#planCommand(advice)) ? 'This plan is already applied.' : undefined;
  }

  /** Begins to send, after it checked again what may have changed while somebody was asked. @throws Failure: nothing is sent */
  async confirm(all: readonly Changes[], now: Date): Promise<(changes: Changes) => Promise<Sending>> {
    for (const one of all) await refuseFollowed(one, one.target.readFollowedAccounts);
    const run: Run = {at: timeAfter(all.map(({states}) => states).flatMap(filesIn), now), expected: this.setting.expected};
    return async (changes) => {
      const sending = new Sending(changes, await changes.begin(run));
      this.#sendings.push(sending);
      return sending;
    };
  }

  requestsOf(changes: Changes, via: Via): Promise<Request[]> {
    return requestsOf(changes, via);
  }

  /** The names of changes for people, by those for programs, where they differ. */
  shownNames(all: readonly Changes[]): ReadonlyMap<string, string> {
    const names = all.flatMap(({rows, host}) => rows.map((row) => rowNames(row, host)));
    return new Map(names.filter(({name, shown}) => name !== shown).map(({name, shown}) => [name, shown]));
  }

  /** The question before changes are sent, with what they do to follows. @param actor the account, if there is only one */
  question(busy: readonly Changes[], noun: Noun, actor: string): string {
    const ends = new Set(busy.flatMap(followTexts));
    const whom = noun === undefined ? `as ${actor}:` : `to ${busy.map(({label}) => label).join(', ')}.`;
    return [`${this.setting.what} ${whom} ${summaryText(busy, noun)}?`, ...ends].join(' ');
  }

  /** What was carried out, and the command that takes it back. @param state the value of `--state` */
  doneTexts({account}: Advice, state: string | undefined): string[] {
    const {done, undo} = this.setting;
    const rows = this.#sendings.flatMap((sending) => sending.done);
    const revert = undo === undefined ? '' : ` To revert: ${commandText('undo', {args: [undo], flags: {state, ...account}})}`;
    return rows.length === 0 ? [] : [`${done}: ${doneText(rows)}.${revert}`];
  }

  /** The differences that are left whatever was sent. */
  left(all: readonly Changes[], advice: Advice): readonly Failure[] {
    const {remedy, beyond} = this.setting;
    const next = remedy === undefined ? `To see how to fix it: ${this.#planCommand(advice)}` : `To fix it: ${remedy}`;
    return [leftFailure(all, next), beyond].filter((one) => one !== undefined);
  }

  #planCommand(advice: Advice): string {
    const {policy, only} = this.setting.given;
    return suggest({advice, policy: policy.file}, 'plan', {only: only?.join()});
  }
}

/**
 * @param nothing what to say if nothing differs from the account; gets its server
 * @throws Failure `usage` where `expected` is no digest
 */
export function apply(given: PolicyWithLists, {nothing, ...setting}: Wording & {readonly nothing: (host: string) => string}): Change {
  if (setting.expected !== undefined) refuseNoDigest(setting.expected);
  const prepare: Setting['prepare'] = (target, states) => prepareApply(given, target, states, nothing(target.server.host));
  return new Change({...setting, given, prepare});
}

/** @throws Failure of a kind that could not be read, or when interrupted */
export async function prepareApply(given: PolicyWithLists, target: Target, states: States, nothing = ''): Promise<Changes> {
  const plan = planOf(await compareWhole(given, target, states));
  const warnings: string[] = [];
  const completed = new Map<Row, Row>();
  for (const {kind, actual} of plan.kinds) {
    const own = plan.changes.filter((row) => row.kind === kind);
    const prepared = own.length === 0 ? undefined : await kind.send.prepare?.(own, actual, target.client);
    for (const [index, row] of own.entries())
      if (prepared !== undefined) completed.set(row, {...row, ...prepared.rows[index], planned: [row.has, row.want]});
    if (prepared?.warning !== undefined) warnings.push(prepared.warning);
  }
  // Servers look up few accounts a day: those that an earlier run did not find are tried last.
  const isLast = ({kind, name}: Row) => {
    const keys = states[kind.owner]?.state.notFound;
    return keys !== undefined && keys.size > 0 && keys.has(keyOf(kind, name));
  };
  const rows = plan.changes.map((row) => completed.get(row) ?? row);
  return {
    ...plan,
    target,
    rows: [...rows.filter((row) => !isLast(row)), ...rows.filter(isLast)],
    notes: heldTexts(plan),
    warnings,
    states,
    nothing: cannotIn(plan).length > 0 ? undefined : nothing,
    async begin({at: run, expected}) {
      for (const file of filesIn(states)) await file.append([], true);
      const touched = filesIn(states).filter((file) => rows.some(({kind}) => states[kind.owner] === file));
      for (const file of touched) {
        await file.rewrite();
        await file.append([expected === undefined ? {run} : {run, expected}]);
      }
      return touched;
    },
    end: {end: true},
  };
}
