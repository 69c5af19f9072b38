import {expect, test} from 'vitest';
import {parseServer} from '../../../src/lib/auth/server-address.js';

const read = (text: string, allowHttp = false) => parseServer(text, '--server', allowHttp).href;
const refused = (message?: unknown) => expect.objectContaining({code: 'usage', ...(message !== undefined && {message})});

test.each([
  ['pix.example', 'https://pix.example/'],
  ['pix.example:8443', 'https://pix.example:8443/'],
  ['https://pix.example', 'https://pix.example/'],
  ['https://pix.example/', 'https://pix.example/'],
  ['HTTPS://Pix.Example', 'https://pix.example/'],
  ['  pix.example\n', 'https://pix.example/'],
  ['https://pix.example:443', 'https://pix.example/'],
  ['bücher.example', 'https://xn--bcher-kva.example/'],
  ['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/'],
])('%j means %s', (text, address) => {
  expect(read(text)).toBe(address);
});

test.each(['http://localhost:8080', 'http://127.0.0.1', 'http://127.8.8.8:1', 'http://[::1]:8080', 'http://pix.localhost'])(
  'plain http is fine on this machine: %s',
  (text) => {
    expect(read(text)).toBe(`${text}/`);
  },
);

test.each([
  'http://pix.example',
  'http://0.0.0.0',
  'http://localhost.example',
  'http://127.0.0.1.example',
  'http://10.0.0.1',
  'http://[::2]',
])('plain http to another machine is refused unless allowed: %s', (text) => {
  expect(() => read(text)).toThrow(refused(expect.stringContaining('is plain http')));
  expect(read(text, true)).toBe(`${text}/`);
});

test.each([
  ['', 'not a server address'],
  ['   ', 'not a server address'],
  ['https://', 'not a server address'],
  ['https://a b', 'not a server address'],
  ['pix.example:99999', 'not a server address'],
  ['https://ana@pix.example', 'must not contain a user name'],
  ['https://ana:secret@pix.example', 'must not contain a user name'],
  ['ana@pix.example', 'must not contain a user name'],
  ['ftp://pix.example', 'must begin with https://'],
  ['file:///etc/passwd', 'must begin with https://'],
  ['git+ssh://pix.example', 'must begin with https://, not git+ssh://'],
  ['a1.b-c://pix.example', 'must begin with https://, not a1.b-c://'],
  ['1http://pix.example', 'must be a server address without'],
  ['https://pix.example/api', 'must be a server address without'],
  ['https://pix.example?x=1', 'must be a server address without'],
  ['https://pix.example#top', 'must be a server address without'],
])('rejects %j: %s', (text, words) => {
  expect(() => read(text)).toThrow(refused(expect.stringContaining(words)));
});

test.each([
  ['', '--server is not a server address', 'use an address such as https://pix.example'],
  ['https://pix.example/a?b#c', '--server must be a server address without a path, query or fragment', 'use https://pix.example'],
  ['http://pix.example:8080/a', '--server must be a server address without a path, query or fragment', 'use http://pix.example:8080'],
])('of %j it is told what to use', (text, message, hint) => {
  expect(() => read(text)).toThrow(expect.objectContaining({code: 'usage', message, details: {hint}}));
});

test('a password in the address is not repeated', () => {
  expect(() => read('https://ana:secret@pix.example')).toThrow(refused(expect.not.stringContaining('secret')));
});
