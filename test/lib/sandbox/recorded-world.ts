/** The world in which the recordings were made, as far as they show it. */
import type {Generation} from '../../sandbox/start.js';
import type {Recording} from './recording.js';
import type {SeedState} from '../../sandbox/seed.js';

const extras = [
  '1029249420757676041',
  '1029249422029549578',
  '1029249423218982923',
  '1029249423893311500',
  '1029249424935067661',
  '1029249425600987150',
  '1029249426787250191',
  '1029249427577589776',
  '1029249428219490321',
  '1029249429256060946',
  '1029249430481117203',
  '1029249432143478804',
  '1029249432800000001',
  '1029249432900000001',
];

const extra = (from: number, to: number): string[] => extras.map((_, index) => `extra${index + 1}`).slice(from - 1, to);

const accounts: SeedState['accounts'] = [
  {acct: 'admin', id: '1029249415850680321', name: 'Admin', admin: true},
  {acct: 'alice', id: '1029249416576589826', name: 'Alice'},
  {acct: 'bob', id: '1029249417440595971', name: 'Bob'},
  {acct: 'carol', id: '1029249417844342788', name: 'Carol'},
  {acct: 'dave', id: '1029249418341621765', name: 'Dave'},
  {acct: 'eve', id: '1029249418857295878', name: 'Eve'},
  {acct: 'newbie', id: '1029249419258605575', name: 'Newbie'},
  {acct: 'alicetoo', id: '1029249419705524232', name: 'Alicetoo'},
  ...extras.map((id, index) => ({acct: `extra${index + 1}`, id, name: `Extra ${index + 1}`})),
];

type Conversation = NonNullable<SeedState['conversations']>[number];

const dm: Conversation = {
  id: '1029252276481310721',
  between: ['alice', 'bob'],
  messages: [
    {id: '1029252278985043971', from: 'alice', text: 'Hello Bob'},
    {id: '1029252279129980932', from: 'alice', text: 'By a form', sensitive: true},
    {id: '1029252279336259589', from: 'alice', text: 'careful', sensitive: true},
    {id: '1029252279446908934', from: 'alice', text: '😀', emoji: true},
    {id: '1029252279653502983', from: 'alice', text: 'https://example.com/x'},
    {id: '1029252279760797704', from: 'bob', text: 'A reply'},
    {id: '1029252281896878091', from: 'bob', text: 'Bob 0'},
    {id: '1029252282004074508', from: 'bob', text: 'Bob 1'},
    {id: '1029252282110775309', from: 'bob', text: 'Bob 2'},
    {id: '1029252282224025614', from: 'bob', text: 'Bob 3'},
    {id: '1029252282331963407', from: 'bob', text: 'Bob 4'},
    {id: '1029252282444533776', from: 'bob', text: 'Bob 5'},
  ],
};

const group: Conversation = {
  id: '1029252276936019970',
  between: ['alice', 'bob', 'carol', 'dave'],
  messages: [{id: '1029252283503284241', from: 'alice', text: 'Hi all'}],
};

const request = (accepted: boolean, messages: Conversation['messages']): Conversation => ({
  id: '1029252284956270610',
  between: ['eve', 'bob'],
  accepted,
  messages,
});

const hello = {id: '1029252285060542483', from: 'eve', text: 'hello?'};

/** Legacy messages, with ids that the recordings delete and read. */
const olderDm: Conversation = {
  between: ['alice', 'bob'],
  messages: [
    {id: '1029250200562937884', from: 'alice', text: 'Hello Bob'},
    {id: '1029250200693800989', from: 'alice', text: 'Second message'},
    ...Array.from({length: 7}, (_, index) => ({id: `102925020119289859${index}`, from: 'bob', text: `Reply ${index}`})),
    {id: '1029250202311647274', from: 'bob', text: 'Last reply'},
  ],
};

/** The legacy messages that the recordings of 2026 delete and read. */
const laterDm: Conversation = {
  ...dm,
  messages: [...dm.messages, {id: '1029252290017181718', from: 'alice', text: 'legacy read-only'}],
};

function conversationsFor(name: string, like: Generation): readonly Conversation[] {
  if (like === '0.12.6') return [olderDm];
  if (/^conversation-create(-form|-group)?$|^(conversations|messages)-empty$|^request-create$/.test(name))
    return name === 'messages-empty' ? [{...dm, messages: []}] : [];
  if (name === 'request-send-1') return [dm, request(false, [])];
  if (name === 'request-send-after') return [dm, request(true, [hello])];
  if (name.startsWith('request-')) return [dm, request(false, [hello])];
  return name.startsWith('dm-') ? [laterDm] : [dm, group];
}

const notBlocks = /^dm-lookup-many|^conversation-create-10/;

/** Whose filters and domain blocks there are: of whoever asks, unless it is about those of somebody else. */
function ownerFor({name, request: {headers}}: Recording): string {
  if (name.startsWith('filters') && name.includes('other-user')) return headers['authorization']?.includes('alice') ? 'carol' : 'alice';
  if (!/^filters-|over-100/.test(name)) return 'alice';
  return /of (\w+)/.exec(headers['authorization'] ?? '')?.[1] ?? 'alice';
}

