import {Flags} from '@oclif/core';
import {sendMessage} from '../../lib/api/direct.js';
import {uploadMedia} from '../../lib/api/internal.js';
import type {Answer} from '../../lib/client/answer.js';
import {isIdentifier, placeholder, requestFor, type Request} from '../../lib/client/request.js';
import {asFailure, Failure} from '../../lib/client/failure.js';
import {localFile} from '../../lib/client/multipart.js';
import type {Connection} from '../../lib/cli/connection.js';
import {endpointCommand, type Draft} from '../../lib/cli/endpoint-command.js';
import {longMessage, manyAttachments, unfitFile} from '../../lib/operations/limits.js';
import type {Typed} from '../../lib/cli/pixelctl-command.js';
import {shellWord} from '../../lib/files/shell-word.js';
import {identifierAt} from '../../lib/json/path.js';

/** Files to upload travel in the draft under this name until their ids are known. */
const upload = 'media';

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** The body without the files, with the ids of what was uploaded after those that were given. */
function withMedia({path, query, body}: Draft, ids: readonly string[]): Draft {
  const {[upload]: _, ...rest} = body;
  const all = [...texts(rest['media_ids']), ...ids];
  return {path, query, body: all.length === 0 ? rest : {...rest, media_ids: all}};
}

export default class DmSend extends endpointCommand({
  endpoint: sendMessage,
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
  async overLimit({body}, limits) {
    const files = texts(body[upload]);
    const attachments = files.length + texts(body['media_ids']).length;
    const complaints = await Promise.all(files.map((file) => unfitFile(file, limits)));
    return longMessage(body['message'], limits) ?? manyAttachments(attachments, limits) ?? complaints.find(Boolean);
  },
}) {
  protected override async draft(typed: Typed): Promise<Draft> {
    const draft = await super.draft(typed);
    const files = texts(typed.flags['media']);
    const body = files.length === 0 ? draft.body : {...draft.body, [upload]: files};
    if (Object.keys(body).length > 0) return {...draft, body};
    throw new Failure('usage', 'There is nothing to send', {hint: 'give MESSAGE, --media or --media-id'});
  }

  protected override async requests(draft: Draft): Promise<Request[]> {
    const files = texts(draft.body[upload]);
    return [
      ...files.map((file) => requestFor(uploadMedia, {body: {file}})),
      requestFor(sendMessage, withMedia(draft, files.map(placeholder))),
    ];
  }

  protected override async exchange(draft: Draft, connection: Connection): Promise<Answer> {
    const files = texts(draft.body[upload]);
    await Promise.all(files.map(localFile));
    const ids: string[] = [];
    try {
      for (const file of files) ids.push(await this.#upload(file, connection));
      return await super.exchange(withMedia(draft, ids), connection);
    } catch (error) {
      if (!(error instanceof Failure) || ids.length === 0) throw error;
      const uploaded = ids.map((id) => `--media-id=${shellWord(id)}`).join(' ');
      throw new Failure(error.code, `${error.message} (uploaded already: ${uploaded})`, error.details);
    }
  }

  async #upload(file: string, {client}: Connection): Promise<string> {
    const {text} = await client.call(uploadMedia, {body: {file}}).catch((error: unknown) => {
      // A file that may have arrived stands alone: the message was not sent, and that is what counts.
      const {code, message, details} = asFailure(error);
      throw new Failure(code, `${message}; the message was not sent`, {
        ...details,
        mayHaveActed: undefined,
        fate: undefined,
        lookWith: undefined,
      });
    });
    const id = identifierAt(text, ['id']);
    if (id === undefined || !isIdentifier(id)) throw new Failure('bad_answer', `The answer to the upload of ${file} names no id`);
    return id;
  }
}
