import {noteEnvironment, profileDocument, profileRow, profileStatuses, profilesView} from '../../lib/cli/profiles.js';
import {printingOfOwn, printResult} from '../../lib/cli/printing.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

export default class AuthStatus extends PixelctlCommand {
  static override summary = 'Show profiles and token status';
  static override description =
    'For every profile, saved or defined by PIXELCTL_PROFILES: the server and its release, the account, the scopes and expiry of the token, where the token is, and whether the server accepts it. The column "active" says what selects the active profile: flag, environment or default. No token is printed.';
  static override usage = '<%= command.id %> [flags]';
  static override examples = [
    {description: 'Show all profiles', command: '<%= config.bin %> auth status'},
    {description: 'Check with jq that every token works', command: "<%= config.bin %> auth status --json | jq -e 'all(.profiles[]; .ok)'"},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(AuthStatus);
    const printing = await printingOfOwn(profilesView, session);
    const statuses = await profileStatuses(session);
    const document = JSON.stringify({profiles: statuses.map(profileDocument)});
    const tableRows = statuses.map((status) => JSON.stringify(profileRow(status)));
    await printResult(
      {document, at: ['profiles'], tableRows, ...(printing.fields && {rows: tableRows}), view: profilesView},
      session,
      printing,
    );
    for (const {profile, problem} of statuses) {
      if (problem !== undefined) session.note(`${profile.name}: ${problem}`);
    }
    noteEnvironment(session);
  }
}
