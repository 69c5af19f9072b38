import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path/posix';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** The text of each file of a folder, by its path from the root. */
function sourcesIn(folder: string): [string, string][] {
  return readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')]);
}

const declaration = /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|let) (\w+)/gm;
const sources = sourcesIn('src');
const all = ['bin', 'scripts', 'test'].flatMap(sourcesIn).concat(sources);
/** How many files say each word. */
const readers = new Map<string, number>();
for (const [, text] of all) for (const word of new Set(text.match(/\w+/g))) readers.set(word, (readers.get(word) ?? 0) + 1);

const exported = sources.flatMap(([file, text]) =>
  [...new Set([...text.matchAll(declaration)].map(([, name = '']) => name))].map((name) => ({file, name})),
);
/** Names that each file of a folder has, from which an index of them is made. */
const ofEachFile = ['routes'];
/** Files that are read whole, so that their names stand behind another one: `examples.account`. */
const readWhole = ['src/lib/api/examples.ts'];

test('every exported name is read by another file', () => {
  expect(exported.length).toBeGreaterThan(1000);
  expect(exported.filter(({name}) => (readers.get(name) ?? 0) < 2)).toEqual([]);
});

test('a name is exported by one file: what is called alike is one thing', () => {
  const counted = exported.filter(({file, name}) => !ofEachFile.includes(name) && !readWhole.includes(file));
  const byName = Map.groupBy(counted, ({name}) => name);
  expect([...byName].filter(([, places]) => places.length > 1).map(([name, places]) => [name, ...places.map(({file}) => file)])).toEqual(
    [],
  );
});

test.each(readWhole)('%s is read whole', (file) => {
  const base = file.split('/').at(-1)?.replace('.ts', '.js') ?? '';
  const inParts = all.filter(([, text]) =>
    text.split('\n').some((line) => /^(?:import|export) (?:type )?\{|^\} from/.test(line) && line.includes(`/${base}'`)),
  );
  expect(inParts.map(([name]) => name)).toEqual([]);
});

test('a comment on a declaration can be read alone: none begins with "The same"', () => {
  const leaning = all.flatMap(([file, text]) => [...text.matchAll(/\/\*\*[\s*]*The same\b.*/g)].map(([comment]) => `${file}: ${comment}`));
  expect(leaning).toEqual([]);
});
