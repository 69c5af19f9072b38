import {Flags} from '@oclif/core';
import {type Accounts, type Member, openAccounts, type PerAccount} from '../lib/cli/accounts.js';
import {accountPlans} from '../lib/cli/policy/changes.js';
import {PixelctlCommand} from '../lib/cli/command.js';
import {accountsFlags} from '../lib/cli/flags.js';
import {listFlags} from '../lib/cli/policy/list-access.js';
import {filesOf, noteNeededPolicy, partFlags, partIn, planReportFlags, refuseOverwrites, refuseUnmatched} from '../lib/cli/policy/part.js';
import {
  checkAccounts,
  noteRemarks,
  type PolicyFlags,
  policyArgument,
  privateFlags,
  protectionFlags,
  readPolicyAndLists,
  sameFlags,
  targetOf,
  warnOfAccounts,
} from '../lib/cli/policy/policy.js';
import {printingOfOwn, printResult} from '../lib/cli/printing.js';
import {meantBy, withServers} from '../lib/cli/policy/servers.js';
import {counted} from '../lib/json/text.js';
import {nounFor} from '../lib/operations/handle.js';
import type {Session} from '../lib/cli/session.js';
import {recordsOf, stateFlags} from '../lib/cli/policy/state-files.js';
import {type AccountFailure, Failure, localFailure} from '../lib/client/failure.js';
import type {SuggestedFlags} from '../lib/client/suggest.js';
import {writeWhole} from '../lib/files/whole-file.js';
import {planFor, type Planned} from '../lib/policy/plan/apply.js';
import {changeJson} from '../lib/policy/model/change.js';
import {type Advice, findingJson, fullName, unknownAccount} from '../lib/policy/model/difference.js';
import {keptPlansText, keptPlanText} from '../lib/policy/plan/plan-file.js';
import {countsText, planClosing, plansText, whoText} from '../lib/policy/plan/plan-text.js';
import {flagsToAllow, guardTexts} from '../lib/policy/plan/guard.js';
import {planDocument, relationsText} from '../lib/policy/plan/plan.js';
import {changesView} from '../lib/policy/views.js';
import {pathsOf, sections} from '../lib/policy/sections/index.js';
import type {Wanted} from '../lib/policy/lists/wanted.js';
import {asksServer} from '../lib/policy/reading/part.js';
import {wantedFor} from '../lib/policy/reading/read-wanted.js';
import type {LongDocument} from '../lib/print/print.js';
import {relativeTime} from '../lib/print/values.js';

export default class Plan extends PixelctlCommand {
  static override summary = 'Show what apply would change';
  static override description = `Prints a diff: + is added, - removed, ~ changed; ! differs, and pixelctl cannot change it. The comment after # names the rule or list. Changes nothing. --only, --target and --except limit it to a part, which a saved plan records. The exit status is 0 when nothing differs and 10 when something does.

The most important comes first: what the policy names itself, then what most of its lists agree on, the most severe first. What exceeds known limits of servers is marked. Domains beyond the limit of the policy, and domains that could not be checked for protect_followed, are listed but not planned.

Removes only what the policy forbids, what only: true does not name, and what an earlier apply of the same policy made and the policy no longer names, or only until a day that is over.

With --json: {"server", "account", "policy", "part": {"only", "target", "except"} where it is limited, "changes": [{"action": "add|remove|update", "kind", "subject", "details", "because", "by_hand": {"set", "found", "since"}}], "cannot": [findings, as of audit], "skipped": […], "limits": [texts], "lists": [as of audit]}, "beyond_limits": [{"kind", "limit", "subjects"}] where not all fits, "held_back": [{"kind", "subject", "why": "policy_limit" or "server_limit"}] for what is beyond the limit of the policy or the known limit of the server, "followed_at": when the followed accounts were read, with "relations", how many of them the plan blocks, "largest": {"kind", "subject", "accounts"} of the domains to suspend for everybody, "uncounted": of how many of them the server may know accounts that it has not counted, "ends": {"accounts", "follows", "followers"} on all of them, where a Mastodon server tells, and "guard": {"removals", "why", "unprotected", "additions": {"count", "why"}} where apply needs --allow-removals or --allow-additions, or refuses because the followed accounts could not be read. With several accounts it is a list of these, with "error": {"code", "message"} for an account that could not be read (11); as text, what they have in common is shown once.

Reads GET ${pathsOf(sections)} as the policy needs them, and the name of the account. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day; where the limit of the server depends on its release, GET /api/v1/instance too. It needs a token with the scope read; for what a whole server blocks, that of an admin.`;
  static override usage = '<%= command.id %> POLICY [flags]';
  static override args = {POLICY: policyArgument};
  static override flags = {
    out: Flags.string({description: 'save the plan to this file, for apply', helpValue: 'FILE'}),
    ...planReportFlags,
    ...partFlags,
    ...stateFlags,
    ...listFlags,
    ...protectionFlags,
    ...privateFlags,
    ...accountsFlags,
  };
  static override examples = [
    {description: 'Show what apply would change', command: '<%= config.bin %> plan moderation.yml'},
    {description: 'Save the plan, to apply it later', command: '<%= config.bin %> plan moderation.yml --out plan.json'},
    {
      description: 'Write the plan for a comment on a pull request',
      command: '<%= config.bin %> plan moderation.yml --report markdown=plan.md',
    },
    {
      description: 'Show only what is about a domain and its subdomains',
      command: "<%= config.bin %> plan moderation.yml --target bad.example --target '*.bad.example'",
    },
    {
      description: 'Count the removals with jq',
      command: '<%= config.bin %> plan moderation.yml --json | jq \'[.changes[] | select(.action == "remove")] | length\'',
    },
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.startForAccounts(Plan);
    const name = args.POLICY;
    await printingOfOwn(changesOfAccountsView, session);
    const reports = flags.report && new (await import('../lib/cli/policy/plan-report.js')).PlanReports(flags.report, name);
    const outputs = [...(flags.out === undefined ? [] : [flags.out]), ...(reports?.files ?? [])];
    await refuseOverwrites(outputs, [name]);
    const read = () => readPolicyAndLists(name, flags, session);
    const wanted = await (reports ? reports.reading(read, session) : read());
    await refuseOverwrites(outputs, filesOf(wanted));
    await using opened = await openAccounts(flags, session);
    await checkAccounts([wanted], opened, session);
    const accounts = await withServers(opened, meantBy([wanted], flags.state, wanted.part), session);
    const {members, areNamed} = accounts;
    const {found, failed} = await accounts.eachApart((member) => planOf(wanted, member, flags, areNamed));
    if (failed.length === 0) refuseUnmatched(found.map(({value}) => value.plan));
    if (flags.out !== undefined) await save(found, {file: flags.out, policy: name, areNamed, now: session.io.now()});
    const applyFlags = flags.out === undefined ? partIn(flags) : noteNeededPolicy(flags.out, name, flags.state, session);
    await reports?.write(
      members.map((member) => {
        const own = found.find((one) => one.member === member)?.value;
        return {
          account: own?.name ?? member.account,
          plan: own && {...own.plan, cannot: own.plan.cannot.map((one) => findingJson(one))},
          why: failed.find(({account}) => account === member.account)?.failure.message,
        };
      }),
    );
    await show(found, failed, accounts, {policy: name, session});
    const failure = accounts.failureOf(failed) ?? drift(found, accounts, {policy: name, flags, applyFlags});
    if (failure !== undefined) throw failure;
  }
}

