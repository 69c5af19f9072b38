/** What people write into variables, addresses and command lines. */
import {basename} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import {endpoints} from '../../../dist/lib/api/endpoints.js';
import {parseServer} from '../../../dist/lib/auth/server.js';
import {certificatesIn} from '../../../dist/lib/client/certificates.js';
import {encodeForm} from '../../../dist/lib/client/multipart.js';
import {isLocalAddress, isPublicAddress, isLoopbackAddress} from '../../../dist/lib/client/public-address.js';
import {bodyOf, headersOf, knownErrors, requestTarget} from '../../../dist/lib/cli/endpoint/raw-request.js';
import {FieldError, itemSchema, parseFields, pick, unknownFields} from '../../../dist/lib/print/fields.js';
import {addressOf, isServerAddress, listName} from '../../../dist/lib/policy/source/list-origin.js';
import {written} from '../folder.js';
import {same, Wrong} from '../judge.js';
import {ran} from '../program.js';

/** Variables that nothing is written to, or looked for on this machine. */
const variables = new Set([
  'PIXELCTL_SERVER',
  'PIXELCTL_TOKEN',
  'PIXELCTL_PROFILE',
  'PIXELCTL_PROFILES',
  'PIXELCTL_OUTPUT',
  'PIXELCTL_STORAGE',
  'PIXELCTL_DEBUG',
  'PIXELCTL_SERVER_ALPHA',
  'PIXELCTL_TOKEN_ALPHA',
  'NO_COLOR',
  'FORCE_COLOR',
  'COLUMNS',
  'CI',
]);

const commandLines = [
  ['blocks', 'add', '7', '--dry-run', '-o', 'curl'],
  ['auth', 'list'],
  ['auth', 'status', '--profile', 'nobody'],
];

/** Lines are variables. */
async function parseEnvironment(bytes) {
  const lines = bytes.toString().replaceAll('\0', '').split('\n');
  const pairs = lines.map((line) => /^([^=]+)=(.*)$/s.exec(line)).filter((pair) => pair !== null && variables.has(pair[1]));
  const environment = Object.fromEntries(pairs.map(([, name, value]) => [name, value]));
  const found = [];
  for (const args of commandLines) {
    const {stdout, stderr: painted, status} = await ran(args, environment);
    const stderr = stripVTControlCharacters(painted);
    if (status === 1 || (status !== 0 && !/^Error: .+\nHint: .+\n$|^\{"error":.+\}\n$/m.test(stderr)))
      throw new Wrong(`${args.join(' ')} ends with ${status}: ${stderr.slice(0, 200)}`);
    for (const [name, value] of Object.entries(environment)) {
      const isElsewhere = lines.filter((line) => line.includes(value)).length > 1;
      if (name.startsWith('PIXELCTL_TOKEN') && value.length > 16 && !isElsewhere && `${stdout}${stderr}`.includes(value))
        throw new Wrong(`${name} is printed`);
    }
    found.push(`${status} ${stderr.replaceAll(/"[^"]*"/g, '').slice(0, 30)}`);
  }
  return found.join();
}

function checkOrigin({origin, protocol}, what) {
  if (protocol !== 'https:' && protocol !== 'http:') throw new Wrong(`${what} with ${protocol}`);
  same(new URL(origin).origin, origin, what);
}

function parseAddress(bytes) {
  const text = bytes.toString();
  const kinds = [isLoopbackAddress(text), isLocalAddress(text), isPublicAddress(text)];
  if (kinds.filter(Boolean).length > 1) throw new Wrong(`an address of ${kinds}`);
  const isOfList = isServerAddress(text);
  if (isOfList) {
    const address = new URL(addressOf({server: text}));
    checkOrigin(address, 'the address of a list');
    same(listName({server: text}, '/'), address.href, 'the name of a list');
  }
  const server = parseServer(text, '--server', true);
  checkOrigin(server, 'the server');
  same(parseServer(server.href, '--server', true).href, server.href, 'the server');
  return `${isOfList} ${server.protocol} ${kinds}`;
}

const server = new URL('https://pix.example');

