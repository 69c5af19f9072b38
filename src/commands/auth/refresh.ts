import {Args} from '@oclif/core';
import {command} from '../../lib/cli/command.js';
import {renew} from '../../lib/cli/sign-in/saved.js';

export default command({
  summary: 'Renew the token of a profile now',
  description:
    'Tokens are renewed automatically before they expire; this command does it now. If it fails, the old token stays. A token from --with-token cannot be renewed.',
  usage: '[NAME]',
  args: {NAME: Args.string({description: 'name of a saved profile'})},
  examples: [
    {does: 'Renew the token of the active profile', line: 'auth refresh'},
    {does: 'Renew the token of another profile', line: 'auth refresh ana@pix.example'},
  ],
  run: ({args, session}) => renew(args.NAME, session),
});
