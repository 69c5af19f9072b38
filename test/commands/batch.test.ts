import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, serverWithoutLimits, token, type Around} from '../run-command.js';

const conversations = '/api/v1.1/direct/conversations';
const summary = {id: '5', state: 'active', unread_count: 0, muted: true, hidden: false, last_read_message_id: null};

const batch = (lines: readonly string[], words: readonly string[] = [], around: Around = {}) =>
  runCommand(['batch', ...words], {...around, input: lines.join('\n')});

const linesOf = (stdout: string): unknown[] => stdout.trim().split('\n').map((line) => JSON.parse(line));

describe('results', () => {
  test('name their line and its id, digit for digit, one for each target of a line', async () => {
    const mute = pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    mute.post(`${conversations}/6/mute`).reply(404, {error: 'Not found'});
    pixelfed().get('/api/v2/filters/3').reply(200, '{"id": "3", "title": "A", "context": ["home"], "n": 2.50}');
    const {stdout, stderr, status} = await batch([
      '{"command": "dm mute", "args": ["5", "6"], "id": 12345678901234567890}',
      '',
      '  {"command": "filters:get", "args": [3], "id": {"a": 1.50}}  ',
    ]);
    expect(status).toBe(11);
    expect(stderr).toBe('Error: 1 of 3 failed\nHint: the results say which, and why\n');
    const [first, second, third] = stdout.split('\n');
    expect(first).toMatch(/^\{"line":1,"id":12345678901234567890,"target":"5","ok":true,"status":200,"body":\{/);
    expect(second).toMatch(/^\{"line":1,"id":12345678901234567890,"target":"6","ok":false,"status":404,"error":\{/);
    expect(third).toBe('{"line":3,"id":{"a":1.50},"target":"3","ok":true,"status":200,"body":{"id":"3","title":"A","context":["home"],"n":2.50}}');
  });

  test('without an id have none, and name what a path names', async () => {
    serverWithoutLimits();
    pixelfed().post(`${conversations}/7/messages`, {message: '-x'}).reply(200, {id: '9', text: '-x'});
    const {stdout} = await batch(['{"command": "dm send", "args": [7, "-x"]}']);
    expect(linesOf(stdout)).toEqual([{line: 1, target: '7', ok: true, status: 200, body: {id: '9', text: '-x'}}]);
  });

  test.each([
    ['--json', [{line: 1, id: 'a', target: '5', ok: true, status: 200, body: summary}]],
    ['--fields=id,body.state', [{id: 'a', 'body.state': 'active'}]],
  ])('as %s', async (flag, expected) => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    const {stdout, stderr} = await batch(['{"command": "dm mute", "args": ["5"], "id": "a"}'], [flag]);
    expect(stderr).toBe('');
    expect([JSON.parse(stdout)].flat()).toEqual(expected);
  });

  test.each([
    [['-o', 'csv'], {}],
    [[], {PIXELCTL_OUTPUT: 'csv'}],
  ])('in a table have their line: %j %j', async (words, environment) => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, '{}');
    const {stdout} = await batch(['{"command": "dm mute", "args": ["5"], "id": "a"}'], words, {environment});
    expect(stdout).toBe('line,id,target,ok,status,body,error,resumed,unknown\r\n1,a,5,true,200,{},,,\r\n');
  });

  test('can be filtered one by one', async () => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    expect((await batch(['{"command": "dm mute", "args": ["5"], "id": "a"}'], ['--jq', '[.id, .body.state] | join(" ")'])).stdout).toBe('a active\n');
  });

  test('warn of a field that there is not, once', async () => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary).post(`${conversations}/6/mute`).reply(200, summary);
    const {stderr} = await batch(['{"command": "dm mute", "args": ["5", "6"]}'], ['--fields', 'line,nope']);
    expect(stderr).toMatch(/^Warning: no field nope is documented here; known are line, id, target, .+\n$/);
  });

  test.each([
    [[], ''],
    [['--json'], '[]\n'],
  ])('of nothing are nothing: %j', async (words, stdout) => {
    expect(await batch(['', ''], words)).toEqual({stdout, stderr: '', status: 0});
  });
});

test('flags of every type are sent as when they are typed', async () => {
  pixelfed()
    .post('/api/v2/filters', {
      title: '-A "b"',
      context: ['home', 'public'],
      expires_in: 3600,
      keywords_attributes: [{keyword: 'a,b', whole_word: false}, {keyword: '-c', whole_word: false}],
    })
    .reply(200, {id: '1'});
  const flags = {title: '-A "b"', context: ['home', 'public'], keyword: ['a,b', '-c'], 'whole-word': false, 'expires-in': 3600};
  const {stdout, stderr} = await batch([JSON.stringify({command: 'filters create', flags})]);
  expect(stderr).toBe('');
  expect(linesOf(stdout)).toMatchObject([{ok: true}]);
});

