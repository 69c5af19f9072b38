/** Posts as servers send them. */
import {nativeAccount} from './account-payloads.js';
import {messageMedium} from './media.js';
import type {HeldBack, Post, World} from './world.js';

export function postPayload(world: World, post: Post): Readonly<Record<string, unknown>> {
  const url = `${world.publicUrl}/p/${post.author.username}/${post.id}`;
  return {
    _v: 1,
    id: post.id,
    shortcode: BigInt(post.id).toString(36),
    uri: url,
    url,
    in_reply_to_id: post.parent?.id ?? null,
    in_reply_to_account_id: post.parent?.author.id ?? null,
    reblog: null,
    content: post.text,
    content_text: post.text,
    created_at: post.createdAt.toISOString(),
    emojis: [],
    reblogs_count: 0,
    favourites_count: 0,
    reblogged: null,
    favourited: null,
    muted: null,
    sensitive: post.sensitive,
    spoiler_text: '',
    visibility: post.visibility,
    application: {name: 'web', website: null},
    language: null,
    mentions: [],
    pf_type: 'photo',
    reply_count: 0,
    comments_disabled: false,
    thread: false,
    replies: [],
    parent: [],
    place: null,
    local: post.author.domain === null,
    taggedPeople: [],
    label: {covid: false},
    liked_by: {username: null, others: false},
    media_attachments: [messageMedium(world, post.media)],
    tags: [],
    poll: null,
    edited_at: null,
    pinned: false,
    account: nativeAccount(world, post.author),
  };
}

/** Entries for posts that the spam filter held back and no admin has handled, oldest first. */
export const openEntries = ({heldBack}: World): readonly HeldBack[] => heldBack.list().filter(({handled}) => !handled);
