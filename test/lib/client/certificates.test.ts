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
    const text = (await readFile(path, 'utf8')).trim();
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

  test('are trusted beside the others', async () => {
    vi.stubEnv('SSL_CERT_FILE', path);
    const {trustEnvironment} = await fresh();
    await trustEnvironment();
    const trusted = getCACertificates('default').map(bodyOf);
    expect(trusted).toContain(bodyOf(await readFile(path, 'utf8')));
    expect(trusted.length).toBeGreaterThan(before.length);
  });

  test('are trusted by what fetches lists', async () => {
    vi.stubEnv('SSL_CERT_FILE', path);
    vi.resetModules();
    const {GuardedFetcher} = await import('../../../src/lib/client/guarded-fetch.js');
    const server = await startServer(bytes('a.example'));
    await using fetcher = new GuardedFetcher({isAllowed: () => true, isHttpAllowed: () => true});
    await fetcher.fetch(server.url, {
      largest: 100,
      timeout: 30_000,
      longest: 30_000,
      retries: 0,
      headers: () => ({}),
      take: async () => {},
    });
    expect(getCACertificates('default').map(bodyOf)).toContain(bodyOf(await readFile(path, 'utf8')));
  });

  test('are read once', async () => {
    vi.stubEnv('SSL_CERT_FILE', path);
    const {trustEnvironment} = await fresh();
    expect(trustEnvironment()).toBe(trustEnvironment());
    await trustEnvironment();
  });

  test.each(['/nowhere/certificates.pem', ''])('are none where there is no file: %j', async (missing) => {
    vi.stubEnv('SSL_CERT_FILE', missing);
    const {trustEnvironment} = await fresh();
    await trustEnvironment();
    expect(getCACertificates('default')).toHaveLength(before.length);
  });
});
