import {Args} from '@oclif/core';
import {command} from '../../lib/cli/command.js';
import {logIn, loginFlags} from '../../lib/cli/sign-in/login.js';

export default command({
  summary: 'Sign in and save a profile',
  description:
    'Opens the browser, where you approve the sign-in, and stores the token in the keyring or in a private file. --no-browser prints the address, and --with-token takes a token that you made. The new profile becomes the active one.',
  details: `Opens the browser, where the server asks you to approve. Without a browser on this machine (SSH, --no-browser), open the printed address on any machine. At the end, paste the text that the browser shows. Over SSH with a tunnel (ssh -L), --port receives the redirect. --with-token reads a token that you created yourself from standard input, or prompts for it.

The token is checked with the server, then stored in the system's keyring, or in a file that only you can read. The new profile replaces one with the same name.

--admin signs in to moderate the server. The token gets the scopes of admins as well, and is checked before it is stored. Its profile is called ACCOUNT+admin unless --profile names it: it does not become the active one, replaces no ordinary profile, and every write with it needs confirmation.`,
  usage: '[SERVER] [--profile NAME]',
  args: {SERVER: Args.string({description: 'server address; same as --server'})},
  flags: loginFlags,
  knownValues: {scope: ['read', 'write', 'follow', 'push']},
  examples: [
    {does: 'Sign in with the browser', line: 'auth login pix.example'},
    {does: 'Sign in with a token from a file', line: 'auth login pix.example --with-token < token.txt'},
    {
      does: 'Add a second account whose writes need confirmation',
      line: 'auth login pix.example --profile work --protected',
    },
    {does: 'Sign in as an admin, to moderate the server', line: 'auth login pix.example --admin'},
  ],
  run: ({args, flags, session}) => logIn(args.SERVER, flags, session),
});
