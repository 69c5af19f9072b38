import {Flags} from '@oclif/core';
import {joinFlags} from '../lib/cli/flags.js';
import {applyPolicy, changeFlags} from '../lib/cli/policy/changes.js';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {guardFlags, partFlags, policyArgument, readingFlags, reportFlags, stateFlags} from '../lib/cli/policy/policy-flags.js';
import {writesOf} from '../lib/policy/index.js';
import {resultsView} from '../lib/run/index.js';

export default policyCommand({
  summary: 'Apply a policy to an account',
  writes: true,
  findsDrift: true,
  description:
    'Prints the plan, asks, and makes the changes one at a time. `undo` takes it back. It needs a token with the scopes read and write; server-wide blocks need that of an admin.',
  details: `Shows the plan, asks, and makes the changes one at a time; filters are changed keyword by keyword. --only limits it to some sections. If it is interrupted, run it again: it checks what is done and does the rest. Differences that pixelctl cannot change are printed with !, and then the exit status is 10.

With --expect DIGEST it does exactly the plan that \`plan\` printed with this digest, without a question, because somebody has read it. If anything else would be done, or an account cannot be read, nothing is sent (5). A run that was interrupted goes on. A plan that is done already is 0.

The state records what apply made, so that apply can remove it when the policy no longer names it, and what existed before, for undo. There is one file an account, POLICY.ACCOUNT.state.ndjson, and one for each server whose blocks are managed, POLICY.@HOST.state.ndjson; the name of the file alone names the policy, so \`mv\` renames it. --state names a folder, or a file that ends with .ndjson. A policy from standard input keeps no state without --state: then a filter that does more than the policy asks for is held. Without the state, apply may leave items in place that it made.

Some changes need a flag, or nothing is sent (5). Removals that no rule names need --allow-removals: more than 20, or at least 5 that are more than a tenth of their kind. More than 25 new suspensions for a whole server, or any of a whole top-level domain, need --allow-additions. If protect_followed cannot be checked, nothing is sent. A dry run only reads. It also shows requests that would need one of these flags.

Several accounts are changed at the same time, each with its own state; if one fails, the others still run (11). If one of them needs --allow-removals or --allow-additions, nothing is sent to any.

Calls ${writesOf()}, after reading what the policy needs. For protect_followed, it also calls GET /api/v1/accounts/{id}/following and /followers. If the limit of the server depends on its release, it calls GET /api/v2.1/config or /api/v1/instance.`,
  usage: 'POLICY',
  args: {POLICY: policyArgument},
  flags: joinFlags(
    {expect: Flags.string({description: 'do exactly the plan with this digest, and ask nothing', helpValue: 'DIGEST'})},
    guardFlags,
    reportFlags,
    partFlags,
    stateFlags,
    readingFlags,
    changeFlags,
  ),
  examples: [
    {does: 'Review and confirm', line: 'apply moderation.yml'},
    {does: 'In a script', line: 'apply moderation.yml --yes --json'},
  ],
  several: true,
  view: resultsView,
  run: (run, {POLICY: name}) => applyPolicy(name, run),
});
