/** What is shown to people of each kind of answer. */
import type {Column, ListView, RecordView, View} from './columns.js';

const id: Column = {header: 'id', path: 'id'};
const reportId: Column = {header: 'report id', path: 'reportId'};
const account: Column = {header: 'account', path: 'acct', kind: 'account', flexible: true};
const displayName: Column = {header: 'name', path: 'display_name', flexible: true, priority: 3};
const followers: Column = {header: 'followers', path: 'followers_count', kind: 'number', priority: 4};
const posts: Column = {header: 'posts', path: 'statuses_count', kind: 'number', priority: 5};
const locked: Column = {header: 'locked', path: 'locked', words: ['locked', 'open'], priority: 6};
const participants: Column = {header: 'with', path: 'participants', kind: 'accounts', flexible: true};
const lastMessage: Column = {header: 'last message', path: 'last_message', kind: 'message', flexible: true, preferred: 30, priority: 2};
const sent: Column = {header: 'sent', path: 'created_at', kind: 'time', priority: 3};
const said: Column = {header: 'message', path: '', kind: 'message', flexible: true};
/** In a list it has the most room: all else can be asked for. */
const saidInList: Column = {...said, preferred: 50};
const sender: Column = {header: 'from', path: '', kind: 'sender', flexible: true, usual: 20};

const conversationState: readonly Column[] = [
  {header: 'state', path: 'state'},
  {header: 'unread', path: 'unread_count', kind: 'number'},
  {header: 'muted', path: 'muted'},
  {header: 'hidden', path: 'hidden'},
  {header: 'last read', path: 'last_read_message_id'},
];

const keywords: ListView = {
  kind: 'list',
  columns: [id, {header: 'keyword', path: 'keyword', flexible: true}, {header: 'whole word', path: 'whole_word', priority: 2}],
  empty: 'No keywords.',
};

const legacyMessages: ListView = {
  kind: 'list',
  columns: [
    {...reportId, priority: 4},
    sender,
    {header: 'seen', path: 'seen', words: ['seen', '–'], priority: 5},
    sent,
    {header: 'photos', path: 'carousel', kind: 'count', priority: 6},
    saidInList,
  ],
  empty: 'No messages.',
};

const findingFields: readonly Column[] = [
  {header: 'rule', path: 'rule', priority: 4},
  {header: 'what', path: 'subject', flexible: true, least: 24},
  {header: 'wanted', path: 'wanted', flexible: true, priority: 3},
  {header: 'actual', path: 'actual', flexible: true, priority: 3},
  // The line number is what people go to.
  {header: 'where', path: 'source', flexible: true, keep: 'end', priority: 2},
  {header: 'how to fix it', path: 'fix', flexible: true, priority: 5},
];

const filterFields: readonly Column[] = [
  id,
  {header: 'title', path: 'title', flexible: true},
  {header: 'context', path: 'context', flexible: true, priority: 3},
  {header: 'action', path: 'filter_action', priority: 2},
  {header: 'expires', path: 'expires_at', kind: 'time', none: 'never', priority: 4},
];

/** Every field of the object, in the server's order. */
const everyField: RecordView = {kind: 'record'};

