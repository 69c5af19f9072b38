/** Examples of what servers answer with, each with every documented field. */

export const photo = 'https://pix.example/storage/m/6.jpg';

export const bob = {
  id: '1029249417440595971',
  username: 'bob',
  acct: 'bob',
  display_name: 'Bob',
  avatar: 'https://pix.example/storage/avatars/bob.jpg',
  local: true,
};

const bobsPage = 'https://pix.example/bob';

export const carol = {...bob, id: '1029249418341621765', username: 'carol', acct: 'carol@other.example', local: false};

/** A list of conversations says more of a participant than a single conversation does. */
export const listConversationParticipant = (participant: typeof bob) => ({...participant, locked: false, url: bobsPage});

export const recipient = {
  local: true,
  id: bob.id,
  name: '@bob',
  privacy: true,
  avatar: bob.avatar,
  account: {...bob, url: bobsPage},
};

export const reducedMessage = {
  id: '1029252278985043971',
  sender_id: bob.id,
  is_author: false,
  type: 'text',
  text: 'Hello',
  created_at: '2026-11-20T04:41:06.000Z',
};

const medium = {
  id: '6',
  type: 'image',
  url: photo,
  preview_url: 'https://pix.example/storage/m/6_thumb.jpg',
  description: null,
  mime: 'image/jpeg',
  blurhash: 'U4Rfzst8?bt7ogayj[j[~pfQ9Goe%Mj[WBay',
};

export const message = {
  ...reducedMessage,
  conversation_id: '1029252276481310721',
  media: [medium],
  meta: null,
  sensitive: false,
  in_reply_to_id: null,
  edited_at: null,
};

export const conversation = {
  id: message.conversation_id,
  type: 'dm',
  name: null,
  participants: [bob],
  participant_count: 2,
  state: 'active',
  unread_count: 1,
  muted: false,
  hidden: false,
  last_read_message_id: null,
  last_message: reducedMessage,
  created_at: '2026-11-19T10:00:00.000Z',
  updated_at: '2026-11-20T04:41:06.000Z',
};

export const conversationSummary = {
  id: message.conversation_id,
  state: 'active',
  unread_count: 0,
  muted: false,
  hidden: false,
  last_read_message_id: message.id,
};

const legacyId = '1029250200562937884';

export const legacyMessage = {
  id: legacyId,
  hidden: false,
  isAuthor: true,
  type: 'text',
  text: 'Hello',
  media: null,
  carousel: [],
  created_at: '2026-11-20T04:35:54+00:00',
  timeAgo: '2m',
  seen: false,
  reportId: legacyId,
  meta: null,
};

export const thread = {
  id: bob.id,
  name: 'Bob',
  username: 'bob',
  avatar: bob.avatar,
  url: bobsPage,
  muted: false,
  isLocal: true,
  domain: null,
  created_at: legacyMessage.created_at,
  updated_at: legacyMessage.created_at,
  timeAgo: '2m',
  lastMessage: '',
  messages: [legacyMessage, {...legacyMessage, media: photo, type: 'photo'}],
  conversation_id: conversation.id,
};

export const account = {
  id: '1029249418857295878',
  username: 'eve',
  acct: 'eve@other.example',
  display_name: 'Eve',
  locked: false,
  followers_count: 1,
  following_count: 2,
  statuses_count: 0,
  url: 'https://other.example/eve',
  avatar: 'https://pix.example/storage/avatars/default.jpg',
  local: false,
  created_at: '2026-11-20T04:00:00.000000Z',
};

export const blockedAccount = {
  ...account,
  discoverable: true,
  note: '<p>Hello</p>',
  note_text: null,
  website: 'https://eve.example',
  is_admin: false,
  header_bg: null,
  last_fetched_at: null,
  pronouns: [],
  location: null,
  has_story: false,
};

export const relationship = {
  id: blockedAccount.id,
  following: false,
  followed_by: false,
  blocking: true,
  muting: false,
  muting_notifications: false,
  requested: false,
  domain_blocking: false,
  showing_reblogs: false,
  endorsed: false,
};

export const filter = {
  id: '29',
  title: 'Spoilers',
  context: ['home', 'public'],
  expires_at: '2026-11-27T04:00:00.000000Z',
  filter_action: 'warn',
  keywords: [
    {id: 41, keyword: 'finale', whole_word: true},
    {id: 42, keyword: 'spoiler', whole_word: false},
  ],
  statuses: [],
};

const follower = {id: bob.id, username: 'bob', acct: 'bob', display_name: 'Bob', url: bobsPage};

