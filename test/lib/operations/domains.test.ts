import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
  domainBlock,
  domainsIn,
  domainUnblock,
  hostOf,
  idOrHost,
  normalizeStoredDomain,
  isDomain,
  isFileName,
  isObfuscated,
  isOwnDomain,
  isPlainDomain,
  ownServerRefused,
  parentsOf,
  readDomain,
  typedDomain,
  unmask,
} from '../../../src/lib/operations/domains.js';

test.each([
  ['bad.example', 'bad.example'],
  ['http://bad.example/about?x=1#y', 'bad.example'],
  ['HTTPS://bad.example./', 'bad.example'],
  ['ftp://bad.example', 'bad.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
  ['bad。example', 'bad.example'],
])('parses %j as the host %s', (text, host) => {
  expect(hostOf(text)).toBe(host);
});

test.each([
  'duckdns.org',
  'a_b.example',
  'a--b.example',
  '1.example',
  `${'a'.repeat(63)}.example`,
  [...Array.from({length: 3}, () => 'a'.repeat(60)), 'b'.repeat(62), 'example'].join('.'),
])('accepts %s as a domain', (text) => {
  expect(hostOf(text)).toBe(text);
});

const tooLong = [...Array.from({length: 3}, () => 'a'.repeat(60)), 'b'.repeat(63), 'example'].join('.');

test.each([
  '',
  '.',
  'https://',
  '*.bad.example',
  'bad example',
  'bad.example:99999',
  'a.example\u0000',
  '-a.example',
  'a-.example',
  '_dmarc.bad.example',
  'a_.example',
  'a.-example',
  // Node says that this can be parsed, and then refuses it.
  `${'-1'.repeat(10_000)}R`,
  'localhost',
  'example.',
  'b?d.example',
  '10.0.0.1',
  '127.1',
  '0x7f.1',
  'https://192.0.2.1/',
  '10.0.0.1.',
  '1.2.3.4.5',
])('rejects %j as a domain', (text) => {
  expect(() => hostOf(text)).toThrow(expect.objectContaining({code: 'usage', message: expect.stringContaining('is not a domain')}));
});

test('names the reason for a rejected domain, and quotes at most 60 characters', () => {
  expect(() => hostOf('localhost')).toThrow('"localhost" is not a domain: it has no dot');
  expect(() => hostOf('10.0.0.1')).toThrow('"10.0.0.1" is not a domain: it is an address');
  expect(() => hostOf('b*d.example')).toThrow('"b*d.example" is not a domain: it contains *');
  expect(() => hostOf('a'.repeat(3_000_000))).toThrow(expect.objectContaining({message: expect.stringMatching(/^.{60,100}$/)}));
});

test.each(['ana@bad.example', '@ana@bad.example', 'https://ana@bad.example/'])('%s is an account', (text) => {
  expect(() => hostOf(text)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining('is an account, not a domain'),
      details: {hint: 'to block its whole server: bad.example'},
    }),
  );
});

test('reads names in ASCII as URLs do', () => {
  const label = fc.string({unit: fc.constantFrom('a', 'z', '0', '9', '-', '_', 'x', 'n'), minLength: 1, maxLength: 8});
  const names = fc.array(fc.oneof(label, fc.constantFrom('xn--bcher-kva', 'xn--0', '0x7f', '255', 'example')), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(names, (labels) => {
      const name = labels.join('.');
      if (!isDomain(name)) return;
      expect(new URL(`https://${name}`).hostname).toBe(name);
    }),
    {numRuns: 1000},
  );
});

test('gives one host for every spelling of a domain', () => {
  fc.assert(
    fc.property(fc.domain(), (domain) => {
      const host = hostOf(domain);
      expect(host).toBe(domain.toLowerCase());
      for (const text of [host, `https://${domain}`, `http://${domain}/`, `${domain}.`, ` ${domain.toUpperCase()} `, `${domain}:8443/x`]) {
        expect(hostOf(text)).toBe(host);
      }
    }),
  );
});

test('gives a host or fails with `usage` for any text', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), (text) => {
      try {
        const host = hostOf(text);
        expect(new URL(`https://${host}`).hostname).toBe(host);
      } catch (error) {
        expect(error).toMatchObject({code: 'usage'});
      }
    }),
  );
});

test.each([
  ['a domain that needs no parsing', 'bad.example', true],
  ['the longest one', `${'a'.repeat(55)}.example`, true],
  ['a longer one', `${'a'.repeat(56)}.example`, false],
  ['punycode', 'xn--bcher-kva.example', false],
  ['upper case', 'Bad.example', false],
  ['no dot', 'localhost', false],
  ['a number at its end', 'a.1', false],
  ['a hyphen at an edge', 'a-.example', false],
  ['inner hyphens and underscores', 'a-_b.c-d.e_f', true],
])('%s is plain: %s, %j', (_, text, is) => {
  expect(isPlainDomain(text)).toBe(is);
});

