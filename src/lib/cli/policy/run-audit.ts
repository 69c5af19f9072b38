/** What `audit` does: compares accounts with policies, says what differs, and writes reports. */
import type {Member} from '../account-driver.js';
import {hintFor} from '../errors.js';
import type {PolicyFlags} from './policy-flags.js';
import {readWithReports, type ReportTexts} from './report-files.js';
import type {PolicyRun} from './policy-run.js';
import {audit, compareAccount, type Comparison, type PolicyWithLists, readEarlierReport, sectionsMeant} from '../../policy/index.js';
import type {Result} from '../sink.js';
import {Failure} from '../../client/failure.js';

type AuditFlags = PolicyFlags & {
  readonly 'fail-on'?: 'any' | 'new' | undefined;
  readonly report?: ReportTexts;
  readonly since?: string | undefined;
};

/** @throws Failure when something cannot be read; the result ends with `drift` when something differs */
export async function auditPolicies(names: readonly string[], run: PolicyRun<AuditFlags>): Promise<Result> {
  const {flags, session, printing} = run;
  const isOpenAccepted = flags['fail-on'] === 'new';
  if (isOpenAccepted && flags.since === undefined)
    throw new Failure('usage', '--fail-on new needs --since', {hint: 'name the JSON report of an earlier audit: --since FILE'});
  if (flags.since === '') throw new Failure('usage', '--since needs the name of a file');
  const earlier = flags.since === undefined ? undefined : await readEarlierReport(flags.since, isOpenAccepted);
  const {policies, write} = await readWithReports(flags.report, names, () => run.readAll(names), session.io.now);
  const accounts = await run.accounts(policies, 'read');
  const {all, noun, inUse} = await accounts.gather((member) => compareMember(member, policies, run));
  return audit(
    all.flatMap((one): Parameters<typeof audit>[0] =>
      'value' in one
        ? one.value
        : policies.map((given) => ({known: run.known(one.member, given.policy.file, given), given, failure: one.failure})),
    ),
    {
      earlier,
      noun,
      advice: run.adviceOn(inUse),
      hintOf: (failure, {server, shown}) => hintFor(failure, {flags: shown.advice.account, server}),
      hasFields: printing.fields !== undefined,
      write,
    },
  );
}

/** Compares one account with each policy. */
async function compareMember(member: Member, policies: readonly PolicyWithLists[], run: PolicyRun): Promise<Comparison[]> {
  const target = await run.target(member, policies, false);
  const {owner, server} = target;
  const compared: Comparison[] = [];
  for (const given of policies) {
    // A policy without sections about the server is not compared with the server.
    if (policies.length > 1 && owner === 'server' && (await sectionsMeant(given, owner, server.host, run.flags.state)).length === 0)
      continue;
    compared.push(await compareAccount(given, target));
  }
  return compared;
}
