import {readFile} from 'node:fs/promises';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import {afterEach, describe, expect, test, vi} from 'vitest';
import {certificatesIn} from '../../../src/lib/client/certificates.js';
import {bytes, startServer} from '../../loopback-server.js';

const path = 'test/fixtures/tls/unknown-certificate.pem';
const before = getCACertificates('default');

afterEach(() => {
  setDefaultCACertificates(before);
  vi.unstubAllEnvs();
});

describe('certificates in a text', () => {
  test('are counted, and those that can be read are given', async () => {
    const text = await readFile(path, 'utf8');
    const broken = '-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----';
    expect(await certificatesIn('')).toEqual({all: 0, valid: []});
    expect(await certificatesIn(`# a\n${text}\nb\n${broken}\n${text}`)).toEqual({all: 3, valid: [text, text]});
  });
});

describe('the certificates of the environment', () => {
  /** A module of its own: it trusts once a process. */
  const fresh = async () => {
    vi.resetModules();
    return import('../../../src/lib/client/certificates.js');
  };
  const bodyOf = (certificate: string) => certificate.replaceAll(/\s/g, '');

  test('are trusted beside the others, and read once', async () => {
    vi.stubEnv('SSL_CERT_FILE', path);
    const {trustEnvironment} = await fresh();
    expect(trustEnvironment()).toBe(trustEnvironment());
    await trustEnvironment();
    const trusted = getCACertificates('default').map(bodyOf);
    expect([trusted.length, trusted.includes(bodyOf(await readFile(path, 'utf8')))]).toEqual([before.length + 1, true]);
  });

  test('are trusted by what fetches lists, and by a client that uses TLS', async () => {
    vi.stubEnv('SSL_CERT_FILE', path);
    const own = bodyOf(await readFile(path, 'utf8'));
    const [list, nobody, nobodyWithTls] = [(await startServer(bytes('a.example'))).url, 'http://127.0.0.1:1', 'https://127.0.0.1:1'];
    const fetchList = async () => {
      const {GuardedFetcher} = await import('../../../src/lib/client/guarded-fetch.js');
      await using fetcher = new GuardedFetcher({isAllowed: () => true, isHttpAllowed: () => true});
      const limits = {largest: 100, timeout: 30_000, longest: 30_000, retries: 0};
      await fetcher.fetch(list, {...limits, headers: () => ({}), take: async () => {}});
    };
    const ask = async (server: string) => {
      const {createTransport} = await import('../../../src/lib/client/transport.js');
      await using transport = createTransport(server, 30_000);
      await transport.exchange({method: 'GET', target: '/', headers: {}}).catch(() => {});
    };
    for (const [use, isTrusted] of [
      [fetchList, true],
      [() => ask(nobody), false],
      [() => ask(nobodyWithTls), true],
    ] as const) {
      setDefaultCACertificates(before);
      vi.resetModules();
      await use();
      expect(getCACertificates('default').map(bodyOf).includes(own)).toBe(isTrusted);
    }
  });

  test.each(['/nowhere/certificates.pem', ''])('are none where there is no file: %j', async (missing) => {
    vi.stubEnv('SSL_CERT_FILE', missing);
    const {trustEnvironment} = await fresh();
    await trustEnvironment();
    expect(getCACertificates('default')).toHaveLength(before.length);
  });
});
