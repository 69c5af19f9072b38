import {PixelctlCommand} from '../../lib/cli/command.js';
import {printToken} from '../../lib/cli/sign-in/saved.js';

export default class AuthToken extends PixelctlCommand {
  static override summary = 'Print the access token';
  static override description =
    'Prints the token that a command with the same flags would use, for other tools. It is renewed first if it expires soon. Anyone who has the token can act as you.';
  static override usage = '<%= command.id %> [flags]';
  static override examples = [
    {description: 'Use the token with curl', command: 'curl --oauth2-bearer "$(pixelctl auth token)" https://pix.example/api/v1/blocks'},
    {description: 'Print the token of another profile', command: '<%= config.bin %> auth token --profile ana@pix.example'},
  ];

  override async run(): Promise<void> {
    const {session} = await this.start(AuthToken);
    await printToken(session);
  }
}
