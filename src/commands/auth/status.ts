import {noteEnvironment, profileDocument, profileRow, profileStatuses, profilesView} from '../../lib/cli/profiles.js';
import {printDocument} from '../../lib/cli/printing.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

export default class AuthStatus extends PixelctlCommand {
  static override summary = 'Show who you are, and where';
  static override description =
    'Every saved profile: its server and the release it runs, the account, what its token may do, when it ends and where it is kept, and whether the server still accepts it. Which one is active, and why: by the flag, by the environment, or by default. No token is shown.';
  static override usage = '<%= command.id %> [--flags]';
  static override examples = [
    {description: 'All profiles', command: '<%= config.bin %> auth status'},
    {description: 'Whether every token works, with jq', command: "<%= config.bin %> auth status --json | jq -e 'all(.profiles[]; .ok)'"},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(AuthStatus);
    const statuses = await profileStatuses(session);
    const isForPeople = session.format === 'table' && session.flags.jq === undefined;
    const profiles = statuses.map((status) => (isForPeople ? profileRow(status) : profileDocument(status)));
    await printDocument({profiles}, {view: profilesView, rows: ['profiles']}, session);
    for (const {profile, problem} of statuses) {
      if (problem !== undefined) session.note(`${profile.name}: ${problem}`);
    }
    noteEnvironment(session);
  }
}