test.each([
  ['b*d.example', true],
  ['https://bad.example/*', false],
  ['HTTP://b●d.example/x', true],
  ['bad.example', false],
  ['a+b.c-1://b*d.example', true],
  ['b*d.example://bad.example', true],
])('letters of %s are masked: %j', (text, is) => {
  expect(isObfuscated(text)).toBe(is);
});

test('all masks of a domain are filled', () => {
  expect(unmask(' https://b**.ex█m…le/path*')).toBe('bxx.exxmxle');
});

test.each([
  ['a..example', {what: 'is not a domain', why: '', hint: 'use a host name such as bad.example'}],
  [`${'a'.repeat(64)}.example`, {why: 'a part of it is longer than 63 characters'}],
  [tooLong, {why: 'it is longer than 253 characters'}],
  ['[2001:db8::1]', {why: 'it is an address'}],
  ['1.2.3', {why: 'it is an address'}],
  ['https://:secret@bad.example', {what: 'is an account, not a domain', why: '', hint: 'to block its whole server: bad.example'}],
  ['a\u0007b.example', {why: ''}],
])('a text that is no domain is read with the reason: %j', (text, reason) => {
  expect(readDomain(text)).toMatchObject(reason);
});

test.each(['git+ssh://bad.example', 'x-1.y://Bad.example/path', ' bad.example '])(
  'the domain of %j is read, whatever its scheme',
  (text) => {
    expect(readDomain(text)).toEqual({domain: 'bad.example'});
  },
);

test('a domain is quoted in messages, without a reason where there is none', () => {
  expect(() => hostOf('a..b')).toThrow(expect.objectContaining({message: '"a..b" is not a domain'}));
});

test.each([
  ['list.csv', true],
  [' Blocked.YML ', true],
  ['lists/a.txt', true],
  ['https://bad.example/a.txt', true],
  ['https://a.json/', true],
  ['csv', false],
  ['csv.example', false],
  ['example', false],
])('%j is probably a file: %j', (text, is) => {
  expect(isFileName(text)).toBe(is);
  if (is) expect(() => typedDomain(text)).toThrow(expect.objectContaining({code: 'usage'}));
  else expect(typedDomain(text)).toBe(text);
});

test('what is named by its id stays as it is', () => {
  expect([idOrHost('5'), idOrHost('Bad.example')]).toEqual(['5', 'bad.example']);
});

test.each([
  ['example', []],
  ['a.example', ['example']],
  ['a.b.c.example', ['b.c.example', 'c.example', 'example']],
  // Of all of them, a server could make an answer that takes all memory.
  [`${'a.'.repeat(200)}example`, []],
])('the parents of %s are %j', (domain, parents) => {
  expect(parentsOf(domain)).toEqual(parents);
});

describe('the domain of one’s own server', () => {
  test.each([
    ['pix.example', true],
    ['example', true],
    ['a.pix.example', true],
    ['pix.example.org', false],
    ['otherpix.example', false],
    ['other.example', false],
    ['names.example', true],
  ])('%s would hide the server: %j', (domain, is) => {
    expect(isOwnDomain(domain, ['PIX.example:8443', 'names.example'])).toBe(is);
    expect(isOwnDomain(domain, [])).toBe(false);
  });

  test('the parts of an address are no parents of it, so that ids are no parts of a server', () => {
    expect(['1', '0.1', '127.0.0.1'].filter((one) => isOwnDomain(one, ['127.0.0.1:8080']))).toEqual(['127.0.0.1']);
  });

  test('a refusal of one’s own server says that nothing was sent', () => {
    expect(ownServerRefused('example')).toMatchObject({
      code: 'usage',
      message: 'example is this server, above it or below it: nothing was sent',
      details: {hint: 'leave it out'},
    });
  });
});

test('the entries of a list are compared in one form, also those that are no domains', () => {
  const isListed = domainsIn(['Bad.example.', 'No Domain', 7]);
  expect(['bad.example', 'no domain', '7', 'example'].map(isListed)).toEqual([true, true, true, false]);
  expect([normalizeStoredDomain('BÜCHER.example'), normalizeStoredDomain(7), normalizeStoredDomain('A B')]).toEqual([
    'xn--bcher-kva.example',
    '7',
    'a b',
  ]);
});

test.each([
  ['bad.example', true],
  ['xn--bcher-kva.example', true],
  ['Bad.example', false],
  ['bad.example.', false],
  ['bücher.example', false],
  ['no domain', false],
  ['', false],
])('%j is a domain in its one form: %s', (text, isOne) => {
  expect(isDomain(text)).toBe(isOne);
});

test('a domain is blocked as a URL, and unblocked bare', () => {
  expect([domainBlock, domainUnblock].map(({convert}) => convert?.['domain']?.('Bad.example.'))).toEqual([
    'https://bad.example',
    'bad.example',
  ]);
});
