import {Args} from '@oclif/core';
import {openStore} from '../../lib/cli/connection.js';
import {namedProfile} from '../../lib/cli/profiles.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

export default class AuthLogout extends PixelctlCommand {
  static override summary = 'Forget a profile and its token';
  static override description =
    'The active profile, or the one that is named. Servers of this kind let no program take a token back: to do that, use the page that is named afterwards.';
  static override usage = '<%= command.id %> [NAME]';
  static override args = {NAME: Args.string({description: 'name of a saved profile', ignoreStdin: true})};
  static override examples = [
    {description: 'The active profile', command: '<%= config.bin %> auth logout'},
    {description: 'Another one', command: '<%= config.bin %> auth logout ana@pix.example'},
  ];

  override async run(): Promise<void> {
    const {args, session} = await this.start(AuthLogout);
    const store = await openStore(session);
    const name = await namedProfile(args.NAME, store, session);
    const {server} = await store.get(name);
    const {active, note} = await store.remove(name);
    session.note(`Forgot ${name}.${active === null ? '' : ` ${active} is active now.`}`);
    if (note !== undefined) session.note(`${note}.`);
    session.note(`The token itself is still good: revoke it on ${server}/settings/applications`);
  }
}