function filtersFor({name, request: {path}}: Recording): NonNullable<SeedState['filters']> {
  const many = name === 'filters-create-21st' ? Array.from({length: 20}, (_, index) => `bulk${index}`) : [];
  if (many.length > 0) return many.map((keyword) => ({title: keyword, context: ['home'], keywords: [{keyword}]}));
  if (name.startsWith('filters-create')) return [];
  const [, id = '1'] = /filters\/(\d+)/.exec(path) ?? [];
  if (id === '999999') return [];
  return [
    {
      id,
      title: 'Spoilers',
      context: ['home', 'public'],
      expiresIn: 86_400,
      keywords: [{keyword: 'spoiler'}, {keyword: 'ending', wholeWord: false}],
    },
  ];
}

/** What alice reported, oldest first. */
function reportsFor(name: string): NonNullable<SeedState['reports']> {
  if (!/^reports-|^report-handle/.test(name)) return [];
  const about = [{post: 5}, {post: 1}, {account: 'eve'}, {post: 5}, {account: 'dave'}, {account: 'carol'}];
  const latest = name === 'reports-exact-text' ? [{post: 5}] : [];
  return [...about, ...latest].map((what) => ({by: 'alice', reason: 'spam', ...what}));
}

const held = (...ids: readonly string[]) => ids.map((id) => ({id, text: 'buy now', heldBack: 'open' as const}));

/** Who was registered where admins moderated people. @param name of the recording: of some the spam filter had nothing left */
const registered = (name: string): NonNullable<SeedState['people']> => [
  {username: 'root', user: {id: 7}, admin: true, posts: [{id: '1030355635054149649', text: 'of an admin'}]},
  ...[
    {
      username: 'spam1',
      accountId: '1030355629293191169',
      user: {id: 142, ip: '192.0.2.7'},
      posts: [
        ...held('1030355629473009665', '1030355629520261122', '1030355629539786755'),
        ...['1030355635004071949', '1030355635009613838', '1030355635034226703'].map((id) => ({id, text: 'plain'})),
      ],
    },
    {
      username: 'spam2',
      accountId: '1030355631135436804',
      user: {id: 143, ip: '192.0.2.7'},
      posts: held('1030355631250235397', '1030355631271272454', '1030355631301746695'),
    },
    {
      username: 'spam3',
      accountId: '1030355633244225544',
      user: {id: 144, ip: '192.0.2.7'},
      posts: held('1030355633409081353', '1030355633423798282', '1030355633455489035'),
    },
  ].map((person) => (/^autospam-(empty|readonly)$/.test(name) ? {...person, posts: []} : person)),
  {username: 'newbie2', user: {id: 145, ip: '192.0.2.7', isVerified: false}},
  ...Array.from({length: 10}, (_, index) => ({username: `later${index}`, user: {id: 150 + index}})),
];

/** The world for one recording: not all of them were made in the same. */
export function recordedWorld(recording: Recording, like: Generation): SeedState {
  const {name} = recording;
  const owner = ownerFor(recording);
  return {
    me: owner,
    accounts,
    ...(owner === 'alice' && {
      mutuals: ['bob', 'carol', 'dave', ...extra(6, 14)],
      followers: ['newbie'],
      blocks: notBlocks.test(name) ? [] : ['eve', ...extra(2, 5)],
      mutes: extra(6, 11),
    }),
    domainBlocks: name.includes('over-100')
      ? Array.from({length: 100}, (_, index) => `x${index}.example.com`)
      : ['spam.example.net', 'bad.example.org', 'd1.example.com', 'd2.example.com', 'd3.example.com'],
    // The recorded upload was the sixth medium.
    posts: [
      {id: '1029249433810030615', by: 'alice', text: 'A photo by alice'},
      {id: '1029249433829986328', by: 'bob', text: 'A photo by bob'},
      ...['carol', 'dave', 'eve'].map((by) => ({by, text: `A photo by ${by}`})),
      ...(name.startsWith('report') ? [{by: 'bob', text: 'A reply by bob', replyTo: 1}] : []),
    ],
    ...(/^(?:users?|autospam|post|mark)-/.test(name) && {people: registered(name)}),
    reports: reportsFor(name),
    instances: Array.from({length: 25}, (_, index) => ({
      domain: `adm${index + 1}.example`,
      software: 'mastodon',
      user_count: index,
      status_count: index * 3,
    })),
    conversations: [...conversationsFor(name, like)],
    notifications: [
      {type: 'favourite', from: 'bob', post: 0},
      {type: 'favourite', from: 'carol', post: 0},
      {type: 'favourite', from: 'dave', post: 0},
      {type: 'mention', from: 'carol', post: 0},
      {type: 'mention', from: 'carol', post: 0},
      {type: 'follow', from: 'newbie'},
      {type: 'direct', from: 'bob'},
      {type: 'reblog', from: 'bob', post: 0},
    ],
    filters: filtersFor(recording),
  };
}
