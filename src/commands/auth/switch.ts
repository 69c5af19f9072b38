import {Args} from '@oclif/core';
import {openStore} from '../../lib/cli/connection.js';
import {noteEnvironment} from '../../lib/cli/profiles.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

export default class AuthSwitch extends PixelctlCommand {
  static override summary = 'Make another profile the active one';
  static override description = 'What follows acts as this profile, unless --profile or the environment says otherwise.';
  static override usage = '<%= command.id %> NAME';
  static override args = {NAME: Args.string({description: 'name of a saved profile', required: true, ignoreStdin: true})};
  static override examples = [
    {description: 'By name', command: '<%= config.bin %> auth switch ana@pix.example'},
    {description: 'See the names', command: '<%= config.bin %> auth status'},
  ];

  override async run(): Promise<void> {
    const {args, session} = await this.start(AuthSwitch);
    const {name, server} = await (await openStore(session)).activate(args.NAME);
    session.note(`${name} on ${server} is active now.`);
    noteEnvironment(session);
  }
}
