import {Args, Flags} from '@oclif/core';
import {connect} from '../lib/cli/connection.js';
import {printAudits} from '../lib/cli/policy/audit-report.js';
import {auditServer} from '../lib/cli/policy/auditing.js';
import {listFlags} from '../lib/cli/policy/flags.js';
import {readPolicyAndLists} from '../lib/cli/policy/read-policy.js';
import {PixelctlCommand, type Typed} from '../lib/cli/command.js';
import {printingOf} from '../lib/cli/printing.js';
import type {Session} from '../lib/cli/session.js';

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

export default class Audit extends PixelctlCommand {
  static override summary = 'Check accounts against policies';
  static override description = `Shows where an account differs from its policy: the rule, what it wants, what there is, the line in the policy, and how to fix it. Nothing is changed. The exit status is 0 when nothing differs and 10 when something does. What cannot be read is an error, never taken for nothing being there. With several accounts all are shown, and those that cannot be read stand there with their error (11).

With --json: {"server", "account", "policy", "ok", "findings": [{"rule", "kind", "subject", "wanted", "actual", "source", "fix"}], "skipped": [{"kind", "subject", "why", "code"}], "error": {"code", "message"}}, with an error where the account could not be read; several audits are a list of these.

Reads what the policy has rules for: GET /api/v1/domain_blocks, /api/v2/filters, /api/v1/blocks, /api/v1/mutes, /api/v1.1/push/state and /api/v2.1/config, and whose token it is. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> POLICY... [flags]';
  static override args = {POLICY: Args.string({description: 'policies, YAML or JSON', required: true, multiple: true, ignoreStdin: true})};
  static override flags = {
    profile: Flags.string({
      char: 'p',
      description: 'a saved profile; repeated: one audit for each (environment: PIXELCTL_PROFILE)',
      helpValue: 'NAME',
      multiple: true,
      multipleNonGreedy: true,
    }),
    report: Flags.string({
      description: 'also write a report: junit, sarif, markdown, github, json or html',
      helpValue: 'FORMAT=FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...listFlags,
  };
  static override examples = [
    {description: 'What differs', command: '<%= config.bin %> audit moderation.yml'},
    {
      description: 'The domains that are missing, with jq',
      command: "<%= config.bin %> audit moderation.yml --json | jq -r '.findings[].subject'",
    },
    {description: 'For CI', command: '<%= config.bin %> audit moderation.yml --report junit=audit.xml --report markdown=summary.md'},
  ];

  protected override async execute(typed: Typed, session: Session): Promise<void> {
    const {parseReportWish, writeReports} = await import('../lib/policy/reports/write-reports.js');
    const wishes = texts(typed.flags['report']).map(parseReportWish);
    const printing = await printingOf(session);
    const policies = [];
    for (const file of texts(typed.args['POLICY'])) policies.push(await readPolicyAndLists(file, typed, session));
    const profiles = [...new Set(texts(typed.flags['profile']))];
    const sessions = (profiles.length === 0 ? [undefined] : profiles).map((profile) => session.with({profile}));
    const connections = [];
    for (const one of sessions) connections.push(await connect(one));
    const reports = [];
    try {
      for (const connection of connections) reports.push(await auditServer(policies, connection, typed));
    } finally {
      await Promise.all(connections.map((connection) => connection.close()));
    }
    await writeReports(reports.flat(), wishes);
    await printAudits(reports.flat(), {printing, session, isFleet: connections.length > 1});
  }
}
