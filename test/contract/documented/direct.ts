/** Section 4.1 of the API description, with the resources of 2.1, 2.2 and 2.8. */
import * as direct from '../../../src/lib/api/direct.js';
import {row} from '../row.js';

const id = '1029252276481310721';
const messageId = '1029252278985043971';
const conversations = '/api/v1.1/direct/conversations';

const bob = {
  id: '1029249417440595971',
  username: 'bob',
  acct: 'bob',
  display_name: 'Bob',
  avatar: 'https://pix.example/storage/avatars/bob.jpg',
  local: true,
};

const carol = {...bob, id: '1029249418341621765', username: 'carol', acct: 'carol@other.example', local: false};

/** The list of conversations says more of a participant than a single conversation does. */
const listed = (participant: typeof bob) => ({...participant, locked: false, url: 'https://pix.example/bob'});

const reducedMessage = {
  id: messageId,
  sender_id: bob.id,
  is_author: false,
  type: 'text',
  text: 'Hello',
  created_at: '2026-11-20T04:41:06.000Z',
};

const message = {
  ...reducedMessage,
  conversation_id: id,
  media: [
    {
      id: '6',
      type: 'image',
      url: 'https://pix.example/storage/m/6.jpg',
      preview_url: 'https://pix.example/storage/m/6_thumb.jpg',
      description: null,
      mime: 'image/jpeg',
      blurhash: 'U4Rfzst8?bt7ogayj[j[~pfQ9Goe%Mj[WBay',
    },
  ],
  meta: null,
  sensitive: false,
  in_reply_to_id: null,
  edited_at: null,
};

const onlyInFullMessages = ['conversation_id', 'media', 'meta', 'sensitive', 'in_reply_to_id', 'edited_at'];

const conversation = {
  id,
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

const summary = {id, state: 'active', unread_count: 0, muted: false, hidden: false, last_read_message_id: messageId};

const action = (verb: string) => ({
  requests: [{input: {path: {id}}, sends: `POST ${conversations}/${id}/${verb}`}] as const,
});

export const rows = [
  row('dm unread-count', direct.unreadCount, {
    requests: [{input: {}, sends: 'GET /api/v1.1/direct/unread_count'}],
    answer: {primary: 3, requests: 1},
  }),
  row('dm list', direct.listConversations, {
    requests: [
      {
        input: {query: {filter: 'primary', limit: 2, cursor: 'eyJpZCI6OH0'}},
        sends: `GET ${conversations}?filter=primary&limit=2&cursor=eyJpZCI6OH0`,
      },
      {input: {}, sends: `GET ${conversations}`},
    ],
    answer: {
      data: [
        {
          ...conversation,
          type: 'group',
          participants: [listed(bob), listed(carol)],
          participant_count: 3,
          last_message: message,
        },
        {...conversation, participants: [listed(bob)], last_message: null, last_read_message_id: messageId},
      ],
      meta: {filter: 'primary', next_cursor: 'eyJpZCI6Nn0', prev_cursor: null},
    },
    mayLack: [
      'data.*.participants.*.locked',
      'data.*.participants.*.url',
      ...onlyInFullMessages.map((name) => `data.*.last_message.${name}`),
    ],
  }),
  row('dm start', direct.startConversation, {
    requests: [
      {
        input: {body: {recipient_ids: [bob.id, carol.id]}},
        sends: `POST ${conversations}`,
        json: {recipient_ids: ['1029249417440595971', '1029249418341621765']},
      },
    ],
    answer: {...conversation, unread_count: 0, last_message: null},
  }),
  row('dm get', direct.getConversation, {
    requests: [{input: {path: {id}}, sends: `GET ${conversations}/${id}`}],
    answer: conversation,
  }),
  row('dm messages', direct.listMessages, {
    requests: [
      {
        input: {path: {id}, query: {limit: 50, max_id: '1029252282444533776', min_id: '1'}},
        sends: `GET ${conversations}/${id}/messages?limit=50&max_id=1029252282444533776&min_id=1`,
      },
      {input: {path: {id}}, sends: `GET ${conversations}/${id}/messages`},
    ],
    answer: {
      data: [
        {...message, in_reply_to_id: messageId, edited_at: '2026-11-20T04:42:00.000Z'},
        {...message, type: 'photo', media: []},
      ],
      meta: {has_more: false, newest_id: '1029252282444533776', oldest_id: messageId},
    },
  }),
  row('dm send', direct.sendMessage, {
    requests: [
      {
        input: {
          path: {id},
          body: {message: 'Grüße 👋', media_ids: ['6'], in_reply_to_id: messageId, sensitive: false, type: 'text'},
        },
        sends: `POST ${conversations}/${id}/messages`,
        json: {message: 'Grüße 👋', media_ids: ['6'], in_reply_to_id: messageId, sensitive: false, type: 'text'},
      },
      {
        input: {path: {id}, body: {media_ids: ['6']}},
        sends: `POST ${conversations}/${id}/messages`,
        json: {media_ids: ['6']},
      },
    ],
    answer: {...message, is_author: true},
  }),
  row('dm delete-message', direct.deleteMessage, {
    requests: [{input: {path: {id, messageId}}, sends: `DELETE ${conversations}/${id}/messages/1029252278985043971`}],
    answer: {deleted: true},
  }),
  row('dm read', direct.readConversation, {
    requests: [
      {
        input: {path: {id}, body: {message_id: messageId}},
        sends: `POST ${conversations}/${id}/read`,
        json: {message_id: '1029252278985043971'},
      },
      {input: {path: {id}}, sends: `POST ${conversations}/${id}/read`},
    ],
    answer: summary,
  }),
  row('dm accept', direct.acceptConversation, {...action('accept'), answer: {...summary, last_read_message_id: null}}),
  row('dm mute', direct.muteConversation, {...action('mute'), answer: {...summary, muted: true}}),
  row('dm unmute', direct.unmuteConversation, {...action('unmute'), answer: summary}),
  row('dm hide', direct.hideConversation, {...action('hide'), answer: {...summary, hidden: true}}),
  row('dm unhide', direct.unhideConversation, {...action('unhide'), answer: summary}),
  row('dm leave', direct.leaveConversation, {...action('leave'), answer: {...summary, state: 'left'}}),
  row('dm mutuals', direct.listMutuals, {
    requests: [
      {
        input: {query: {cursor: '1029249432143478804'}},
        sends: 'GET /api/v1.1/direct/compose/mutuals?cursor=1029249432143478804',
      },
      {input: {}, sends: 'GET /api/v1.1/direct/compose/mutuals'},
    ],
    answer: {
      data: [{...listed(bob), followers_count: 2, following_count: 3}],
      has_more: true,
      next_cursor: 12,
      total_count: 40,
    },
  }),
  row('dm lookup', direct.lookUpRecipients, {
    requests: [
      {
        input: {query: {_pe: true}, body: {q: '@bob@pix.example', remote: true}},
        sends: 'POST /api/v1.1/direct/lookup?_pe=1',
        json: {q: '@bob@pix.example', remote: true},
      },
      {input: {body: {q: 'bo'}}, sends: 'POST /api/v1.1/direct/lookup', json: {q: 'bo'}},
    ],
    answer: [
      {
        local: true,
        id: bob.id,
        name: '@bob',
        privacy: true,
        avatar: bob.avatar,
        account: {...bob, url: 'https://pix.example/bob'},
      },
    ],
  }),
];
