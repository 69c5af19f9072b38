import {Flags} from '@oclif/core';
import {command} from '../../lib/cli/command.js';
import {moveState} from '../../lib/cli/policy/move.js';
import {policyArguments, recordFlags, requirePolicy} from '../../lib/cli/policy/state.js';
import {holding, pathsOf} from '../../lib/policy/index.js';

export default command({
  summary: 'Move state to another policy or account',
  description:
    'Moves the record of a policy to another policy or account, so that its next apply continues there. It needs a token only with --to-profile.',
  details: `Moves the record of a policy to the policy that replaces it (--to-policy), which may be in another folder, or to the account that replaces this one (--to-profile). The next apply of that policy to that account then goes on where the last one stopped.

With --to-profile it reads what the new account has. Filters are matched by title. Items that the new account does not have stay with the old one, and are listed. Applies to the old account can only be reverted there. If it is interrupted, run it again.

With --to-profile it calls GET ${pathsOf(holding)} as needed with that profile. Its token needs the scope read. Otherwise nothing is sent.`,
  usage: 'POLICY (--to-policy FILE | --to-profile NAME)',
  args: policyArguments,
  flags: [
    {
      'to-policy': Flags.string({description: 'the policy that replaces it', helpValue: 'FILE'}),
      'to-profile': Flags.string({description: 'the saved profile of the account that replaces this one', helpValue: 'NAME'}),
      'to-state': Flags.string({description: 'the state file to move it to (default: the one beside the new policy)', helpValue: 'FILE'}),
      'dry-run': Flags.boolean({description: 'show what would be moved, and write nothing'}),
    },
    recordFlags,
  ],
  examples: [
    {
      does: 'Rename a policy',
      line: 'state move moderation.yml --to-policy policies/blocks.yml',
    },
    {
      does: 'Continue with another account',
      line: 'state move moderation.yml --account ana@pix.example --to-profile ana@new.example',
    },
  ],
  async run({args, flags, session}) {
    await moveState(requirePolicy(args.POLICY), flags, session);
  },
});
