/** What a server tells of itself, and its push notifications. Clients ask older servers for the instance instead of the configuration. */
import {getConfiguration} from '../../api/config.js';
import {getInstance} from '../../api/internal.js';
import {comparePushToken, disablePush, getPushState, updatePushSettings} from '../../api/push.js';
import type {Rule} from '../input.js';
import {fileKilobytes, supportedMimeTypes} from '../payloads.js';
import {type Call, keepPerWorld, route, type Route, unchecked} from '../route.js';

const description = 'Pixelfed is an image sharing platform, an ethical alternative to centralized platforms.';
const bytes = fileKilobytes * 1024;

export const documented = {
  version: '0.13.0',
  oauth: true,
  signup: {curated: false, mobile_registration: false},
  features: {stories: false, video: false, timelines: {local: true, network: true}},
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
      supported_mime_types: supportedMimeTypes,
    },
    statuses: {max_characters: 500},
  },
};

const open = {method: 'GET', scope: null, anonymous: true} as const;

const flags = ['notify_enabled', 'notify_like', 'notify_follow', 'notify_mention', 'notify_comment'] as const;

const pushToken: Rule = ({name, value}) =>
  !/^(?:ExponentPushToken\[.{7,}\]|ExpoPushToken\[.*\])$/.test(String(value)) && `The ${name} is not a valid push token.`;

interface PushSettings {
  token: string | null;
  readonly wanted: Record<(typeof flags)[number], boolean>;
}

const settingsOn = keepPerWorld(() => new Map<string, PushSettings>());

/** The settings of the viewer. */
function settingsOf({world, viewer}: Call): PushSettings {
  const wanted = {notify_enabled: false, notify_like: true, notify_follow: true, notify_mention: true, notify_comment: true};
  const settings = settingsOn(world).get(viewer.id) ?? {token: null, wanted};
  settingsOn(world).set(viewer.id, settings);
  return settings;
}

const version = '1.0';
const owner = ({viewer}: Call) => ({version, username: viewer.username, profile_id: viewer.id});
const payload = ({token, wanted: {notify_enabled, ...kinds}}: PushSettings) => ({notify_enabled, has_token: token !== null, ...kinds});

export const routes: readonly Route[] = [
  route(getConfiguration, ({world: {facts}}) => ({...documented, version: facts.version})),
  // The domains that the server blocks, in Mastodon's API.
  route({...open, path: '/api/v1/instance/domain_blocks'}, ({world}) => world.publishedBlocks),
  route(getInstance, ({world}) => ({
    uri: world.host,
    title: 'Pixelfed',
    short_description: description,
    description,
    email: null,
    version: world.facts.apiVersion,
    urls: {streaming_api: null},
    stats: {user_count: world.accounts.size, status_count: world.posts.size, domain_count: 0},
    thumbnail: '/storage/headers/default.jpg',
    languages: ['en'],
    registrations: false,
    approval_required: false,
    contact_account: null,
    rules: [],
    mobile_registration: false,
    configuration: {
      media_attachments: {
        image_matrix_limit: 2_073_600,
        image_size_limit: bytes,
        supported_mime_types: supportedMimeTypes,
        video_frame_rate_limit: 120,
        video_matrix_limit: 2_073_600,
        video_size_limit: bytes,
      },
      polls: {max_characters_per_option: 50, max_expiration: 2_629_746, max_options: 4, min_expiration: 300},
      statuses: {characters_reserved_per_url: 23, max_characters: 500, max_media_attachments: 4},
    },
  })),

  route({...open, path: '/api/v1.1/nag/state'}, () => ({active: true})),
  route(getPushState, (call) => ({...owner(call), ...payload(settingsOf(call))})),
  route(
    unchecked(comparePushToken),
    (call) => {
      const {token, wanted} = settingsOf(call);
      const match = token === call.text('expo_token');
      return {...owner(call), notify_enabled: wanted.notify_enabled, match, has_existing: token !== null};
    },
    {expo_token: ['required', pushToken]},
  ),
  route(
    unchecked(updatePushSettings),
    (call) => {
      const settings = settingsOf(call);
      settings.token = call.text('token');
      for (const flag of flags) if (call.text(flag) !== '') settings.wanted[flag] = ['1', 'true', 'on', 'yes'].includes(call.text(flag));
      return {version, ...payload(settings)};
    },
    {notify_enabled: ['required'], token: ['required', pushToken]},
  ),
  route(disablePush, (call) => {
    const settings = settingsOf(call);
    settings.token = null;
    for (const flag of flags) settings.wanted[flag] = false;
    return {...owner(call), ...payload(settings)};
  }),
];
