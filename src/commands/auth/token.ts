import {command} from '../../lib/cli/command.js';
import {tokenInUse} from '../../lib/cli/sign-in/saved.js';

export default command({
  summary: 'Print the access token',
  description:
    'Prints the token that a command with the same flags would use, for other tools. It is renewed first if it expires soon. Anyone who has the token can act as you.',
  examples: [
    {does: 'Use the token with curl', line: 'curl --oauth2-bearer "$(pixelctl auth token)" https://pix.example/api/v1/blocks'},
    {does: 'Print the token of another profile', line: 'auth token --profile ana@pix.example'},
  ],
  run: ({session}) => tokenInUse(session),
});
