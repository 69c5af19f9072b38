import {joinFlags} from '../lib/cli/flags.js';
import {Args, Flags} from '@oclif/core';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {readingFlags, stateFlags} from '../lib/cli/policy/policy-flags.js';
import {explain, pathsOf, policyViews} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Explain why something is blocked, muted or filtered',
  description:
    'Shows for each subject whether the account has it, whether the policy wants it, and which rule or list says so. It needs a token with the scope read.',
  details: `Shows every rule and list entry about the subject, with file and line, whether it counts, and what the server has. It also shows when a domain is beyond the limit of the policy, or could not be checked for protect_followed.

Reads what the policy has rules for, or the account can have: GET ${pathsOf()}. Server-wide blocks are read where the policy has rules for them, with the token of an admin. For protect_followed, it also calls GET /api/v1/accounts/{id}/following and /followers.`,
  usage: 'DOMAIN|ACCOUNT|TITLE --policy FILE',
  args: {
    SUBJECT: Args.string({
      description: 'a domain, an account such as @ana@pix.example, or the title of a filter',
      required: true,
    }),
  },
  flags: joinFlags(
    {
      policy: Flags.string({description: 'the policy to look in (-: standard input)', helpValue: 'FILE', required: true}),
    },
    stateFlags,
    readingFlags,
  ),
  examples: [
    {does: 'Explain a domain', line: 'explain bad.example --policy moderation.yml'},
    {does: 'Explain a filter', line: 'explain Spoilers --policy moderation.yml --json'},
  ],

  view: policyViews.reasons,
  async run(run, {SUBJECT: subject}) {
    const given = await run.read(run.flags.policy);
    return explain(subject, given, await run.target({connection: await run.connection()}, [given], false));
  },
});
