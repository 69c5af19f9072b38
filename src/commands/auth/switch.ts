import {Args} from '@oclif/core';
import {openSavedProfiles} from '../../lib/cli/connection.js';
import {noteEnvironment} from '../../lib/cli/profiles.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

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
    const {name, server} = await (await openSavedProfiles(session)).activate(args.NAME);
    session.note(`Active profile: ${name} on ${server}.`);
    noteEnvironment(session);
  }
}
