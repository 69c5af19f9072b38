/** What the pages of an archive show, piece by piece. In a browser: test/e2e/archive-page.test.ts. */
import {expect, test} from 'vitest';
import type {ConversationFacts} from '../../../src/lib/archive/facts.js';
import {conversationPage, indexPage, type ShownMessage} from '../../../src/lib/archive/page.js';

const owner = {server: 'https://pix.example', account: {id: '1', acct: 'ana'}};
const at = '2026-11-01T00:00:00.000Z';
const usual: ConversationFacts = {
  id: '5',
  type: 'conversation',
  folder: '5',
  people: {2: {acct: 'bob', name: 'Bob'}},
  messages: 4,
  missing: 0,
  media: 0,
  bytes: 0,
  absent_media: 0,
  last_at: null,
  not_read: [],
  conversation: null,
};

const messageOf = (value: object, more: Partial<ShownMessage> = {}, id = '5'): ShownMessage => ({
  id,
  value: {id, sender_id: '2', created_at: '2026-01-01T10:00:00Z', ...value},
  firstSeen: at,
  missingSince: undefined,
  versions: [],
  media: [],
  ...more,
});

const pageOf = (messages: readonly ShownMessage[], facts: Partial<ConversationFacts> = {}): string =>
  [...conversationPage(at, {...usual, ...facts}, messages, owner)].join('');

/** Without what is about time, which stands as `TIME`. */
const plain = (html = ''): string => html.replaceAll(/<time [^>]*>([^<]*)<\/time>/g, 'TIME');

const as = (type: string, extension: string) => ({media: [{id: '7', of: '5', file: `media/7.${extension}`, type}]});
const medium = {media: [{id: '7', description: 'A cat'}]};
const [alt, player] = ['(photo from Bob, 2026-01-01 10:00 UTC)', 'controls preload="none"'];
const inMedia = (html: string) => `<div class="media">\n${html}\n</div>`;
const note = (text: string) => `<p class="note">${text}</p>`;
const text = (html: string) => `<p class="text" dir="auto">${html}</p>`;
const gone = inMedia(note('A file that is not in the archive: not fetched'));
const until = (html: string) => `<li>Until TIME: <bdi class="text">${html}</bdi></li>\n`;

test.each<[string, object, Partial<ShownMessage>, string]>([
  ['a text', {text: 'a <b>\nc'}, {}, text('a &lt;b&gt;\nc')],
  ['no text', {}, {}, note('A message without a text')],
  ['a reaction', {type: 'story:react'}, {}, note('story:react')],
  ['a reply', {in_reply_to_id: '1', ...medium}, {}, `<p class="reply"><a href="#m1">In reply to an earlier message</a></p>\n${gone}`],
  ['a file that is not there', {text: 'a', ...medium}, {}, `${text('a')}\n${gone}`],
  ['one that failed', medium, {media: [{id: '7', of: '5', why: 'x'}]}, inMedia(note('A file that is not in the archive: x'))],
  [
    'a photo',
    medium,
    as('image/png', 'png'),
    inMedia(`<a class="file" href="media/7.png"><img src="media/7.png" alt="A cat ${alt}" loading="lazy"></a>`),
  ],
  [
    'one that browsers do not show',
    {media: [{id: '7'}]},
    as('image/heic', 'heic'),
    inMedia(note(`<a href="media/7.heic">A file ${alt}</a>`)),
  ],
  [
    'a video',
    medium,
    as('video/mp4', 'mp4'),
    inMedia(`<video class="file" src="media/7.mp4" ${player} title="A cat ${alt.replace('photo', 'video')}"></video>`),
  ],
  [
    'a sound',
    {...medium, created_at: null},
    as('audio/mpeg', 'mp3'),
    inMedia(`<audio class="file" src="media/7.mp3" ${player} title="A cat (audio from Bob)"></audio>`),
  ],
  ['a file of another type', medium, as('text/html', 'bin'), inMedia(note('A file of an unknown type, not linked: media/7.bin'))],
  [
    'a sensitive file',
    {...medium, sensitive: true},
    {},
    `<details class="sensitive"><summary>Sensitive: 1 file. Show</summary>\n${gone}\n</details>`,
  ],
  [
    'an earlier version',
    {text: 'b'},
    {versions: [{text: 'a'}, {}].map((message) => ({until: at, message}))},
    `${text('b')}\n<details class="versions"><summary>2 earlier versions</summary><ul>\n${until('a')}${until('')}</ul></details>`,
  ],
])('%s is shown', (_, value, more, html) => {
  const [, body = ''] = /<p class="about">.*\n([^]*)\n<\/article>/.exec(plain(pageOf([messageOf(value, more)]))) ?? [];
  expect(body).toBe(html);
});

