/** Section 4.1: the messages of a conversation. */
import {deleteMessage, listMessages, sendMessage} from '../../api/direct.js';
import {booleanOf, integerOf, listOf, textOf, type Fields} from '../fields.js';
import {awaitsAcceptance, deliver, visibleMessages} from '../messaging.js';
import type {Conversation, Medium, Message} from '../model.js';
import {compareIds} from '../paging.js';
import {messagePayload} from '../payload/conversation.js';
import {plain, unknown} from '../refusal.js';
import {route, type Answer, type Call, type Route} from '../route.js';
import {array, boolean, distinct, integer, max, min, oneOf, requiredWithout, string, validate} from '../rules.js';
import type {World} from '../world.js';
import {directLimits} from './config.js';
import {joined} from './conversations.js';

/** One page, newest first. Above a message that is the oldest page, so that polling misses nothing. */
export function pageOfMessages(
  messages: readonly Message[],
  fields: Fields,
  limit: number,
): {readonly page: readonly Message[]; readonly more: boolean} {
  const [above, below] = [textOf(fields['min_id']), textOf(fields['max_id'])];
  const side = messages.filter(({id}) => (above === null ? below === null || compareIds(id, below) < 0 : compareIds(id, above) > 0));
  const page = above === null ? side.slice(-limit) : side.slice(0, limit);
  return {page: page.toReversed(), more: side.length > limit};
}

function list(call: Call): Answer {
  const {world, fields, viewer} = call;
  const {conversation} = joined(call);
  validate(fields, {limit: [integer, min(1), max(50)], max_id: [integer, min(1)], min_id: [integer, min(1)]});
  const {page, more} = pageOfMessages(visibleMessages(world, conversation, viewer.id), fields, integerOf(fields['limit'], 20));
  return {
    body: {
      data: page.map((message) => messagePayload(world, message, viewer.id)),
      meta: {has_more: more, newest_id: page[0]?.id ?? null, oldest_id: page.at(-1)?.id ?? null},
    },
  };
}

/** The viewer's own uploads that are in nothing else yet. */
function attachments({world, fields, viewer}: Call): readonly Medium[] {
  return listOf(fields['media_ids']).map((id) => {
    const medium = world.media.get(Number(id));
    if (!medium || medium.owner !== viewer.id || medium.attached) throw plain(422, {error: 'Invalid media_ids.'});
    return medium;
  });
}

function refuseIfBlocked(world: World, {type, members}: Conversation, viewerId: string): void {
  if (type === 'dm' && members.some(({accountId}) => world.isBlockedEitherWay(viewerId, accountId)))
    throw plain(403, {error: 'You cannot message this account.'});
}

function send(call: Call): Answer {
  const {world, fields, viewer} = call;
  const {conversation} = joined(call);
  validate(fields, {
    message: [requiredWithout('media_ids'), string, max(directLimits.characters)],
    media_ids: [requiredWithout('message'), array, max(directLimits.media)],
    'media_ids.*': [integer, distinct],
    in_reply_to_id: [integer],
    sensitive: [boolean],
    type: [oneOf(['text', 'emoji'])],
  });
  refuseIfBlocked(world, conversation, viewer.id);
  if (awaitsAcceptance(conversation, viewer.id)) throw plain(403, {error: 'You can send more messages once your request is accepted.'});
  const media = attachments(call);
  const inReplyTo = textOf(fields['in_reply_to_id']);
  if (inReplyTo !== null && !conversation.messages.some(({id}) => id === inReplyTo)) throw plain(422, {error: 'Invalid in_reply_to_id.'});
  const message = deliver(world, conversation, viewer.id, {
    text: textOf(fields['message']),
    emoji: fields['type'] === 'emoji',
    media,
    sensitive: booleanOf(fields['sensitive']),
    inReplyTo,
  });
  return {status: 201, body: messagePayload(world, message, viewer.id)};
}

export const messageRoutes: readonly Route[] = [
  route(listMessages, list),
  route(sendMessage, send),
  route(deleteMessage, (call) => {
    const {conversation} = joined(call);
    const id = call.part('messageId');
    const own = conversation.messages.find((message) => message.id === id && message.senderId === call.viewer.id);
    if (!own) throw unknown(String.raw`Models\DmMessage`, id);
    conversation.messages = conversation.messages.filter((message) => message !== own);
    return {body: {deleted: true}};
  }),
];
