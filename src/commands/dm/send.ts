import {repeatable} from '../../lib/cli/flags.js';
import {Failure} from '../../lib/client/failure.js';
import {endpointCommand} from '../../lib/cli/endpoint/endpoint-command.js';
import {madeWords, recipientWords} from '../../lib/cli/endpoint/sentences.js';
import {messageSending, refuseEmpty} from '../../lib/operations/messages.js';

export default endpointCommand({
  endpoint: messageSending,
  summary: 'Send a message to a conversation',
  description:
    'Files given with --media are uploaded first, then attached. A message is never resent automatically: if the response is lost, the command fails and says so.',
  examples: [
    {does: 'Send a line of text', line: "dm send 1029249430941045799 'See you at the harbour'"},
    {does: 'Send text from a file', line: 'dm send 1029249430941045799 - < message.txt'},
    {does: 'Send a photo with a text', line: "dm send 1029249430941045799 'Low tide' --media harbour.jpg"},
  ],
  arguments: {id: 'ID', message: 'MESSAGE'},
  flags: {media_ids: 'media-id', in_reply_to_id: 'in-reply-to'},
  own: {
    flags: {
      media: repeatable('image or video to upload and attach', 'FILE'),
    },
    apply(input, {media = []}) {
      const body = media.length === 0 ? input.body : {...input.body, media};
      if (media.length === 0 && body['media_ids'] === undefined) refuseEmpty(body);
      if (Object.keys(body).length > 0) return {...input, body};
      throw new Failure('usage', 'Nothing to send', {hint: 'pass MESSAGE, --media or --media-id'});
    },
  },
  piped: ['message'],
  sentence: ({path: {id}}, {answer}) => `Sent ${madeWords('message', answer)} to ${recipientWords(id)}.`,
});
