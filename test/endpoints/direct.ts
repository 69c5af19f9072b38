import * as direct from '../../src/lib/api/direct.js';
import {account, conversation, message} from '../e2e/demo-world.js';
import * as examples from './examples.js';
import {alike, limits, made, row, type Row, type Sent, since2026} from './row.js';

const conversations = '/api/v1.1/direct/conversations';
const id = '1029252276481310721';
const messageId = '1029252278985043971';
const people = ['1029249417440595971', '1029249418341621765'];

const withBob = conversation('bob').id;
const withSly = conversation('sly').id;
const group = conversation('bob', 'clara', 'eiko').id;
const hidden = conversation('lena').id;
const mine = message('Ah.');

const uploaded: Sent = {line: 'POST /api/v2/media', form: {file: 'harbour.jpg image/jpeg 20'}};

/** A command that takes conversations, and the request of the same name. */
function action(
  verb: string,
  endpoint: typeof direct.acceptConversation,
  acts: {readonly on: string; readonly after: object; readonly shows: string; readonly says: string; readonly asks?: true},
): Row {
  return row(`dm ${verb}`, endpoint, {
    answer: {...examples.conversationSummary, ...acts.after},
    takes: 'ID...',
    scope: 'write',
    ...(acts.asks && {asks: acts.asks}),
    requests: [{input: {path: {id}}, sends: `POST ${conversations}/${id}/${verb}`}],
    ...since2026({
      args: ['dm', verb, acts.on, ...(acts.asks ? ['--yes'] : [])],
      sent: [{line: `POST ${conversations}/${acts.on}/${verb}`}],
      shows: [`id         ${acts.on}`, acts.shows],
      says: `${acts.says} conversation ${acts.on}.\n`,
    }),
  });
}

