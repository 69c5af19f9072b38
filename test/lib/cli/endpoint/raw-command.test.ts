import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {requestTarget} from '../../../../src/lib/cli/endpoint/raw-command.js';

const server = new URL('https://pix.example');
const refused = (message: string) => expect.objectContaining({code: 'usage', message: expect.stringContaining(message)});

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
