import {Flags} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {connect} from '../lib/cli/connection.js';
import {accountsFlags, areSeveral} from '../lib/cli/flags.js';
import {listFlags} from '../lib/cli/list-access.js';
import {filesOf, noteNeededPolicy, partFlags, partIn, planReportFlags, refuseOverwrites, refuseUnmatched} from '../lib/cli/policy-part.js';
import {
  protectionFlags,
  noteRemarks,
  policyArgument,
  privateFlags,
  readPolicyAndLists,
  stateFileIn,
  stateFlags,
  targetOf,
} from '../lib/cli/policy.js';
import {printingOf, writeOutput} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {Failure, localFailure} from '../lib/client/failure.js';
import {writeWhole} from '../lib/files/whole-file.js';
import {handleOf} from '../lib/operations/handles.js';
import {planFor, type Planned} from '../lib/policy/apply.js';
import {findingJson} from '../lib/policy/difference.js';
import {keptPlanText} from '../lib/policy/plan-file.js';
import {countsText, planText} from '../lib/policy/plan-text.js';
import {guardTexts, planDocument} from '../lib/policy/plan.js';
import {formatDocument} from '../lib/print/print.js';
import {StateFile} from '../lib/policy/state-file.js';
import {changesView} from '../lib/policy/views.js';

export default class Plan extends PixelctlCommand {
  static override summary = 'Show what apply would change';
  static override description = `Prints a diff: + is added, - removed, ~ changed; ! differs, and pixelctl cannot change it. The comment after # names the rule or list. Changes nothing. --only, --target and --except limit it to a part, which a saved plan records. The exit status is 0 when nothing differs and 10 when something does.

The most important comes first: what the policy names itself, then what most of its lists agree on, the most severe first. What exceeds known limits of servers is marked.

Removes only what the policy forbids, what only: true does not name, and what an earlier apply of the same policy made and the policy no longer names.

With --json: {"server", "account", "policy", "part": {"only", "target", "except"} where it is limited, "changes": [{"action": "add|remove|update", "kind", "subject", "details", "because"}], "cannot": [findings, as of audit], "skipped": […], "limits": [texts], "lists": [as of audit]}, "beyond_limits": [{"kind", "limit", "subjects"}] where not all fits, and "guard": {"removals", "why", "unprotected"} where apply needs --allow-removals, or refuses because who is followed could not be read. With several accounts it is a list of these, with "error": {"code", "message"} for an account that could not be read (11); as text, what they have in common is shown once.

Reads GET /api/v1/domain_blocks, /api/v2/filters, /api/v1/blocks, /api/v1/mutes, /api/v1.1/push/state and /api/v2.1/config as the policy needs them, and the name of the account. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day. It needs a token with the scope read.`;
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
    await printingOf(session);
    const reports = flags.report && new (await import('../lib/cli/plan-report.js')).PlanReports(flags.report, name);
    const outputs = [...(flags.out === undefined ? [] : [flags.out]), ...(reports?.files ?? [])];
    await refuseOverwrites(outputs, [name]);
    const read = () => readPolicyAndLists(name, flags, session);
    const wanted = await (reports ? reports.reading(read, session) : read());
    await refuseOverwrites(outputs, filesOf(wanted));
    if (areSeveral(flags)) return (await import('../lib/cli/fleet-plan.js')).planSeveral(wanted, {flags, session, reports});
    await using connection = await connect(session);
    const target = await targetOf(connection, flags, [wanted]);
    const state = await StateFile.read(await stateFileIn(name, flags, target));
    const planned = await planFor(wanted, state, target);
    refuseUnmatched([planned.plan]);
    const {out} = flags;
    if (out !== undefined) await save(planned, out, target.now());
    const applyFlags = out === undefined ? partIn(flags) : noteNeededPolicy(out, name, flags.state, session);
    await reports?.write([{account: handleOf(target.account, target.server.host), plan: planned.plan}]);
    await show(planned, session);
    const {changes, cannot} = planned.plan;
    if (changes.length + cannot.length === 0) return;
    throw new Failure('drift', `${target.server.host} differs from ${name}: ${countsText(changes, cannot)}`, {
      hint:
        changes.length === 0
          ? 'see the lines that begin with !'
          : `to apply it: ${target.advice.onPolicy('apply', out ?? name, applyFlags)}`,
    });
  }
}

async function save({plan, about, parts}: Planned, file: string, now: Date): Promise<void> {
  const text = keptPlanText(plan, {...about, made_at: now.toISOString(), parts: [...parts]}, file);
  await writeWhole(file, text).catch((error: unknown) => {
    throw localFailure(`Cannot save the plan to ${file}`, error);
  });
}

async function show({plan, about}: Planned, session: Session): Promise<void> {
  const {changes, guard} = plan;
  const cannot = plan.cannot.map((one) => findingJson(one));
  const isText = session.format === 'table' && session.flags.jq === undefined && session.flags.fields === undefined;
  if (isText) await session.io.write(planText({...plan, cannot}, session.out.color), 'painted');
  else await writeOutput(await formatDocument(planDocument(about, plan), {...(await printingOf(session)), view: changesView}), session);
  if (session.format !== 'table') return;
  noteRemarks({...plan, cannot}, session);
  for (const text of guardTexts(guard)) session.warn(text);
  if (changes.length === 0 && cannot.length === 0) session.note('Nothing to do.');
}
