import {Args} from '@oclif/core';
import {openSavedProfiles, warnOfPlainHttp, wireOptions} from '../../lib/cli/connection.js';
import {namedProfile} from '../../lib/cli/profiles.js';
import {PixelctlCommand} from '../../lib/cli/command.js';
import {parseServer} from '../../lib/auth/server.js';

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
    const store = await openSavedProfiles(session);
    const name = await namedProfile(args.NAME, store, session);
    const {server} = await store.get(name);
    warnOfPlainHttp(parseServer(server, `Profile ${name}`, session.flags['allow-http'] === true), session);
    const {renewToken} = await import('../../lib/auth/profile-token.js');
    const {expiresAt} = await renewToken(store, name, wireOptions(session));
    session.note(`Renewed the token of ${name}${expiresAt === null ? '' : `, until ${expiresAt}`}.`);
  }
}
