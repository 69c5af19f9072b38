import {Args, Flags} from '@oclif/core';
import {openStore} from '../../lib/cli/connection.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

export default class AuthProtect extends PixelctlCommand {
  static override summary = 'Ask before every write with a profile';
  static override description =
    'For the account that must not act by mistake: every command that writes with it asks first, or needs --yes. --off ends that.';
  static override usage = '<%= command.id %> NAME [--off]';
  static override args = {NAME: Args.string({description: 'name of a saved profile', required: true, ignoreStdin: true})};
  static override flags = {off: Flags.boolean({description: 'no longer ask'})};
  static override examples = [
    {description: 'Protect', command: '<%= config.bin %> auth protect admin@pix.example'},
    {description: 'No longer', command: '<%= config.bin %> auth protect admin@pix.example --off'},
  ];

  override async run(): Promise<void> {
    const {args, flags, session} = await this.start(AuthProtect);
    const {name, isProtected} = await (await openStore(session)).protect(args.NAME, !flags.off);
    session.note(isProtected ? `Every write with ${name} asks first now.` : `Writes with ${name} no longer ask.`);
  }
}
