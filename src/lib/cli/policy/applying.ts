/** Applies a policy, or the plans of a file, to accounts: shows the plan, asks, makes the changes, and says what is left. */
import {Flags} from '@oclif/core';
import {type Accounts, type Member, openAccounts, type PerAccount} from '../accounts.js';
import type {AccountsFlags, GivenFlags} from '../flags.js';
import {carryOut, changeAccounts, changeFlags, endsOf, type Job} from './changes.js';
import type {PlanReports} from './plan-report.js';
import {checkAccounts, type PolicyFlags, sameFlags, targetOf} from './policy.js';
import type {Printing} from '../printing.js';
import {saveRelationsOf} from '../relations.js';
import {type Meant, meantBy, withServers} from './servers.js';
import type {Session} from '../session.js';
import {StateFiles} from './state-files.js';
import {Failure} from '../../client/failure.js';
import {applyChanges, type Ready, readyFromPolicy} from '../../policy/plan/apply.js';
import {type FindingJson, fullName, type Target} from '../../policy/model/difference.js';
import {finishApply} from '../../policy/state-file/ownership.js';
import type {KeptPlan} from '../../policy/plan/plan-file.js';
import {whoText} from '../../policy/plan/plan-text.js';
import {refuseGuarded} from '../../policy/plan/guard.js';
import {asksServer} from '../../policy/reading/part.js';
import {wantedFor} from '../../policy/reading/read-wanted.js';
import type {Records} from '../../policy/state-file/records.js';
import {cutOff} from '../../policy/sections/index.js';
import type {Wanted} from '../../policy/lists/wanted.js';
import {counted, firstOf} from '../../json/text.js';

/** Differences that the closing line names. */
const maxNamed = 5;

/** What lets a plan pass that would be held back. */
export const guardFlags = {
  'allow-removals': Flags.integer({
    description: 'allow this many removals that no rule asks for by name, or that a saved plan has',
    helpValue: 'N',
    min: 0,
  }),
  'allow-additions': Flags.integer({
    description: 'allow this many new suspensions, for everybody on the server, of domains of which it knows accounts',
    helpValue: 'N',
    min: 0,
  }),
};

type ApplyFlags = AccountsFlags & GivenFlags<typeof changeFlags & typeof guardFlags> & PolicyFlags;

interface Around {
  /** Begins the question about several accounts: `Apply p.yml to`. */
  readonly question: string;
  readonly flags: ApplyFlags;
  readonly printing: Printing;
  readonly session: Session;
  /** Keeps there who is followed and follows on domains, before they are blocked. */
  readonly relationsTo?: string | undefined;
  /** Say what is about to be changed. */
  readonly reports?: PlanReports | undefined;
}

/**
 * Applies it to the accounts that the flags name.
 * @throws Failure as {@link changeAccounts}; `drift` when differences are left
 */
export async function applySource(source: PlanSource, {question, flags, printing, session, relationsTo, reports}: Around): Promise<void> {
  await using opened = await openAccounts(flags, session);
  await checkAccounts(source.wanted, opened, session);
  const accounts = await withServers(opened, source.meant(flags.state), session);
  using files = new StateFiles(session.dryRun);
  const targetIn = async ({connection, owner}: Member): Promise<Target> => ({
    ...(await targetOf(connection, flags, source.wanted, {owner})),
    followed: () => connection.followed('applying'),
  });
  let prepared: readonly PerAccount<ApplyJob>[] = [];
  // Before any other request, so that a plan for other accounts reads nothing.
  const named = accounts.areNamed ? accounts.members.filter(({handle}) => handle !== undefined) : [];
  for (const member of named) source.of(await targetIn(member));
  const ended = await changeAccounts(
    {
      question,
      async prepare(member) {
        const own = source.of(await targetIn(member));
        const {target, server} = own;
        const records = await files.recordsForApply(own.policy, flags, {target, isOfSeveral: accounts.areNamed, server});
        return jobOf(await own.ready(records), own, target);
      },
      async planned(all, failed) {
        await reports?.write(
          accounts.members.map((member) => {
            const own = all.find((one) => one.member === member)?.value;
            return {
              account: own === undefined ? member.account : fullName(own.target),
              plan: own && {...own.remarks, changes: own.changes, guard: own.guard},
              why: failed.find(({account}) => account === member.account)?.failure.message,
            };
          }),
        );
      },
      check(all) {
        prepared = all;
        if (session.dryRun) return;
        const allowed = {removals: flags['allow-removals'], additions: flags['allow-additions']};
        for (const {member, value} of all) refuseGuarded(value.guard, allowed, accounts.areNamed ? member.account : undefined);
      },
      async before(busy) {
        if (relationsTo === undefined) return;
        // One after another, because all of them are in one file.
        for (const {member, value} of busy) {
          const domains = cutOff(value.changes);
          const account = accounts.areNamed ? member.account : undefined;
          if (domains.length > 0) await saveRelationsOf(member.connection, {domains, file: relationsTo, account});
        }
      },
    },
    accounts,
    {flags, printing, session},
  ).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Failure && error.code === 'drift') return error;
      throw error;
    },
  );
  const left = leftovers(prepared, accounts, flags);
  const failure = ended && left ? both(ended, left, accounts) : (ended ?? left);
  if (failure !== undefined) throw failure;
}

