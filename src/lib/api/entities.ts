/** The documented resources; undocumented fields are always allowed. */
import * as z from 'zod/mini';
import {field, isDigits, isInteger, isNull, isObject, once, allowKnownMismatch} from './schema.js';

const maybe = z.optional;
const nullable = z.nullable;

/** Identifiers are strings, even when they look numeric. Some servers send the number. */
export const identifier = z.string(allowKnownMismatch(isInteger));

export const identifierIfAny = z.string(allowKnownMismatch((value) => isNull(value) || isInteger(value)));

/** The longest time until a filter ends, in seconds: two years. */
export const maxExpiry = 63_072_000;

/** An integer of any size: cursors pass 2^53 on real servers. */
export const integer = z.number().check(z.refine(Number.isInteger, 'expected an integer'));

/** A whole number in a query. A text of digits is allowed too, because a large number would lose some of them. */
export const digits = z.union([integer, z.string().check(z.regex(/^\d+$/))]);

export const limit = z.optional(field(digits, 'number of items per page', {part: true}));
export const page = z.optional(
  field(digits.check(z.refine((number) => Number(number) > 0, 'pages are numbered from 1')), 'page number, starting at 1', {part: true}),
);

export const timestamp = z.string();

/** What the lists for admins say of their pages. */
export const cursorMeta = once(() =>
  z.looseObject({path: z.string(), per_page: integer, next_cursor: nullable(z.string()), prev_cursor: nullable(z.string())}),
);

const person = once(() => ({
  id: identifier,
  username: z.string(),
  acct: z.string(),
  display_name: z.string(),
}));

export const participant = once(() =>
  z.looseObject({
    ...person(),
    avatar: z.string(),
    local: z.boolean(),
    locked: maybe(z.boolean()),
    url: maybe(z.string()),
  }),
);

export const media = once(() =>
  z.looseObject({
    id: identifier,
    type: z.string(),
    url: z.string(allowKnownMismatch(isNull)),
    preview_url: z.string(allowKnownMismatch(isNull)),
    description: nullable(z.string()),
    mime: z.string(),
    blurhash: z.string(allowKnownMismatch(isNull)),
  }),
);

const messageCore = once(() => ({
  id: identifier,
  sender_id: identifier,
  is_author: z.boolean(),
  type: z.string(),
  text: z.string(allowKnownMismatch(isNull)),
  created_at: timestamp,
}));

const messageRest = once(() => ({
  conversation_id: identifier,
  media: z.array(media()),
  meta: z.null(allowKnownMismatch(isObject)),
  sensitive: z.boolean(),
  in_reply_to_id: nullable(identifier),
  edited_at: nullable(timestamp),
}));

export const message = once(() => z.looseObject({...messageCore(), ...messageRest()}));

/** The last message of a conversation carries fewer fields. */
export const reducedMessage = once(() =>
  z.partial(message(), {
    conversation_id: true,
    media: true,
    meta: true,
    sensitive: true,
    in_reply_to_id: true,
    edited_at: true,
  }),
);

const conversationState = once(() => ({
  id: identifier,
  state: z.string(),
  unread_count: integer,
  muted: z.boolean(),
  hidden: z.boolean(),
  last_read_message_id: nullable(identifier),
}));

export const conversation = once(() =>
  z.looseObject({
    ...conversationState(),
    type: z.string(),
    name: nullable(z.string()),
    participants: z.array(participant()),
    participant_count: integer,
    last_message: nullable(reducedMessage()),
    created_at: timestamp,
    updated_at: timestamp,
  }),
);

/** What the actions on a conversation answer. */
export const conversationSummary = once(() => z.looseObject(conversationState()));

export const legacyMessage = once(() =>
  z.looseObject({
    id: identifier,
    hidden: z.boolean(),
    isAuthor: z.boolean(),
    type: z.string(),
    text: z.string(allowKnownMismatch(isNull)),
    media: z.unknown(),
    carousel: z.array(z.unknown()),
    created_at: timestamp,
    timeAgo: z.string(),
    seen: z.boolean(),
    reportId: identifier,
    meta: z.null(allowKnownMismatch(isObject)),
  }),
);

