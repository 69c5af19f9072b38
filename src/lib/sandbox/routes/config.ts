/** The configuration of the server. Clients ask older servers for the instance instead. */
import {getConfiguration} from '../../api/config.js';
import {getInstance} from '../../api/internal.js';
import {fileKilobytes, supportedMimeTypes} from '../payloads.js';
import {route, type Route} from '../route.js';

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

export const routes: readonly Route[] = [
  route(getConfiguration, ({world: {facts}}) => ({body: {...documented, version: facts.version, oauth: facts.oauth}})),
  // The domains that the server blocks, in Mastodon's API.
  route({method: 'GET', path: '/api/v1/instance/domain_blocks', scope: null, anonymous: true}, ({world}) => ({
    body: world.publishedBlocks,
  })),
  route(getInstance, ({world}) => ({
    body: {
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
    },
  })),
];
