import {isDeepStrictEqual} from 'node:util';
import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand} from '../../run-command.js';

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
const update = (...flags: readonly string[]) => runCommand(['filters', 'update', '5', ...flags]);

test.each([
  [['--title', 'Film'], {title: 'Film'}],
  [['--context', 'home,tags'], {context: ['home', 'tags']}],
  [['--action', 'blur'], {filter_action: 'blur'}],
  [['--expires-in', '12h'], {expires_in: 43_200}],
  [['--expires-in', 'never'], {expires_in: 0}],
  [
    ['--keyword', 'a, b', '--keyword', 'c'],
    {
      keywords_attributes: [
        {keyword: 'a, b', whole_word: true},
        {keyword: 'c', whole_word: true},
      ],
    },
  ],
  [['--keyword', 'a', '--no-whole-word'], {keywords_attributes: [{keyword: 'a', whole_word: false}]}],
  [
    ['--remove-keyword', '12', '--remove-keyword', '13'],
    {
      keywords_attributes: [
        {id: 12, _destroy: true},
        {id: 13, _destroy: true},
      ],
    },
  ],
  [
    ['--remove-keyword', '12,13'],
    {
      keywords_attributes: [
        {id: 12, _destroy: true},
        {id: 13, _destroy: true},
      ],
    },
  ],
  [['--rename-keyword', '12=x, y=z'], {keywords_attributes: [{id: 12, keyword: 'x, y=z'}]}],
  [['--whole-word-of', '12=false'], {keywords_attributes: [{id: 12, whole_word: false}]}],
  [
    ['--whole-word-of', '12=false,13=true'],
    {
      keywords_attributes: [
        {id: 12, whole_word: false},
        {id: 13, whole_word: true},
      ],
    },
  ],
  [
    ['--rename-keyword', '12=x', '--whole-word-of', '12=false', '--keyword', 'new', '--remove-keyword', '13'],
    {
      keywords_attributes: [
        {id: 13, _destroy: true},
        {id: 12, keyword: 'x', whole_word: false},
        {keyword: 'new', whole_word: true},
      ],
    },
  ],
])('%j sends exactly %j', async (flags, body) => {
  takes(body);
  const {status, stdout} = await update(...flags, '--json');
  expect({status, stdout}).toEqual({status: 0, stdout: `${JSON.stringify(updated(body))}\n`});
});

test('--input is the body, and flags override its members', async () => {
  takes({
    title: 'New',
    expires_in: 60,
    keywords_attributes: [
      {id: 12, keyword: 'a'},
      {keyword: 'b', whole_word: true},
    ],
  });
  const input = JSON.stringify({title: 'Old', expires_in: 60, keywords_attributes: [{id: 12, keyword: 'a'}, {keyword: 'b'}]});
  const {status} = await runCommand(['filters', 'update', '5', '--input', '-', '--title', 'New'], {input});
  expect(status).toBe(0);
});

test('refuses an update without changes', async () => {
  for (const flags of [[], ['--whole-word']]) {
    const {status, stderr} = await update(...flags);
    expect(status).toBe(2);
    expect(stderr).toContain('Nothing to change');
  }
});

describe.each([422, 500])('a server that demands keywords on every update, with %i', (status) => {
  const refusal = {
    message: 'The keywords attributes field is required.',
    errors: {keywords_attributes: ['The keywords attributes field is required.']},
  };

  test('gets an existing keyword, unchanged', async () => {
    pixelfed().put(path, {title: 'Film'}).reply(status, refusal);
    pixelfed().get(path).reply(200, filter);
    takes({title: 'Film', keywords_attributes: [{id: 12}]});
    expect((await update('--title', 'Film')).status).toBe(0);
  });

  test('gets the id of a keyword as a number, also if the server sent a string', async () => {
    pixelfed().put(path, {title: 'Film'}).reply(status, refusal);
    pixelfed()
      .get(path)
      .reply(200, {...filter, keywords: [{id: '12', keyword: 'spoiler', whole_word: true}]});
    takes({title: 'Film', keywords_attributes: [{id: 12}]});
    expect((await update('--title', 'Film')).status).toBe(0);
  });

  test('a keyword is asked for once when keywords were given', async () => {
    pixelfed()
      .put(path, {keywords_attributes: [{keyword: 'x', whole_word: true}]})
      .reply(status, refusal);
    expect((await update('--keyword', 'x')).status).toBe(5);
  });

  test('a filter without keywords cannot be updated', async () => {
    pixelfed().put(path, {title: 'Film'}).reply(status, refusal);
    pixelfed()
      .get(path)
      .reply(200, {...filter, keywords: []});
    const {status: exit, stderr} = await update('--title', 'Film');
    expect(exit).toBe(5);
    expect(stderr).toContain('add one with --keyword');
  });

  test('the server may refuse the second request, which is the error that is printed', async () => {
    pixelfed().put(path, {title: 'Film'}).reply(status, refusal);
    pixelfed().get(path).reply(200, filter);
    pixelfed()
      .put(path, {title: 'Film', keywords_attributes: [{id: 12}]})
      .reply(422, {message: 'The title is too long.', errors: {title: ['The title is too long.']}});
    const {status: exit, stderr} = await update('--title', 'Film');
    expect(exit).toBe(5);
    expect(stderr).toContain('The title is too long.');
  });
});

test.each([
  [422, {message: 'The title is too long.', errors: {title: ['The title is too long.']}}, 5],
  [401, {error: 'This filter is not yours'}, 3],
  [404, {error: ''}, 4],
  [429, {error: 'Rate limit', message: 'Only 40 an hour.'}, 6],
])('a refusal for another reason is not retried: %i %j', async (status, body, exit) => {
  pixelfed().put(path).reply(status, body);
  expect((await update('--title', 'Film')).status).toBe(exit);
});

test('a dry run prints the documented request and sends nothing', async () => {
  const {status, stdout} = await update('--title', 'Film', '--dry-run', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout).requests).toEqual([expect.objectContaining({method: 'PUT', path, body: {title: 'Film'}})]);
});
