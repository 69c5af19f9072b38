/** What people write into variables, addresses, requests and command lines. */
import {stripVTControlCharacters} from 'node:util';
import {expect} from 'vitest';
import {endpoints} from '../../src/lib/api/endpoints.js';
import {parseServer} from '../../src/lib/auth/server-address.js';
import {bodyOf, headersOf, requestTarget} from '../../src/lib/cli/endpoint/raw-command.js';
import {certificatesIn} from '../../src/lib/client/certificates.js';
import {shellWord} from '../../src/lib/files/command-text.js';
import {wordsOfShell} from '../shell-words.js';
import {isServerAddress} from '../../src/lib/policy/sections/domains-schema.js';
import {withScheme} from '../../src/lib/policy/sections/section-fields.js';
import {FieldError, itemSchema, parseFields, unknownFields} from '../../src/lib/print/fields.js';
import {runCommand} from '../run-command.js';
import {describeParsers} from './behaviour.js';

/** Variables that nothing is written to, or looked for on this machine. */
const variables = ['SERVER', 'TOKEN', 'PROFILE', 'PROFILES', 'OUTPUT', 'STORAGE', 'SERVER_ALPHA', 'TOKEN_ALPHA'].map(
  (name) => `PIXELCTL_${name}`,
);
const all = [...variables, 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'CI'];

/** Lines are variables. */
async function parseEnvironment(bytes: Buffer): Promise<void> {
  const lines = bytes.toString().replaceAll('\0', '').split('\n');
  const pairs = lines.flatMap((line) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(line) ?? [];
    return all.includes(name) ? [[name, value]] : [];
  });
  const environment = {PIXELCTL_SERVER: undefined, PIXELCTL_TOKEN: undefined, ...Object.fromEntries(pairs)};
  for (const args of [
    ['blocks', 'add', '7', '--dry-run', '-o', 'curl'],
    ['auth', 'status', '--profile', 'nobody'],
  ]) {
    const {stderr, status} = await runCommand(args, {environment});
    expect(status).not.toBe(1);
    if (status !== 0) expect(stripVTControlCharacters(stderr)).toMatch(/^Error: .+\nHint: .+\n$|^\{"error":.+\}\n$/m);
  }
}

function parseAddress(bytes: Buffer): void {
  const text = bytes.toString();
  const addresses = isServerAddress(text) ? [new URL('/', withScheme(text))] : [];
  const server = parseServer(text, '--server', true);
  for (const {protocol} of [server, ...addresses]) expect(protocol).toMatch(/^https?:$/);
  expect(parseServer(server.href, '--server', true).href).toBe(server.href);
}

/** Lines are a path, a header, and values of flags. Nothing is sent to another server. */
function parseRawRequest(bytes: Buffer): void {
  const [path = '', header = '', field = '', jsonField = '', ...more] = bytes.toString().split('\n');
  const server = new URL('https://pix.example');
  const target = requestTarget(path, server);
  const {origin, pathname} = new URL(server.origin + target.path);
  expect({origin, pathname}).toEqual({origin: server.origin, pathname: target.path});
  for (const [name, value] of Object.entries(headersOf([header]))) new Headers([[name, value]]);
  bodyOf('POST', {input: undefined, fields: [field, ...more], jsonFields: [jsonField], files: []});
}

function parseNames(bytes: Buffer): void {
  const names = parseFields(bytes.toString());
  for (const endpoint of endpoints) unknownFields(names, itemSchema(endpoint));
}

/** Lines are words. */
function quoteWords(bytes: Buffer): void {
  const words = bytes.toString().split('\n');
  expect(wordsOfShell(words.map(shellWord).join(' '))).toEqual(words);
}

describeParsers({
  environment: {
    parse: parseEnvironment,
    words: [...all.map((name) => `\n${name}=`), 'https://pix.example', 'json', 'file', 'alpha'],
    share: 0.5,
  },
  address: {
    parse: parseAddress,
    words: ['https://', 'http://', 'ftp://', 'user:x@', ':443', ':0', '[::1]', '[::ffff:127.0.0.1]', '127.1', '0x7f.1', '?', '/'],
  },
  'raw-request': {
    parse: parseRawRequest,
    isPart: true,
    words: [
      '/api/v1/x',
      '?a=b',
      '//other.example',
      'https://pix.example',
      '/../',
      '%2f',
      'x-own: a',
      'authorization:x',
      '[]=',
      'a=',
      '={"',
    ],
  },
  certificates: {
    parse: (bytes) => certificatesIn(bytes.toString()),
    words: ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '-'],
  },
  fields: {parse: parseNames, words: ['.', 'id', 'account.acct', 'a.b'], isOwn: (error) => error instanceof FieldError},
  shell: {parse: quoteWords, words: ['$', '`', '!', '~', '-', '=', '{a,b}', '\u0085', '\u00a0', '\v', '&&', "'\\''"]},
});
