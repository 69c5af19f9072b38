import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {logOut} from '../../lib/cli/sign-in/saved.js';

export default class AuthLogout extends PixelctlCommand {
  static override summary = 'Log out and remove a profile';
  static override description =
    'Removes the active profile, or the named one, with its token. Pixelfed has no request to revoke a token: the command prints the settings page where you can do that.';
  static override usage = '<%= command.id %> [NAME]';
  static override args = {NAME: Args.string({description: 'name of a saved profile', ignoreStdin: true})};
  static override examples = [
    {description: 'Remove the active profile', command: '<%= config.bin %> auth logout'},
    {description: 'Remove another profile', command: '<%= config.bin %> auth logout ana@pix.example'},
  ];

  override async run(): Promise<void> {
    const {args, session} = await this.start(AuthLogout);
    await logOut(args.NAME, session);
  }
}
