import {addBlock} from '../../lib/api/blocks.js';
import {accountTitles} from '../../lib/cli/endpoint/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords} from '../../lib/cli/endpoint/sentences.js';

export default endpointCommand({
  endpoint: addBlock,
  summary: 'Block accounts',
  description:
    'A blocked account cannot follow you, contact you or see your posts. You stop following each other, and unblocking does not restore that. Servers allow 200 blocks per account (50 in release 0.12.6) unless the admin has raised the limit.',
  examples: [
    {does: 'Block one account', line: 'blocks add @spam@bad.example'},
    {does: 'Block a list of accounts from a script', line: 'blocks add - --yes --json < accounts.txt'},
  ],
  targets: {id: 'ACCOUNT'},
  question: async (hit, connection) =>
    `Block ${await accountTitles(hit, connection)} on ${connection.server.host}? You stop following each other, and unblocking does not restore that.`,
  sentence: ({path: {id}}) => `Blocked ${accountWords(id)}.`,
});
