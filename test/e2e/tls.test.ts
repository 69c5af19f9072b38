/** Servers with certificates that are not accepted, and `--cacert`, which accepts them. */
import {readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:https';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {hostOf, startProxy, tunnelTo} from '../loopback-server.js';
import {newFolder, root, run} from './program.js';
import {failing} from './told.js';

const fixture = (name: string): string => join(root, 'test/fixtures/tls', name);

async function secureServer(): Promise<string> {
  const server = createServer(
    {cert: readFileSync(fixture('lists-certificate.pem')), key: readFileSync(fixture('lists-key.pem'))},
    (_, response) => {
      response.writeHead(200, {'content-type': 'application/json'}).end('[]');
    },
  );
  return `https://${await hostOf(server)}`;
}

test('refuses an unknown certificate authority, and suggests --cacert', async () => {
  const {failure} = await failing(['filters', 'list'], {env: {PIXELCTL_SERVER: await secureServer(), PIXELCTL_TOKEN: 'token-of-a-test'}});
  expect(failure).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('its certificate is not trusted'),
    hint: expect.stringContaining('--cacert'),
  });
});

const trusted = fixture('lists-certificate.pem');

test.each<[string, Readonly<Record<string, string>>, ...string[]]>([
  ['NODE_EXTRA_CA_CERTS', {NODE_EXTRA_CA_CERTS: trusted}],
  ['SSL_CERT_FILE', {SSL_CERT_FILE: trusted}],
  ['--cacert', {}, '--cacert', trusted],
  ['--cacert beside a SSL_CERT_FILE that is missing', {SSL_CERT_FILE: '/nonexistent/ca.pem'}, '--cacert', trusted],
])('%s trusts it', async (_, own, ...flags) => {
  const env = {PIXELCTL_SERVER: await secureServer(), PIXELCTL_TOKEN: 'token-of-a-test', ...own};
  expect(await run(['filters', 'list', '--json', ...flags], {env})).toEqual({stdout: '[]\n', stderr: '', status: 0, signal: null});
});

test('a request goes through the tunnel of a proxy', async () => {
  const server = new URL(await secureServer());
  const {asked, host} = await startProxy({tunnel: tunnelTo(server)});
  const env = {
    PIXELCTL_SERVER: 'https://lists.example',
    PIXELCTL_TOKEN: 'token-of-a-test',
    SSL_CERT_FILE: fixture('lists-certificate.pem'),
    HTTPS_PROXY: `http://${host}`,
  };
  expect(await run(['filters', 'list', '--json'], {env})).toEqual({stdout: '[]\n', stderr: '', status: 0, signal: null});
  expect(asked).toEqual(['CONNECT lists.example:443']);
});

test.each([['--json'], []])('NODE_TLS_REJECT_UNAUTHORIZED=0 is said in one line: %s', async (...flags) => {
  const env = {PIXELCTL_SERVER: await secureServer(), PIXELCTL_TOKEN: 'token-of-a-test', NODE_TLS_REJECT_UNAUTHORIZED: '0'};
  const {status, stderr} = await run(['blocks', 'list', ...flags], {env});
  expect({status, lines: stderr.split('\n').filter((line) => line.includes('ertificate'))}).toEqual({
    status: 0,
    lines: ['Warning: NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not checked, so others on the network can read tokens and messages'],
  });
  expect(stderr).not.toContain('(node:');
});

test.each([
  ['there is not', undefined, 'local', 9],
  ['that is empty', '', 'usage', 2],
  ['that holds something else', 'a letter to my mother', 'usage', 2],
  ['that holds no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'usage', 2],
])('--cacert of a file %s is an error', async (_, text, code, exit) => {
  const folder = newFolder();
  if (text !== undefined) writeFileSync(join(folder, 'ca.pem'), text);
  const {failure} = await failing(['filters', 'list', '--cacert', 'ca.pem'], {
    env: {PIXELCTL_SERVER: 'https://pix.invalid', PIXELCTL_TOKEN: 'token-of-a-test'},
    folder,
  });
  expect(failure).toMatchObject({code, exit, message: expect.stringContaining('ca.pem')});
});
