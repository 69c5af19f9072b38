import {Flags} from '@oclif/core';
import {connect} from '../lib/cli/connection.js';
import {PixelctlCommand, type Typed} from '../lib/cli/command.js';
import {accountOf} from '../lib/cli/policy/account.js';
import {adviceFor, listFlags, policyArgument, stateFlags} from '../lib/cli/policy/flags.js';
import {countsText, planText} from '../lib/cli/policy/plan-text.js';
import {planFor, type Planned} from '../lib/cli/policy/planning.js';
import {readPolicyAndLists} from '../lib/cli/policy/read-policy.js';
import {tellRemarks} from '../lib/cli/policy/showing.js';
import {nameInState, StateFile, stateFileFor} from '../lib/cli/policy/state-file.js';
import {printDocument, printingOf} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';
import {Failure, localFailure} from '../lib/client/failure.js';
import {writeWhole} from '../lib/files/whole-file.js';
import {findingJson} from '../lib/policy/difference.js';
import {planJson} from '../lib/policy/plan.js';
import {keptPlanText} from '../lib/policy/plan-file.js';
import {changesView} from '../lib/policy/views.js';

export default class Plan extends PixelctlCommand {
  static override summary = 'Show what apply would change';
  static override description = `As a difference: + is added, - removed, ~ changed, ! differs and cannot be changed by pixelctl. After the # stands the rule or list that asks for it. Nothing is changed. The exit status is 0 when the account is as the policy wants it, and 10 when not.

What matters most goes first: what the policy names itself, then what most of its lists agree on, the most severe first. What is beyond the limits that servers are known to have is marked.

Only what the policy forbids is removed, what only: true does not name, and what an earlier apply of the same policy made and the policy no longer names.

With --json: {"server", "account", "policy", "changes": [{"action": "add|remove|update", "kind", "subject", "details", "because"}], "cannot": [findings, as of audit], "skipped": […], "limits": [texts]}, "beyond_limits": [{"kind", "limit", "subjects"}] where not all fits, and "guard": {"removals", "why"} where apply wants --allow-removals.

Reads GET /api/v1/domain_blocks, /api/v2/filters, /api/v1/blocks, /api/v1/mutes, /api/v1.1/push/state and /api/v2.1/config as the policy needs them, and whose token it is. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> POLICY [flags]';
  static override args = {POLICY: policyArgument};
  static override flags = {
    out: Flags.string({description: 'save the plan to this file, for apply', helpValue: 'FILE'}),
    ...stateFlags,
    ...listFlags,
  };
  static override examples = [
    {description: 'What apply would do', command: '<%= config.bin %> plan moderation.yml'},
    {description: 'Review now, apply later', command: '<%= config.bin %> plan moderation.yml --out plan.json'},
    {
      description: 'How much would be removed, with jq',
      command: '<%= config.bin %> plan moderation.yml --json | jq \'[.changes[] | select(.action == "remove")] | length\'',
    },
  ];

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    await printingOf(session);
    const wanted = await readPolicyAndLists(String(typed.args['POLICY']), typed, session);
    const stateFile = stateFileFor(wanted.policy.file, typed.flags['state']);
    const state = await StateFile.read(stateFile);
    const connection = await connect(session);
    try {
      const account = await accountOf(connection);
      const owner = {server: connection.server.origin, account, policy: nameInState(wanted.policy.file, stateFile)};
      const advice = adviceFor(connection, typed);
      const planned = await planFor(wanted, {account, record: state.recordOf(owner), advice}, connection);
      const {out} = typed.flags;
      if (typeof out === 'string') await keep(planned, out);
      await show(planned, session);
      const {changes, cannot} = planned.plan;
      if (changes.length + cannot.length === 0) return;
      const {host} = connection.server;
      const {file} = wanted.policy;
      throw new Failure('drift', `${host} differs from ${file}: ${countsText(changes, cannot)}`, {
        hint:
          changes.length === 0
            ? 'see the lines that begin with !'
            : `to apply it: ${advice.onPolicy('apply', typeof out === 'string' ? out : file)}`,
      });
    } finally {
      await connection.close();
    }
  }
}

async function keep({plan, about, parts}: Planned, file: string): Promise<void> {
  const text = keptPlanText(plan, {...about, made_at: new Date().toISOString(), parts: [...parts]});
  await writeWhole(file, text).catch((error: unknown) => {
    throw localFailure(`Cannot keep the plan in ${file}`, error);
  });
}

async function show({plan, about}: Planned, session: Session): Promise<void> {
  const {changes, guard} = plan;
  const cannot = plan.cannot.map(findingJson);
  const isText = session.format === 'table' && session.flags.jq === undefined && session.flags.fields === undefined;
  if (isText) await session.io.write(planText({...plan, cannot}, session.out.color), 'painted');
  else await printDocument(planJson(about, plan), {view: changesView, rows: ['changes']}, session);
  if (session.format !== 'table') return;
  tellRemarks({...plan, cannot}, session);
  if (guard.why !== undefined) session.warn(`${guard.why}: apply wants --allow-removals ${guard.removals}`);
  if (changes.length === 0 && cannot.length === 0) session.note('Nothing to do.');
}
