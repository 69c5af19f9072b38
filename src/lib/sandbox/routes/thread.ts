/** Section 4.2: legacy one-to-one threads. */
import {
  deleteThreadMessage,
  getThread,
  muteThread,
  readThread,
  sendThreadMedia,
  sendThreadMessage,
  unmuteThread,
} from '../../api/thread.js';
import {textOf, type Fields} from '../fields.js';
import {
  awaitsAcceptance,
  deliver,
  findConversation,
  markRead,
  membershipOf,
  startConversation,
  unreadMessages,
  visibleMessages,
  type Draft,
} from '../messaging.js';
import type {Account, Conversation, Membership, Message} from '../model.js';
import {compareIds} from '../paging.js';
import {mediumUrl} from '../payload/media.js';
import {sentThreadMessage, threadMessageId, threadPayload} from '../payload/thread.js';
import {abort, invalid, plain, unknown} from '../refusal.js';
import {route, type Answer, type Call, type Route} from '../route.js';
import {integer, max, min, oneOf, required, string, validate} from '../rules.js';
import {fileKilobytes, mimeOf, supportedMimeTypes} from '../uploads.js';
import {pageOfMessages} from './messages.js';

const pageSize = 8;
const done: Answer = {body: [200]};

/** The other person; one cannot have a thread with oneself. */
function other({world, viewer}: Call, id: string): Account {
  if (id === viewer.id) throw unknown('Profile', id);
  return world.account(id);
}

const threadWith = ({world, viewer}: Call, id: string): Conversation | undefined => findConversation(world, [viewer.id, id]);

const openThread = (call: Call, id: string): Conversation => threadWith(call, id) ?? startConversation(call.world, call.viewer.id, [id]);

function ownSide({viewer}: Call, conversation: Conversation | undefined): Membership | undefined {
  return conversation && membershipOf(conversation, viewer.id);
}

const idOf = (fields: Fields, name: string): string => textOf(fields[name]) ?? '';

/**
 * Older servers bound the other's messages only, by row: one's own come back on every page, so that paging never ends.
 */
function pageByRow({fields, viewer}: Call, messages: readonly Message[]): readonly Message[] {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const side = messages.filter(
    ({senderId, row}) => senderId === viewer.id || ((above === null || row > Number(above)) && (below === null || row < Number(below))),
  );
  return (above === null ? side.slice(-pageSize) : side.slice(0, pageSize)).toReversed();
}

function show(call: Call): Answer {
  const {world, fields, viewer} = call;
  validate(fields, {pid: [required], max_id: [integer, min(1)], min_id: [integer, min(1)]});
  const person = other(call, idOf(fields, 'pid'));
  const conversation = threadWith(call, person.id);
  const messages = conversation ? visibleMessages(world, conversation, viewer.id) : [];
  const page = world.facts.threadsAreConversations ? pageOfMessages(messages, fields, pageSize).page : pageByRow(call, messages);
  return {body: threadPayload(world, viewer.id, person, conversation, page), style: {pretty: true, plainSlashes: true}};
}

/** Checks that the viewer may write to this person, and opens the thread. */
function writableThread(call: Call, id: string): Conversation {
  const {world, viewer} = call;
  const person = other(call, id);
  const conversational = world.facts.threadsAreConversations;
  const blocked = conversational ? world.isBlockedEitherWay(viewer.id, person.id) : world.blocks.has(person.id, viewer.id);
  if (blocked) throw abort(403);
  const conversation = openThread(call, person.id);
  if (conversational && awaitsAcceptance(conversation, viewer.id))
    throw plain(403, {error: 'You can send more messages once your request is accepted.'});
  return conversation;
}

const draft = (parts: Partial<Draft>): Draft => ({
  text: null,
  emoji: false,
  media: [],
  sensitive: false,
  inReplyTo: null,
  ...parts,
});

function send(call: Call): Answer {
  const {world, fields, viewer} = call;
  validate(fields, {
    to_id: [required],
    message: [required, string, min(1), max(world.facts.threadMessageLength)],
    type: [required, oneOf(['text', 'emoji'])],
  });
  const conversation = writableThread(call, idOf(fields, 'to_id'));
  const message = deliver(world, conversation, viewer.id, draft({text: textOf(fields['message']), emoji: fields['type'] === 'emoji'}));
  return {body: sentThreadMessage(world, conversation, message)};
}

