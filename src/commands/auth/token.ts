import {Failure} from '../../lib/client/failure.js';
import {connect} from '../../lib/cli/connection.js';
import {PixelctlCommand} from '../../lib/cli/command.js';

export default class AuthToken extends PixelctlCommand {
  static override summary = 'Print the access token, for other tools';
  static override description =
    'The only command that prints a token: the one that a command with the same flags would use, renewed if it is about to end. Whoever has it can act as you.';
  static override usage = '<%= command.id %> [--flags]';
  static override examples = [
    {description: 'For curl', command: 'curl --oauth2-bearer "$(pixelctl auth token)" https://pix.example/api/v1/blocks'},
    {description: 'Of another profile', command: '<%= config.bin %> auth token --profile ana@pix.example'},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(AuthToken);
    const {identity} = await connect(session);
    const token = await identity.token();
    if (token === undefined) {
      throw new Failure('auth', `No access token for ${identity.server.host}`, {reason: 'no_token'});
    }
    await session.io.write(session.format === 'json' ? `${JSON.stringify({token})}\n` : `${token}\n`, 'data');
  }
}
