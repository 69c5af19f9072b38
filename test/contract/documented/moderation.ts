/** Sections 4.3, 4.4 and 4.5 of the API description, with the resources of 2.4 and 2.5; and blocking and muting accounts, which is not in it. */
import * as blocks from '../../../src/lib/api/blocks.js';
import * as filters from '../../../src/lib/api/filters.js';
import {report} from '../../../src/lib/api/report.js';
import {row, type Row} from '../row.js';

const mutedAccount = {
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

const blockedAccount = {
  ...mutedAccount,
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

const filter = {
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

/** As real servers answer. */
const relationship = {
  id: '1029249418857295878',
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

function accountAction(command: string, endpoint: typeof blocks.addBlock, verb: string): Row {
  const {id} = relationship;
  return row(command, endpoint, {
    requests: [{input: {path: {id}}, sends: `POST /api/v1/accounts/${id}/${verb}`}],
    answer: relationship,
  });
}

export const rows = [
  accountAction('blocks add', blocks.addBlock, 'block'),
  accountAction('blocks remove', blocks.removeBlock, 'unblock'),
  accountAction('mutes add', blocks.addMute, 'mute'),
  accountAction('mutes remove', blocks.removeMute, 'unmute'),
  row('blocks list', blocks.listBlocks, {
    requests: [
      {input: {query: {limit: 2, page: 3}}, sends: 'GET /api/v1/blocks?limit=2&page=3'},
      {input: {}, sends: 'GET /api/v1/blocks'},
    ],
    answer: [blockedAccount, {...blockedAccount, note_text: 'Hello', website: null}],
  }),
  row('mutes list', blocks.listMutes, {
    requests: [
      {input: {query: {limit: 2, page: 3}}, sends: 'GET /api/v1/mutes?limit=2&page=3'},
      {input: {}, sends: 'GET /api/v1/mutes'},
    ],
    answer: [mutedAccount],
  }),
  row('domain-blocks list', blocks.listDomainBlocks, {
    requests: [
      {input: {query: {limit: 200, cursor: 'eyJpZCI6OH0'}}, sends: 'GET /api/v1/domain_blocks?limit=200&cursor=eyJpZCI6OH0'},
      {input: {}, sends: 'GET /api/v1/domain_blocks'},
    ],
    answer: ['spam.example', 'other.example'],
  }),
  row('domain-blocks add', blocks.addDomainBlock, {
    requests: [
      {
        input: {body: {domain: 'https://spam.example'}},
        sends: 'POST /api/v1/domain_blocks',
        json: {domain: 'https://spam.example'},
      },
    ],
    answer: [],
  }),
  row('domain-blocks remove', blocks.removeDomainBlock, {
    requests: [{input: {body: {domain: 'spam.example'}}, sends: 'DELETE /api/v1/domain_blocks', json: {domain: 'spam.example'}}],
    answer: [],
  }),
  row('filters list-legacy', filters.listLegacyFilters, {
    requests: [{input: {}, sends: 'GET /api/v1/filters'}],
    answer: [],
  }),
  row('filters list', filters.listFilters, {
    requests: [{input: {}, sends: 'GET /api/v2/filters'}],
    answer: [filter, {...filter, id: '30', expires_at: null, filter_action: 'hide', keywords: []}],
  }),
  row('filters get', filters.getFilter, {
    requests: [{input: {path: {id: '29'}}, sends: 'GET /api/v2/filters/29'}],
    answer: filter,
  }),
  row('filters create', filters.createFilter, {
    requests: [
      {
        input: {
          body: {
            title: 'Spoilers',
            context: ['home', 'public'],
            filter_action: 'hide',
            expires_in: 604_800,
            keywords_attributes: [{keyword: 'finale', whole_word: true}],
          },
        },
        sends: 'POST /api/v2/filters',
        json: {
          title: 'Spoilers',
          context: ['home', 'public'],
          filter_action: 'hide',
          expires_in: 604_800,
          keywords_attributes: [{keyword: 'finale', whole_word: true}],
        },
      },
      {
        input: {body: {title: 'Spoilers', context: ['home'], keywords_attributes: [{keyword: 'finale'}]}},
        sends: 'POST /api/v2/filters',
        json: {title: 'Spoilers', context: ['home'], keywords_attributes: [{keyword: 'finale'}]},
      },
    ],
    answer: filter,
  }),
  row('filters update', filters.updateFilter, {
    requests: [
      {
        input: {
          path: {id: '29'},
          body: {
            title: 'Spoilers 2',
            context: ['home'],
            filter_action: 'warn',
            expires_in: 0,
            keywords_attributes: [
              {id: 41, _destroy: true},
              {id: 42, keyword: 'ending'},
              {keyword: 'new', whole_word: false},
            ],
          },
        },
        sends: 'PUT /api/v2/filters/29',
        json: {
          title: 'Spoilers 2',
          context: ['home'],
          filter_action: 'warn',
          expires_in: 0,
          keywords_attributes: [
            {id: 41, _destroy: true},
            {id: 42, keyword: 'ending'},
            {keyword: 'new', whole_word: false},
          ],
        },
      },
      {
        input: {path: {id: '29'}, body: {title: 'Spoilers 2'}},
        sends: 'PUT /api/v2/filters/29',
        json: {title: 'Spoilers 2'},
      },
    ],
    answer: {...filter, title: 'Spoilers 2', expires_at: null},
  }),
  row('filters delete', filters.deleteFilter, {
    requests: [{input: {path: {id: '29'}}, sends: 'DELETE /api/v2/filters/29'}],
    answer: {},
  }),
  row('report', report, {
    requests: [
      {
        input: {body: {object_type: 'post', object_id: '1029249433810030615', report_type: 'spam', message: 'Look'}},
        sends: 'POST /api/v1.1/report',
        json: {object_type: 'post', object_id: '1029249433810030615', report_type: 'spam', message: 'Look'},
      },
      {
        input: {body: {object_type: 'user', object_id: '7', report_type: 'scam'}},
        sends: 'POST /api/v1.1/report',
        json: {object_type: 'user', object_id: '7', report_type: 'scam'},
      },
    ],
    answer: {msg: 'Successfully sent report', code: 200},
  }),
];
