import {Args} from '@oclif/core';
import {command} from '../../lib/cli/command.js';
import {logOut} from '../../lib/cli/sign-in/saved.js';

export default command({
  summary: 'Log out and remove a profile',
  description:
    'Removes the active profile, or the named one, with its token. Pixelfed has no request to revoke a token: the command prints the settings page where you can do that.',
  usage: '[NAME]',
  args: {NAME: Args.string({description: 'name of a saved profile'})},
  examples: [
    {does: 'Remove the active profile', line: 'auth logout'},
    {does: 'Remove another profile', line: 'auth logout ana@pix.example'},
  ],
  run: ({args, session}) => logOut(args.NAME, session),
});
