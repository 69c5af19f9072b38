/** `--fields` of what pixelctl itself makes: the fields of its rows and the headings of its tables, in every format, and no others. */
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {ListView} from '../../src/lib/api/view.js';
import {exportedView, verifiedView} from '../../src/lib/cli/archive/dm-export.js';
import {backupView, verifiedBackupView} from '../../src/lib/cli/backup/backup.js';
import {checksView} from '../../src/commands/doctor.js';
import {containedView} from '../../src/lib/cli/endpoint/contains-command.js';
import {profilesView} from '../../src/lib/cli/profiles.js';
import {policyViews} from '../../src/lib/policy/rows/views.js';
import {watchedSandbox} from './policy-server.js';
import {newFolder} from './program.js';
import {machineWith, profileOn} from './signing-in.js';

const documents = [
  ['audit p.yml', policyViews.rows({ofSeveral: false})],
  ['plan p.yml', policyViews.rows({ofSeveral: false})],
  ['explain bad.example --policy p.yml', policyViews.reasons],
  // What the second side is called is known when it runs.
  ['diff p.yml', policyViews.differences('p.yml', 'right')],
  ['doctor', checksView],
  ['auth status', profilesView],
] as const;

/** Somebody with a policy of which nothing is done. */
async function desk() {
  const server = await watchedSandbox({
    seed: {
      accounts: [{acct: 'ana'}, {acct: 'clara'}],
      conversations: [{between: ['ana', 'clara'], messages: [{from: 'clara', text: 'Hi'}]}],
    },
  });
  const signedIn = ['clara', 'ana'].map(
    (name) => [profileOn(server.url, {name, account: {id: name, acct: name}}), {accessToken: server.tokens.users[name] ?? ''}] as const,
  );
  const machine = await machineWith(...signedIn);
  const folder = newFolder();
  writeFileSync(join(folder, 'p.yml'), 'version: 1\ndomain_blocks: {must: [bad.example]}\nblocks: {must: [ana@far.example]}\n');
  const run = (line: string, ...flags: readonly string[]) => machine.run([...line.split(' '), ...flags], {folder});
  return {run, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]()};
}

describe.each(documents)('--fields of %s', (line, {columns = []}) => {
  test.concurrent('takes the headings of its table', async () => {
    await using own = await desk();
    const [headings, paths] = [columns.map(({header}) => header), columns.map(({path}) => path)];
    const all = await own.run(line, '--json', '--fields', [...headings, ...paths].join(','));
    expect(all.stderr).not.toContain('unknown field');
    const rows: Record<string, unknown>[] = JSON.parse(all.stdout);
    expect(rows).not.toEqual([]);
    // A field may have the name of another one's heading: then it comes first.
    const isOwn = (index: number) => line === 'auth status' && headings[index] === 'active';
    const values = (row: Record<string, unknown>, names: readonly string[]) => names.map((name, index) => (isOwn(index) ? '' : row[name]));
    for (const row of rows) expect(values(row, headings)).toEqual(values(row, paths));
    const {stdout} = await own.run(line, '-o', 'tsv', '--fields', headings.join(','));
    expect(stdout.split('\n')[0]).toBe(headings.join('\t'));
  });

  // People read a plan as lines, and as a table only with chosen fields.
  test.skipIf(line.startsWith('plan')).concurrent('shows under each heading what the table shows there', async () => {
    await using own = await desk();
    // Another field has the name of this heading, and comes first; what the second side is called, only the run knows.
    const headings = columns.map(({header}) => header).filter((header) => header !== 'active' && header !== 'right');
    const cells = ({stdout}: {readonly stdout: string}) => stdout.split('\n').flatMap((text) => text.trim().split(/ {2,}/));
    const shown = new Set(cells(await own.run(line)));
    // The clock of a busy machine is another second ahead.
    const isOther = (cell: string) => !shown.has(cell) && !/^\d+ s (?:ahead of|behind) the server$/.test(cell);
    expect(cells(await own.run(line, '--fields', headings.join(','))).filter(isOther)).toEqual([]);
  });
});

const archive = ['dm', 'export', '--to', 'archive', '--quiet'];
const backup = ['backup', '--to', 'backup', '--no-media', '--quiet'];
const apply = ['apply', 'p.yml', '--yes', '--quiet'];

/** Commands of which rows are kept in files, or only listed, and what is run before, so that there are some. */
const ofFiles: readonly {readonly line: string; readonly view: ListView; readonly before?: readonly string[]}[] = [
  {line: 'dm export --to archive', view: exportedView},
  {line: 'dm export --to archive --verify', view: verifiedView, before: archive},
  {line: 'backup --to backup', view: backupView},
  {line: 'backup --to backup --verify', view: verifiedBackupView, before: backup},
  {line: 'state list p.yml', view: policyViews.items, before: apply},
  {line: 'state forget p.yml --all', view: policyViews.items, before: apply},
  {line: 'state adopt p.yml --all', view: policyViews.items, before: ['domain-blocks', 'add', 'bad.example', '--yes']},
  {line: 'domain-blocks contains bad.example', view: containedView},
];

const all = [...documents.map(([line, view]) => ({line, view, before: undefined})), ...ofFiles];

test.concurrent.each(all)('--fields of $line refuses an unknown one, and does nothing', async ({line, view: {columns = []}, before}) => {
  await using own = await desk();
  if (before !== undefined) await own.run(before.join(' '));
  const asked = own.server.exchanges.length;
  for (const format of ['json', 'table', 'csv']) {
    const ended = await own.run(line, '-o', format, '--fields', `${columns[0]?.path},nope`);
    expect(ended).toMatchObject({status: 2, stdout: '', stderr: expect.stringMatching(/unknown field nope; known fields are \w+/)});
  }
  expect(own.server.exchanges).toHaveLength(asked);
});

describe.each(ofFiles)('--fields of $line', ({line, view: {columns = [], fields = []}, before}) => {
  const headings = columns.map(({header}) => header);

  test.concurrent('takes its fields and the headings of its table', async () => {
    await using own = await desk();
    if (before !== undefined) await own.run(before.join(' '));
    const {stdout, stderr} = await own.run(line, '--json', '--fields', [...new Set([...fields, ...headings])].join(','));
    expect(stderr).not.toContain('unknown field');
    const rows: Record<string, unknown>[] = [JSON.parse(stdout)].flat();
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(Object.keys(row)).toEqual([...new Set([...fields, ...headings])]);
  });

  test.concurrent('knows every field that its rows have', async () => {
    await using own = await desk();
    if (before !== undefined) await own.run(before.join(' '));
    const {stdout} = await own.run(line, '--json');
    const names = new Set([JSON.parse(stdout)].flat().flatMap((row) => Object.keys(row)));
    expect([...names].filter((name) => !fields.includes(name))).toEqual([]);
  });
});
