import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {pixelfed, runCommand} from '../../run-command.js';

const filter = {id: '5', title: 'Spoilers', context: ['home'], expires_at: null, filter_action: 'warn', keywords: [], statuses: []};
const takes = (body: Readonly<Record<string, unknown>>) =>
  pixelfed()
    .post('/api/v2/filters', (sent) => isDeepStrictEqual(sent, body))
    .reply(200, {...filter, title: body['title'], filter_action: body['filter_action'] ?? 'warn'});

const least = ['filters', 'create', '--title', 'Spoilers', '--context', 'home'];
const created = {title: 'Spoilers', context: ['home']};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pixelctl-input-'));
});
afterAll(() => rm(folder, {recursive: true}));

async function inputFile(value: unknown): Promise<string> {
  const path = join(folder, 'filter.json');
  await writeFile(path, JSON.stringify(value));
  return path;
}

test('sends title, context, keyword and whole_word', async () => {
  takes({...created, keywords_attributes: [{keyword: 'spoiler', whole_word: true}]});
  const {status, stdout} = await runCommand([...least, '--keyword', 'spoiler', '--json']);
  expect({status, stdout}).toEqual({status: 0, stdout: `${JSON.stringify(filter)}\n`});
});

test('accepts contexts with commas or repeated, and keywords that contain a comma', async () => {
  takes({
    title: 'Spoilers',
    context: ['home', 'public', 'tags'],
    keywords_attributes: [
      {keyword: 'a, b', whole_word: true},
      {keyword: 'c=d', whole_word: true},
    ],
  });
  const flags = ['--context', 'home,public', '--context', 'tags', '--keyword', 'a, b', '--keyword', 'c=d'];
  expect((await runCommand(['filters', 'create', '--title', 'Spoilers', ...flags])).status).toBe(0);
});

test.each([
  [['--no-whole-word'], {keywords_attributes: [{keyword: 'x', whole_word: false}]}],
  [['--whole-word'], {keywords_attributes: [{keyword: 'x', whole_word: true}]}],
  [['--action', 'hide'], {filter_action: 'hide', keywords_attributes: [{keyword: 'x', whole_word: true}]}],
  [['--action', 'tickle'], {filter_action: 'tickle', keywords_attributes: [{keyword: 'x', whole_word: true}]}],
  [['--expires-in', '90'], {expires_in: 90, keywords_attributes: [{keyword: 'x', whole_word: true}]}],
  [['--expires-in', '7d'], {expires_in: 604_800, keywords_attributes: [{keyword: 'x', whole_word: true}]}],
  [['--expires-in', 'never'], {keywords_attributes: [{keyword: 'x', whole_word: true}]}],
])('%j sends %j', async (flags, more) => {
  takes({...created, ...more});
  expect((await runCommand([...least, '--keyword', 'x', ...flags])).status).toBe(0);
});

describe('--input', () => {
  test('--input is the body, and flags override its members', async () => {
    const input = {
      title: 'Old',
      context: ['public'],
      expires_in: 60,
      keywords_attributes: [{keyword: 'a'}, {keyword: 'b', whole_word: false}],
      extra: 1,
    };
    takes({
      title: 'New',
      context: ['public'],
      expires_in: 60,
      keywords_attributes: [
        {keyword: 'a', whole_word: true},
        {keyword: 'b', whole_word: false},
        {keyword: 'c', whole_word: true},
      ],
      extra: 1,
    });
    const words = ['filters', 'create', '--input', await inputFile(input), '--title', 'New', '--keyword', 'c'];
    expect((await runCommand(words)).status).toBe(0);
  });

  test('--input can be read from standard input', async () => {
    const input = {...created, keywords_attributes: [{keyword: 'a', whole_word: true}]};
    takes(input);
    expect((await runCommand(['filters', 'create', '--input', '-'], {input: JSON.stringify(input)})).status).toBe(0);
  });

  test('keeps numbers unmodified', async () => {
    const {stdout} = await runCommand(['filters', 'create', '--input', '-', '--dry-run', '--json'], {
      input: '{"title":"A","context":[],"keywords_attributes":[],"big":12345678901234567890,"share":2.50}',
    });
    expect(stdout).toContain('"big":12345678901234567890,"share":2.50');
  });

  test.each([
    ['[1]', 'must be a JSON object'],
    ['{', 'is not valid JSON'],
    ['{"title":7,"context":["home"],"keywords_attributes":[]}', 'title: expected string, got number'],
    ['{"title":"A","context":"home","keywords_attributes":[]}', 'context: expected array, got string'],
    ['{"title":"A","context":["home"],"keywords_attributes":"x"}', 'keywords_attributes of the input must be an array'],
    [
      '{"title":"A","context":["home"],"keywords_attributes":[{"keyword":7}]}',
      'keywords_attributes.0.keyword: expected string, got number',
    ],
  ])('--input that is invalid is refused before anything is sent: %s', async (input, message) => {
    const {status, stderr} = await runCommand(['filters', 'create', '--input', '-'], {input});
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

test.each([
  [['filters', 'create'], 'Missing: --title, --context, --keyword'],
  [['filters', 'create', '--title', 'A', '--keyword', 'x'], 'Missing: --context'],
  [least, 'Missing: --keyword'],
])('names missing flags as they are typed: %j', async (words, message) => {
  const {status, stderr} = await runCommand(words);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
});

test.each([
  [422, {message: 'The title is too long.', errors: {title: ['The title is too long.']}}, 5],
  [500, {message: 'The title is too long.', errors: {title: ['The title is too long.']}}, 5],
  [422, {error: 'Filter limit', message: 'You have 20 filters.'}, 5],
  [429, {error: 'Rate limit', message: 'Only 20 an hour.'}, 6],
  [500, {error: 'Server Error', message: 'x'}, 7],
])('a refusal with %i %j exits with %i', async (status, body, exit) => {
  pixelfed().post('/api/v2/filters').reply(status, body);
  expect((await runCommand([...least, '--keyword', 'x'])).status).toBe(exit);
});

test.each(['', 'home,,public', 'home,'])('an empty value in --context %j is refused', async (context) => {
  const {stderr, status} = await runCommand(['filters', 'create', '--title', 'x', '--keyword', 'a', '--context', context]);
  expect({stderr, status}).toEqual({stderr: expect.stringContaining('--context has an empty value'), status: 2});
});
