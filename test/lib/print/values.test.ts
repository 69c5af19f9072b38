import {describe, expect, test} from 'vitest';
import {plainText, relativeTime} from '../../../src/lib/print/values.js';

describe('plainText', () => {
  test.each([
    ['nice photo <a class="mention" href="https://pix.example/alice">@alice</a>', 'nice photo @alice'],
    ['<p>one</p><p>two<br />three</p>', 'one\ntwo\nthree'],
    ['fish &amp; chips &lt;3 &quot;yes&quot; it&#039;s &#x1F41F;', 'fish & chips <3 "yes" it\'s 🐟'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['&unknown; &copy; &#99999999; &#x110000;', '&unknown; &copy; &#99999999; &#x110000;'],
    ['no markup', 'no markup'],
  ])('the plain text of %s', (html, text) => {
    expect(plainText(html)).toBe(text);
  });
});

describe('relativeTime', () => {
  const now = new Date('2026-11-20T12:00:00Z');

  test.each([
    ['2026-11-20T11:59:30.000000Z', 'just now'],
    ['2026-11-20T12:00:30Z', 'just now'],
    ['2026-11-20T11:57:00+00:00', '3 min ago'],
    ['2026-11-20T12:59:00.000Z', 'in 59 min'],
    ['2026-11-20T12:59:59.000Z', 'in 1 h'],
    ['2026-11-27T11:59:59Z', 'in 7 days'],
    ['2026-11-20T11:00:00Z', '1 h ago'],
    ['2026-11-20T15:00:00+02:00', 'in 1 h'],
    ['2026-11-19T12:00:00Z', '1 day ago'],
    ['2026-11-22T12:00:00Z', 'in 2 days'],
    ['2026-10-22T12:00:00Z', '29 days ago'],
    ['2026-10-21T12:00:00Z', '2026-10-21'],
    ['2027-11-20T12:00:00Z', '2027-11-20'],
    ['2026-10-01', '2026-10-01'],
  ])('shows %s as %s', (iso, words) => {
    expect(relativeTime(iso, now)).toBe(words);
  });

  test.each(['', 'yesterday', '5', '2026-99-99T00:00:00Z'])('leaves "%s" unchanged', (text) => {
    expect(relativeTime(text, now)).toBe(text);
  });
});
