import {Args, Flags} from '@oclif/core';
import {repeatable} from '../lib/cli/flags.js';
import {audit} from '../lib/cli/policy/audit.js';
import {policyCommand} from '../lib/cli/policy/command.js';
import {readingFlags} from '../lib/cli/policy/flags.js';
import {stateFlags} from '../lib/cli/policy/flags.js';
import {enumerated} from '../lib/json/text.js';
import {pathsOf, reportFormats, sections} from '../lib/policy/index.js';

const formats = Object.keys(reportFormats);
const formatsText = Object.entries(reportFormats)
  .map(([name, {about, extension}]) => `${name} (.${extension}), ${about}`)
  .join('; ');

export default policyCommand({
  summary: 'Check accounts against policies',
  findsDrift: true,
  description:
    'Compares accounts with policies and lists every difference, with the command that fixes it. Changes nothing. The exit status is 0 when nothing differs and 10 when something does. It needs a token with the scope read; for what a whole server blocks, that of an admin.',
  details: `Shows where an account differs from its policy: the rule, the wanted and the actual value, the line in the policy, and how to fix it. Items that an earlier apply made and the policy no longer names are shown too, because plan would remove them. Changes nothing. The exit status is 0 when nothing differs and 10 when something does. What cannot be read is an error, and never counts as empty. What somebody lifted or made weaker by hand since an apply says so. With several accounts all are shown, with an error for those that cannot be read (11).

With --json: {"server", "account", "policy", "ok", "findings": [{"rule", "kind", "subject", "wanted", "actual", "source", "fix", "details", "named_by": [{"source", …}], "by_hand": {"set", "found", "since"}}], "skipped": [{"kind", "subject", "why", "code", "rule", "source"}], "lists": [{"list", "format", "entries", "obfuscated", "wildcards", "below_min_severity", "invalid", "skipped": [{"source", "why"}], "same_as", "allows", "stale": {"fetched_at", "why"}, "warning"}], "error": {"code", "message"}}, with details of a domain, or the comments on an account, where a list or the policy has some, and with what each says in named_by where several ask for the same, lists where the policy names some (invalid counts the rows that on_mistake leaves out, and skipped has the first 100 mistakes in them; "allows": true for those of must_not, "protects": true for those of protect, stale where the last good copy is used, warning where a list is odd as a whole, as one that does not match its own checksum), the rule and source that hold back a block, "held_back": [{"kind", "subject", "why": "policy_limit"}] for what is beyond the limit of the policy, and an error where the account could not be read; several audits are a list.

With --since FILE, an earlier JSON report, each finding has a "status", new or open, and the audit has "since", "resolved" and "unread": the earlier findings that are gone, and those that could not be checked this time. With --fail-on new, only new findings cause exit status 10.

The formats of reports are: ${formatsText}. Reports are also written when a policy has mistakes: they show each mistake and its line.

Reads what the policy has rules for: GET ${pathsOf(sections)}, and the name of the account. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day. It needs a token with the scope read; for what a whole server blocks, that of an admin.`,
  usage: 'POLICY...',
  args: {
    POLICY: Args.string({description: 'policies, YAML or JSON (-: standard input)', required: true, multiple: true, ignoreStdin: true}),
  },
  flags: {
    report: repeatable(`also write a report: ${enumerated(formats, 'or')}`, 'FORMAT=FILE'),
    since: Flags.string({
      description: 'compare with this earlier JSON report: say what is new, still open and resolved',
      helpValue: 'FILE',
    }),
    'fail-on': Flags.option({options: ['any', 'new'] as const})({
      description: 'which differences cause exit status 10: any (default), or with --since only new ones',
      helpValue: 'WHICH',
    }),
    ...stateFlags,
    ...readingFlags,
  },
  knownValues: {report: formats},
  examples: [
    {does: 'Show what differs', line: 'audit moderation.yml'},
    {
      does: 'List the subjects of all differences with jq',
      line: "audit moderation.yml --json | jq -r '.findings[].subject'",
    },
    {
      does: 'Fail only on what is new since the last report',
      line: 'audit moderation.yml --since last.json --fail-on new --report json=next.json',
    },
    {
      does: 'Write reports for CI',
      line: 'audit moderation.yml --report junit=audit.xml --report markdown=summary.md',
    },
  ],
  several: true,
  run: (run, {POLICY: policies}) => audit(policies, run),
});
