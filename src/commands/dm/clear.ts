import {Args, Flags} from '@oclif/core';
import {getConversation, hideConversation} from '../../lib/api/direct.js';
import {factsOf} from '../../lib/api/schema.js';
import {clear} from '../../lib/cli/clear/clear.js';
import {command} from '../../lib/cli/command.js';
import {fieldHelp} from '../../lib/cli/endpoint/input-fields.js';
import {joinFlags, runFlags, writeFlags} from '../../lib/cli/flags.js';

export default command({
  summary: 'Delete all your messages in a conversation',
  writes: true,
  description:
    'Deletes all messages that you wrote in a conversation, with their media, for everyone in it. This cannot be undone. Messages of others stay. It needs a token with the scopes read and write.',
  details: `Deletes all messages that you wrote in the conversation, with their media, for everyone in it, on other servers too. All pages are read first, and the question says how many messages of yours there are. If the server contradicts itself on who wrote a message, nothing is deleted (8). A message that is already gone is not a failure. With --journal, an interrupted run is resumed: messages that were written since are deleted, too.

Calls GET ${getConversation.path}/messages and DELETE ${getConversation.path}/messages/{messageId}, GET /api/v1/accounts/verify_credentials for your own id, and with --hide POST ${hideConversation.path}.`,
  usage: 'ID',
  args: {
    ID: Args.string({
      description: fieldHelp({name: 'id', facts: factsOf(getConversation.pathFields.id)}),
      required: true,
    }),
  },
  flags: joinFlags(
    {
      hide: Flags.boolean({description: 'hide the conversation when all your messages are deleted'}),
    },
    runFlags,
    writeFlags,
  ),
  examples: [
    {does: 'Delete your messages in a conversation, and hide it', line: 'dm clear 1029249430941045799 --hide'},
    {
      does: 'Delete your messages to an account from a script that can be resumed',
      line: 'dm clear @bo@pix.example --yes --journal clear.journal',
    },
  ],
  run: clear,
});
