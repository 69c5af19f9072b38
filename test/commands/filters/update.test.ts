import {isDeepStrictEqual} from 'node:util';
import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../../run-command.js';

const path = '/api/v2/filters/5';
const filter = {
  id: '5',
  title: 'Spoilers',
  context: ['home'],
  expires_at: null,
  filter_action: 'warn',
  keywords: [
    {id: 12, keyword: 'spoiler', whole_word: true},
    {id: 13, keyword: 'finale', whole_word: false},
  ],
  statuses: [],
};

type Changes = Readonly<Record<string, unknown>>;

const updated = ({title = filter.title, filter_action = filter.filter_action}: Changes) => ({...filter, title, filter_action});
const takes = (body: Changes) =>
  pixelfed()
    .put(path, (sent) => isDeepStrictEqual(sent, body))
    .reply(200, updated(body));
const update = ['filters', 'update', '5'];
const film = [...update, '--title', 'Film'];

const fresh = (keyword: string) => ({keyword, whole_word: true});
const gone = (id: number) => ({id, _destroy: true});

test.each<[flags: readonly string[], body: Changes]>([
  [['--title', 'Film'], {title: 'Film'}],
  [['--context', 'home,tags'], {context: ['home', 'tags']}],
  [['--action', 'blur'], {filter_action: 'blur'}],
  ...(
    [
      ['0', 0],
      ['604800', 604_800],
      ['90s', 90],
      ['5m', 300],
      ['12h', 43_200],
    ] as const
  ).map(([time, seconds]): [readonly string[], Changes] => [['--expires-in', time], {expires_in: seconds}]),
  [['--expires-in', 'never'], {expires_in: 0}],
  ...(
    [
      [
        ['--keyword', 'a, b', '--keyword', 'c'],
        [fresh('a, b'), fresh('c')],
      ],
      [['--keyword', 'a', '--no-whole-word'], [{keyword: 'a', whole_word: false}]],
      [
        ['--remove-keyword', '12', '--remove-keyword', '13'],
        [gone(12), gone(13)],
      ],
      [
        ['--remove-keyword', '12,13'],
        [gone(12), gone(13)],
      ],
      [['--rename-keyword', '12=x, y=z'], [{id: 12, keyword: 'x, y=z'}]],
      [['--whole-word-of', '12=false'], [{id: 12, whole_word: false}]],
      [
        ['--whole-word-of', '12=false,13=true'],
        [
          {id: 12, whole_word: false},
          {id: 13, whole_word: true},
        ],
      ],
      [
        ['--rename-keyword', '12=x', '--whole-word-of', '12=false', '--keyword', 'new', '--remove-keyword', '13'],
        [gone(13), {id: 12, keyword: 'x', whole_word: false}, fresh('new')],
      ],
    ] as const
  ).map(([flags, keywords]): [readonly string[], Changes] => [flags, {keywords_attributes: keywords}]),
])('%j sends exactly %j', async (flags, body) => {
  takes(body);
  expect(await runCommand([...update, ...flags, '--json'])).toMatchObject({status: 0, stdout: `${JSON.stringify(updated(body))}\n`});
});

test('--input is the body, and flags override its members', async () => {
  takes({title: 'New', expires_in: 60, keywords_attributes: [{id: 12, keyword: 'a'}, fresh('b')]});
  const input = JSON.stringify({title: 'Old', expires_in: 60, keywords_attributes: [{id: 12, keyword: 'a'}, {keyword: 'b'}]});
  expect((await runCommand([...update, '--input', '-', '--title', 'New'], {input})).status).toBe(0);
});

test.each(['', '-5', '1.5h', '5 h', '5w', '1h30m', '1e3', 'Never', 'tomorrow', '99999999999999999999'])(
  '--expires-in=%s is refused',
  (time) => expectFailure(2, 'for --expires-in', [...update, `--expires-in=${time}`]),
);

test.each([
  ['--remove-keyword=x', '--remove-keyword takes the id of a keyword'],
  ['--remove-keyword=-5', '--remove-keyword takes the id of a keyword'],
  ['--remove-keyword=9007199254740993', '--remove-keyword takes the id of a keyword'],
  ['--rename-keyword=5', '--rename-keyword takes KEYWORD_ID=VALUE'],
  ['--rename-keyword=spoiler=x', '--rename-keyword takes the id of a keyword'],
  ['--rename-keyword=5=', 'Keyword 5 cannot become empty'],
  ['--whole-word-of=5=yes', '--whole-word-of takes KEYWORD_ID=true or KEYWORD_ID=false'],
  ['--whole-word-of=5', '--whole-word-of takes KEYWORD_ID=VALUE'],
  ['--whole-word-of=5=true --remove-keyword=5', 'Keyword 5 cannot be removed and changed in one update'],
  ['--rename-keyword=5=a --remove-keyword=5', 'Keyword 5 cannot be removed and changed in one update'],
])('%s is refused', (flags, says) => expectFailure(2, says, [...update, ...flags.split(' ')]));

test.each([[update], [[...update, '--whole-word']]])('%j changes nothing, and is refused', (words) =>
  expectFailure(2, 'Nothing to change', words),
);

describe.each([422, 500])('a server that demands keywords on every update, with %i', (status) => {
  const text = 'The keywords attributes field is required.';
  const demands = (body: object) =>
    pixelfed()
      .put(path, {...body})
      .reply(status, {message: text, errors: {keywords_attributes: [text]}});
  const has = (keywords: readonly object[]) =>
    pixelfed()
      .get(path)
      .reply(200, {...filter, keywords});

  test.each([[filter.keywords], [[{id: '12', keyword: 'spoiler', whole_word: true}]]])(
    'gets an existing keyword, unchanged, by its id as a number: %j',
    async (keywords) => {
      demands({title: 'Film'});
      has(keywords);
      takes({title: 'Film', keywords_attributes: [{id: 12}]});
      expect((await runCommand(film)).status).toBe(0);
    },
  );

  test('a keyword is asked for once when keywords were given', async () => {
    demands({keywords_attributes: [fresh('x')]});
    await expectFailure(5, '', [...update, '--keyword', 'x']);
  });

  test.each([
    ['without keywords', [], 'add one with --keyword'],
    ['whose keywords have no usable id', [{id: 'x', keyword: 'a', whole_word: true}], text],
  ])('a filter %s cannot be updated', async (_, keywords, says) => {
    demands({title: 'Film'});
    has(keywords);
    await expectFailure(5, says, film);
  });

  test('the server may refuse the second request, which is the error that is printed', async () => {
    demands({title: 'Film'});
    has(filter.keywords);
    pixelfed()
      .put(path, {title: 'Film', keywords_attributes: [{id: 12}]})
      .reply(422, {message: 'The title is too long.', errors: {title: ['The title is too long.']}});
    await expectFailure(5, 'The title is too long.', film);
  });
});

test.each([
  [422, {message: 'The title is too long.', errors: {title: ['The title is too long.']}}, 5],
  [401, {error: 'This filter is not yours'}, 3],
  [404, {error: ''}, 4],
  [429, {error: 'Rate limit', message: 'Only 40 an hour.'}, 6],
])('a refusal for another reason is not retried: %i %j', async (status, body, exit) => {
  pixelfed().put(path).reply(status, body);
  await expectFailure(exit, '', film);
});

test('a dry run prints the documented request and sends nothing', async () => {
  const {stdout} = await runCommand([...film, '--dry-run', '--json']);
  expect(JSON.parse(stdout).requests).toMatchObject([{method: 'PUT', path, body: {title: 'Film'}}]);
});
