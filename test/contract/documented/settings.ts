/** Sections 4.6, 4.7, 4.8 and 8 of the API description, with the resources of 2.6, 2.7 and 2.9. */
import {getConfiguration} from '../../../src/lib/api/config.js';
import {listNotifications} from '../../../src/lib/api/notifications.js';
import * as push from '../../../src/lib/api/push.js';
import {row} from '../row.js';

const device = 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]';

const flags = {notify_like: true, notify_follow: false, notify_mention: true, notify_comment: false};
const noFlags = {notify_like: false, notify_follow: false, notify_mention: false, notify_comment: false};
const owner = {username: 'alice', profile_id: '1029249416576589826'};

const follower = {
  id: '1029249417440595971',
  username: 'bob',
  acct: 'bob',
  display_name: 'Bob',
  url: 'https://pix.example/bob',
};

const moreOfAnActor = {
  locked: false,
  bot: false,
  discoverable: true,
  followers_count: 2,
  following_count: 3,
  statuses_count: 4,
  note: '',
  avatar: 'https://pix.example/storage/avatars/bob.jpg',
  avatar_static: 'https://pix.example/storage/avatars/bob.jpg',
  header: 'https://pix.example/storage/headers/missing.png',
  header_static: 'https://pix.example/storage/headers/missing.png',
  emojis: [],
  fields: [],
  created_at: '2026-11-01T00:00:00.000000Z',
  last_status_at: '2026-11-20T04:00:00.000Z',
};

const status = {
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
  media_attachments: [{id: '6', type: 'image', url: 'https://pix.example/storage/m/6.jpg'}],
  account: {id: '1029249416576589826', username: 'alice', acct: 'alice'},
};

export const rows = [
  row('config', getConfiguration, {
    requests: [{input: {}, sends: 'GET /api/v2.1/config'}],
    answer: {
      version: '0.13.0',
      oauth: true,
      signup: {curated: false, mobile_registration: false},
      features: {stories: true, video: false, timelines: {local: true, network: true}},
      limits: {
        account: {max_avatar_size: 2000, max_bio_length: 125, max_name_length: 30, min_password_length: 8},
        collections: {max_collection_length: 100},
        direct_messages: {
          max_characters: 2000,
          max_media_attachments: 4,
          group_chats: {enabled: true, max_participants: 10},
        },
        media: {
          image_size_limit: 15_360_000,
          video_size_limit: 15_360_000,
          max_album_limit: 4,
          max_alt_text_length: 1000,
          supported_mime_types: ['image/jpeg', 'image/png', 'image/webp', 'video/mp4'],
        },
        statuses: {max_characters: 500},
      },
    },
  }),
  row('push state', push.getPushState, {
    requests: [{input: {}, sends: 'GET /api/v1.1/push/state'}],
    answer: {version: '1.0', ...owner, notify_enabled: true, has_token: true, ...flags},
  }),
  row('push compare', push.comparePushToken, {
    requests: [
      {
        input: {body: {provider_token: device}},
        sends: 'POST /api/v1.1/push/compare',
        // The description has the first name, servers read the second.
        json: {provider_token: device, expo_token: device},
      },
    ],
    answer: {version: '1.0', ...owner, notify_enabled: true, match: false, has_existing: true},
  }),
  row('push update', push.updatePushSettings, {
    requests: [
      {
        input: {body: {token: device, notify_enabled: true, ...flags}},
        sends: 'POST /api/v1.1/push/update',
        json: {
          token: device,
          notify_enabled: true,
          notify_like: true,
          notify_follow: false,
          notify_mention: true,
          notify_comment: false,
        },
      },
      {
        input: {body: {token: device, notify_enabled: false}},
        sends: 'POST /api/v1.1/push/update',
        json: {token: device, notify_enabled: false},
      },
    ],
    answer: {version: '1.0', notify_enabled: true, has_token: true, ...flags},
  }),
  row('push disable', push.disablePush, {
    requests: [{input: {}, sends: 'POST /api/v1.1/push/disable'}],
    answer: {version: '1.0', ...owner, notify_enabled: false, has_token: false, ...noFlags},
  }),
  row('notifications list', listNotifications, {
    requests: [
      {
        input: {query: {limit: 40, max_id: '25', min_id: '3', since_id: '2', types: ['mention', 'favourite']}},
        sends: 'GET /api/v1/notifications?limit=40&max_id=25&min_id=3&since_id=2&types[]=mention&types[]=favourite',
      },
      {input: {}, sends: 'GET /api/v1/notifications'},
    ],
    answer: [
      {
        id: '25',
        type: 'favourite',
        created_at: '2026-11-20T04:33:30.000Z',
        account: {...follower, ...moreOfAnActor},
        status,
      },
      {id: '6', type: 'follow', created_at: '2026-11-20T04:32:50.000Z', account: follower},
    ],
    mayLack: ['*.status', ...Object.keys(moreOfAnActor).map((name) => `*.account.${name}`)],
  }),
];