export const rows: readonly Row[] = [
  row('dm unread-count', direct.unreadCount, {
    answer: {primary: 3, requests: 1},
    takes: '',
    scope: 'read',
    requests: [{input: {}, sends: 'GET /api/v1.1/direct/unread_count'}],
    ...since2026({
      args: ['dm', 'unread-count'],
      sent: [{line: 'GET /api/v1.1/direct/unread_count'}],
      shows: ['primary   2', 'requests  1'],
    }),
  }),
  row('dm list', direct.listConversations, {
    answer: {
      data: [
        {
          ...examples.conversation,
          type: 'group',
          participants: [examples.listConversationParticipant(examples.bob), examples.listConversationParticipant(examples.carol)],
          participant_count: 3,
          last_message: examples.message,
        },
        {
          ...examples.conversation,
          participants: [examples.listConversationParticipant(examples.bob)],
          last_message: null,
          last_read_message_id: examples.message.id,
        },
      ],
      meta: {filter: 'primary', next_cursor: 'eyJpZCI6Nn0', prev_cursor: null},
    },
    takes: '| --filter --limit --cursor',
    scope: 'read',
    requests: [
      {
        input: {query: {filter: 'primary', limit: 2, cursor: 'eyJpZCI6OH0'}},
        sends: `GET ${conversations}?filter=primary&limit=2&cursor=eyJpZCI6OH0`,
      },
      {input: {}, sends: `GET ${conversations}`},
    ],
    mayLack: [
      'data.*.participants.*.locked',
      'data.*.participants.*.url',
      ...['conversation_id', 'media', 'meta', 'sensitive', 'in_reply_to_id', 'edited_at'].map((name) => `data.*.last_message.${name}`),
    ],
    ...since2026({
      args: ['dm', 'list', '--filter', 'primary', '--limit', '20'],
      sent: [{line: `GET ${conversations}?filter=primary&limit=20`}],
      shows: ['last message', withBob, '@bob, @clara, @eiko', 'Shall I bring the next one on Saturday?'],
    }),
  }),
  row('dm start', direct.startConversation, {
    answer: {...examples.conversation, unread_count: 0, last_message: null},
    takes: 'RECIPIENT... | --input',
    scope: 'write',
    required: {body: ['recipient_ids']},
    requests: [{input: {body: {recipient_ids: people}}, sends: `POST ${conversations}`}],
    ...since2026({
      args: ['dm', 'start', account('ivo'), account('juno')],
      sent: [limits, {line: `POST ${conversations}`, json: {recipient_ids: [account('ivo'), account('juno')]}}],
      shows: ['group', '@ivo, @juno'],
      says: `Opened conversation ${made} with account ${account('ivo')}, account ${account('juno')}.\n`,
    }),
  }),
  row('dm get', direct.getConversation, {
    answer: examples.conversation,
    takes: 'ID',
    scope: 'read',
    requests: [{input: {path: {id}}, sends: `GET ${conversations}/${id}`}],
    ...since2026({
      args: ['dm', 'get', withSly],
      sent: [{line: `GET ${conversations}/${withSly}`}],
      shows: ['@sly', 'request', String.raw`You have won! ␛[2J␛[H Open \u202egnp.exe`],
    }),
  }),
  row('dm messages', direct.listMessages, {
    answer: {
      data: [
        {...examples.message, in_reply_to_id: examples.message.id, edited_at: '2026-11-20T04:42:00.000Z'},
        {...examples.message, type: 'photo', media: []},
      ],
      meta: {has_more: false, newest_id: '1029252282444533776', oldest_id: examples.message.id},
    },
    takes: 'ID | --limit --max-id --min-id --follow --interval --since-file',
    scope: 'read',
    requests: [
      {
        input: {path: {id}, query: {limit: 50, max_id: '1029252282444533776', min_id: '1'}},
        sends: `GET ${conversations}/${id}/messages?limit=50&max_id=1029252282444533776&min_id=1`,
      },
      {input: {path: {id}}, sends: `GET ${conversations}/${id}/messages`},
    ],
    ...since2026({
      args: ['dm', 'messages', withBob, '--limit', '3', '--max-id', mine],
      sentForPeople: [`GET ${conversations}/${withBob}`],
      sent: [{line: `GET ${conversations}/${withBob}/messages?limit=3&max_id=${mine}`}],
      shows: ['A black dog, to be clear.', 'What did you meter on?', 'you', '@bob'],
    }),
  }),
  row('dm send', direct.sendMessage, {
    answer: {...examples.message, is_author: true},
    takes: 'ID MESSAGE | --media-id* --media* --in-reply-to --sensitive --type --input',
    scope: 'write',
    requests: [
      {
        input: {
          path: {id},
          body: {message: 'Grüße 👋', media_ids: ['6'], in_reply_to_id: messageId, sensitive: false, type: 'text'},
        },
        sends: `POST ${conversations}/${id}/messages`,
      },
      {input: {path: {id}, body: {media_ids: ['6']}}, sends: `POST ${conversations}/${id}/messages`},
    ],
    ...since2026({
      args: ['dm', 'send', withBob, 'Low tide 🌊', '--media', 'harbour.jpg', '--in-reply-to', mine, '--sensitive'],
      sent: [
        limits,
        uploaded,
        {
          line: `POST ${conversations}/${withBob}/messages`,
          json: {message: 'Low tide 🌊', media_ids: ['5'], in_reply_to_id: mine, sensitive: true},
        },
      ],
      shows: ['sensitive     yes', 'Low tide 🌊 [photo]', '5   image'],
      says: `Sent message ${made} to conversation ${withBob}.\n`,
    }),
  }),
  row('dm delete-message', direct.deleteMessage, {
    answer: {deleted: true},
    takes: 'ID MESSAGE_ID...',
    scope: 'write',
    asks: true,
    requests: [{input: {path: {id, messageId}}, sends: `DELETE ${conversations}/${id}/messages/1029252278985043971`}],
    ...since2026({
      args: ['dm', 'delete-message', withBob, mine, '--yes'],
      sent: [{line: `DELETE ${conversations}/${withBob}/messages/${mine}`}],
      shows: [],
      says: `Deleted message ${mine}.\n`,
    }),
  }),
  row('dm read', direct.readConversation, {
    answer: examples.conversationSummary,
    takes: 'ID... | --message-id --input',
    scope: 'write',
    requests: [
      {input: {path: {id}, body: {message_id: messageId}}, sends: `POST ${conversations}/${id}/read`},
      {input: {path: {id}}, sends: `POST ${conversations}/${id}/read`},
    ],
    ...since2026({
      args: ['dm', 'read', withBob, '--message-id', mine],
      sent: [{line: `POST ${conversations}/${withBob}/read`, json: {message_id: mine}}],
      shows: [withBob, 'unread     2'],
      says: `Marked conversation ${withBob} as read up to message ${mine}.\n`,
    }),
  }),
  action('accept', direct.acceptConversation, {on: withSly, after: {state: 'active'}, shows: 'state      active', says: 'Accepted'}),
  action('mute', direct.muteConversation, {on: withBob, after: {muted: true}, shows: 'muted      yes', says: 'Muted'}),
  action('unmute', direct.unmuteConversation, {on: withBob, after: {muted: false}, shows: 'muted      no', says: 'Unmuted'}),
  action('hide', direct.hideConversation, {on: withBob, after: {hidden: true}, shows: 'hidden     yes', says: 'Hid'}),
  action('unhide', direct.unhideConversation, {on: hidden, after: {hidden: false}, shows: 'hidden     no', says: 'Unhid'}),
  action('leave', direct.leaveConversation, {on: group, after: {state: 'left'}, shows: 'state      left', says: 'Left', asks: true}),
  row('dm mutuals', direct.listMutuals, {
    answer: {
      data: [{...examples.listConversationParticipant(examples.bob), followers_count: 2, following_count: 3}],
      has_more: true,
      next_cursor: 12,
      total_count: 40,
    },
    takes: '| --cursor',
    requests: [
      {input: {query: {cursor: '1029249432143478804'}}, sends: 'GET /api/v1.1/direct/compose/mutuals?cursor=1029249432143478804'},
      {input: {}, sends: 'GET /api/v1.1/direct/compose/mutuals'},
    ],
    ...alike({
      args: ['dm', 'mutuals', '--cursor', '1029249417440595971'],
      sent: [{line: 'GET /api/v1.1/direct/compose/mutuals?cursor=1029249417440595971'}],
      shows: ['followers', '@eiko', '映子 🌸'],
    }),
  }),
  row('dm lookup', direct.lookUpRecipients, {
    answer: [examples.recipient],
    takes: 'QUERY | --remote --native --input',
    required: {body: ['q']},
    requests: [
      {input: {query: {_pe: true}, body: {q: '@bob@pix.example', remote: true}}, sends: 'POST /api/v1.1/direct/lookup?_pe=1'},
      {input: {body: {q: 'bo'}}, sends: 'POST /api/v1.1/direct/lookup'},
    ],
    ...alike({
      args: ['dm', 'lookup', 'pixel.example', '--native', '--remote'],
      sent: [{line: 'POST /api/v1.1/direct/lookup?_pe=1', json: {q: 'pixel.example', remote: true}}],
      shows: ['@marie@pixel.example.fr', 'another'],
    }),
  }),
];
