import fc from 'fast-check';
import {expect, test} from 'vitest';
import {hostOf} from '../../../src/lib/client/domain.js';

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
])('%j is the host %s', (text, host) => {
  expect(hostOf(text)).toBe(host);
});

test.each(['', ' ', '.', '..', 'https://', '*.bad.example', 'bad example', 'bad.example:99999', 'a<b'])('%j is no domain', (text) => {
  expect(() => hostOf(text)).toThrow(expect.objectContaining({code: 'usage', message: expect.stringContaining('is not a domain')}));
});

test.each(['ana@bad.example', '@ana@bad.example', 'https://ana@bad.example/'])('%s is an account', (text) => {
  expect(() => hostOf(text)).toThrow(
    expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining('is an account, not a domain'),
      details: {hint: 'for its whole server: bad.example'},
    }),
  );
});

test('a domain is one host however it is written', () => {
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

test('whatever is typed ends in a host or in a refusal', () => {
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