const edited = '<span class="mark">edited</span>';
test.each<[object, Partial<ShownMessage>, Partial<ConversationFacts>, string, string]>([
  [{}, {}, {}, 'other', '<bdi class="who">Bob</bdi> TIME '],
  [{created_at: null}, {}, {}, 'other', '<bdi class="who">Bob</bdi>  '],
  [{sender_id: '1'}, {}, {}, 'own', '<bdi class="who">@ana</bdi> TIME '],
  [{is_author: true}, {}, {}, 'own', '<bdi class="who">@ana</bdi> TIME '],
  [{isAuthor: true, sender_id: undefined}, {}, {}, 'own', '<bdi class="who">@ana</bdi> TIME '],
  [{sender_id: '1', is_author: false}, {}, {}, 'other', '<bdi class="who">account 1</bdi> TIME '],
  [{sender_id: undefined}, {}, {}, 'other', '<bdi class="who">Bob</bdi> TIME '],
  [{sender_id: undefined}, {}, {people: {}}, 'other', '<bdi class="who">account unknown</bdi> TIME '],
  [{sender_id: 'toString'}, {}, {}, 'other', '<bdi class="who">account toString</bdi> TIME '],
  [{edited_at: at}, {}, {}, 'other', `<bdi class="who">Bob</bdi> TIME ${edited}`],
  [{}, {versions: [{until: at, message: {}}]}, {}, 'other', `<bdi class="who">Bob</bdi> TIME ${edited}`],
  [
    {},
    {missingSince: at},
    {},
    'other deleted',
    '<bdi class="who">Bob</bdi> TIME <span class="mark gone">deleted on the server, noticed TIME</span>',
  ],
])('above a message with %j, where %j and %j, stands who wrote it, when, and what became of it', (value, more, facts, kind, about) => {
  expect(plain(pageOf([messageOf(value, more)], facts))).toContain(`<article id="m5" class="${kind}">\n<p class="about">${about}</p>\n`);
});

test('a reply names the message that it answers, by how that begins', () => {
  const first = messageOf({text: 'x'.repeat(200)}, {}, '1');
  const page = pageOf([first, messageOf(medium, {}, '2'), ...['1', '2'].map((id) => messageOf({in_reply_to_id: id}))]);
  expect(page.match(/(?<=In reply to )<bdi>.*(?=<\/a>)/g)).toEqual([
    `<bdi>Bob</bdi>: <bdi>${'x'.repeat(140)}…</bdi>`,
    '<bdi>Bob</bdi>: <bdi>a file</bdi>',
  ]);
});

test('each day stands once above its messages, and those without a time are of the day before them', () => {
  const times = ['2026-01-01T10:00:00Z', '2026-01-01T23:59:59Z', undefined, '2026-01-02T00:00:00Z'];
  const page = pageOf(times.map((created_at, index) => messageOf({text: `Message ${index}`, created_at}, {}, String(index))));
  const expected = ['2026-01-01', 'Message 0', 'Message 1', 'Message 2', '2026-01-02', 'Message 3'];
  expect(page.match(/(?<=class="day">)[^<]+|Message \d/g)).toEqual(expected);
});

