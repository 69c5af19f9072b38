import {policyCommand} from '../lib/cli/policy/policy-command.js';
import {keysText, listFlags, policiesArgument} from '../lib/cli/policy/policy-flags.js';
import {countWanted, policyViews} from '../lib/policy/index.js';

export default policyCommand({
  summary: 'Check policies and their lists without a server',
  description:
    'Reads policies and their lists as apply does, and prints how much they want. Mistakes are shown with line and column (2). It asks no server, and needs no token.',
  details: `Shows for each section how many items are wanted, how many are forbidden, and how many lists it names. Where the rules of an account in \`for\` differ, its sections have rows of their own.

${keysText}`,
  usage: 'POLICY...',
  args: {POLICY: policiesArgument},
  flags: listFlags,
  examples: [
    {does: 'Check a policy', line: 'validate moderation.yml'},
    {
      does: 'Print how many domains it blocks',
      line: 'validate moderation.yml --jq \'.[] | select(.section == "domain_blocks") | .wanted\'',
    },
  ],
  view: policyViews.counts,
  run: async (run, {POLICY: policies}) => ({
    document: (await run.readAll(policies)).flatMap(countWanted),
    at: [],
  }),
});
