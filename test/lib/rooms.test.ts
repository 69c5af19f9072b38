import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path/posix';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = readdirSync(join(root, 'src'), {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.ts'));

/** Each folder with the folders that its files import from. */
const arrows = new Map<string, Set<string>>();
for (const file of sources) {
  const folder = dirname(file);
  const targets = arrows.get(folder) ?? new Set<string>();
  arrows.set(folder, targets);
  for (const [, specifier = ''] of readFileSync(join(root, 'src', file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const target = dirname(join(folder, specifier));
    if (target !== folder) targets.add(target);
  }
}

/** What imports what it is imported by, over any number of folders. */
function circleFrom(start: string): string | undefined {
  const paths = [[start]];
  const seen = new Set<string>();
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    for (const next of arrows.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return [...path, start].join(' → ');
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

test('the folders of policy and of the command line are read', () => {
  expect([...arrows.keys()]).toEqual(expect.arrayContaining(['lib/policy/sections', 'lib/policy/rows', 'lib/cli', 'lib/cli/endpoint']));
  expect(arrows.get('lib/policy/rows')).toContain('lib/policy/sections');
});

test.each([...arrows.keys()].filter((folder) => /^lib\/(?:cli|policy)/.test(folder)))(
  '%s imports from no folder that imports from it',
  (folder) => {
    expect(circleFrom(folder)).toBeUndefined();
  },
);

/** The words of a command line: a command in backticks, or a flag. */
const commandLine = /'[^'\n]*`pixelctl [^'\n]*'|\\`pixelctl |(?<![-\w])--[a-z][^'`]*/g;
const comments = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;

test.each(sources.filter((file) => /^lib\/(?:api|client)\//.test(file)))(
  '%s says nothing of the command line: it is for scripts, too',
  (file) => {
    const code = readFileSync(join(root, 'src', file), 'utf8').replaceAll(comments, '');
    expect(code.match(commandLine) ?? []).toEqual([]);
  },
);
