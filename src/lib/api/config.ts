import {endpoint} from './endpoint.js';
import {configuration} from './entities.js';

export const getConfiguration = endpoint({
  name: 'get configuration',
  section: 'Configuration',
  method: 'GET',
  path: '/api/v2.1/config',
  scope: null,
  anonymous: true,
  errors: {
    hints: [
      {
        on: 'unknown_route',
        hint: 'servers before 2026 have no such configuration: see',
        use: () => ({command: 'api GET /api/v1/instance'}),
      },
    ],
  },
  output: configuration,
  example: {
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
        supported_mime_types: ['image/jpeg', 'image/png', 'image/webp', 'video/mp4'],
      },
      statuses: {max_characters: 500},
    },
  },
});
