/** Messages: to conversations, where files are uploaded first, and to the legacy threads. */
import {lookUpRecipients, sendMessage, startConversation} from '../api/direct.js';
import {uploadMedia} from '../api/internal.js';
import type {PlainInput} from '../api/endpoint.js';
import type {Members} from '../api/schema.js';
import {sendThreadMedia, sendThreadMessage} from '../api/thread.js';
import type {Client} from '../client/client.js';
import {asFailure, Failure, nothingDone} from '../client/failure.js';
import {localFile} from '../client/multipart.js';
import {isAddress, placeholder, requestFor, usableIdAt} from '../client/request.js';
import {shellWord} from '../files/command-text.js';
import {accountName} from './account-name.js';
import {largeGroup, longMessage, manyAttachments, unfitFile} from './limits.js';
import {operation} from './operation.js';

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Files to attach: until they are uploaded, their paths are in the body as `media`. */
const filesIn = ({body}: PlainInput): string[] => texts(body?.['media']);

const attachmentsIn = (input: PlainInput): number => filesIn(input).length + texts(input.body?.['media_ids']).length;

/** The input with the ids of uploaded files in place of their paths, after the ids that were given. */
function withMedia({path, body = {}}: PlainInput, ids: readonly string[]): PlainInput {
  const {media: _, ...rest} = body;
  const all = [...texts(rest['media_ids']), ...ids];
  return {path, body: all.length === 0 ? rest : {...rest, media_ids: all}};
}

async function upload(file: string, client: Client): Promise<string> {
  const {exact} = await client.call(uploadMedia, {body: {file}}).catch((error: unknown) => {
    // The message was not sent, which matters more than whether the upload arrived.
    throw asFailure(error).saying(': the message was not sent', nothingDone);
  });
  const id = usableIdAt(exact, ['id']);
  if (id === undefined) throw new Failure('bad_answer', `The response to the upload of ${file} has no usable id`);
  return id;
}

/** Servers refuse a message of nothing but spaces. @throws Failure `usage` */
export function refuseEmpty({message}: Members): void {
  if (typeof message === 'string' && message.trim() === '') throw new Failure('usage', 'The message is empty: nothing was sent');
}

/** A message to a conversation. Paths of files in `media` of the body are uploaded one after the other, then attached. */
export const messageSending = operation(sendMessage, {
  async overLimit(input, limits) {
    const complaints = await Promise.all(filesIn(input).map((file) => unfitFile(file, limits)));
    return longMessage(input.body?.['message'], limits) ?? manyAttachments(attachmentsIn(input), limits) ?? complaints.find(Boolean);
  },
  requests(input) {
    const files = filesIn(input);
    const uploads = files.map((file) => requestFor(uploadMedia, {body: {file}}));
    return [...uploads, requestFor(sendMessage, withMedia(input, files.map(placeholder)))];
  },
  async send(input, client) {
    const files = filesIn(input);
    // Checks that all files can be read before the first upload.
    await Promise.all(files.map(localFile));
    const ids: string[] = [];
    try {
      for (const file of files) ids.push(await upload(file, client));
      return await client.send(requestFor(sendMessage, withMedia(input, ids)), sendMessage.output());
    } catch (error) {
      if (!(error instanceof Failure) || ids.length === 0) throw error;
      const uploaded = ids.map((id) => `--media-id=${shellWord(id)}`).join(' ');
      throw error.saying(` (uploaded already: ${uploaded})`);
    }
  },
});

export const conversationStart = operation(startConversation, {
  overLimit({body}, limits) {
    const recipients = body?.['recipient_ids'];
    return Array.isArray(recipients) ? largeGroup(recipients.length, limits) : undefined;
  },
});

export const threadSending = operation(sendThreadMessage, {
  convert: {
    message(message) {
      refuseEmpty({message});
      return message;
    },
  },
  overLimit: ({body}, limits) => longMessage(body?.['message'], limits),
});

export const threadMediaSending = operation(sendThreadMedia, {
  overLimit: async ({body}, limits) => (await unfitFile(String(body?.['file']), limits)) ?? longMessage(body?.['message'], limits),
});

/** Finds accounts by a part of the name, or by the address of a profile. Servers take addresses only with `remote`, so that the handle is sent. */
export const recipientLookup = operation(lookUpRecipients, {
  async send(input, client) {
    const {searchText} = await import('./accounts.js');
    const text = String(input.body?.['q']);
    const name = isAddress(text) && input.body?.['remote'] === undefined ? accountName(text) : text;
    const [, user = '', host = ''] = /^@([^@]+)@(.+)$/.exec(name) ?? [];
    const q = name === text ? text : searchText({user, host}, client.host);
    return client.send(requestFor(lookUpRecipients, {...input, body: {...input.body, q}}), lookUpRecipients.output());
  },
});
