/** Every format on every kind of command, in a pipe; and what is refused before anything is sent. */
import {describe, expect, test} from 'vitest';
import {pixelfed, runCommand} from '../../run-command.js';

const account = {id: '7', username: 'bo', acct: 'bo', display_name: '=Bo, "B"', url: 'https://pix.example/bo'};
const filterText =
  '{"id": "3", "title": "A,b", "context": ["home"], "expires_at": null, "filter_action": "warn", "big": 12345678901234567890}';
const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml'] as const;

const kinds = {
  list: {words: ['blocks', 'list'], stub: () => pixelfed().get('/api/v1/blocks').reply(200, [account])},
  object: {words: ['filters', 'get', '3'], stub: () => pixelfed().get('/api/v2/filters/3').reply(200, filterText)},
  strings: {words: ['domain-blocks', 'list'], stub: () => pixelfed().get('/api/v1/domain_blocks').reply(200, ['bad.example'])},
  results: {
    words: ['filters', 'delete', '3', '4', '--yes'],
    stub: () => pixelfed().delete('/api/v2/filters/3').reply(200, {}).delete('/api/v2/filters/4').reply(404, {error: ''}),
  },
  done: {words: ['filters', 'delete', '3', '--yes'], stub: () => pixelfed().delete('/api/v2/filters/3').reply(200, {})},
} as const;

type Kind = keyof typeof kinds;

const failed =
  '"error":{"code":"not_found","exit":4,"message":"pix.example: not found (404)","status":404,"method":"DELETE","path":"/api/v2/filters/4","hint":"check the id with `pixelctl filters list`; objects of other accounts are not found either"}';

/** The beginning of what each format makes of each kind. */
const expected: Readonly<Record<Kind, Readonly<Record<(typeof formats)[number], RegExp | string>>>> = {
  list: {
    table: /^id +account .*\n7 +@bo /,
    json: `${JSON.stringify([account])}\n`,
    ndjson: `${JSON.stringify(account)}\n`,
    csv: /^id,.*\r\n7,.*"=Bo, ""B""".*\r\n$/,
    tsv: /^id\t.*\n7\t.*=Bo, "B"/,
    yaml: /^- id: "7"\n {2}username: bo\n/,
  },
  object: {
    table: /^id +3\ntitle +A,b\n/,
    json: `${filterText}\n`,
    ndjson: `${filterText.replaceAll(/([:,]) /g, '$1')}\n`,
    csv: /^id,title,.*,big\r\n3,"A,b",.*,12345678901234567890\r\n$/,
    tsv: /^id\ttitle\t.*\tbig\n3\tA,b\t.*\t12345678901234567890\n$/,
    yaml: /^id: "3"\ntitle: A,b\n[^]*big: 12345678901234567890\n$/,
  },
  strings: {
    table: /^domain\nbad.example\n$/,
    json: '["bad.example"]\n',
    ndjson: '"bad.example"\n',
    csv: 'domain\r\nbad.example\r\n',
    tsv: 'domain\nbad.example\n',
    yaml: '- bad.example\n',
  },
  results: {
    table: /^target +result +status +error\n3 +ok +200 +–\n4 +failed +404 +pix\.example/,
    json: `[\n{"target":"3","ok":true,"status":200,"body":{}},\n{"target":"4","ok":false,"status":404,${failed}}\n]\n`,
    ndjson: `{"target":"3","ok":true,"status":200,"body":{}}\n{"target":"4","ok":false,"status":404,${failed}}\n`,
    csv: /^target,ok,status,body,error,resumed,unknown,held_back\r\n3,true,200,\{\},,,,\r\n4,false,404,,"\{""code""/,
    tsv: /^target\tok\tstatus\tbody\terror\tresumed\tunknown\theld_back\n3\ttrue\t200\t\{\}/,
    yaml: /^- target: "3"\n {2}ok: true\n {2}status: 200\n {2}body: \{\}\n- target: "4"\n/,
  },
  done: {table: '', json: '{}\n', ndjson: '{}\n', csv: '', tsv: '', yaml: '{}\n'},
};

const kindNames = ['list', 'object', 'strings', 'results', 'done'] as const;

