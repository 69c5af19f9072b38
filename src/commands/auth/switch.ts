import {Args} from '@oclif/core';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {switchTo} from '../../lib/cli/sign-in/saved.js';

export default class AuthSwitch extends PixelctlCommand {
  static override summary = 'Switch the active profile';
  static override description = 'Later commands use this profile, unless --profile or the environment names another one.';
  static override usage = '<%= command.id %> NAME';
  static override args = {NAME: Args.string({description: 'name of a saved profile', required: true, ignoreStdin: true})};
  static override examples = [
    {description: 'Switch to a profile', command: '<%= config.bin %> auth switch ana@pix.example'},
    {description: 'List the profiles', command: '<%= config.bin %> auth status'},
  ];

  override async run(): Promise<void> {
    const {args, session} = await this.start(AuthSwitch);
    await switchTo(args.NAME, session);
  }
}
