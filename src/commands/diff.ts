import {Args} from '@oclif/core';
import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {listFlags} from '../lib/cli/policy/policy-flags.js';
import {diffSides} from '../lib/cli/policy/sides.js';
import {pathsOf} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Compare two servers, policies or lists',
  findsDrift: true,
  description:
    'Compares two profiles, two policies, two lists, or one with another. The exit status is 0 without differences, and 10 with differences. Profiles need a token with the scope read; server-wide blocks need that of an admin.',
  details: `Each side is a policy, a list, the name of a profile, or the address of a server; without RIGHT, LEFT is compared with the server in use. Only the parts that both sides have are compared; those that only one side has are named. Server-wide blocks are compared if both are admin profiles.

From servers it reads what both sides have: GET ${pathsOf()}. It needs a token with the scope read; server-wide blocks need that of an admin.`,
  usage: 'LEFT [RIGHT]',
  args: {
    LEFT: Args.string({
      description: 'a policy, a list, a profile, or a server such as https://pix.example (-: a policy or list from standard input)',
      required: true,
    }),
    RIGHT: Args.string({description: 'another one (-: standard input; default: the server in use)'}),
  },
  flags: listFlags,
  examples: [
    {does: 'Compare a list with the server in use', line: 'diff domains.txt'},
    {does: 'Compare a policy with a list', line: 'diff moderation.yml domains.txt --json'},
  ],

  run: (run, {LEFT: left, RIGHT: right}) => diffSides(left, right, run),
});
