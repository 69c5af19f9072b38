/** What a browser makes of a page: only what our pages are made of may be in it. */
import {expect} from 'vitest';

const plain = ['body', 'bdi', 'head', 'header', 'h1', 'h2', 'label', 'li', 'main', 'section', 'span', 'style', 'summary', 'title', 'ul'];

/** Tags of our pages that have more attributes than a class. */
const known: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(plain.map((name) => [name, ['class']])),
  html: ['lang'],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  div: ['class', 'id', 'role', 'hidden'],
  input: ['type', 'id', 'autocomplete'],
  output: ['id', 'for'],
  article: ['id', 'class'],
  p: ['class', 'id', 'dir'],
  a: ['href', 'class'],
  time: ['datetime'],
  details: ['class'],
  img: ['src', 'alt', 'loading'],
  video: ['class', 'src', 'controls', 'preload', 'title'],
  audio: ['class', 'src', 'controls', 'preload', 'title'],
  script: [],
};
const empty = new Set(['meta', 'input', 'img']);
/** Their content is no markup, and ends with their own end tag. */
const raw = new Set(['style', 'script', 'title']);

/** The tokens of HTML 13.2.5 that our pages may have: a tag with quoted attributes, or text. */
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/y;

/** Where links and media may lead: to files beside the page, and to places in it. */
const address = /^(?:#m.*|#end|\.\.\/index\.html|[\da-f]+\/page\.html|media\/[\da-f]+\.\w+)$/;

/** Fails for anything in a page that is not ours. */
export function expectOwnPage(page: string): void {
  const start = '<!doctype html>\n';
  expect(page.startsWith(start), 'a doctype').toBe(true);
  expect(/[^\P{Cc}\n\t]|\p{Cs}|[\ufffe\uffff]/u.test(page), 'a control character').toBe(false);
  const opened: string[] = [];
  for (let at = page.indexOf('<', start.length); at !== -1; at = page.indexOf('<', at)) {
    tag.lastIndex = at;
    const [whole, slash, name = '', attributes = ''] = tag.exec(page) ?? expect.fail(`what is no tag: ${page.slice(at, at + 40)}`);
    at += whole.length;
    if (slash === '/') {
      expect(opened.pop(), `an end of ${name}`).toBe(name);
      continue;
    }
    for (const [, attribute, value = ''] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) {
      expect(known[name] ?? [], `the attribute ${attribute} of ${name}`).toContain(attribute);
      if (attribute === 'href' || attribute === 'src') expect(value).toMatch(address);
    }
    expect(Object.keys(known)).toContain(name);
    if (raw.has(name)) at = page.indexOf(`</${name}>`, at) + name.length + 3;
    else if (!empty.has(name)) opened.push(name);
  }
  expect(opened).toEqual([]);
  expect(page.split('<script').length, 'one script').toBe(2);
}
