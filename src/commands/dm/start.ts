import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {accountWords, madeWords} from '../../lib/cli/endpoint/sentences.js';
import {firstOf} from '../../lib/json/text.js';
import {conversationStart} from '../../lib/operations/messages.js';

export default endpointCommand({
  endpoint: conversationStart,
  summary: 'Start a conversation',
  description: 'If the same accounts already have a conversation, that one is returned. Handles are looked up and must match exactly.',
  examples: [
    {does: 'Start a conversation with one account', line: 'dm start @bo@pix.example'},
    {does: 'Start a group, by account ids', line: 'dm start 1029249417042024964 1029249417439139845'},
  ],
  arguments: {recipient_ids: 'RECIPIENT'},
  sentence: ({body: {recipient_ids: people}}, {answer}) =>
    `Opened ${madeWords('conversation', answer)} with ${firstOf([people].flat().map(accountWords))}.`,
});