describe.each(kindNames)('%s', (kind) => {
  const {words, stub} = kinds[kind];

  test.each(formats)('%s is printed as %s, by flag and by environment', async (format) => {
    stub();
    const byFlag = await runCommand([...words, '-o', format]);
    stub();
    const byEnvironment = await runCommand(words, {environment: {PIXELCTL_OUTPUT: format}});
    expect(byEnvironment).toEqual(byFlag);
    const wanted = expected[kind][format];
    if (typeof wanted === 'string') expect(byFlag.stdout).toBe(wanted);
    else expect(byFlag.stdout).toMatch(wanted);
    expect(byFlag.status).toBe(kind === 'results' ? 11 : 0);
    if (kind === 'results') {
      const asJson = /^\{"error":\{"code":"partial",.*\}\n$/;
      expect(byFlag.stderr).toMatch(format === 'json' || format === 'ndjson' ? asJson : /^Error: 1 of 2 failed\nHint: /);
    } else expect(byFlag.stderr).toBe('');
  });
});

describe('--fields', () => {
  test.each([
    ['list', 'account.id,acct', '{"account.id":null,"acct":"bo"}\n'],
    ['object', 'big,title', '{"big":12345678901234567890,"title":"A,b"}\n'],
    ['strings', 'domain', '{"domain":"bad.example"}\n'],
    ['results', 'target,error.code', '{"target":"3","error.code":null}\n{"target":"4","error.code":"not_found"}\n'],
  ] as const)('--fields chooses from the fields of %s', async (kind, fields, stdout) => {
    kinds[kind].stub();
    expect((await runCommand([...kinds[kind].words, '-o', 'ndjson', '--fields', fields])).stdout).toBe(stdout);
  });

  test('--fields knows every field of the error of a result', async () => {
    kinds.results.stub();
    const names = ['code', 'exit', 'message', 'status', 'method', 'path', 'hint', 'fate'].map((name) => `error.${name}`).join(',');
    expect((await runCommand([...kinds.results.words, '--json', '--fields', names])).stderr).not.toContain('Warning');
  });

  test.each([
    ['list', 'nope', /^Warning: unknown field nope; known fields are id, /],
    ['results', 'body.nope', /^Warning: unknown field body\.nope; known fields are target, ok, status, resumed, /],
  ] as const)('unknown --fields of a server, of %s, are named once', async (kind, fields, words) => {
    kinds[kind].stub();
    const {stderr} = await runCommand([...kinds[kind].words, '--json', '--fields', fields]);
    expect(stderr).toMatch(words);
    expect(stderr.match(/Warning/g)).toHaveLength(1);
  });

  test('unknown --fields of results are a mistake, and nothing is sent', async () => {
    const {stderr, status} = await runCommand([...kinds.results.words, '-o', 'csv', '--fields', 'target,nope']);
    expect({stderr, status}).toEqual({
      stderr: expect.stringMatching(/^Error: --fields: unknown field nope; known fields are target, ok, status, resumed, /),
      status: 2,
    });
  });

  test.each([
    ['list', 'account,followers', '{"account":"bo","followers":null}\n'],
    ['results', 'target,result', '{"target":"3","result":"ok"}\n{"target":"4","result":"failed"}\n'],
  ] as const)('--fields of %s takes the headings of its table', async (kind, fields, stdout) => {
    kinds[kind].stub();
    const ended = await runCommand([...kinds[kind].words, '-o', 'ndjson', '--fields', fields]);
    expect(ended.stdout).toBe(stdout);
    expect(ended.stderr).not.toContain('Warning');
  });
});

describe('--jq', () => {
  test.each([
    ['list', [], '.[0].acct', 'bo\n'],
    ['list', ['-o', 'ndjson'], '.acct', 'bo\n'],
    ['object', [], '.big', '12345678901234567890\n'],
    ['strings', [], '.[]', 'bad.example\n'],
    ['results', [], 'map(.ok)', '[true,false]\n'],
    ['results', ['-o', 'ndjson'], '.target', '3\n4\n'],
    ['done', [], 'length', '0\n'],
  ] as const)('--jq of %s %j', async (kind, flags, expression, stdout) => {
    kinds[kind].stub();
    expect((await runCommand([...kinds[kind].words, ...flags, '--jq', expression])).stdout).toBe(stdout);
  });

  test('--jq that fails on results does not hide that the run failed', async () => {
    kinds.results.stub();
    const {stderr, status} = await runCommand([...kinds.results.words, '-o', 'ndjson', '--jq', '.target.x']);
    expect({status, stderr}).toEqual({status: 11, stderr: expect.stringContaining('1 of 2 failed')});
  });
});

test.each([
  [['--jq', '.['], '--jq: syntax error'],
  [['--fields', 'a,,b'], '--fields: empty field name'],
  [['--fields', 'a..b'], '--fields: "a..b" is not a field name'],
  [['--jq', '.', '--fields', 'id'], '--jq and --fields cannot be used together'],
  [['--jq', '.', '-o', 'csv'], '--jq and --output csv cannot be used together'],
  [['--json', '-o', 'csv'], '--json and --output csv cannot be used together'],
  [['--no-header'], '--no-header is for --output csv and tsv'],
  [['--spreadsheet-safe', '-o', 'yaml'], '--spreadsheet-safe is for --output csv and tsv'],
  [['-o', 'xml'], '--output does not support the format "xml"'],
  [['-o', 'curl'], '--output curl is for --dry-run'],
  [['-o', 'curl', '--dry-run', '--fields', 'path'], '--fields and --output curl cannot be used together'],
])('%j is refused before anything is sent', async (flags, message) => {
  const {stdout, stderr, status} = await runCommand(['filters', 'delete', '3', '4', '--yes', ...flags]);
  expect({stdout, status}).toEqual({stdout: '', status: 2});
  expect(stderr).toContain(message);
});

test.each([
  ['csv', '--no-header', '7,'],
  ['csv', '--spreadsheet-safe', "'=Bo"],
])('%s %s', async (format, flag, text) => {
  kinds.list.stub();
  expect((await runCommand(['blocks', 'list', '-o', format, flag])).stdout).toContain(text);
});

test('an error is one line of JSON with ndjson, too', async () => {
  pixelfed().get('/api/v1/blocks').reply(404, {error: ''});
  const {stdout, stderr, status} = await runCommand(['blocks', 'list'], {environment: {PIXELCTL_OUTPUT: 'ndjson'}});
  expect({stdout, status}).toEqual({stdout: '', status: 4});
  expect(JSON.parse(stderr)).toMatchObject({error: {code: 'not_found', exit: 4}});
});