/** What is applied to one account. */
export interface Own {
  readonly target: Target;
  readonly policy: string;
  /** What differences are from, in sentences: `this part of policy.yml`. */
  readonly name: string;
  /** Whether it is about what the accounts of the server share; undefined: where an earlier apply was. */
  readonly server: boolean | undefined;
  readonly part: KeptPlan['part'];
  readonly question: string;
  /** Why differences are left: `that pixelctl cannot change`. */
  readonly left: string;
  /** What to do about them, where it is not what `plan` says, because nobody is to edit the policy. */
  readonly remedy?: string | undefined;
  /** Said when every change is made; undefined where differences that are left say it. */
  readonly nothing: (host: string, left: readonly FindingJson[]) => string | undefined;
  readonly ready: (records: Records) => Promise<Ready>;
}

/** A policy, or the plans of a file. */
export interface PlanSource {
  readonly wanted: readonly Wanted[];
  /** @param chosen the value of `--state` */
  readonly meant: (chosen: string | undefined) => Meant;
  /** @throws Failure `usage` when there is no plan for the account */
  readonly of: (target: Target) => Own;
}

/** How a command calls what it does with a policy. */
type Words = Pick<Own, 'left' | 'name' | 'question' | 'remedy'>;

/** A policy that is applied to each account. */
export function policySource(wanted: Wanted, {name, question, left, remedy}: Words): PlanSource {
  const {part, policy} = wanted;
  return {
    wanted: [wanted],
    meant: (chosen) => meantBy([wanted], chosen, part),
    of: (target) => ({
      target,
      policy: policy.file,
      name,
      server: asksServer(wantedFor(wanted, target).policy, part),
      part,
      question,
      left,
      remedy,
      nothing: (host, different) => (different.length === 0 ? `Nothing to do: no differences between ${host} and ${name}.` : undefined),
      ready: (records) => readyFromPolicy(wanted, records, target),
    }),
  };
}

interface ApplyJob extends Job, Pick<Ready, 'guard'> {
  readonly own: Own;
  readonly target: Target;
}

function jobOf(ready: Ready, own: Own, target: Target): ApplyJob {
  const {changes, warnings, guard, records, remarks, state} = ready;
  return {
    changes,
    ends: endsOf(changes, state),
    warnings: warnings.map((why) => ({why})),
    remarks,
    guard,
    own,
    target,
    question: own.question,
    left: own.left,
    nothing: own.nothing(target.server.host, remarks.cannot ?? []),
    async carryOut(send) {
      const advisesPolicy = own.remedy === undefined;
      if (changes.length > 0)
        return applyChanges(ready, {at: target.now(), carryOut: (all, witness) => carryOut(all, send, {witness, advisesPolicy})});
      // An apply that was killed after its last change is finished, and what is gone is no longer owned.
      await records.changed(finishApply).write();
    },
  };
}

/** How it ends where limits hold something back, and something else cannot be changed. */
function both(held: Failure, left: Failure, {suggest}: Accounts): Failure {
  const all = [held, left].map((failure) => ({failure, hint: failure.hintFor(suggest)}));
  const hints = all.flatMap(({hint}) => hint ?? []);
  return new Failure('drift', held.messageWith(`; ${left.message}`), {
    hint: hints.join('; '),
    closing: all.flatMap(({failure, hint}) => failure.closingWith(hint) ?? []),
  });
}

/** `drift` when there is what no request of the API can change: it is a difference that stays. */
function leftovers(jobs: readonly PerAccount<ApplyJob>[], accounts: Accounts, flags: PolicyFlags): Failure | undefined {
  const different = jobs.filter(({value: {remarks}}) => (remarks.cannot ?? []).length > 0);
  const left = different.flatMap(({value: {remarks}}) => remarks.cannot ?? []);
  const [first] = different;
  if (first === undefined) return undefined;
  const {own, target} = first.value;
  const names = left.map(({rule, subject}) =>
    rule === 'config' ? subject : rule.startsWith(`${subject}.`) || rule.endsWith(`.${subject}`) ? rule : `${rule} ${subject}`,
  );
  const named = firstOf([...new Set(names)], maxNamed);
  const plan = accounts.areNamed
    ? accounts.suggest(['plan'], {args: [own.policy], flags: sameFlags(flags)})
    : target.advice.onPolicy('plan', own.policy, own.part);
  const indexes = jobs.flatMap((job, index) => (different.includes(job) ? [index] : []));
  const who = whoText(
    indexes,
    jobs.map(({member}) => member),
  );
  const what = `in ${left.length} ${own.left}`;
  const message = accounts.areNamed
    ? `${different.map(({member}) => member.account).join(', ')} still ${different.length === 1 ? 'differs' : 'differ'} from ${own.name} ${what}`
    : `${target.server.host} still differs from ${own.name} ${what}: ${named}`;
  return new Failure('drift', message, {
    hint: own.remedy ?? `see how to fix it: ${plan}`,
    closing: [
      `${counted(left.length, 'difference')} left${accounts.areNamed ? ` ${who}` : ''} ${own.left}: ${named}.`,
      own.remedy === undefined ? `To see how to fix it: ${plan}` : `To fix it: ${own.remedy}`,
    ],
  });
}
