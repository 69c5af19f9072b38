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

test.each(pages.filter((page) => page.startsWith('docs/decisions/')))('every file of the tests that %s names exists', (page) => {
  const named = [...text(page).matchAll(/`((?:test|scripts)\/[^\s`]+\.\w+)`/g)].map(([, file = '']) => file);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** The cells of a Markdown table's rows, without backticks. */
const rowsIn = (markdown: string) =>
  [...markdown.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.replaceAll('`', '')));

const foldersIn = (folder: string) =>
  readdirSync(join(root, folder), {withFileTypes: true}).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const roomsIn = (folder: string): string[] => foldersIn(folder).flatMap((name) => [`${folder}/${name}`, ...roomsIn(`${folder}/${name}`)]);

test('the map in CONTRIBUTING has every folder, and no other', () => {
  const [, map = ''] = text('CONTRIBUTING.md').split(/<!-- \/?map -->/);
  const ignored = text('.gitignore')
    .split('\n')
    .map((line) => line.replaceAll('/', ''));
  const folders = [
    ...foldersIn('.').filter((name) => name !== 'src' && !name.startsWith('.') && !ignored.includes(name)),
    'src/commands',
    ...roomsIn('src/lib'),
  ];
  const rows = rowsIn(map);
  expect(rows.map(([folder]) => folder).sort()).toEqual(folders.sort());
  for (const [folder, sentence = ''] of rows) expect(sentence.length, folder).toBeGreaterThan(20);
});

test('CONTRIBUTING has every layer of the tests, and every test file is in one of them', () => {
  const rows = text('CONTRIBUTING.md').matchAll(/^\| [^|]+ \| (`test\/[^|]*) \| [^|]+ \| `npm run (test:\w+)` \|/gm);
  const layers = [...rows].map(([, folders = '', script]) => ({folders: folders.replaceAll('`', '').split(', '), script}));
  const {scripts}: {readonly scripts: Readonly<Record<string, string>>} = JSON.parse(text('package.json'));
  const run = 'npm run -s build && vitest run ';
  const commands = layers.map(({folders, script}) => [script, `${run}${folders.map((folder) => `${folder}/`).join(' ')}`]);
  expect(commands).toEqual(Object.entries(scripts).filter(([, command]) => command.startsWith(`${run}test/`)));
  const named = layers.flatMap(({folders}) => folders.map((folder) => `${folder}/`));
  const files = readdirSync(join(root, 'test'), {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.test.ts'));
  expect(files.map((name) => `test/${name}`).filter((file) => !named.some((folder) => file.startsWith(folder)))).toEqual([]);
});

test('docs/README.md links to every folder of docs', () => {
  const toc = text('docs/README.md');
  expect(foldersIn('docs').filter((name) => !toc.includes(`(${name}/README.md)`))).toEqual([]);
});

test.each(['guides', 'decisions'])('the index of %s lists every page', (folder) => {
  const index = text(`docs/${folder}/README.md`);
  const others = readdirSync(join(root, 'docs', folder)).filter((name) => name !== 'README.md');
  expect(others.length).toBeGreaterThan(0);
  expect(others.filter((name) => !index.includes(`(${name})`))).toEqual([]);
});

test.each(pages)('every command line in %s exists, with its flags', (page) => {
  const wrong = commandLines(text(page)).flatMap((words) => complaint(words) ?? []);
  expect(wrong).toEqual([]);
});

test('finds command lines in Markdown, and mistakes in them', () => {
  const script =
    "```sh\nA=1 pixelctl dm list --json | jq '.data | length' | pixelctl dm read - # all\nwhile true; do pixelctl config; done\n```\n";
  const found = commandLines(`${script}\n\`\`\`console\n$ pixelctl filters \\\n    list\npixelctl is quoted\n\`\`\`\n`);
  expect(found.map((words) => words.join(' '))).toEqual(['dm list --json', 'dm read -', 'config', 'filters list']);
  expect(found.flatMap((words) => complaint(words) ?? [])).toEqual([]);
  expect(complaint(['dm', 'lst'])).toBe('dm lst: there is no such command');
  expect(complaint(['dm', 'list', '--limt', '3'])).toBe('dm list: there is no flag --limt');
  expect(complaint(['filters', 'create', '--no-whole-word', '--keyword=a'])).toBeUndefined();
});
