import {Args} from '@oclif/core';
import {openStore} from '../../lib/cli/connection.js';
import {noteEnvironment} from '../../lib/cli/profiles.js';
import {PixelctlCommand, type Typed} from '../../lib/cli/command.js';
import type {Session} from '../../lib/cli/session.js';

export default class AuthSwitch extends PixelctlCommand {
  static override summary = 'Make another profile the active one';
  static override description = 'What follows acts as this profile, unless --profile or the environment says otherwise.';
  static override usage = '<%= command.id %> NAME';
  static override args = {NAME: Args.string({description: 'name of a saved profile', required: true, ignoreStdin: true})};
  static override examples = [
    {description: 'By name', command: '<%= config.bin %> auth switch ana@pix.example'},
    {description: 'See the names', command: '<%= config.bin %> auth status'},
  ];

  protected override async execute({args}: Typed, session: Session): Promise<void> {
    const {name, server} = await (await openStore(session)).activate(String(args['NAME']));
    session.note(`${name} on ${server} is active now.`);
    noteEnvironment(session);
  }
}
