/** What a browser makes of a page: only what our pages are made of may be in it. */
import {Wrong} from './judge.js';

/** Tags of our pages, with the attributes that each may have. */
const known = {
  html: ['lang'],
  head: [],
  meta: ['charset', 'http-equiv', 'content', 'name'],
  title: [],
  style: [],
  body: [],
  header: ['class'],
  form: ['class', 'id', 'role', 'hidden'],
  label: [],
  input: ['type', 'id', 'autocomplete', 'aria-keyshortcuts'],
  output: ['id', 'for'],
  main: [],
  section: [],
  article: ['id', 'class'],
  h1: [],
  h2: ['class'],
  p: ['class', 'id', 'dir'],
  a: ['href', 'class'],
  bdi: ['class'],
  span: ['class'],
  time: ['datetime'],
  div: ['class'],
  details: ['class'],
  summary: [],
  ul: ['class'],
  li: [],
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
const attribute = /([a-z-]+)(?:="([^"]*)")?/g;

/** Where links and media may lead: to files beside the page, and to places in it. */
const address = /^(?:#m.*|#end|\.\.\/index\.html|[\da-f]+\/page\.html|media\/[\da-f]+\.\w+)$/;

function checkTag(name, attributes) {
  if (!Object.hasOwn(known, name)) throw new Wrong(`the element ${name}`);
  for (const [, attributeName, value = ''] of attributes.matchAll(attribute)) {
    if (!known[name].includes(attributeName)) throw new Wrong(`the attribute ${attributeName} of ${name}`);
    if ((attributeName === 'href' || attributeName === 'src') && !address.test(value)) throw new Wrong(`a link to ${value}`);
  }
}

/** @throws Wrong for anything in a page that is not ours */
export function checkPage(page) {
  const start = '<!doctype html>\n';
  if (!page.startsWith(start)) throw new Wrong('no doctype');
  if (/[^\P{Cc}\n\t]|\p{Cs}|[\ufffe\uffff]/u.test(page)) throw new Wrong('a control character');
  const opened = [];
  let scripts = 0;
  for (let at = start.length; at < page.length;) {
    const next = page.indexOf('<', at);
    if (next === -1) break;
    tag.lastIndex = next;
    const [whole, slash, name, attributes] = tag.exec(page) ?? [];
    if (whole === undefined) throw new Wrong(`what is no tag: ${page.slice(next, next + 40)}`);
    at = next + whole.length;
    if (slash === '/') {
      if (opened.pop() !== name) throw new Wrong(`an end of ${name}`);
      continue;
    }
    checkTag(name, attributes);
    if (name === 'script') scripts += 1;
    if (raw.has(name)) {
      const end = page.indexOf(`</${name}>`, at);
      if (end === -1) throw new Wrong(`${name} without an end`);
      at = end + name.length + 3;
    } else if (!empty.has(name)) opened.push(name);
  }
  if (opened.length > 0) throw new Wrong(`no end of ${opened.join()}`);
  if (scripts !== 1) throw new Wrong(`${scripts} scripts`);
}