/** The plan of one account. What the server has is not needed any more, and may be long. */
interface PlannedAccount extends Pick<Planned, 'about' | 'parts' | 'plan'> {
  /** `ana@pix.example`, or `pix.example` for what its accounts share. */
  readonly name: string;
  readonly host: string;
  readonly advice: Advice;
}

async function planOf(
  wanted: Wanted,
  {connection, owner}: Member,
  flags: PolicyFlags & {readonly out?: string | undefined},
  isOfSeveral: boolean,
): Promise<PlannedAccount> {
  const target = await targetOf(connection, flags, [wanted], {owner});
  const {advice, server} = target;
  const isAboutServer = asksServer(wantedFor(wanted, target).policy, wanted.part);
  const records = await recordsOf(wanted.policy.file, flags, {target, isOfSeveral, server: isAboutServer});
  const {about, plan, parts} = await planFor(wanted, records, target);
  const shown = flags.out === undefined ? plan : {...plan, guard: plan.guardInFile()};
  return {about, plan: shown, parts, name: fullName(target), host: server.host, advice};
}

async function save(
  found: readonly PerAccount<PlannedAccount>[],
  {file, policy, areNamed, now}: {readonly file: string; readonly policy: string; readonly areNamed: boolean; readonly now: Date},
): Promise<void> {
  const made_at = now.toISOString();
  const plans = found.map(({value: {plan, about, parts}}) => ({plan, about: {...about, policy, made_at, parts: [...parts]}}));
  const [first] = plans;
  const text =
    areNamed || first === undefined ? keptPlansText(plans, {policy, made_at}, file) : keptPlanText(first.plan, first.about, file);
  await writeWhole(file, text).catch((error: unknown) => {
    throw localFailure(`Cannot save the plan to ${file}`, error);
  });
}

interface Shown {
  /** The name of its file. */
  readonly policy: string;
  readonly session: Session;
}

async function show(
  found: readonly PerAccount<PlannedAccount>[],
  failed: readonly AccountFailure[],
  accounts: Accounts,
  {policy, session}: Shown,
): Promise<void> {
  const {areNamed, members} = accounts;
  const shown = found.map(({member, value: {plan}}) => ({
    member,
    value: {...plan, cannot: plan.cannot.map((one) => findingJson(one))},
  }));
  await printResult(
    {
      document: async () => (areNamed ? documentOfSeveral(found, failed, accounts, policy) : documentOf(found)),
      ...((areNamed || session.flags.fields !== undefined) && {rows: rowsOf(found)}),
      text: plansText(accountPlans(members, shown, failed), {areNamed, terminal: session.out}),
      view: areNamed ? changesOfAccountsView : changesView,
    },
    session,
  );
  noteRemarks(shown, session);
  noteAge(found, accounts, session);
  noteRelations(found, accounts, session);
  if (!session.traits.hasNotes) return;
  warnOfAccounts(
    found.map(({member: {account, owner}, value: {plan}}) => ({account, owner, remarks: guardTexts(plan.guard).map((why) => ({why}))})),
    session,
  );
  if (!areNamed && !found.some(isDifferent)) session.note('Nothing to do.');
}