const gap = 'Messages that belong here were not read.';
test.each<[ConversationFacts['not_read'], readonly string[]]>([
  [[], ['m10', 'm20', 'm30']],
  [[{after: null, before: '10'}], [gap, 'm10', 'm20', 'm30']],
  [
    [
      {after: '10', before: '20'},
      {after: '30', before: null},
    ],
    ['m10', gap, 'm20', 'm30', gap],
  ],
  [
    [
      {after: '10', before: '15'},
      {after: '16', before: '17'},
      {after: '20', before: '25'},
    ],
    ['m10', gap, gap, 'm20', gap, 'm30'],
  ],
])('where %j were not read, that is said between the others', (not_read, shown) => {
  const page = pageOf(
    ['10', '20', '30'].map((id) => messageOf({}, {}, id)),
    {not_read},
  );
  expect(page.match(/(?<=id=")m\d+|(?<=note">)Messages .*(?=<)/g)).toEqual(shown);
});

test.each([
  [0, 0],
  [1, 1],
  [50, 1],
  [51, 2],
  [100, 2],
])('%i messages are in %i sections', (count, sections) => {
  const page = pageOf(
    Array.from({length: count}, (_, index) => messageOf({}, {}, String(index))),
    {messages: count},
  );
  expect(['<section>', '</section>'].map((part) => page.split(part).length - 1)).toEqual([sections, sections]);
  expect([page.includes('No messages.'), page.includes('<a href="#end">')]).toEqual([count === 0, count > 50]);
});

const eve = {3: {acct: 'eve@x.example', name: 'Eve & co'}};
test.each<[Partial<ConversationFacts>, string, string, string, string]>([
  [{}, '<bdi>Bob</bdi>', '<bdi>@bob</bdi>', '4 messages', ''],
  [
    {people: {...usual.people, ...eve}},
    '<bdi>Bob</bdi>, <bdi>Eve &amp; co</bdi>',
    '<bdi>@bob</bdi>, <bdi>@eve@x.example</bdi>',
    '4 messages',
    '',
  ],
  [{people: {}}, '<bdi>Conversation 5</bdi>', 'nobody', '4 messages', ''],
  [
    {conversation: {name: 'Us'}, messages: 1, missing: 1, media: 2},
    '<bdi>Us</bdi>',
    '<bdi>@bob</bdi>',
    '1 message, 1 no longer on the server, 2 files',
    '',
  ],
  [
    {conversation: {name: ''}, media: 1, absent_media: 1},
    '<bdi>Bob</bdi>',
    '<bdi>@bob</bdi>',
    '4 messages, 1 file, 1 file not fetched',
    '',
  ],
  [
    {not_read: [{after: null, before: '1'}]},
    '<bdi>Bob</bdi>',
    '<bdi>@bob</bdi>',
    '4 messages, not read completely',
    'run the export again to do the rest',
  ],
  [
    {not_read: [{after: null, before: '1'}], type: 'thread'},
    '<bdi>Bob</bdi>',
    '<bdi>@bob</bdi>',
    '4 messages, not read completely',
    'the server shows only the first and the last messages of a thread',
  ],
])('a conversation with %j has its names and numbers on its page and in the list', (facts, names, handles, counts, why) => {
  const page = plain(pageOf([], facts));
  expect(page).toContain(`<h1>${names}</h1>\n<p class="muted">${handles}. ${counts}. Last changed TIME.</p>\n`);
  expect(/(?<=class="warning">).*(?=<\/p>)/.exec(page)?.[0] ?? '').toBe(why && `Not all of it was read: ${why}.`);
  const last = '2026-01-01T10:00:00.000Z';
  const list = plain(
    indexPage(
      [
        {...usual, ...facts},
        {...usual, ...facts, last_at: last},
      ],
      owner,
    ),
  );
  const item = `<li><a href="5/page.html">${names}</a> <span class="muted">${handles}</span>\n<p class="muted">${counts}`;
  expect(list).toContain(`2 conversations.</p>`);
  expect(list).toContain(`<ul class="list">\n${item}</p></li>\n${item}, last TIME</p></li>\n</ul>`);
});
