import {expect, test} from 'vitest';
import {expectOwnPage} from './own-page.js';

const page = (inside: string) => `<!doctype html>\n<html lang="en">\n<body>\n${inside}<script>1 < 2</script>\n</body>\n</html>\n`;

test('a page may have what our pages are made of', () => {
  expectOwnPage(page('<p class="a">a &lt;b&gt; <a href="media/0f.jpg">0f.jpg</a></p>\n'));
});

test.each([
  '<b>a</b>',
  '<p onclick="x">a</p>',
  '<a href="javascript:x">a</a>',
  '<p class=x>a</p>',
  'a < b',
  '<!-- a -->',
  '</p>',
  '<p class="a">',
  '<script>x</script>',
  '\u001b',
])('a page may not have %j', (inside) => {
  expect(() => expectOwnPage(page(inside))).toThrow();
});
