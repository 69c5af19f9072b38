import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {expect, test} from 'vitest';
import {commandLines, complaint} from '../command-lines.js';

const root = join(import.meta.dirname, '../..');
const inDocs = readdirSync(join(root, 'docs'), {recursive: true, encoding: 'utf8'}).map((name) => join('docs', name));
const pages = [...readdirSync(root), ...inDocs].filter((file) => file.endsWith('.md')).sort();

const text = (file: string) => readFileSync(join(root, file), 'utf8');
const withoutFences = (markdown: string) => markdown.replaceAll(/^```[^]*?^```$/gm, '');

/** As GitHub makes the anchor of a heading. */
function anchors(file: string): string[] {
  return [...withoutFences(text(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(pages)('every link in %s has a target', (page) => {
  const targets = [...withoutFences(text(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, file))) return true;
    return anchor !== undefined && !anchors(file).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(pages)('every file of the project that %s names exists', (page) => {
  const named = [...text(page).matchAll(/`((?:bin|ci|scripts|src|test)\/[^\s`]+\.\w+)`/g)].map(([, file = '']) => file);
  // Recipes name files that somebody is to write, in capitals.
  expect(named.filter((file) => !/[A-Z]{4}/.test(file) && !existsSync(join(root, file)))).toEqual([]);
});

/** The numbers of exit statuses, with their codes. */
const statuses = new Map(
  [...text('docs/reference/exit-status.md').matchAll(/^\| (\d+) \| (?:`(\w+)`)? \|/gm)].map(([, status = '', code = '']) => [status, code]),
);

/** Exit statuses as prose writes them: `exit status is 11`, `ends with 9`, `refused (5)`. */
const proseStatus = /(?<!HTTP )\bstatus (?:is (?:then )?)?(\d+)|\b(?:ends?|ended|exits?) with (?:status )?(\d+)|\((\d{1,3})\)/g;

/** A code beside its number: `not_found` (4), or "code":"not_found","exit":4. */
const codeWithStatus = /`(\w+)`,? \(?(\d+)\)|"code": ?"(\w+)", ?"exit": ?(\d+)/g;

// The matrix makes the page about reliability, which has the statuses of HTTP, too.
test.each(pages.filter((page) => page !== 'docs/reliability.md'))(
  'every exit status that %s names is in the table, and has the code beside it',
  (page) => {
    const prose = withoutFences(text(page)).replaceAll(/\s+/g, ' ');
    const named = [...prose.matchAll(proseStatus)].map(([, ...numbers]) => numbers.find((number) => number !== undefined) ?? '');
    expect(named.filter((status) => !statuses.has(status))).toEqual([]);
    const codes = new Set(statuses.values());
    const beside = [...text(page).matchAll(codeWithStatus)].map(([, one, first, other, second]) => [
      one ?? other ?? '',
      first ?? second ?? '',
    ]);
    expect(beside.filter(([code = '', status = '']) => codes.has(code) && statuses.get(status) !== code)).toEqual([]);
  },
);

test.each(pages)('every command line in %s exists, with its flags', (page) => {
  const wrong = commandLines(text(page)).flatMap((words) => complaint(words) ?? []);
  expect(wrong).toEqual([]);
});
