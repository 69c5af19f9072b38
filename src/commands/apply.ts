import {Args, Flags} from '@oclif/core';
import {relationsFlags} from '../lib/cli/flags.js';
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
    'Prints the plan, asks, and makes the changes one at a time. POLICY is a policy, or a plan that `plan --out` saved. `undo` reverts it. It needs a token with the scopes read and write; for what a whole server blocks, that of an admin.',
  details: `Shows the plan, asks, and makes the changes one at a time; filters are changed keyword by keyword. --only, --target and --except limit it to a part. If it is interrupted, run it again: it checks what is done and does the rest. A plan saved with plan --out is applied unchanged, and refused (5) if the server has changed since, the plan does not fit the account, or the last day of an entry is over, or (2) if it was edited. A saved plan finds its policy in its own folder or below; otherwise, pass --policy or --state. Differences that pixelctl cannot change are printed with !, and then the exit status is 10.

The state file, POLICY.state.json unless --state names another, records what apply made, so that it can be removed when the policy no longer names it, and what existed before, for undo. While it runs, POLICY.state.json.log goes with it. Without them, apply may leave items in place that it made. Many removals that no rule asks for by name (more than 20, or more than 10 % and at least 5) need --allow-removals; in a saved plan every removal counts. More than 25 new suspensions for everybody on a server, of domains of which it knows accounts (of all, where it does not tell), need --allow-additions (5); in a saved plan all count. Domains that the policy protects need --block-protected; where protect_followed cannot be checked, nothing is sent (5). A dry run only reads: it shows the requests also where an apply would need --allow-removals or --allow-additions.

With --save-relations, FILE keeps whom you follow on the domains that are blocked and on their subdomains, and who follows you from there. It is written before the first change is sent; if that fails, nothing is sent. What FILE has already stays, so it can be used again, and by several accounts. It is refused (2) for admin_domain_blocks, because it sees the follows of one account.

Several accounts are changed at the same time, each with its own state file; if one fails, the others still run (11). With --json the results are {"account", "item"}. If one of them needs --allow-removals or --allow-additions, nothing is sent to any.

Calls ${writesOf(sections)}, after reading what the policy needs. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, unless they were read in the last ten minutes; with --save-relations, both where domains are blocked; where the limit of the server depends on its release, GET /api/v2.1/config or /api/v1/instance. It needs a token with the scopes read, write and, for push, push; for what a whole server blocks, that of an admin.`,
  usage: 'POLICY|PLAN',
  args: {
    POLICY: Args.string({
      description: 'a policy, or a plan saved with plan --out (-: standard input, with --state)',
      required: true,
      ignoreStdin: true,
    }),
  },
  flags: {
    ...guardFlags,
    policy: Flags.string({
      description: 'the policy that a saved plan belongs to (default: the one that the plan names)',
      helpValue: 'FILE',
    }),
    ...planReportFlags,
    ...partFlags,
    ...stateFlags,
    ...readingFlags,
    ...relationsFlags,
    ...changeFlags,
  },
  examples: [
    {does: 'Review and confirm', line: 'apply moderation.yml'},
    {does: 'In a script', line: 'apply moderation.yml --yes --json'},
    {
      does: 'Keep a list of whom you follow on the domains, and who follows you from there',
      line: 'apply moderation.yml --save-relations relations.ndjson',
    },
    {does: 'Show the requests without sending them', line: 'apply moderation.yml --dry-run'},
  ],
  several: true,
  run: (run, {POLICY: name}) => apply(name, run),
});
