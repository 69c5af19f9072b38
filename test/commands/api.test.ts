import nock from 'nock';
import {describe, expect, test} from 'vitest';
import {expectFailure, pixelfed, runCommand, server} from '../run-command.js';

describe('a GET', () => {
  test('prints any response unmodified', async () => {
    const answer = '{"big":12345678901234567890,"share":2.50,"empty":[]}';
    pixelfed().get('/api/v1/instance').reply(200, answer);
    expect(await runCommand(['api', 'GET', '/api/v1/instance', '--json'])).toEqual({status: 0, stdout: `${answer}\n`, stderr: ''});
  });

  test('works without a token', async () => {
    nock(server, {badheaders: ['authorization']})
      .get('/api/v1/instance')
      .reply(200, {});
    expect((await runCommand(['api', 'GET', '/api/v1/instance'], {environment: {PIXELCTL_TOKEN: undefined}})).status).toBe(0);
  });
});

describe('a POST', () => {
  test('sends fields in a JSON body, which override the input', async () => {
    pixelfed({'x-pixelfed-app': '1'})
      .post('/api/v1/x', {kept: 1, title: 'B', list: ['a', 'b'], deep: {c: [true]}})
      .reply(200, {});
    const words = ['api', 'POST', '/api/v1/x', '--input', '-', '--field', 'title=B', '--field', 'list[]=a', '--field', 'list[]=b'];
    const {status} = await runCommand([...words, '--json-field', 'deep={"c":[true]}', '--header', 'X-Pixelfed-App: 1'], {
      input: '{"kept":1,"title":"A"}',
    });
    expect(status).toBe(0);
  });

  test('a POST without fields has no body, and accepts an empty response', async () => {
    pixelfed().post('/api/v1/accounts/5/block', '').reply(200, '');
    const {status, stdout, stderr} = await runCommand(['api', 'POST', '/api/v1/accounts/5/block']);
    expect({status, stdout, stderr}).toEqual({status: 0, stdout: '', stderr: 'Done (200); the response is empty.\n'});
  });

  test('a POST is not resent after a lost response', async () => {
    pixelfed().post('/api/v1/x').reply(503, {error: 'Back soon'}, {'retry-after': '0'});
    await expectFailure(7, 'Back soon', ['api', 'POST', '/api/v1/x']);
  });

  test('a POST is printed in a dry run', async () => {
    const {status, stdout} = await runCommand(['api', 'PATCH', '/api/v1/x', '--field', 'a=1', '--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).requests).toEqual([expect.objectContaining({method: 'PATCH', path: '/api/v1/x', body: {a: '1'}})]);
  });
});

test('prints errors like any command', async () => {
  pixelfed().get('/api/v1/x').reply(404, {error: 'The route api/v1/x could not be found.'});
  const {status, stderr} = await runCommand(['api', 'GET', '/api/v1/x', '--json']);
  expect(status).toBe(4);
  expect(JSON.parse(stderr).error).toMatchObject({code: 'not_found', status: 404, method: 'GET', path: '/api/v1/x'});
});

test('fails on a response that is not JSON', async () => {
  pixelfed().get('/').reply(200, '<!doctype html><title>Pixelfed</title>', {'content-type': 'text/html'});
  await expectFailure(8, 'expected JSON, got HTML', ['api', 'GET', '/']);
});

test.each([
  [['FOO', '/x'], 'Unknown METHOD FOO', 'use one of GET, HEAD, POST, PUT, PATCH, DELETE'],
  [['POST'], 'Missing: PATH', 'see `pixelctl api --help`'],
  [
    ['/api/v2/media', '--file', 'file=@a.jpg'],
    '--file cannot be used with GET',
    'to send a body, name a method such as POST before the path',
  ],
])('api %j is refused before anything is sent', async (words, message, hint) => {
  expect(await runCommand(['api', ...words])).toEqual({stdout: '', stderr: `Error: ${message}\nHint: ${hint}\n`, status: 2});
});

describe('a request is made of', () => {
  test.each<[flags: string[], method: string, request: object]>([
    [
      ['limit=2', 'types[]=a', 'types[]=b'].flatMap((field) => ['--field', field]),
      'GET',
      {query: {limit: '2', 'types[]': ['a', 'b']}, body: null},
    ],
    [['--json-field', 'id=12345678901234567890'], 'GET', {query: {id: '12345678901234567890'}}],
    [
      ['--field', 'title=B = C', '--field', 'empty=', '--json-field', 'list[]=1', '--json-field', 'yes=true'],
      'POST',
      {query: {}, body: {title: 'B = C', empty: '', list: [1], yes: true}},
    ],
    [['--field', 'context[]=home', '--json-field', 'context[]=null'], 'POST', {body: {context: ['home', null]}}],
    [[], 'POST', {body: null}],
    [[], 'DELETE', {body: null}],
    [
      ['--field', 'description=Low tide', '--file', 'file=@a=b.jpg', '--file', 'thumbnail=c.jpg'],
      'POST',
      {body: {description: 'Low tide', file: '@a=b.jpg', thumbnail: '@c.jpg'}},
    ],
    [
      ['X-Pixelfed-App: 1', 'accept-language:da, en', 'x-empty:'].flatMap((header) => ['--header', header]),
      'POST',
      {headers: expect.objectContaining({'x-pixelfed-app': '1', 'accept-language': 'da, en', 'x-empty': ''})},
    ],
  ])('%j in a %s', async (flags, method, request) => {
    const {stdout, status} = await runCommand(['api', method, '/x', ...flags, '--dry-run', '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).requests).toMatchObject([request]);
  });

  test.each([
    ['HEAD', ['--file', 'file=@a.jpg'], '--file cannot be used with HEAD'],
    ['GET', ['--input', '-'], '--input cannot be used with GET'],
    ['POST', ['--input', '-', '--file', 'file=@a.jpg'], '--file sends a form'],
    ['POST', ['--json-field', 'a=1', '--file', 'file=@a.jpg'], '--file sends a form'],
    ['POST', ['--field', 'title'], '--field takes NAME=VALUE'],
    ['POST', ['--field', '=x'], '--field takes NAME=VALUE'],
    ['POST', ['--json-field', 'a=x'], '--json-field a is not valid JSON'],
    ['POST', ['--json-field', `a=${'['.repeat(3000)}${']'.repeat(3000)}`], '--json-field a is nested deeper than 500 levels'],
    ['POST', ['--json-field', 'a'], '--json-field takes NAME=VALUE'],
    ['POST', ['--file', 'a.jpg'], '--file takes NAME=VALUE'],
    ...['authorization', 'host', 'Cookie', 'content-length', 'Content-Type', 'transfer-encoding'].map(
      (name): [string, string[], string] => ['POST', ['--header', `${name}: secret`], `--header cannot set ${name.toLowerCase()}`],
    ),
    ...['x', ': y', 'a b: c', 'x: a\r\ny: b', 'x: a\u0000', 'ä: b', 'x: → here', 'x: \u007f'].map((header): [string, string[], string] => [
      'POST',
      ['--header', header],
      '--header takes NAME:VALUE',
    ]),
  ])('no %s with %j', async (method, flags, message) => {
    const {status, stdout, stderr} = await runCommand(['api', method, '/x', ...flags], {input: '{}'});
    expect({status, stdout, stderr}).toEqual({status: 2, stdout: '', stderr: expect.stringContaining(message)});
    expect(stderr).not.toContain('secret');
  });
});
