import {Args, Flags} from '@oclif/core';
import {openStore} from '../../lib/cli/connection.js';
import {PixelctlCommand, type Typed} from '../../lib/cli/command.js';
import type {Session} from '../../lib/cli/session.js';

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

  protected override async execute({args, flags}: Typed, session: Session): Promise<void> {
    const {name, isProtected} = await (await openStore(session)).protect(String(args['NAME']), flags['off'] !== true);
    session.note(isProtected ? `Every write with ${name} asks first now.` : `Writes with ${name} no longer ask.`);
  }
}
