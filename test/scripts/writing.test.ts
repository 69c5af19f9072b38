/** One function opens files for writing, `openToWrite` (`src/lib/files/whole-file.ts`): what it refuses is refused everywhere. */
import {existsSync, globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Functions of `node:fs` that open a file by its path, or make one under a path, so that something can be written to it. */
const opening =
  /^(?:open|openSync|openAsBlob|(?:write|append|copy|truncate)(?:File)?(?:Sync)?|cp(?:Sync)?|createWriteStream|mkdtemp(?:Sync)?|(?:sym)?link(?:Sync)?)$/;

/** Where such a function is needed, and what for. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'src/lib/files/whole-file.ts': {open: 'this is the door'},
  'src/lib/files/read-file.ts': {open: 'the door for reading', openSync: 'the same, for small files at once'},
  'src/lib/files/folder.ts': {mkdtemp: 'makes a folder that is removed after its use', open: 'flushes folders'},
  'src/lib/files/lock.ts': {link: 'gives a file that was written a second name, unless that is taken'},
  'src/lib/client/media-type.ts': {openSync: 'reads the first bytes of a file that is sent'},
  'src/lib/files/group-commit.ts': {appendFileSync: 'to a file that is open'},
};

const table = 'test/e2e/faults/written-files.test.ts';
const links = 'test/e2e/archive-links.test.ts';
const kept = 'test/lib/files/kept.test.ts';

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

/** The modules that write files, and which tests damage these files, cut them, and put links, pipes and folders in their place. */
const writers: Readonly<Record<string, string>> = {
  'src/lib/archive/archive-folder.ts': table,
  'src/lib/archive/derived.ts': table,
  'src/lib/archive/log.ts': table,
  'src/lib/archive/media-file.ts': links,
  'src/lib/archive/overview.ts': table,
  'src/lib/auth/json-file.ts': table,
  'src/lib/backup/dated.ts': table,
  'src/lib/cli/backup/backup.ts': table,
  'src/lib/cli/endpoint/follow.ts': 'test/e2e/follow.test.ts',
  'src/lib/cli/policy/plan-reports.ts': table,
  'src/lib/operations/kept-ids.ts': table,
  'src/lib/operations/limits.ts': table,
  'src/lib/operations/measures.ts': kept,
  'src/lib/policy/reports/write.ts': table,
  'src/lib/policy/state/file.ts': table,
  'src/lib/run/journal.ts': table,
  'src/lib/run/saved-changes.ts': table,
};

test('each module that writes files has tests of damaged ones', () => {
  const found = files.filter(
    (file) =>
      !file.startsWith('src/lib/files/') &&
      /\b(?:openToWrite|writeWhole|writeTemporary|writeKept)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found, `try its files in ${table}: add a command line that writes them to test/e2e/faults/writers.ts`).toEqual(
    Object.keys(writers).toSorted(),
  );
  for (const file of new Set(Object.values(writers))) expect(existsSync(join(root, file)), file).toBe(true);
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
