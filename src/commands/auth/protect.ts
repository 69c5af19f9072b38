import {Args, Flags} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {protect} from '../../lib/cli/sign-in/saved.js';

export default class AuthProtect extends PixelctlCommand {
  static override summary = 'Require confirmation for every write with a profile';
  static override description =
    'Every command that writes with this profile asks for confirmation first, or needs --yes. --off removes the protection.';
  static override usage = '<%= command.id %> NAME [--off]';
  static override args = {NAME: Args.string({description: 'name of a saved profile', required: true, ignoreStdin: true})};
  static override flags = {off: Flags.boolean({description: 'remove the protection'})};
  static override examples = [
    {description: 'Protect a profile', command: '<%= config.bin %> auth protect admin@pix.example'},
    {description: 'Remove the protection', command: '<%= config.bin %> auth protect admin@pix.example --off'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(AuthProtect);
    await protect(args.NAME, !flags.off, session);
  }
}
