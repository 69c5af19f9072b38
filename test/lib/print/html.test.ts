import {expect, test} from 'vitest';
import {plainText} from '../../../src/lib/print/html.js';

test.each([
  ['nice photo <a class="mention" href="https://pix.example/alice">@alice</a>', 'nice photo @alice'],
  ['<p>one</p><p>two<br />three</p>', 'one\ntwo\nthree'],
  ['fish &amp; chips &lt;3 &quot;yes&quot; it&#039;s &#x1F41F;', 'fish & chips <3 "yes" it\'s 🐟'],
  ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['&unknown; &#99999999; &#x110000;', '&unknown; &#99999999; &#x110000;'],
  ['no markup', 'no markup'],
])('%s', (html, text) => {
  expect(plainText(html)).toBe(text);
});