/** Lines are a path, a header, and values of flags. */
function parseRawRequest(bytes) {
  const [path = '', header = '', field = '', jsonField = '', ...more] = bytes.toString().split('\n');
  const target = requestTarget(path, server);
  // As it is sent, and told: after the origin.
  const url = new URL(server.origin + target.path);
  same(url.origin, server.origin, 'the origin');
  same(url.pathname, target.path, 'the path');
  const headers = headersOf([header]);
  for (const [name, value] of Object.entries(headers)) new Headers([[name, value]]);
  knownErrors('POST', target.path);
  const {body} = bodyOf('POST', {input: undefined, fields: [field, ...more], jsonFields: [jsonField], files: []});
  const names = Object.keys(JSON.parse(JSON.stringify(body?.json ?? {})));
  return `${target.query.length} ${names.length}`;
}

/** Lines are the name of a field, its value, and the name of a file; what follows is in the file. What is sent is read as what was meant. */
async function parseForm(bytes) {
  // Who reads it drops a mark where a text begins.
  const [name = '', value = '', fileName = '', ...lines] = bytes
    .toString()
    .replaceAll(/[\0\ufeff]/g, '')
    .split('\n');
  const content = lines.join('\n');
  const own = fileName.replaceAll('/', '').slice(0, 60).toWellFormed();
  const path = written(`upload/${own === '' || /^\.+$/.test(own) ? 'photo' : own}`, content);
  const form = await encodeForm([
    [name, value],
    ['file', {file: path}],
  ]);
  const body = Buffer.concat(await Array.fromAsync(form.chunks()));
  if (body.length !== form.contentLength) throw new Wrong(`${body.length} bytes and not ${form.contentLength}`);
  const read = await new Response(body, {headers: {'content-type': form.contentType}}).formData();
  const file = read.getAll('file').at(-1);
  same(await file.text(), content, 'the file');
  // A browser escapes these, and nothing else.
  const escaped = (text) => text.replaceAll('"', '%22').replaceAll('\r', '%0D');
  same(escaped(file.name), escaped(basename(path)), 'the name of the file');
  same([...read.keys()].map(escaped).join(), [escaped(name), 'file'].join(), 'the fields');
  same(read.getAll(name).at(0)?.toString() === value || name === 'file' || name.includes('%'), true, 'the value');
  return file.type;
}

async function parseCertificates(bytes) {
  const {all, valid} = await certificatesIn(bytes.toString());
  if (valid.length > all) throw new Wrong(`${valid.length} of ${all} certificates`);
  return `${all} ${valid.length}`;
}

const schemas = endpoints.map((endpoint) => itemSchema(endpoint));
const item = '{"id":"7","a.b":1,"account":{"acct":"ana","a":{"b":[1]}},"__proto__":{"x":1}}';

function parseNames(bytes) {
  const names = parseFields(bytes.toString());
  const unknown = schemas.map((schema) => unknownFields(names, schema).length);
  const picked = JSON.parse(pick(item, names, 'value'));
  same(JSON.stringify(Object.keys(picked).toSorted()), JSON.stringify(names.toSorted()), 'the fields');
  return `${Math.min(names.length, 3)} ${Math.min(...unknown) === 0}`;
}

/** @type {Record<string, import('./index.js').Parser>} */
export const parsers = {
  environment: {
    parse: parseEnvironment,
    shapes: ['lines'],
    words: [
      ...[...variables].map((name) => `\n${name}=`),
      'https://pix.example',
      'http://',
      'token',
      'json',
      'ndjson',
      'file',
      'alpha',
      '0',
      '1',
    ],
    slowness: 30,
    share: 0.3,
  },
  address: {
    parse: parseAddress,
    words: [
      'https://',
      'http://',
      'ftp://',
      'user:x@',
      ':443',
      ':0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '127.1',
      '0x7f.1',
      '10.0.0.1',
      '?',
      '#',
      '/',
    ],
  },
  'raw-request': {
    parse: parseRawRequest,
    isPart: true,
    shapes: ['lines'],
    words: [
      '/api/v1/x',
      '?a=b',
      '#x',
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
  form: {
    parse: parseForm,
    shapes: ['lines'],
    words: ['"', '\r', '%22', 'photo.jpg', '; filename="x"', '\\', '--', '\u00ff\u00d8', 'GIF89a', '<svg'],
    slowness: 4,
  },
  certificates: {parse: parseCertificates, words: ['-----BEGIN CERTIFICATE-----', '-----END CERTIFICATE-----', '-', '\r\n'], slowness: 4},
  fields: {
    parse: parseNames,
    words: [',', '.', 'id', 'account.acct', 'a.b', '__proto__'],
    isOwn: (error) => error instanceof FieldError,
    slowness: 4,
  },
};