export const thread = once(() =>
  z.looseObject({
    id: identifier,
    name: z.string(),
    username: z.string(),
    avatar: z.string(),
    url: z.string(),
    muted: z.boolean(),
    isLocal: z.boolean(),
    domain: nullable(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
    timeAgo: z.string(),
    lastMessage: z.string(),
    messages: z.array(legacyMessage()),
    conversation_id: identifierIfAny,
  }),
);

export const mutual = once(() =>
  z.looseObject({
    ...person(),
    locked: z.boolean(),
    followers_count: integer,
    following_count: integer,
    url: z.string(),
    avatar: z.string(),
    local: z.boolean(),
  }),
);

/** An account as servers send it in lists. Some lists say more of it. */
export const account = once(() => z.looseObject({...mutual().shape, statuses_count: integer, created_at: timestamp}));

export const blockedAccount = once(() =>
  z.looseObject({
    ...account().shape,
    discoverable: z.boolean(),
    note: z.string(allowKnownMismatch(isNull)),
    note_text: nullable(z.string()),
    website: nullable(z.string()),
    is_admin: z.boolean(),
    header_bg: z.null(allowKnownMismatch((value) => typeof value === 'string')),
    last_fetched_at: z.null(allowKnownMismatch((value) => typeof value === 'string')),
    pronouns: z.array(z.unknown()),
    location: z.null(allowKnownMismatch((value) => typeof value === 'string')),
    // Documented, but no server is known to send it.
    has_story: maybe(z.boolean()),
  }),
);

/** The API documents only the first five fields for a follow. Servers leave out others for accounts of their own. */
export const notificationAccount = once(() =>
  z.looseObject({
    ...person(),
    url: z.string(),
    locked: maybe(z.boolean()),
    bot: maybe(z.boolean()),
    discoverable: maybe(z.boolean()),
    followers_count: maybe(integer),
    following_count: maybe(integer),
    statuses_count: maybe(integer),
    note: maybe(z.string(allowKnownMismatch(isNull))),
    avatar: maybe(z.string()),
    avatar_static: maybe(z.string()),
    header: maybe(z.string()),
    header_static: maybe(z.string()),
    emojis: maybe(z.array(z.unknown())),
    fields: maybe(z.array(z.unknown())),
    created_at: maybe(timestamp),
    last_status_at: maybe(nullable(timestamp)),
  }),
);

/** Undocumented: the relationship between the caller and an account. */
export const relationship = once(() =>
  z.looseObject({
    id: identifier,
    following: z.boolean(),
    followed_by: z.boolean(),
    blocking: z.boolean(),
    muting: z.boolean(),
    muting_notifications: z.boolean(allowKnownMismatch(isNull)),
    requested: z.boolean(allowKnownMismatch(isNull)),
    domain_blocking: z.boolean(allowKnownMismatch(isNull)),
    showing_reblogs: z.boolean(allowKnownMismatch(isNull)),
    endorsed: z.boolean(allowKnownMismatch(isNull)),
  }),
);

export const keyword = once(() =>
  z.looseObject({
    id: z.number(allowKnownMismatch(isDigits)).check(z.refine(Number.isInteger, 'expected an integer')),
    keyword: z.string(),
    whole_word: z.boolean(),
  }),
);

export const filter = once(() =>
  z.looseObject({
    id: identifier,
    title: z.string(),
    context: z.array(z.string()),
    expires_at: nullable(timestamp),
    filter_action: z.string(),
    keywords: z.array(keyword()),
    statuses: z.array(z.unknown()),
  }),
);

export const status = once(() =>
  z.looseObject({
    id: identifier,
    created_at: timestamp,
    url: z.string(),
    content: z.string(allowKnownMismatch(isNull)),
    visibility: z.string(),
    favourited: z.boolean(),
    reblogged: z.boolean(),
    bookmarked: z.boolean(),
    favourites_count: integer,
    reblogs_count: integer,
    replies_count: integer,
    media_attachments: z.array(z.looseObject({id: identifier, type: z.string(), url: z.string(allowKnownMismatch(isNull))})),
    account: z.looseObject({id: identifier, username: z.string(), acct: z.string()}),
  }),
);

export const notification = once(() =>
  z.looseObject({
    id: identifier,
    type: z.string(),
    created_at: timestamp,
    account: notificationAccount(),
    status: maybe(status()),
  }),
);

const pushFlags = once(() => ({
  notify_like: z.boolean(),
  notify_follow: z.boolean(),
  notify_mention: z.boolean(),
  notify_comment: z.boolean(),
}));

export const pushSettings = once(() =>
  z.looseObject({
    version: z.string(),
    notify_enabled: z.boolean(),
    has_token: z.boolean(),
    ...pushFlags(),
  }),
);

export const pushState = once(() => z.looseObject({...pushSettings().shape, username: z.string(), profile_id: identifier}));

export const pushComparison = once(() =>
  z.looseObject({
    version: z.string(),
    username: z.string(),
    profile_id: identifier,
    notify_enabled: z.boolean(),
    match: z.boolean(),
    has_existing: z.boolean(),
  }),
);

export const recipient = once(() =>
  z.looseObject({
    local: z.boolean(),
    id: identifier,
    name: z.string(),
    privacy: z.boolean(),
    avatar: z.string(),
    account: z.looseObject({...person(), url: z.string(), avatar: z.string(), local: z.boolean()}),
  }),
);

/** Sizes of `media` are bytes, of `account.max_avatar_size` kilobytes (on servers whose source was read). */
export const configuration = once(() =>
  z.looseObject({
    version: z.string(),
    oauth: z.boolean(),
    signup: z.looseObject({curated: z.boolean(), mobile_registration: z.boolean()}),
    features: z.looseObject({
      stories: z.boolean(),
      video: z.boolean(),
      timelines: z.looseObject({local: z.boolean(), network: z.boolean()}),
    }),
    limits: z.looseObject({
      account: z.looseObject({
        max_avatar_size: integer,
        max_bio_length: integer,
        max_name_length: integer,
        min_password_length: integer,
      }),
      collections: z.looseObject({max_collection_length: integer}),
      direct_messages: z.looseObject({
        max_characters: integer,
        max_media_attachments: integer,
        group_chats: z.looseObject({enabled: z.boolean(), max_participants: integer}),
      }),
      media: z.looseObject({
        image_size_limit: integer,
        video_size_limit: integer,
        max_album_limit: integer,
        max_alt_text_length: integer,
        supported_mime_types: z.array(z.string()),
      }),
      statuses: z.looseObject({max_characters: integer}),
    }),
  }),
);
