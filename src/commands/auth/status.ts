import {PixelctlCommand} from '../../lib/cli/command.js';
import {printStatus} from '../../lib/cli/sign-in/saved.js';

export default class AuthStatus extends PixelctlCommand {
  static override summary = 'Show profiles and token status';
  static override description =
    'Shows every profile: its server and release, its account, and its token with scopes, expiry, storage and whether it works. PIXELCTL_PROFILES replaces the saved profiles. The column "active" says what selects the active profile: flag, environment or default. That profile alone decides the exit status. No token is printed.';
  static override usage = '<%= command.id %> [flags]';
  static override examples = [
    {description: 'Show all profiles', command: '<%= config.bin %> auth status'},
    {description: 'Check with jq that every token works', command: "<%= config.bin %> auth status --json | jq -e 'all(.profiles[]; .ok)'"},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(AuthStatus);
    await printStatus(session);
  }
}
