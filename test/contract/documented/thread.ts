/** Section 4.2 of the API description, with the resources of 2.3. */
import {fileURLToPath} from 'node:url';
import * as thread from '../../../src/lib/api/thread.js';
import {row} from '../row.js';

const path = '/api/v1.1/direct/thread';
const pid = '1029249417440595971';
const sid = '1029250200562937884';
const photo = fileURLToPath(new URL('photo.jpg', import.meta.url));

const legacyMessage = {
  id: sid,
  hidden: false,
  isAuthor: true,
  type: 'text',
  text: 'Hello',
  media: null,
  carousel: [],
  created_at: '2026-11-20T04:35:54+00:00',
  timeAgo: '2m',
  seen: false,
  reportId: sid,
  meta: null,
};

export const rows = [
  row('thread get', thread.getThread, {
    requests: [
      {input: {query: {pid, max_id: '9', min_id: '2'}}, sends: `GET ${path}?pid=${pid}&max_id=9&min_id=2`},
      {input: {query: {pid}}, sends: `GET ${path}?pid=${pid}`},
    ],
    answer: {
      id: pid,
      name: 'Bob',
      username: 'bob',
      avatar: 'https://pix.example/storage/avatars/bob.jpg',
      url: 'https://pix.example/bob',
      muted: false,
      isLocal: true,
      domain: null,
      created_at: '2026-11-20T04:35:54+00:00',
      updated_at: '2026-11-20T04:35:54+00:00',
      timeAgo: '2m',
      lastMessage: '',
      messages: [legacyMessage, {...legacyMessage, media: 'https://pix.example/storage/m/6.jpg', type: 'photo'}],
      conversation_id: '1029252276481310721',
    },
    anyType: ['messages.*.media'],
  }),
  row('thread send', thread.sendThreadMessage, {
    requests: [
      {
        input: {body: {to_id: pid, message: 'Hello', type: 'text'}},
        sends: `POST ${path}/send`,
        json: {to_id: '1029249417440595971', message: 'Hello', type: 'text'},
      },
    ],
    answer: legacyMessage,
    anyType: ['media'],
  }),
  row('thread send-media', thread.sendThreadMedia, {
    requests: [
      {
        input: {body: {file: photo, to_id: pid, message: 'Grüße 👋'}},
        sends: `POST ${path}/media`,
        form: [
          ['file', 'photo.jpg image/jpeg'],
          ['to_id', '1029249417440595971'],
          ['message', 'Grüße 👋'],
        ],
      },
      {
        input: {body: {file: photo, to_id: pid}},
        sends: `POST ${path}/media`,
        form: [
          ['file', 'photo.jpg image/jpeg'],
          ['to_id', '1029249417440595971'],
        ],
      },
    ],
    answer: {id: sid, reportId: sid, type: 'photo', url: 'https://pix.example/storage/m/6.jpg'},
  }),
  row('thread read', thread.readThread, {
    requests: [{input: {body: {pid, sid}}, sends: `POST ${path}/read`, json: {pid, sid}}],
    answer: [sid],
  }),
  row('thread delete-message', thread.deleteThreadMessage, {
    requests: [{input: {body: {id: sid}}, sends: `DELETE ${path}/message`, json: {id: sid}}],
    answer: [200],
  }),
  row('thread mute', thread.muteThread, {
    requests: [{input: {body: {id: pid}}, sends: `POST ${path}/mute`, json: {id: pid}}],
    answer: [200],
  }),
  row('thread unmute', thread.unmuteThread, {
    requests: [{input: {body: {id: pid}}, sends: `POST ${path}/unmute`, json: {id: pid}}],
    answer: [200],
  }),
];
