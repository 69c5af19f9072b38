import {createHash} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {pageFrame, timeOf} from '../../../src/lib/print/html-page.js';
import {escapeMarkup, Markup, markup, markupText} from '../../../src/lib/print/markup.js';
import {palette, type Palette} from '../../../src/lib/print/palette.js';

describe('text in markup', () => {
  test('has an entity for each character with a meaning, and none of the two that XML forbids', () => {
    expect(escapeMarkup(`<a href="x">'&'</a>\ufffe\uffff`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;\ufffd\ufffd');
  });

  test('is on one line, and inert', () => {
    expect(escapeMarkup('a\nb\tc\u001b\u202e\u200e')).toBe(String.raw`a b c␛\u202e\u200e`);
  });

  test('of a person keeps its lines and its marks of direction, and loses overrides', () => {
    expect(markupText('<a>\n\u200e\u2066b\u2069\u061c\u200f\u202e').text).toBe(
      `&lt;a&gt;\n\u200e\u2066b\u2069\u061c\u200f${String.raw`\u202e`}`,
    );
  });

  test('is escaped by the template, but what is markup already is left alone', () => {
    const inner = markup`<b>${'<'}</b>`;
    expect(inner).toBeInstanceOf(Markup);
    expect(inner.text).toBe('<b>&lt;</b>');
    expect(markup`<p>${inner} ${7} ${undefined}|${[inner, inner]}|${[]}</p>`.text).toBe('<p><b>&lt;</b> 7 |<b>&lt;</b><b>&lt;</b>|</p>');
  });
});

describe('a page', () => {
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  const parts = {title: 'a < b', style: 'p > b {}', script: 'if (1 < 2) {}'};
  const {begin, end} = pageFrame(parts);
  const styleIn = (page: string) => /<style>([^]*)<\/style>/.exec(page)?.[1] ?? '';
  const policyIn = (page: string) => /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#39;', "'");

  test('allows its own style and its own script, and nothing else', () => {
    expect(policyIn(begin)).toBe(
      `default-src 'none'; style-src 'sha256-${hashOf(styleIn(begin))}'; script-src 'sha256-${hashOf(parts.script)}'; base-uri 'none'; form-action 'none'`,
    );
  });

  test('with media allows those beside it, too', () => {
    expect(policyIn(pageFrame({...parts, hasMedia: true}).begin)).toContain(
      `'; img-src 'self' file:; media-src 'self' file:; base-uri 'none'; form-action 'none'`,
    );
    expect(pageFrame({...parts, hasMedia: false}).begin).toBe(begin);
  });

  test('without a script allows none, and a form only where it has one that is sent', () => {
    const {title, style} = parts;
    const plain = pageFrame({title, style});
    expect(plain.end).toBe('</body>\n</html>\n');
    expect(policyIn(plain.begin)).toMatch(/^default-src 'none'; style-src '[^']+'; base-uri 'none'; form-action 'none'$/);
    expect(policyIn(pageFrame({title, style, isSent: true}).begin)).toMatch(/; base-uri 'none'$/);
  });

  test('ends with its script as it is', () => {
    expect(end).toBe('<script>if (1 < 2) {}</script>\n</body>\n</html>\n');
  });

  test('begins as HTML, with its title escaped and its style as it is', () => {
    expect(begin).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    expect(begin).toContain('<title>a &lt; b</title>');
    expect(begin).toContain('p > b {}</style>');
    expect(begin).toContain('<meta name="referrer" content="no-referrer">');
    expect(begin).toMatch(/<\/head>\n<body>\n$/);
  });

  test('shows times in UTC to the minute', () => {
    expect(timeOf(new Date('2026-11-20T04:41:07.123Z')).text).toBe('<time datetime="2026-11-20T04:41:07.123Z">2026-11-20 04:41 UTC</time>');
  });
});

test('texts have their own styles where there are colours, and none elsewhere', () => {
  const stylesOf = ({json, ...others}: Palette) =>
    Object.entries({...others, ...json}).map(([name, paint]) => `${name} ${JSON.stringify(paint?.('x'))}`);
  const codes = {heading: 1, quiet: 2, good: 32, bad: 31, key: 34, string: 32, number: 33, literal: 35};
  const styled = Object.entries(codes).map(([name, code]) => `${name} "\\u001b[${code}mx\\u001b[${code < 3 ? 22 : 39}m"`);
  expect(stylesOf(palette(true))).toEqual(styled);
  expect(stylesOf(palette(false))).toEqual(Object.keys(codes).map((name) => `${name} "x"`));
});
