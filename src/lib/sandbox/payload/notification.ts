/** Notifications, and the posts in them, as servers send them. */
import type {Notification, Post} from '../model.js';
import type {World} from '../world.js';
import {compatibleAccount} from './account.js';
import {postMedium} from './media.js';

type Payload = Readonly<Record<string, unknown>>;

function postPayload(world: World, post: Post): Payload {
  const url = `${world.publicUrl}/p/${post.author.username}/${post.id}`;
  const happened = (type: string): number =>
    world.notifications.filter((notification) => notification.post === post && notification.type === type).length;
  return {
    id: post.id,
    uri: url,
    url,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    reblog: null,
    content: post.text,
    created_at: post.createdAt.toISOString(),
    emojis: [],
    reblogs_count: happened('reblog'),
    favourites_count: happened('favourite'),
    reblogged: false,
    favourited: false,
    muted: false,
    sensitive: false,
    spoiler_text: '',
    visibility: 'public',
    application: {name: 'web', website: null},
    language: null,
    mentions: [],
    tags: [],
    poll: null,
    edited_at: null,
    pinned: false,
    account: compatibleAccount(world, post.author),
    replies_count: 0,
    media_attachments: [postMedium(world, post.media)],
    bookmarked: false,
  };
}

export function notificationPayload(world: World, {row, type, createdAt, actor, post}: Notification): Payload {
  return {
    id: String(row),
    type,
    created_at: createdAt.toISOString(),
    account: compatibleAccount(world, actor),
    ...(post ? {status: postPayload(world, post)} : {}),
  };
}
