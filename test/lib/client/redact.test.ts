import fc from 'fast-check';
import {expect, test} from 'vitest';
import {mask, redact} from '../../../src/lib/client/redact.js';
import {codePoint} from '../../arbitraries.js';

const secret = fc.string({minLength: 8, unit: codePoint}).filter((text) => !mask.includes(text.slice(0, 1)));

test.each([
  ['as it is', (text: string) => `the token ${text} is no good`],
  ['twice', (text: string) => text + text],
  ['in JSON', (text: string) => JSON.stringify({token: text})],
  ['in the JSON of PHP', (text: string) => JSON.stringify({token: text}).replaceAll('/', '\\/')],
  ['in a URL', (text: string) => `/oauth?token=${encodeURIComponent(text.toWellFormed())}`],
])('masks a secret %s', (_, write) => {
  for (const token of ['abcdefgh', '1|a/b+c=', 'quo"ted-', 'back\\slash', 'ExponentPushToken[abc]']) {
    const clean = redact(write(token), [token]);
    expect(clean).toBe(write(mask).replaceAll(encodeURIComponent(mask), mask));
  }
});

test('leaves no secret in any text', () => {
  fc.assert(
    fc.property(secret, fc.string(), fc.string(), (token, before, after) => {
      const rest = before + after;
      fc.pre(!rest.includes(token));
      expect(redact(`${before} ${token} ${after}`, [token])).not.toContain(token);
    }),
  );
});

test('masks a secret that begins with another one completely', () => {
  expect(redact('abcdefgh abcdefghij', ['abcdefgh', 'abcdefghij'])).toBe(`${mask} ${mask}`);
});

test.each(['a', 'to', 'token', '1234567'])('a secret as short as %s is hidden where it stands alone, and nowhere else', (short) => {
  const text = `a token to ${short}: {"a token":"to do 12345678"}`;
  expect(redact(text, [short])).toBe(text);
  expect(redact(short, [short])).toBe(mask);
  expect(redact(JSON.stringify({name: short, list: [short]}), [short])).toBe(JSON.stringify({name: mask, list: [mask]}));
  expect(redact(`Authorization: Bearer ${short}`, [short])).toBe(`Authorization: Bearer ${mask}`);
});

test('leaves text without secrets unmodified', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(redact(text, [])).toBe(text);
      expect(redact(text, [''])).toBe(text);
    }),
  );
});

test('an empty secret masks nothing', () => {
  const text = '{"token":"","text":"","next":"Bearer "}';
  expect(redact(text, [''])).toBe(text);
  expect(redact('', [''])).toBe('');
});