/** The type of the file that came in. Older servers look into it before they know that there is one. */
async function checkedMime({world, fields}: Call): Promise<string> {
  const conversational = world.facts.threadsAreConversations;
  validate(fields, {
    to_id: [required],
    ...(conversational && {
      file: [required, max(fileKilobytes)],
      message: [string, max(world.facts.threadMessageLength)],
    }),
  });
  const {file} = fields;
  if (!(file instanceof File)) throw abort(500, 'Call to a member function getSize() on null');
  const mime = await mimeOf(file);
  if (mime !== null) return mime;
  if (!conversational) throw abort(403, 'Invalid or unsupported mime type.');
  throw invalid({file: [`The file must be a file of type: ${supportedMimeTypes.join(', ')}.`]});
}

async function sendMedia(call: Call): Promise<Answer> {
  const {world, fields, viewer} = call;
  const mime = await checkedMime(call);
  const conversation = writableThread(call, idOf(fields, 'to_id'));
  const medium = world.addMedium(viewer.id, mime, true, new Date());
  const text = world.facts.threadsAreConversations ? textOf(fields['message']) : null;
  const message = deliver(world, conversation, viewer.id, draft({text, media: [medium]}));
  return {
    body: {
      id: world.facts.threadsAreConversations ? message.id : message.row,
      reportId: message.id,
      type: message.type,
      url: mediumUrl(world, medium),
    },
  };
}

/** Marks everything of the other from one message on. Older servers answer what was marked before, too, and with numbers. */
function read(call: Call): Answer {
  const {world, fields} = call;
  validate(fields, {pid: [required], sid: [required]});
  const conversation = threadWith(call, idOf(fields, 'pid'));
  const membership = ownSide(call, conversation);
  if (!conversation || !membership) return {body: []};
  const candidates = world.facts.threadsAreConversations
    ? unreadMessages(world, conversation, membership)
    : conversation.messages.filter(({senderId}) => senderId !== membership.accountId);
  const marked = candidates.filter(({id}) => compareIds(id, idOf(fields, 'sid')) >= 0);
  if (marked.length > 0) markRead(conversation, membership, null);
  return {
    body: marked.map((message) => (world.facts.threadsAreConversations ? threadMessageId(world, message) : message.row)),
  };
}

function remove(call: Call): Answer {
  const {world, fields, viewer} = call;
  validate(fields, {id: [required]});
  const id = idOf(fields, 'id');
  for (const conversation of world.conversations.values()) {
    const own = conversation.messages.find((message) => message.id === id && message.senderId === viewer.id);
    if (!own) continue;
    conversation.messages = conversation.messages.filter((message) => message !== own);
    return done;
  }
  throw world.facts.threadsAreConversations ? unknown(String.raw`Models\DmMessage`, id) : unknown('DirectMessage');
}

/** Older servers take any id here. */
function mute(call: Call): Answer {
  const {world, fields, viewer} = call;
  validate(fields, {id: [required]});
  const id = idOf(fields, 'id');
  if (world.facts.threadsAreConversations) {
    const membership = ownSide(call, openThread(call, other(call, id).id));
    if (membership) membership.muted = true;
  } else world.threadMutes.add(viewer.id, id);
  return done;
}

function unmute(call: Call): Answer {
  const {world, fields, viewer} = call;
  validate(fields, {id: [required]});
  const id = idOf(fields, 'id');
  if (!world.facts.threadsAreConversations) {
    if (!world.threadMutes.delete(viewer.id, id)) throw unknown('UserFilter');
    return done;
  }
  const membership = ownSide(call, threadWith(call, other(call, id).id));
  if (!membership) throw abort(404);
  membership.muted = false;
  return done;
}

export const threadRoutes: readonly Route[] = [
  route(getThread, show),
  route(sendThreadMessage, send),
  route(sendThreadMedia, sendMedia),
  route(readThread, read),
  route(deleteThreadMessage, remove),
  route(muteThread, mute),
  route(unmuteThread, unmute),
];
