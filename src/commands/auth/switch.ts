import {Args} from '@oclif/core';
import {command} from '../../lib/cli/command.js';
import {switchTo} from '../../lib/cli/sign-in/saved.js';

export default command({
  summary: 'Switch the active profile',
  description: 'Later commands use this profile, unless --profile or the environment names another one.',
  usage: 'NAME',
  args: {NAME: Args.string({description: 'name of a saved profile', required: true})},
  examples: [
    {does: 'Switch to a profile', line: 'auth switch ana@pix.example'},
    {does: 'List the profiles', line: 'auth status'},
  ],
  run: ({args, session}) => switchTo(args.NAME, session),
});
