import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand, serverWithoutLimits, token, type Around} from '../run-command.js';

const conversations = '/api/v1.1/direct/conversations';
const summary = {id: '5', state: 'active', unread_count: 0, muted: true, hidden: false, last_read_message_id: null};

const batch = (lines: readonly string[], words: readonly string[] = [], around: Around = {}) =>
  runCommand(['batch', ...words], {...around, input: lines.join('\n')});

const linesOf = (stdout: string): unknown[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('results', () => {
  test('results have the line and its id unmodified, one for each target of a line', async () => {
    const mute = pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    mute.post(`${conversations}/6/mute`).reply(404, {error: 'Not found'});
    pixelfed().get('/api/v2/filters/3').reply(200, '{"id": "3", "title": "A", "context": ["home"], "n": 2.50}');
    const {stdout, stderr, status} = await batch([
      '{"command": "dm mute", "args": ["5", "6"], "id": 12345678901234567890}',
      '',
      '  {"command": "filters:get", "args": [3], "id": {"a": 1.50}}  ',
    ]);
    expect(status).toBe(11);
    expect(stderr).toBe('Error: 1 of 3 failed\nHint: the results show which ones and why\n');
    const [first, second, third] = stdout.split('\n');
    expect(first).toMatch(/^\{"line":1,"id":12345678901234567890,"target":"5","ok":true,"status":200,"body":\{/);
    expect(second).toMatch(/^\{"line":1,"id":12345678901234567890,"target":"6","ok":false,"status":404,"error":\{/);
    expect(third).toBe(
      '{"line":3,"id":{"a":1.50},"target":"3","ok":true,"status":200,"body":{"id":"3","title":"A","context":["home"],"n":2.50}}',
    );
  });

  test('results have no id when the line has none, and name the id in the path', async () => {
    serverWithoutLimits();
    pixelfed().post(`${conversations}/7/messages`, {message: '-x'}).reply(200, {id: '9', text: '-x'});
    const {stdout} = await batch(['{"command": "dm send", "args": [7, "-x"]}']);
    expect(linesOf(stdout)).toEqual([{line: 1, target: '7', ok: true, status: 200, body: {id: '9', text: '-x'}}]);
  });

  test('name the object of a request without an id in its path', async () => {
    pixelfed().post('/api/v1.1/direct/thread/send').reply(403, {error: ''});
    pixelfed().post('/api/v1.1/report').reply(200, {msg: 'Successfully sent report', code: 200});
    pixelfed().get('/api/v1/mutes').reply(200, []);
    const {stdout} = await batch(['thread send 7 Hi --no-limits', 'report post 12 --type spam', 'mutes list'], ['--concurrency', '1']);
    expect(linesOf(stdout)).toMatchObject([
      {target: '7', ok: false, error: {code: 'refused'}},
      {target: '12', ok: true},
      {target: null, ok: true},
    ]);
  });

  test.each([
    ['--json', [{line: 1, id: 'a', target: '5', ok: true, status: 200, body: summary}]],
    ['--fields=id,body.state', [{id: 'a', 'body.state': 'active'}]],
  ])('results are printed as %s', async (flag, expected) => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    const {stdout, stderr} = await batch(['{"command": "dm mute", "args": ["5"], "id": "a"}'], [flag]);
    expect(stderr).toBe('');
    expect([JSON.parse(stdout)].flat()).toEqual(expected);
  });

  test.each([
    [['-o', 'csv'], {}],
    [[], {PIXELCTL_OUTPUT: 'csv'}],
  ])('results in a table have the line: %j %j', async (words, environment) => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, '{}');
    const {stdout} = await batch(['{"command": "dm mute", "args": ["5"], "id": "a"}'], words, {environment});
    expect(stdout).toBe('line,id,target,ok,status,body,error,resumed,unknown,held_back\r\n1,a,5,true,200,{},,,,\r\n');
  });

  test('results can be filtered with --jq, one by one', async () => {
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    expect((await batch(['{"command": "dm mute", "args": ["5"], "id": "a"}'], ['--jq', '[.id, .body.state] | join(" ")'])).stdout).toBe(
      'a active\n',
    );
  });

  test('of an unknown field are a mistake, and nothing is sent', async () => {
    const {stderr, status} = await batch(['{"command": "dm mute", "args": ["5", "6"]}'], ['--fields', 'line,nope']);
    expect(stderr).toContain('--fields: unknown field nope; known fields are line, id, target, ');
    expect(status).toBe(2);
  });

  test.each([
    [[], ''],
    [['--json'], '[]\n'],
  ])('results of an empty batch are empty: %j', async (words, stdout) => {
    expect(await batch(['', ''], words)).toEqual({stdout, stderr: '', status: 0});
  });
});

test('flags of a JSON line are sent as typed flags are', async () => {
  pixelfed()
    .post('/api/v2/filters', {
      title: '-A "b"',
      context: ['home', 'public'],
      expires_in: 3600,
      keywords_attributes: [
        {keyword: 'a,b', whole_word: false},
        {keyword: '-c', whole_word: false},
      ],
    })
    .reply(200, {id: '1'});
  const flags = {title: '-A "b"', context: ['home', 'public'], keyword: ['a,b', '-c'], 'whole-word': false, 'expires-in': 3600};
  const {stdout, stderr} = await batch([JSON.stringify({command: 'filters create', flags})]);
  expect(stderr).toBe('');
  expect(linesOf(stdout)).toMatchObject([{ok: true}]);
});

test('a flag that is false and has no --no- form is omitted', async () => {
  serverWithoutLimits();
  pixelfed().post(`${conversations}/5/messages`, {message: 'a'}).reply(200, {id: '9'});
  const {status} = await batch(['{"command": "dm send", "args": ["5", "a"], "flags": {"sensitive": false}}']);
  expect(status).toBe(0);
});

describe('sends nothing for', () => {
  test.each([
    ['{"command": "filters delte", "args": ["3"]}', 'Unknown command "filters delte" (did you mean `pixelctl filters delete`?)'],
    ['{"command": "audit", "args": ["policy.yml"]}', '"audit" cannot be part of a batch'],
    ['{"command": "api", "args": ["GET", "https://elsewhere.example/"]}', 'PATH is not on pix.example'],
    ['{"command": "api", "args": ["GET"]}', 'Missing: PATH'],
    ['filters rm 3', 'Unknown command "filters rm" (did you mean `pixelctl filters delete`?)'],
    ['frobnicate', 'Unknown command "frobnicate"'],
    ['filters --yes', 'Unknown command "filters" (see `pixelctl filters --help`)'],
    ['dm mute', 'Missing: ID'],
    ['dm mute -', 'a line cannot read standard input'],
    ['dm send 5 --input=-', 'a line cannot read standard input'],
    ['dm send 5 --input -', 'a line cannot read standard input'],
    ['dm mute 5 --server pix.example', 'the flag "server" applies to the whole batch'],
    ['dm mute 5 -spix.example', 'the flag "server" applies to the whole batch'],
    ['dm mute 5 -o json', 'the flag "output" applies to the whole batch'],
    ['dm mute 5 -v', 'the flag "verbose" applies to the whole batch'],
    ['dm mute -h', 'the flag "help" applies to the whole batch'],
    ['dm mute --help', 'the flag "help" applies to the whole batch'],
    ['dm mute 5 | cat', '| has to be quoted'],
    ['dm mute $ID', '$ has to be quoted'],
    ["dm send 5 'it", 'a quote is not closed'],
    ['dm send 5 "$HOME"', '$ and ` have to stand in single quotes'],
    ['filters delete 3', 'filters delete asks for confirmation'],
    ['{"command": "batch"}', '"batch" cannot be part of a batch'],
    [
      '{"command": "filters delete", "args": ["3"]}',
      'filters delete asks for confirmation (add the flag "yes": true to the line, or pass --yes to batch)',
    ],
    ['{"command": "dm send", "args": ["5", "-"]}', 'a line cannot read standard input'],
    ['{"command": "dm send", "args": ["5"], "flags": {"input": "-"}}', 'a line cannot read standard input'],
    ['{"command": "dm mute", "args": [".."]}', '".." is not an id'],
    ['{"command": "dm mute", "flags": {"nope": 1}}', 'Unknown flag --nope'],
    ['{"command": "dm mute", "flags": {"Media_Id": 1}}', 'flag names look like "media-id"'],
    ['{"command": "dm mute", "flags": ["yes"]}', '"flags" must be an object'],
    ['{"command": "dm mute"}', 'Missing: ID'],
    ['{"command": "dm mute", "args": "5"}', '"args" must be a list'],
    ['{"command": "dm mute", "args": [["5"]]}', 'each of "args" must be a string or a number'],
    ['{"command": "dm send", "args": ["5", "a"], "flags": {"in-reply-to": {"id": 1}}}', 'must be a string or a number'],
    ['{"command": "dm mute", "argz": []}', 'unknown member "argz"'],
    ['{"args": []}', 'it has no "command"'],
    ['["dm mute"]', 'it must be a JSON object'],
    ['{"command": "dm mute"} x', 'it is not valid JSON'],
    ['{"command": ', 'it is not valid JSON'],
  ])('%s', async (line, message) => {
    const {stdout, stderr, status} = await batch(['{"command": "dm mute", "args": ["1"]}', line]);
    expect({stdout, status}).toEqual({stdout: '', status: 2});
    expect(stderr).toMatch(/^Error: Line 2: [^\n]+: nothing was sent\nHint: /);
    expect(stderr).toContain(message);
  });

  // What a line says of these would not be heeded: the wrong account could be written with.
  test.each(['server', 'profile', 'output', 'json', 'timeout', 'strict', 'from', 'journal', 'concurrency', 'dry-run', 'help'])(
    'the flag %s in a line',
    async (name) => {
      const {stderr, status} = await batch([`{"command": "dm mute", "args": ["5"], "flags": {"${name}": "x"}}`]);
      expect({status, stderr}).toEqual({
        status: 2,
        stderr: expect.stringContaining(`Line 1: the flag "${name}" applies to the whole batch`),
      });
    },
  );

  test.each(['all', 'max', 'resume-from', 'follow', 'interval', 'since-file'])(
    'the flag %s, which asks for many requests',
    async (name) => {
      for (const line of [`{"command": "blocks list", "flags": {"${name}": "1"}}`, `blocks list --${name}=1`]) {
        const {stderr, status} = await batch([line]);
        expect({status, stderr}).toEqual({status: 2, stderr: expect.stringContaining(`the flag "${name}" cannot be part of a batch`)});
      }
    },
  );

  test('several invalid lines, and reports up to ten together', async () => {
    const {stderr} = await batch(Array.from({length: 12}, () => 'no'));
    expect(stderr.match(/Line \d+/g)).toEqual(Array.from({length: 10}, (_, index) => `Line ${index + 1}`));
    expect(stderr).toContain('; and 2 more: nothing was sent');
  });

  test('all lines when one is over a limit of the server', async () => {
    pixelfed({})
      .get('/api/v2.1/config')
      .reply(200, {limits: {direct_messages: {max_characters: 3}}});
    const {stderr, status} = await batch(['{"command": "dm mute", "args": ["5"]}', '{"command": "dm send", "args": ["5", "long"]}']);
    expect(status).toBe(2);
    expect(stderr).toContain('Line 2: 4 characters; this server allows 3 (--no-limits sends it anyway): nothing was sent');
  });
});

describe('typed lines', () => {
  test('typed lines may have quotes, comments and the word pixelctl', async () => {
    serverWithoutLimits();
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    pixelfed().delete('/api/v2/filters/3').reply(200, {});
    pixelfed().post(`${conversations}/7/messages`, {message: "it's at 6, -s"}).reply(200, {id: '9'});
    const {stdout, stderr, status} = await batch([
      '# mine',
      'dm mute 5',
      '',
      '  pixelctl filters:delete 3 -y',
      String.raw`dm send 7 'it'\''s at 6, -s'`,
    ]);
    expect({stderr, status}).toEqual({stderr: '', status: 0});
    expect(linesOf(stdout)).toMatchObject([
      {line: 2, target: '5'},
      {line: 4, target: '3'},
      {line: 5, target: '7'},
    ]);
  });

  test('typed lines may have several targets, also with a leading dash after --', async () => {
    serverWithoutLimits();
    pixelfed()
      .post(`${conversations}/5/mute`)
      .reply(200, summary)
      .post(`${conversations}/6/mute`)
      .reply(200, {...summary, id: '6'});
    pixelfed().post(`${conversations}/7/messages`, {message: '-s'}).reply(200, {id: '9'});
    expect((await batch(['dm mute 5 6', 'dm send -- 7 -s'])).status).toBe(0);
  });

  test('typed lines may be `api` requests', async () => {
    pixelfed().post('/api/v1/accounts/5/follow', {reblogs: true}).reply(200, '');
    pixelfed().get('/api/v1/notifications?limit=2').reply(200, '[2.50]');
    const {stdout, status} = await batch([
      'api POST /api/v1/accounts/5/follow --json-field reblogs=true',
      '{"command": "api", "args": ["get", "/api/v1/notifications"], "flags": {"field": ["limit=2"]}, "id": 7}',
    ]);
    expect(status).toBe(0);
    expect(stdout).toBe(
      '{"line":1,"target":"POST /api/v1/accounts/5/follow","ok":true,"status":200,"body":null}\n' +
        '{"line":2,"id":7,"target":"GET /api/v1/notifications","ok":true,"status":200,"body":[2.50]}\n',
    );
  });
});

test('reads a batch from a file and from standard input', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'pixelctl-batch-')), 'operations.txt');
  await writeFile(file, 'dm mute 5\n');
  for (const [words, input] of [
    [[file], undefined],
    [['-'], 'dm mute 5\n'],
    [[], 'dm mute 5\n'],
  ] as const) {
    pixelfed().post(`${conversations}/5/mute`).reply(200, summary);
    expect(await runCommand(['batch', ...words], {input})).toMatchObject({status: 0, stderr: ''});
  }
  await rm(dirname(file), {recursive: true});
  expect(await runCommand(['batch', file])).toMatchObject({
    status: 9,
    stderr: expect.stringContaining(`Cannot read the batch ${file}: no such file`),
  });
});

test('--yes confirms every line', async () => {
  pixelfed().delete('/api/v2/filters/3').reply(200, {});
  expect((await batch(['{"command": "filters delete", "args": ["3"]}'], ['--yes'])).status).toBe(0);
});

describe('a dry run', () => {
  test('prints every request without asking or sending', async () => {
    const lines = ['{"command": "filters delete", "args": ["3"]}', '{"command": "thread mute", "args": ["@bo@pix.example"]}'];
    const {stdout, status} = await batch(lines, ['--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      dry_run: true,
      requests: [
        {method: 'DELETE', path: '/api/v2/filters/3'},
        {method: 'POST', body: {id: '<id of @bo@pix.example>'}},
      ],
    });
    expect(stdout).not.toContain(token);
  });
});
