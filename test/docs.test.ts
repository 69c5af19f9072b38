import {existsSync, readFileSync, readdirSync} from 'node:fs';
import {dirname, join, normalize} from 'node:path';
import {expect, test} from 'vitest';
import {commandLines, complaint} from './command-lines.js';

const root = join(import.meta.dirname, '..');
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

test.each(pages)('every link of %s leads somewhere', (page) => {
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

test('every folder of docs is told of', () => {
  const toc = text('docs/README.md');
  const folders = readdirSync(join(root, 'docs'), {withFileTypes: true}).filter((entry) => entry.isDirectory());
  expect(folders.filter(({name}) => !toc.includes(`(${name}/README.md)`))).toEqual([]);
});

test.each(['guides', 'decisions'])('the index of %s lists every page', (folder) => {
  const index = text(`docs/${folder}/README.md`);
  const others = readdirSync(join(root, 'docs', folder)).filter((name) => name !== 'README.md');
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test.each(pages)('every command line of %s is one that there is', (page) => {
  const wrong = commandLines(text(page)).flatMap((words) => complaint(words) ?? []);
  expect(wrong).toEqual([]);
});

test('command lines are found, and mistakes in them', () => {
  const script =
    "```sh\nA=1 pixelctl dm list --json | jq '.data | length' | pixelctl dm read - # all\nwhile true; do pixelctl config; done\n```\n";
  const found = commandLines(`${script}\n\`\`\`console\n$ pixelctl filters \\\n    list\npixelctl is quoted\n\`\`\`\n`);
  expect(found.map((words) => words.join(' '))).toEqual(['dm list --json', 'dm read -', 'config', 'filters list']);
  expect(found.flatMap((words) => complaint(words) ?? [])).toEqual([]);
  expect(complaint(['dm', 'lst'])).toBe('dm lst: there is no such command');
  expect(complaint(['dm', 'list', '--limt', '3'])).toBe('dm list: there is no flag --limt');
  expect(complaint(['filters', 'create', '--no-whole-word', '--keyword=a'])).toBeUndefined();
});
