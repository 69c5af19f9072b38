import {isDeepStrictEqual} from 'node:util';
import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand} from '../../run-command.js';

const filter = {id: '5', title: 'Spoilers', context: ['home'], expires_at: null, filter_action: 'warn', keywords: [], statuses: []};
const takes = (body: Readonly<Record<string, unknown>>) =>
  pixelfed()
    .post('/api/v2/filters', (sent) => isDeepStrictEqual(sent, body))
    .reply(200, {...filter, title: body['title'], filter_action: body['filter_action'] ?? 'warn'});

const create = ['filters', 'create'];
const least = [...create, '--title', 'Spoilers', '--context', 'home'];
const created = {title: 'Spoilers', context: ['home']};
const [x, ofInput] = [{keyword: 'x', whole_word: true}, [...create, '--input', '-']];

test.each([
  [[], {keywords_attributes: [x]}],
  [['--no-whole-word'], {keywords_attributes: [{keyword: 'x', whole_word: false}]}],
  [['--whole-word'], {keywords_attributes: [x]}],
  [['--action', 'tickle'], {filter_action: 'tickle', keywords_attributes: [x]}],
  [['--expires-in', '7d'], {expires_in: 604_800, keywords_attributes: [x]}],
  [['--expires-in', 'never'], {keywords_attributes: [x]}],
  [
    ['--context', 'public,tags', '--keyword', 'a, b', '--keyword', 'c=d'],
    {context: ['home', 'public', 'tags'], keywords_attributes: [x, {...x, keyword: 'a, b'}, {...x, keyword: 'c=d'}]},
  ],
])('%j sends %j', async (flags, more) => {
  takes({...created, ...more});
  const {status, stdout} = await runCommand([...least, '--keyword', 'x', ...flags, '--json']);
  expect({status, title: JSON.parse(stdout).title}).toEqual({status: 0, title: 'Spoilers'});
});

describe('--input', () => {
  test('--input is the body, and flags override its members', async () => {
    const rest = {context: ['public'], expires_in: 60, extra: 1};
    const keywords = [{keyword: 'a'}, {keyword: 'b', whole_word: false}];
    takes({
      title: 'New',
      ...rest,
      keywords_attributes: [{keyword: 'a', whole_word: true}, keywords[1], {keyword: 'c', whole_word: true}],
    });
    const input = JSON.stringify({title: 'Old', ...rest, keywords_attributes: keywords});
    expect((await runCommand([...ofInput, '--title', 'New', '--keyword', 'c'], {input})).status).toBe(0);
  });

  test('keeps numbers unmodified', async () => {
    const {stdout} = await runCommand([...ofInput, '--dry-run', '--json'], {
      input: '{"title":"A","context":[],"keywords_attributes":[],"big":12345678901234567890,"share":2.50}',
    });
    expect(stdout).toContain('"big":12345678901234567890,"share":2.50');
  });

  const home = '{"title":"A","context":["home"],"keywords_attributes"';
  test.each<readonly [input: string, says: RegExp | string]>([
    ...['[1]', '"text"', '7', 'null'].map((text) => [text, 'must be a JSON object'] as const),
    ...['', '{', "{'title': 'A'}", '{"title": "A",}', '{"a": 1} {"b": 2}'].map((text) => [text, 'is not valid JSON'] as const),
    ['{\n  "secret": "abc",\n  oops\n}', /is not valid JSON, line 3 column 3\n(?![^]*secret)/],
    [`{"a":${'['.repeat(500)}${']'.repeat(500)}}`, 'is nested deeper than 500 levels'],
    ['{"title":7,"context":["home"],"keywords_attributes":[]}', 'title: expected string, got number'],
    ['{"title":"A","context":"home","keywords_attributes":[]}', 'context: expected array, got string'],
    [`${home}:"x"}`, 'keywords_attributes of the input must be an array'],
    [`${home}:[{"keyword":7}]}`, 'keywords_attributes.0.keyword: expected string, got number'],
  ])('--input that is invalid is refused before anything is sent: %s', (input, says) => expectFailure(2, says, ofInput, {input}));
});

test('--input of a file that is not there is a local error', () =>
  expectFailure(9, 'Cannot read the input file missing.json: no such file', [...create, '--input', 'missing.json']));

test.each([
  [create, 'Missing: --title, --context, --keyword'],
  [[...create, '--title', 'A', '--keyword', 'x'], 'Missing: --context'],
  [least, 'Missing: --keyword'],
  ...['', 'home,,public', 'home,'].map((context): [string[], string] => [
    [...create, '--title', 'x', '--keyword', 'a', '--context', context],
    '--context has an empty value',
  ]),
])('%j is refused', (words, says) => expectFailure(2, says, words));
