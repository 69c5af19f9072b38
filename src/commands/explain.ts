import {Args, Flags} from '@oclif/core';
import {PixelctlCommand} from '../lib/cli/command.js';
import {connect} from '../lib/cli/connection.js';
import {listFlags} from '../lib/cli/policy/list-access.js';
import {commentsFor, privateFlags, protectionFlags, readPolicyAndLists, wantedOn} from '../lib/cli/policy/policy.js';
import {printingOfOwn, printResult} from '../lib/cli/printing.js';
import {explain, partsOf, pathsFor} from '../lib/policy/explain.js';
import type {Explanation} from '../lib/policy/section/section.js';
import {comparedDomain} from '../lib/policy/model/server-state.js';
import {withFollowed} from '../lib/policy/reading/read-wanted.js';
import {withFollows} from '../lib/policy/sections/admin-domain-blocks.js';
import {locationText} from '../lib/policy/source/location.js';
import {readWhole} from '../lib/policy/sections/read-state.js';
import {shownItem} from '../lib/policy/sections/index.js';
import {reasonsView} from '../lib/policy/views.js';

export default class Explain extends PixelctlCommand {
  static override summary = 'Explain which rule or list a block, mute or filter comes from';
  static override description = `Shows every rule and list entry about the subject, with file and line, whether it counts, and what the server has. It also shows when a domain is beyond the limit of the policy, or could not be checked for protect_followed.

With --json: [{"kind", "subject", "wanted", "there", "actual", "because": [{"rule", "source", "says", "details"}], "details"}], with details of a domain, or the comments on an account, where a list or the policy has them: {"severity", "public_comment", "private_comment", "reject_media", "reject_reports", "obfuscate"}; the last ones are merged.

Calls GET ${pathsFor('bad.example')}; for an account, GET ${pathsFor('@ana')}. Where the policy has rules for what a whole server blocks, also GET ${pathsFor('bad.example', 'server')}, with the token of an admin. Where the policy says protect_followed, also GET /api/v1/accounts/{id}/following and /followers, at most once a day. It needs a token with the scope read.`;
  static override usage = '<%= command.id %> DOMAIN|ACCOUNT|TITLE --policy FILE [flags]';
  static override args = {
    SUBJECT: Args.string({
      description: 'a domain, an account such as @ana@pix.example, or the title of a filter',
      required: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    policy: Flags.string({description: 'the policy to look in', helpValue: 'FILE', required: true}),
    ...listFlags,
    ...protectionFlags,
    ...privateFlags,
  };
  static override examples = [
    {description: 'Explain a domain', command: '<%= config.bin %> explain bad.example --policy moderation.yml'},
    {description: 'Explain a filter', command: '<%= config.bin %> explain Spoilers --policy moderation.yml --json'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(Explain);
    const subject = args.SUBJECT;
    const printing = await printingOfOwn(reasonsView, session);
    const wanted = await readPolicyAndLists(flags.policy, flags, session, {comments: commentsFor(flags, 'none')});
    await using connection = await connect(session);
    const {client, server} = connection;
    const own = await withFollowed(await wantedOn(wanted, connection), () => connection.followed());
    const state = await readWhole(client, server.origin, partsOf(subject, own.policy));
    const isMeant = (domain: string) => domain === comparedDomain(subject);
    const measured = await withFollows(own, state, (domains) => connection.measures(domains.filter(isMeant)));
    const explanations = explain(subject, measured, state, session.io.now());
    const document = JSON.stringify(explanations.map(documentOf));
    const rows = explanations.flatMap(rowsOf).map((row) => JSON.stringify(row));
    await printResult({document, at: [], rows, view: reasonsView}, session, printing);
    if (printing.jq !== undefined) return;
    for (const one of explanations) if (one.reasons.length === 0) session.note(`No rule is about the ${shownItem(one)}.`);
  }
}

function documentOf({kind, subject, isWanted, isThere, actual, reasons, details}: Explanation) {
  const because = reasons.map(({rule, source, says, ...reason}) => ({rule, source: locationText(source), says, ...reason}));
  return {kind, subject, wanted: isWanted ?? null, there: isThere ?? null, actual, because, ...(details && {details})};
}

/** One row for each reason, or one without a reason. */
function rowsOf(explanation: Explanation): Record<string, unknown>[] {
  const {because, ...about} = documentOf(explanation);
  return because.length === 0 ? [about] : because.map((reason) => ({...about, ...reason}));
}
