/** One function opens files for writing, `openToWrite` (`src/lib/files/whole-file.ts`): what it refuses is refused everywhere. */
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Functions of `node:fs` that open a file by its path, or make one under a path, so that something can be written to it. */
const opening =
  /^(?:open|openSync|openAsBlob|(?:write|append|copy|truncate)(?:File)?(?:Sync)?|cp(?:Sync)?|createWriteStream|mkdtemp(?:Sync)?|(?:sym)?link(?:Sync)?)$/;

/** Where such a function is needed, and what for. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/lib/files/whole-file.ts': {link: 'gives a file a second name, unless that is taken', open: 'this is the door'},
  'src/lib/files/read-file.ts': {open: 'the door for reading'},
  'src/lib/files/folder.ts': {open: 'flushes folders'},
  'src/lib/files/lock.ts': {link: 'gives a file that was written a second name, unless that is taken'},
  'src/lib/client/media-type.ts': {openSync: 'reads the first bytes of a file that is sent'},
  'src/lib/run/group-commit.ts': {appendFileSync: 'to a file that is open'},
};

const files = globSync('src/**/*.ts', {cwd: root}).toSorted();

/** What a file takes from `node:fs` and `node:fs/promises`, by the names that these give it. */
function importedBy(text: string): string[] {
  return [...text.matchAll(/import\s+([^;]*?)\s+from\s+'node:fs(?:\/promises)?'/g)].flatMap(([, names = '']) =>
    names.startsWith('{')
      ? names
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim().split(/\s+as\s+/)[0] ?? '')
      : [names],
  );
}

test('only the door opens files for writing', () => {
  const found = files.flatMap((file) =>
    importedBy(readFileSync(join(root, file), 'utf8'))
      .filter((name) => opening.test(name))
      .map((name) => `${file}: ${name}`),
  );
  const allowed = Object.entries(exceptions).flatMap(([file, names]) => Object.keys(names).map((name) => `${file}: ${name}`));
  expect(found.toSorted(), 'call openToWrite, writeWhole or writeTemporary of src/lib/files/whole-file.ts').toEqual(allowed.toSorted());
});

test('node:fs is imported by names, so that the test above sees all of them', () => {
  const whole = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return /import\s+(?!type\b)[^{;]*?from\s+'(?:node:)?fs(?:\/promises)?'|(?:require|import)\(\s*'(?:node:)?fs|from\s+'fs/.test(text);
  });
  expect(whole).toEqual([]);
});

test('the door opens nothing but plain files', () => {
  const calls = [...readFileSync(join(root, 'src/lib/files/whole-file.ts'), 'utf8').matchAll(/\bopen\(([^)]*)\)/g)].map(
    ([, flags]) => flags,
  );
  expect(calls).toHaveLength(2);
  for (const flags of calls) expect(flags).toContain('plainly');
});
