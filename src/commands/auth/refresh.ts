import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {renew} from '../../lib/cli/sign-in/saved.js';

export default class AuthRefresh extends PixelctlCommand {
  static override summary = 'Renew the token of a profile now';
  static override description =
    'Tokens are renewed automatically before they expire; this command does it now. If it fails, the old token stays. A token from --with-token cannot be renewed.';
  static override usage = '<%= command.id %> [NAME]';
  static override args = {NAME: Args.string({description: 'name of a saved profile', ignoreStdin: true})};
  static override examples = [
    {description: 'Renew the token of the active profile', command: '<%= config.bin %> auth refresh'},
    {description: 'Renew the token of another profile', command: '<%= config.bin %> auth refresh ana@pix.example'},
  ];

  override async run(): Promise<void> {
    const {args, session} = await this.start(AuthRefresh);
    await renew(args.NAME, session);
  }
}
