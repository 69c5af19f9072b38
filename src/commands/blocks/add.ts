import {addBlock} from '../../lib/api/blocks.js';
import {accountTitles} from '../../lib/cli/titles.js';
import {endpointCommand} from '../../lib/cli/endpoint-command.js';

export default endpointCommand({
  endpoint: addBlock,
  summary: 'Block accounts',
  description:
    'A blocked account cannot follow you, reach you or see your posts. You stop following each other for good: unblocking does not restore that. Servers allow 200 blocks per account unless the admin raised the limit.',
  examples: [
    {does: 'One account', line: 'blocks add @spam@bad.example'},
    {does: 'A list, in a script', line: 'blocks add - --yes --json < accounts.txt'},
  ],
  arguments: {id: 'ACCOUNT'},
  targets: {field: 'id', from: ['Account address']},
  question: async (hit, connection) =>
    `Block ${await accountTitles(hit, connection)} on ${connection.server.host}? You stop following each other for good.`,
});
