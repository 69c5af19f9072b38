import {Args, Flags} from '@oclif/core';
import {policyCommand} from '../lib/cli/policy/command.js';
import {printExplanations} from '../lib/cli/policy/explain.js';
import {readingFlags} from '../lib/cli/policy/flags.js';
import {pathsFor} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Explain why something is blocked, muted or filtered',
  description:
    'Says for each subject whether the account has it, whether the policy wants it, and which rule or list says so. It needs a token with the scope read.',
  details: `Shows every rule and list entry about the subject, with file and line, whether it counts, and what the server has. It also shows when a domain is beyond the limit of the policy, or could not be checked for protect_followed.

With --json: [{"kind", "subject", "wanted", "there", "actual", "because": [{"rule", "source", "says", "details"}], "details"}], with details of a domain, or the comments on an account, where a list or the policy has them: {"severity", "public_comment", "private_comment", "reject_media", "reject_reports", "obfuscate"}; the last ones are merged.

Calls GET ${pathsFor('bad.example')}; for an account, GET ${pathsFor('@ana')}. Where the policy has rules for what a whole server blocks, also GET ${pathsFor('bad.example', 'server')}, with the token of an admin. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day. It needs a token with the scope read.`,
  usage: 'DOMAIN|ACCOUNT|TITLE --policy FILE',
  args: {
    SUBJECT: Args.string({
      description: 'a domain, an account such as @ana@pix.example, or the title of a filter',
      required: true,
      ignoreStdin: true,
    }),
  },
  flags: {
    policy: Flags.string({description: 'the policy to look in (-: standard input)', helpValue: 'FILE', required: true}),
    ...readingFlags,
  },
  examples: [
    {does: 'Explain a domain', line: 'explain bad.example --policy moderation.yml'},
    {does: 'Explain a filter', line: 'explain Spoilers --policy moderation.yml --json'},
  ],

  run: (run, {SUBJECT: subject}) => printExplanations(subject, run),
});