/** Says how old it is what is known of those that are followed. */
function noteAge(found: readonly PerAccount<PlannedAccount>[], {areNamed}: Accounts, session: Session): void {
  const named = found.map(({member}) => member);
  const ages = found.flatMap(({value: {plan}}, index) =>
    plan.followedAt === undefined ? [] : {index, age: relativeTime(plan.followedAt.toISOString(), session.io.now())},
  );
  for (const [age, same] of Map.groupBy(ages, (one) => one.age)) {
    const indexes = same.map(({index}) => index);
    const who = areNamed ? ` ${whoText(indexes, named)}` : '';
    session.note(`protect_followed${who}: the followed accounts were read ${age}; apply reads them again after ten minutes`);
  }
}

/** Says how many relations the plan ends, where that is known. */
function noteRelations(found: readonly PerAccount<PlannedAccount>[], {areNamed}: Accounts, session: Session): void {
  for (const {member, value} of found) {
    const text = relationsText(value.plan);
    if (text !== undefined) session.note(areNamed ? `${member.account}: ${text}` : text);
  }
}

function documentOf([first]: readonly PerAccount<PlannedAccount>[]): LongDocument {
  if (first === undefined) throw new Error('There is no plan');
  return planDocument(first.value.about, first.value.plan);
}

/** A document for each account, with an error for those that failed. */
function documentOfSeveral(
  found: readonly PerAccount<PlannedAccount>[],
  failed: readonly AccountFailure[],
  {members}: Accounts,
  policy: string,
): LongDocument {
  const items = members.map((member) => {
    const own = found.find((one) => one.member === member)?.value;
    if (own !== undefined) return planDocument(own.about, own.plan);
    const failure = failed.find(({account}) => account === member.account)?.failure;
    const about = {server: member.connection.server.origin, account: member.acct ?? unknownAccount, policy};
    return JSON.stringify({...about, ...(failure && {error: {code: failure.code, message: failure.message}})});
  });
  return {before: '[', items, after: ']'};
}

/** One row a change. */
function* rowsOf(found: readonly PerAccount<PlannedAccount>[]): Generator<string> {
  for (const {value} of found)
    for (const change of value.plan.changes) yield JSON.stringify({...value.about, ...changeJson(change, value.plan.showsPrivate)});
}

const changesOfAccountsView = {
  ...changesView,
  columns: [
    {header: 'server', path: 'server', flexible: true, priority: 4},
    {header: 'account', path: 'account', flexible: true, stays: true},
    ...(changesView.columns ?? []),
  ],
  fields: ['server', 'account', 'policy', ...(changesView.fields ?? [])],
} as const;

const isDifferent = ({value: {plan}}: PerAccount<PlannedAccount>): boolean => plan.changes.length + plan.cannot.length > 0;

/** How it ends when something differs; undefined when nothing does. */
function drift(
  found: readonly PerAccount<PlannedAccount>[],
  {areNamed, members, suggest}: Accounts,
  {
    policy,
    flags,
    applyFlags,
  }: {
    readonly policy: string;
    readonly flags: PolicyFlags & {readonly out?: string | undefined};
    /** More flags of the command that applies it. */
    readonly applyFlags: SuggestedFlags | undefined;
  },
): Failure | undefined {
  const different = found.filter(isDifferent);
  const [first] = different;
  if (first === undefined) return undefined;
  const plans = different.map(({value: {plan}}) => plan);
  const file = flags.out ?? policy;
  const neededFlags = {...applyFlags, ...flagsToAllow(plans.map(({guard}) => guard))};
  const command = areNamed
    ? suggest(['apply'], {args: [file], flags: {...sameFlags(flags), ...neededFlags}})
    : first.value.advice.onPolicy('apply', file, neededFlags);
  const who = areNamed ? `${different.length} of ${counted(members.length, ...nounFor(members))} differ` : `${first.value.host} differs`;
  const isRefused = different.some(({value: {plan}}) => plan.guard.unprotected !== undefined);
  const [next, rest] = isRefused
    ? ['Run', ' plan again when the server answers: apply refuses this plan; --only applies other parts of it']
    : plans.every(({changes}) => changes.length === 0)
      ? ['See', ' the lines that begin with !']
      : ['To', ` apply it: ${command}`];
  return new Failure('drift', `${who} from ${policy}: ${countsText(plans)}`, {
    hint: `${next.toLowerCase()}${rest}`,
    closing: [planClosing(plans), `${next}${rest}`],
  });
}