test('a flag that is false and has no other form is not given', async () => {
  serverWithoutLimits();
  pixelfed().post(`${conversations}/5/messages`, {message: 'a'}).reply(200, {id: '9'});
  const {status} = await batch(['{"command": "dm send", "args": ["5", "a"], "flags": {"sensitive": false}}']);
  expect(status).toBe(0);
});

describe('refused, with nothing sent, is', () => {
  test.each([
    ['{"command": "filters delte", "args": ["3"]}', 'there is no command "filters delte" (did you mean "filters delete"?)'],
    ['{"command": "api", "args": ["GET", "/x"]}', '"api" cannot be part of a batch'],
    ['{"command": "batch"}', '"batch" cannot be part of a batch'],
    ['{"command": "filters delete", "args": ["3"]}', 'filters delete asks first (give it the flag "yes": true, or --yes to batch)'],
    ['{"command": "dm send", "args": ["5", "-"]}', '"-" cannot stand for it'],
    ['{"command": "dm send", "args": ["5"], "flags": {"input": "-"}}', '"input" cannot read it'],
    ['{"command": "dm mute", "args": [".."]}', '".." is not an id'],
    ['{"command": "dm mute", "flags": {"nope": 1}}', 'There is no flag --nope'],
    ['{"command": "dm mute"}', 'Missing: ID'],
    ['{"command": "dm mute", "args": "5"}', '"args" has to be a list'],
    ['{"command": "dm mute", "args": [["5"]]}', 'each of "args" has to be a text or a number'],
    ['{"command": "dm send", "args": ["5", "a"], "flags": {"in-reply-to": {"id": 1}}}', 'has to be a text or a number'],
    ['{"command": "dm mute", "argz": []}', 'it has a member "argz"'],
    ['{"args": []}', 'it names no "command"'],
    ['["dm mute"]', 'it has to be a JSON object'],
    ['{"command": ', 'it is not valid JSON'],
  ])('%s', async (line, message) => {
    const {stdout, stderr, status} = await batch(['{"command": "dm mute", "args": ["1"]}', line]);
    expect({stdout, status}).toEqual({stdout: '', status: 2});
    expect(stderr).toMatch(/^Error: Line 2: [^\n]+: nothing was sent\nHint: /);
    expect(stderr).toContain(message);
  });

  // What a line says of these would not be heeded: the wrong account could be written with.
  test.each(['server', 'profile', 'output', 'json', 'timeout', 'strict', 'from', 'journal', 'concurrency', 'dry-run', 'all', 'help'])('the flag %s in a line', async (name) => {
    const {stderr, status} = await batch([`{"command": "dm mute", "args": ["5"], "flags": {"${name}": "x"}}`]);
    expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(`Line 1: the flag "${name}" is for the batch`)});
  });

  test('every bad line at once, as far as ten', async () => {
    const {stderr} = await batch(Array.from({length: 12}, () => 'no'));
    expect(stderr.match(/Line \d+/g)).toEqual(Array.from({length: 10}, (_, index) => `Line ${index + 1}`));
    expect(stderr).toContain('; and 2 more: nothing was sent');
  });

  test('a line over a limit of the server, and all others with it', async () => {
    pixelfed({}).get('/api/v2.1/config').reply(200, {limits: {direct_messages: {max_characters: 3}}});
    const {stderr, status} = await batch(['{"command": "dm mute", "args": ["5"]}', '{"command": "dm send", "args": ["5", "long"]}']);
    expect(status).toBe(2);
    expect(stderr).toContain('Line 2: 4 characters; this server takes 3 (--no-limits sends it anyway): nothing was sent');
  });
});

test('--yes answers for every line', async () => {
  pixelfed().delete('/api/v2/filters/3').reply(200, {});
  expect((await batch(['{"command": "filters delete", "args": ["3"]}'], ['--yes'])).status).toBe(0);
});

describe('a dry run', () => {
  test('shows every request, asks nothing and sends nothing', async () => {
    const lines = ['{"command": "filters delete", "args": ["3"]}', '{"command": "thread mute", "args": ["@bo@pix.example"]}'];
    const {stdout, status} = await batch(lines, ['--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      requests: [{method: 'DELETE', path: '/api/v2/filters/3'}, {method: 'POST', body: {id: '<id of @bo@pix.example>'}}],
    });
    expect(stdout).not.toContain(token);
  });
});
