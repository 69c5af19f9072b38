import {PixelctlCommand} from '../lib/cli/command.js';

export default class Doctor extends PixelctlCommand {
  static override summary = 'Diagnose configuration and connectivity';
  static override description =
    'Checks the profiles, the keyring, proxies and TLS, then the server, its clock and version, and the token and its scopes. The exit status is 0 when every check passes.';
  static override details = `Shows the Node that runs it. Checks the saved profiles and the permissions of their files, the keyring, proxies and TLS. Then it checks the server: its response, its clock, its version and features, and the token with its scopes. Nothing is changed, except that a profile folder that others can read is made private. The exit status is 0 if all checks pass; otherwise it is that of the first failed check.`;
  static override usage = '<%= command.id %> [flags]';
  static override examples = [
    {description: 'Run all checks', command: '<%= config.bin %> doctor'},
    {description: 'Print only the fixes', command: "<%= config.bin %> doctor --json | jq -r '.checks[] | select(.ok | not) | .fix'"},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(Doctor);
    await (await import('../lib/cli/doctor/doctor.js')).diagnose(session);
  }
}
