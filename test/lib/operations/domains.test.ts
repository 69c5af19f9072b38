import fc from 'fast-check';
import {expect, test} from 'vitest';
import {hostOf, isDomain} from '../../../src/lib/operations/domains.js';

test.each([
  ['bad.example', 'bad.example'],
  ['Bad.EXAMPLE', 'bad.example'],
  [' bad.example\n', 'bad.example'],
  ['bad.example.', 'bad.example'],
  ['https://bad.example', 'bad.example'],
  ['http://bad.example/about?x=1#y', 'bad.example'],
  ['HTTPS://bad.example./', 'bad.example'],
  ['ftp://bad.example', 'bad.example'],
  ['bad.example:8443', 'bad.example'],
  ['https://bad.example:8443/', 'bad.example'],
  ['bad.example/about', 'bad.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
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
  ' ',
  '.',
  '..',
  'https://',
  '*.bad.example',
  'bad example',
  'bad.example:99999',
  'a<b',
  'a.example;suspend',
  'a,b.example',
  'foo..example',
  '.foo.example',
  'foo.example..',
  'a.example\u0000',
  'a.example%20b',
  "it's.example",
  '-a.example',
  'a-.example',
  '_dmarc.bad.example',
  'a_.example',
  'a.-example',
  `${'a'.repeat(64)}.example`,
  tooLong,
  // Node says that this can be parsed, and then refuses it.
  `${'-1'.repeat(10_000)}R`,
  'localhost',
  'example.',
  'com',
  'b█d.example',
  'b?d.example',
  'b…d.example',
  '10.0.0.1',
  '127.1',
  '0x7f.1',
  'https://192.0.2.1/',
  '[2001:db8::1]',
  '10.0.0.1.',
  '1.2.3.4.5',
])('rejects %j as a domain', (text) => {
  expect(() => hostOf(text)).toThrow(expect.objectContaining({code: 'usage', message: expect.stringContaining('is not a domain')}));
});

test('names the reason for a rejected domain, and quotes at most 60 characters', () => {
  expect(() => hostOf('localhost')).toThrow('"localhost" is not a domain: it has no dot');
  expect(() => hostOf('10.0.0.1')).toThrow('"10.0.0.1" is not a domain: it is an address');
  expect(() => hostOf('b*d.example')).toThrow('"b*d.example" is not a domain: it contains masked letters');
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
    {numRuns: 5000},
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
