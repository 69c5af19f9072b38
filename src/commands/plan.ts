import {joinFlags} from '../lib/cli/flags.js';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {keysText, partFlags, policyArgument, readingFlags, reportFlags, stateFlags} from '../lib/cli/policy/policy-flags.js';
import {pathsOf, plan, policyViews} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Show what apply would change',
  findsDrift: true,
  description:
    'Prints what apply would change: + is added, - removed, ~ changed, and ! differs but cannot be changed. Changes nothing. The exit status is 0 without differences, and 10 with differences. It needs a token with the scope read; server-wide blocks need that of an admin.',
  details: `The comment after # names the rule or list. --only limits it to some sections.

A plan has a digest, over all accounts of the run: \`apply --expect DIGEST\` does exactly this plan, and refuses anything else.

The most important changes come first: what the policy names itself, then what most of its lists agree on, the most severe first. Domains beyond the limit of the policy, and domains that could not be checked for protect_followed, are listed but not planned.

A plan removes only three things: what the policy forbids, what only: true does not name, and leftovers. Leftovers are items that an earlier apply of this policy made and the policy no longer names.

Reads GET ${pathsOf()} as the policy needs them, and the name of the account. For protect_followed, it also reads GET /api/v1/accounts/{id}/following and /followers. If the limit of the server depends on its release, it reads GET /api/v1/instance too.

${keysText}`,
  usage: 'POLICY',
  args: {POLICY: policyArgument},
  flags: joinFlags(reportFlags, partFlags, stateFlags, readingFlags),
  examples: [
    {does: 'Show what apply would change', line: 'plan moderation.yml'},
    {does: 'Print the digest, for apply --expect', line: "plan moderation.yml --jq '.digest'"},
    {
      does: 'Write the plan for a comment on a pull request',
      line: 'plan moderation.yml --report markdown=plan.md',
    },
  ],
  several: true,
  view: policyViews.rows({ofSeveral: true}),
  async run(run, {POLICY: policy}) {
    const {session, reports, printing} = run;
    return plan(await run.read(policy), run, {terminal: session.out, hasFields: printing.fields !== undefined, write: reports.write});
  },
});
