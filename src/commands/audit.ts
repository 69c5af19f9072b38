import {Flags} from '@oclif/core';
import {hintFor} from '../lib/cli/errors.js';
import {joinFlags} from '../lib/cli/flags.js';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {keysText, policiesArgument, readingFlags, reportFlags, stateFlags} from '../lib/cli/policy/policy-flags.js';
import {Failure} from '../lib/client/failure.js';
import {audit, pathsOf, policyViews, reportFormats} from '../lib/policy/index.js';

const formatsText = Object.entries(reportFormats)
  .map(([name, {about, extension}]) => `${name} (.${extension}): ${about}`)
  .join('\n');

export default policyCommand({
  summary: 'Check accounts against policies',
  findsDrift: true,
  description:
    'Compares accounts with policies and lists every difference, with the command that fixes it. Changes nothing. The exit status is 0 without differences, and 10 with differences. It needs a token with the scope read; server-wide blocks need that of an admin.',
  details: `Shows where an account differs from its policy: the rule, the wanted and the actual value, the line in the policy, and how to fix it. Leftovers are shown too: items that an earlier apply made and the policy no longer names. What cannot be read is an error, and never counts as empty. A finding says when somebody lifted or weakened the item by hand since an apply. With several accounts, those that cannot be read are shown with an error (11).

With --since FILE, an earlier JSON report, which need not be there yet, each finding has a "status", new or open. "resolved" has the earlier findings that are gone, and "unread" those that could not be checked this time. "since" names the report. With --fail-on new, only new findings cause exit status 10.

Formats of reports:

${formatsText}

Reports show the first differences of each kind, a table the first 10,000, and both count the rest; --json and CSV have all.

Reads what the policy has rules for: GET ${pathsOf()}, and the name of the account. For protect_followed, it also reads GET /api/v1/accounts/{id}/following and /followers.

${keysText}`,
  usage: 'POLICY...',
  args: {POLICY: policiesArgument},
  flags: joinFlags(
    reportFlags,
    {
      since: Flags.string({
        description: 'compare with this earlier JSON report: say what is new, still open and resolved',
        helpValue: 'FILE',
      }),
      'fail-on': Flags.option({options: ['any', 'new'] as const})({
        description: 'which differences cause exit status 10: any (default), or with --since only new ones',
        helpValue: 'WHICH',
      }),
    },
    stateFlags,
    readingFlags,
  ),
  examples: [
    {does: 'Show what differs', line: 'audit moderation.yml'},
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
  view: policyViews.rows({ofSeveral: true, withStatus: true}),
  async run(run, {POLICY: names}) {
    const {since, 'fail-on': failing} = run.flags;
    if (failing === 'new' && since === undefined)
      throw new Failure('usage', '--fail-on new needs --since', {hint: 'name the JSON report of an earlier audit: --since FILE'});
    if (since === '') throw new Failure('usage', '--since needs the name of a file');
    return audit(await run.readAll(names), run, {
      since,
      isOpenAccepted: failing === 'new',
      hintOf: (failure, {advice, server}) => hintFor(failure, {flags: advice.account, server}),
      hasFields: run.printing.fields !== undefined,
      write: run.reports.write,
    });
  },
});
