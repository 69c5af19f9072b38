import {Args} from '@oclif/core';
import {joinFlags} from '../lib/cli/flags.js';
import {apply} from '../lib/cli/policy/apply.js';
import {changeFlags} from '../lib/cli/policy/changes.js';
import {policyCommand} from '../lib/cli/policy/command.js';
import {guardFlags, readingFlags} from '../lib/cli/policy/flags.js';
import {partFlags, planReportFlags} from '../lib/cli/policy/part.js';
import {stateFlags} from '../lib/cli/policy/flags.js';
import {sections, writesOf} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Apply a policy to an account',
  writes: true,
  findsDrift: true,
  description:
    'Prints the plan, asks, and makes the changes one at a time. POLICY is a policy, or a plan that `plan --out` saved. `undo` reverts it. It needs a token with the scopes read and write; server-wide blocks need that of an admin.',
  details: `Shows the plan, asks, and makes the changes one at a time; filters are changed keyword by keyword. --only limits it to some sections. If it is interrupted, run it again: it checks what is done and does the rest. A policy from standard input keeps no state file without --state: then a filter that does more than the policy asks for is held back. A saved plan (plan --out) is applied unchanged. It is refused (5) if the server has changed since, if it does not fit the account, or if an \`until\` day has passed. It is refused (2) if it was edited. A saved plan finds its policy in its own folder or below; otherwise, pass --state. Differences that pixelctl cannot change are printed with !, and then the exit status is 10.

The state file records what apply made, so that apply can remove it when the policy no longer names it. It also records what existed before, for undo. It is POLICY.state.json, unless --state names another. During a run, POLICY.state.json.log belongs to it. Without these files, apply may leave items in place that it made.

Some changes need a flag, or nothing is sent (5). Many removals that no rule asks for by name need --allow-removals: more than 20, or more than 10 % and at least 5. More than 25 new suspensions for a whole server, or any of a whole top-level domain, need --allow-additions. In a saved plan, all removals count. If protect_followed cannot be checked, nothing is sent (5). A dry run only reads. It also shows requests that would need one of these flags.

Several accounts are changed at the same time, each with its own state file; if one fails, the others still run (11). If one of them needs --allow-removals or --allow-additions, nothing is sent to any.

Calls ${writesOf(sections)}, after reading what the policy needs. For protect_followed, it also calls GET /api/v1/accounts/{id}/following and /followers, unless they were read in the last ten minutes. If the limit of the server depends on its release, it calls GET /api/v2.1/config or /api/v1/instance.`,
  usage: 'POLICY|PLAN',
  args: {
    POLICY: Args.string({
      description: 'a policy, or a plan saved with plan --out (-: standard input)',
      required: true,
      ignoreStdin: true,
    }),
  },
  flags: joinFlags(guardFlags, planReportFlags, partFlags, stateFlags, readingFlags, changeFlags),
  examples: [
    {does: 'Review and confirm', line: 'apply moderation.yml'},
    {does: 'In a script', line: 'apply moderation.yml --yes --json'},
    {does: 'Show the requests without sending them', line: 'apply moderation.yml --dry-run'},
  ],
  several: true,
  run: (run, {POLICY: name}) => apply(name, run),
});
