import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {bodyOf, headersOf, requestTarget} from '../../../../src/lib/cli/endpoint/raw-request.js';

const server = new URL('https://pix.example');
const refused = (message: string) => expect.objectContaining({code: 'usage', message: expect.stringContaining(message)});
const none = {input: undefined, fields: [], jsonFields: [], files: []};

describe('a path', () => {
  test.each([
    ['/api/v1/instance', '/api/v1/instance'],
    ['api/v1/instance', '/api/v1/instance'],
    ['https://pix.example/api/v1/instance', '/api/v1/instance'],
    ['HTTPS://PIX.example:443/api', '/api'],
    ['/a/../b', '/b'],
    ['../../etc', '/etc'],
    ['/a%2Fb', '/a%2Fb'],
    ['https:evil.example/x', '/evil.example/x'],
    ['/a b', '/a%20b'],
    ['', '/'],
  ])('%j is requested as %s', (path, asked) => {
    expect(requestTarget(path, server)).toEqual({path: asked, query: []});
  });

  test('keeps its query, without the fragment', () => {
    expect(requestTarget('/x?limit=2&types[]=a&types[]=b%26c#top', server)).toEqual({
      path: '/x',
      query: [
        ['limit', '2'],
        ['types[]', 'a'],
        ['types[]', 'b&c'],
      ],
    });
  });

  test.each([
    '//evil.example/x',
    '///evil.example/x',
    '/\\evil.example/x',
    '\\\\evil.example/x',
    '/\t/evil.example/x',
    'http://evil.example',
    'https://evil.example/api/v1/instance',
    'http://pix.example/api',
    'https://pix.example:8443/api',
    'https://pix.example.evil.example/api',
    'https://pix.example@evil.example/api',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'https://',
  ])('a path on another server is refused: %s', (path) => {
    expect(() => requestTarget(path, server)).toThrow(refused('PATH is not on pix.example'));
  });

  test('a path never leads to another server (property)', () => {
    const part = fc.constantFrom(
      '/',
      '\\',
      ':',
      '@',
      '.',
      '..',
      '//',
      'http:',
      'https:',
      'evil.example',
      'pix.example',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '?',
      '#',
      'a',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (text) => {
          try {
            const {path} = requestTarget(text, server);
            expect(path.startsWith('/')).toBe(true);
          } catch (error) {
            expect(error).toMatchObject({code: 'usage'});
          }
        },
      ),
      {numRuns: 300},
    );
  });
});

describe('fields', () => {
  test('fields are sent in the query of a GET', () => {
    expect(bodyOf('GET', {...none, fields: ['limit=2', 'types[]=a', 'types[]=b'], jsonFields: ['id=12345678901234567890']})).toEqual({
      fieldQuery: [
        ['limit', '2'],
        ['types[]', 'a'],
        ['types[]', 'b'],
        ['id', '12345678901234567890'],
      ],
    });
  });

  test('fields are sent in the body of a POST, and override the input', () => {
    const {body, fieldQuery} = bodyOf('POST', {
      ...none,
      input: {title: 'A', kept: 1},
      fields: ['title=B = C', 'context[]=home', 'context[]=public', 'empty='],
      jsonFields: ['list[]=1', 'deep={"a":[2.50]}', 'yes=true', 'context[]=null'],
    });
    expect(fieldQuery).toEqual([]);
    expect(JSON.stringify(body)).toBe(
      '{"json":{"title":"B = C","kept":1,"context":["home","public",null],"empty":"","list":[1],"deep":{"a":[2.50]},"yes":true}}',
    );
  });

  test('fields are optional; without them there is no body', () => {
    expect(bodyOf('POST', none)).toEqual({fieldQuery: []});
    expect(bodyOf('DELETE', none)).toEqual({fieldQuery: []});
    expect(bodyOf('POST', {...none, input: {}})).toEqual({body: {json: {}}, fieldQuery: []});
  });

  test('fields are sent in a form with files', () => {
    expect(bodyOf('POST', {...none, fields: ['description=Low tide'], files: ['file=@a=b.jpg', 'thumbnail=c.jpg']})).toEqual({
      body: {
        multipart: [
          ['description', 'Low tide'],
          ['file', {file: 'a=b.jpg'}],
          ['thumbnail', {file: 'c.jpg'}],
        ],
      },
      fieldQuery: [],
    });
  });

  test.each([
    ['GET', {...none, files: ['file=@a.jpg']}, '--file cannot be used with GET'],
    ['HEAD', {...none, files: ['file=@a.jpg']}, '--file cannot be used with HEAD'],
    ['GET', {...none, input: {}}, '--input cannot be used with GET'],
    ['POST', {...none, input: {}, files: ['file=@a.jpg']}, '--file sends a form'],
    ['POST', {...none, jsonFields: ['a=1'], files: ['file=@a.jpg']}, '--file sends a form'],
    ['POST', {...none, fields: ['title']}, '--field takes NAME=VALUE'],
    ['POST', {...none, fields: ['=x']}, '--field takes NAME=VALUE'],
    ['POST', {...none, jsonFields: ['a=x']}, '--json-field a is not valid JSON'],
    ['POST', {...none, jsonFields: [`a=${'['.repeat(3000)}${']'.repeat(3000)}`]}, '--json-field a is nested deeper than 500 levels'],
    ['POST', {...none, jsonFields: ['a']}, '--json-field takes NAME=VALUE'],
    ['POST', {...none, files: ['a.jpg']}, '--file takes NAME=VALUE'],
  ])('fields that are invalid are refused: %s %j', (method, given, message) => {
    expect(() => bodyOf(method, given)).toThrow(refused(message));
  });
});

describe('headers', () => {
  test('headers are sent as given', () => {
    expect(headersOf(['X-Pixelfed-App: 1', 'accept-language:da, en', 'x-empty:'])).toEqual({
      'x-pixelfed-app': '1',
      'accept-language': 'da, en',
      'x-empty': '',
    });
  });

  test.each([
    'Authorization: Bearer abc',
    'host: evil.example',
    'Cookie: a=b',
    'content-length: 5',
    'Content-Type: text/plain',
    'transfer-encoding: chunked',
  ])('headers that the client sets itself are refused: %s', (header) => {
    expect(() => headersOf([header])).toThrow(refused('--header cannot set'));
  });

  test('headers that are refused are not printed, because they may be secrets', () => {
    expect(() => headersOf(['Authorization: Bearer abc'])).toThrow(expect.objectContaining({message: expect.not.stringContaining('abc')}));
  });

  test.each(['x', ': y', 'a b: c', 'x: a\r\ny: b', 'x: a\u0000', 'ä: b', 'x: → here', 'x: \u007f'])(
    'headers that are invalid are refused: %j',
    (header) => {
      expect(() => headersOf([header])).toThrow(refused('--header takes NAME:VALUE'));
    },
  );
});
