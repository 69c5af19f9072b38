import {Flags} from '@oclif/core';
import {Failure} from '../../lib/client/failure.js';
import {endpointCommand, type Draft} from '../../lib/cli/endpoint-command.js';
import type {Typed} from '../../lib/cli/command.js';
import {longMessage, manyAttachments, unfitFile} from '../../lib/operations/limits.js';
import {attachmentsIn, filesIn, messageSending} from '../../lib/operations/messages.js';

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

export default class DmSend extends endpointCommand({
  endpoint: messageSending,
  summary: 'Send a message to a conversation',
  description:
    'Files given with --media are uploaded first, then attached. A message is never sent twice on its own: when the answer is lost, the tool says so and stops.',
  examples: [
    {does: 'A line of text', line: "dm send 1029249430941045799 'See you at the harbour'"},
    {does: 'Text from a file', line: 'dm send 1029249430941045799 - < message.txt'},
    {does: 'A photo with a word', line: "dm send 1029249430941045799 'Low tide' --media harbour.jpg"},
  ],
  arguments: {id: 'ID', message: 'MESSAGE'},
  flags: {media_ids: 'media-id', in_reply_to_id: 'in-reply-to'},
  ownFlags: {
    media: Flags.string({
      description: 'image or video to upload and attach',
      helpValue: 'FILE',
      multiple: true,
      multipleNonGreedy: true,
    }),
  },
  piped: ['message'],
  async overLimit(input, limits) {
    const complaints = await Promise.all(filesIn(input).map((file) => unfitFile(file, limits)));
    return longMessage(input.body['message'], limits) ?? manyAttachments(attachmentsIn(input), limits) ?? complaints.find(Boolean);
  },
}) {
  protected override async draft(typed: Typed): Promise<Draft> {
    const draft = await super.draft(typed);
    const files = texts(typed.flags['media']);
    const body = files.length === 0 ? draft.body : {...draft.body, media: files};
    if (Object.keys(body).length > 0) return {...draft, body};
    throw new Failure('usage', 'There is nothing to send', {hint: 'give MESSAGE, --media or --media-id'});
  }
}