export const views = {
  unreadCount: everyField,
  conversations: {
    kind: 'list',
    columns: [
      id,
      participants,
      {header: 'unread', path: 'unread_count', kind: 'number', priority: 3},
      {header: 'state', path: 'state', priority: 5},
      {header: 'flags', path: '', kind: 'flags', priority: 6},
      {header: 'active', path: 'updated_at', kind: 'time', priority: 4},
      lastMessage,
    ],
    empty: 'No conversations.',
  },
  conversation: {
    kind: 'record',
    columns: [
      id,
      {header: 'type', path: 'type'},
      {header: 'name', path: 'name'},
      participants,
      ...conversationState,
      lastMessage,
      {header: 'started', path: 'created_at', kind: 'time'},
      {header: 'active', path: 'updated_at', kind: 'time'},
    ],
  },
  conversationSummary: {kind: 'record', columns: [id, ...conversationState]},
  messages: {
    kind: 'list',
    columns: [
      {...id, priority: 4},
      sender,
      sent,
      {header: 'files', path: 'media', kind: 'count', priority: 5},
      {header: 'reply to', path: 'in_reply_to_id', priority: 6},
      saidInList,
    ],
    empty: 'No messages.',
  },
  message: {
    kind: 'record',
    columns: [
      id,
      {header: 'conversation', path: 'conversation_id'},
      {header: 'from', path: '', kind: 'sender'},
      {header: 'sent', path: 'created_at', kind: 'time'},
      {header: 'edited', path: 'edited_at', kind: 'time', none: 'never'},
      {header: 'reply to', path: 'in_reply_to_id'},
      {header: 'sensitive', path: 'sensitive'},
      said,
    ],
    list: {
      path: 'media',
      view: {
        kind: 'list',
        columns: [
          id,
          {header: 'type', path: 'type', priority: 3},
          {header: 'description', path: 'description', flexible: true, priority: 2},
          {header: 'url', path: 'url', flexible: true},
        ],
        empty: '',
      },
    },
  },
  mutuals: {kind: 'list', columns: [id, account, displayName, followers, locked], empty: 'No mutual followers.'},
  recipients: {
    kind: 'list',
    columns: [
      id,
      {header: 'account', path: 'account.acct', kind: 'account', flexible: true},
      {header: 'name', path: 'account.display_name', flexible: true, priority: 3},
      {header: 'server', path: 'local', words: ['this one', 'another'], priority: 4},
    ],
    empty: 'Nobody found.',
  },
  thread: {
    kind: 'record',
    columns: [
      id,
      {header: 'with', path: 'username', kind: 'account'},
      {header: 'name', path: 'name'},
      {header: 'server', path: 'domain', none: 'this one'},
      {header: 'muted', path: 'muted'},
      {header: 'conversation', path: 'conversation_id'},
    ],
    list: {path: 'messages', view: legacyMessages},
  },
  legacyMessage: {
    kind: 'record',
    columns: [
      id,
      reportId,
      {header: 'from', path: '', kind: 'sender'},
      {header: 'sent', path: 'created_at', kind: 'time'},
      {header: 'seen', path: 'seen'},
      {header: 'hidden', path: 'hidden'},
      {header: 'photos', path: 'carousel', kind: 'count'},
      said,
    ],
  },
  threadMedia: everyField,
  blockedAccounts: {
    kind: 'list',
    columns: [id, account, displayName, followers, posts, {header: 'note', path: 'note', kind: 'html', flexible: true, priority: 7}],
    empty: 'No blocked accounts.',
  },
  mutedAccounts: {kind: 'list', columns: [id, account, displayName, followers, posts, locked], empty: 'No muted accounts.'},
  relationship: {
    kind: 'record',
    columns: [
      id,
      {header: 'blocked', path: 'blocking'},
      {header: 'muted', path: 'muting'},
      {header: 'you follow', path: 'following'},
      {header: 'follows you', path: 'followed_by'},
    ],
  },
  containment: {
    kind: 'list',
    columns: [
      {header: 'target', path: 'target', flexible: true},
      {header: 'contained', path: 'contained'},
    ],
    fields: ['target', 'contained'],
    empty: 'No targets.',
  },
  domains: {kind: 'list', columns: [{header: 'domain', path: ''}], fields: ['domain'], empty: 'No blocked domains.'},
  markedMessages: {kind: 'list', columns: [{header: 'value', path: ''}], fields: ['value'], empty: 'Nothing was unread.'},
  filters: {
    kind: 'list',
    columns: [...filterFields, {header: 'keywords', path: 'keywords', kind: 'keywords', flexible: true, priority: 2}],
    empty: 'No filters.',
  },
  filter: {kind: 'record', columns: filterFields, list: {path: 'keywords', view: keywords}},
  report: everyField,
  config: everyField,
  pushState: everyField,
  pushComparison: everyField,
  pushSettings: everyField,
  notifications: {
    kind: 'list',
    columns: [
      id,
      {header: 'type', path: 'type', flexible: true, usual: 14},
      {header: 'who', path: 'account.acct', kind: 'account', flexible: true, usual: 24},
      {header: 'when', path: 'created_at', kind: 'time', priority: 3},
      {header: 'what', path: 'status', kind: 'status', flexible: true, priority: 2},
    ],
    empty: 'No notifications.',
  },
  profiles: {
    kind: 'list',
    columns: [
      {header: 'profile', path: 'name'},
      {header: 'active', path: 'source', none: ''},
      {header: 'server', path: 'server', flexible: true, priority: 3},
      {header: 'release', path: 'version', priority: 5},
      {header: 'account', path: 'account', flexible: true, priority: 2},
      {header: 'scopes', path: 'scopes', none: 'unknown', flexible: true, priority: 6},
      {header: 'expires', path: 'expires_at', kind: 'time', none: 'unknown', priority: 4},
      {header: 'kept in', path: 'storage', priority: 7},
      {header: 'protected', path: 'protected', priority: 8},
      {header: 'works', path: 'ok'},
    ],
    empty: 'No profiles: sign in with `pixelctl auth login`.',
  },
  checks: {
    kind: 'list',
    columns: [
      {header: 'check', path: 'name'},
      {header: 'result', path: 'ok', words: ['ok', 'not ok']},
      {header: 'what was found', path: 'detail', flexible: true, priority: 2},
      {header: 'what to do', path: 'fix', none: '', flexible: true},
    ],
    empty: 'Nothing was checked.',
  },
  findings: {
    kind: 'list',
    columns: findingFields,
    fields: ['rule', 'kind', 'subject', 'wanted', 'actual', 'source', 'fix'],
    empty: 'No differences.',
  },
  findingsOfServers: {
    kind: 'list',
    columns: [{header: 'server', path: 'server', flexible: true}, {header: 'account', path: 'account', priority: 6}, ...findingFields],
    fields: ['server', 'account', 'policy', 'rule', 'kind', 'subject', 'wanted', 'actual', 'source', 'fix'],
    empty: 'No differences.',
  },
  changes: {
    kind: 'list',
    columns: [
      {header: 'action', path: 'action'},
      {header: 'kind', path: 'kind', priority: 2},
      {header: 'what', path: 'subject'},
      {header: 'because', path: 'because', flexible: true, priority: 3},
    ],
    fields: ['action', 'kind', 'subject', 'details', 'because'],
    empty: 'Nothing to do.',
  },
  reasons: {
    kind: 'list',
    columns: [
      {header: 'kind', path: 'kind', priority: 4},
      {header: 'what', path: 'subject'},
      {header: 'wanted', path: 'wanted', words: ['yes', 'no'], none: 'not said'},
      {header: 'actual', path: 'actual', flexible: true},
      {header: 'rule', path: 'rule', none: '', priority: 3},
      {header: 'where', path: 'source', none: '', flexible: true, keep: 'end'},
      {header: 'says', path: 'says', none: '', flexible: true, priority: 2},
    ],
    fields: ['kind', 'subject', 'wanted', 'there', 'actual', 'rule', 'source', 'says'],
    empty: 'No rule is about it.',
  },
  differences: {
    kind: 'list',
    columns: [
      {header: 'kind', path: 'kind', priority: 2},
      {header: 'what', path: 'subject'},
      {header: 'first', path: 'left', flexible: true},
      {header: 'second', path: 'right', flexible: true},
    ],
    fields: ['kind', 'subject', 'left', 'right'],
    empty: 'No differences.',
  },
  results: {
    kind: 'list',
    columns: [
      {header: 'target', path: 'target'},
      {header: 'result', path: '', kind: 'outcome'},
      {header: 'status', path: 'status', kind: 'number', priority: 2},
      {header: 'error', path: 'error.message', flexible: true},
    ],
    fields: ['target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown'],
    empty: 'No targets.',
  },
  operations: {
    kind: 'list',
    columns: [
      {header: 'line', path: 'line', kind: 'number'},
      {header: 'id', path: 'id', none: '', priority: 3},
      {header: 'target', path: 'target', priority: 2},
      {header: 'result', path: '', kind: 'outcome'},
      {header: 'status', path: 'status', kind: 'number', priority: 4},
      {header: 'error', path: 'error.message', flexible: true},
    ],
    fields: ['line', 'id', 'target', 'ok', 'status', 'body', 'error', 'resumed', 'unknown'],
    empty: 'No operations.',
  },
} as const satisfies Readonly<Record<string, View>>;

export type ViewName = keyof typeof views;