export const adminDomainBlock = {
  id: '27',
  domain: 'spam.example',
  digest: '8ad5fdb6a3b3fd35f9eb0f5c0e5ee41a24e2f2b0bc0f0b9a3d0f9a5b2f9d7c11',
  severity: 'silence',
  created_at: '2026-11-22T03:06:16.000000Z',
  reject_media: true,
  reject_reports: false,
  private_comment: 'Sells followers',
  public_comment: 'Spam',
  obfuscate: true,
};

export const follow = {id: '6', type: 'follow', created_at: '2026-11-20T04:32:50.000Z', account: follower};

export const favourite = {
  id: '25',
  type: 'favourite',
  created_at: '2026-11-20T04:33:30.000Z',
  account: {
    ...follower,
    locked: false,
    bot: false,
    discoverable: true,
    followers_count: 2,
    following_count: 3,
    statuses_count: 4,
    note: '',
    avatar: bob.avatar,
    avatar_static: bob.avatar,
    header: 'https://pix.example/storage/headers/missing.png',
    header_static: 'https://pix.example/storage/headers/missing.png',
    emojis: [],
    fields: [],
    created_at: '2026-11-01T00:00:00.000000Z',
    last_status_at: '2026-11-20T04:00:00.000Z',
  },
  status: {
    id: '1029249433810030615',
    created_at: '2026-11-20T04:00:00.000Z',
    url: 'https://pix.example/p/alice/1029249433810030615',
    content: 'Sunset',
    visibility: 'public',
    favourited: false,
    reblogged: false,
    bookmarked: false,
    favourites_count: 1,
    reblogs_count: 0,
    replies_count: 0,
    media_attachments: [{id: '6', type: 'image', url: photo}],
    account: {id: '1029249416576589826', username: 'alice', acct: 'alice'},
  },
};

const pushFlags = {notify_like: true, notify_follow: false, notify_mention: true, notify_comment: false};

export const pushSettings = {version: '1.0', notify_enabled: true, has_token: true, ...pushFlags};

export const pushState = {...pushSettings, username: 'alice', profile_id: '1029249416576589826'};

export const moderatedPost = {
  id: '1029945878830809300',
  created_at: '2026-11-22T02:37:12.000Z',
  url: `${bobsPage}/1029945878830809300`,
  content: '<p>Buy <b>now</b></p>',
  content_text: 'Buy now',
  visibility: 'public',
  sensitive: false,
  account: {...account, id: bob.id, username: 'bob', acct: 'bob', display_name: 'Bob', url: bobsPage, local: true},
};

export const reportOfPost = {
  id: 8,
  type: 'spam',
  message: null,
  object_id: 1_029_945_878_830_809_300,
  object_type: String.raw`App\Status`,
  created_at: '2026-11-22T02:37:13.000000Z',
  reported_by_account: account,
  status: moderatedPost,
  parent: {
    ...moderatedPost,
    id: '1029930108657107084',
    url: `${bobsPage}/1029930108657107084`,
    content: 'A photo',
    content_text: 'A photo',
  },
};

export const reportOfAccount = {
  id: 6,
  type: 'impersonation',
  message: 'This is not Eve',
  object_id: 1_029_249_418_857_295_900,
  object_type: String.raw`App\Profile`,
  created_at: '2026-11-22T02:19:20.000000Z',
  reported_by_account: account,
  account,
};

export const autospamEntry = {
  id: 7,
  type: 'post.autospam',
  item_id: 1_029_945_878_830_809_300,
  item_type: String.raw`App\Status`,
  created_at: '2026-11-23T05:45:26.000000Z',
  status: {...moderatedPost, visibility: 'unlisted', sensitive: true},
  parent: null,
};

export const instance = {
  id: 1,
  domain: 'bad.example',
  software: 'mastodon',
  unlisted: false,
  auto_cw: false,
  banned: false,
  user_count: 12,
  status_count: 36,
  last_crawled_at: null,
  notes: null,
  created_at: '2026-11-22T02:24:00.000000Z',
};

export const user = {
  id: '142',
  profile_id: account.id,
  name: account.display_name,
  username: account.username,
  is_admin: false,
  email: 'eve@example.com',
  email_verified_at: '2026-11-22T02:24:00.000000Z',
  two_factor_enabled: false,
  register_source: 'app',
  app_register_ip: '192.0.2.7',
  has_interstitial: false,
  last_active_at: null,
  created_at: '2026-11-22T02:24:00.000000Z',
  avatar: account.avatar,
  bio: null,
  statuses_count: 7,
  following_count: 0,
  followers_count: 0,
  is_private: false,
};

export const userMeta = {account, moderation: {unlisted: true, cw: true, no_autolink: false}};
