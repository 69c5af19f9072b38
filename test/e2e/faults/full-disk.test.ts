/** The disk is full under the files that a command writes: profiles, journals, state, archives, backups, caches. On a small disk of its own. */
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {exitStatuses} from '../../../src/lib/cli/errors.js';
import {pairwiseSampler, sampledBy} from '../../contract/sample.js';
import {SkippingClock} from '../../loopback-server.js';
import {canMount} from '../child-process.js';
import {conversation} from '../demo-world.js';
import {hasFlag} from '../every-command.js';
import {run} from '../in-process.js';
import {program, startProgram, type Ended} from '../program.js';
import {actedTwice, complaintsAbout, failureOf} from './invariants.js';
import {expectSection, fullDiskSection, type FullDiskRow} from './sections.js';
import {stageFor, type Stage} from './stage.js';
import {subjectOf, subjects, type Subject} from './subjects.js';

/** Flags with which commands write more than without them. */
const writing: Readonly<Record<string, readonly string[]>> = {
  plan: ['--out', 'plan.json'],
  audit: ['--report', 'json=report.json'],
};

const hasJournal = ({command}: Subject): boolean => hasFlag(command.replaceAll(' ', ':'), 'journal');

const wordsOf = (subject: Subject): readonly string[] => [
  ...subject.args,
  ...(subject.hasJson ? ['--json'] : []),
  ...(hasJournal(subject) ? ['--journal', 'journal'] : []),
  ...(writing[subject.command] ?? []),
];

/** Caches are named after their servers, and each run has one at another port. */
const ofAnyPort = (name: string): string => name.replace(/127\.0\.0\.1%3A\d+/, 'pix.example');

/** The files in a folder, with what is in them. */
function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((one) => one.isFile());
  const paths = files.map(({parentPath, name}) => join(parentPath, name));
  return new Map(paths.toSorted().map((path) => [ofAnyPort(path.slice(folder.length + 1)), readFileSync(path, 'latin1')]));
}

/** A file without the time in its name: the lists of backups have one. */
const timeless = (name: string): string => name.replace(/\d{4}-\d\d-\d\dT\d{6}Z/, 'TIME');

/** How a command goes where there is space. */
interface Rehearsal {
  readonly status: number | null;
  /** What there is afterwards. */
  readonly names: ReadonlySet<string>;
  readonly isWriter: boolean;
}

async function goneThrough(subject: Subject, {folder, circumstances}: Stage): Promise<Rehearsal> {
  const before = filesIn(folder);
  const {status} = await run(wordsOf(subject), {...circumstances, clock: new SkippingClock()});
  const after = filesIn(folder);
  const isWriter =
    [...after].some(([name, content]) => before.get(name) !== content) || [...before.keys()].some((name) => !after.has(name));
  return {status, names: new Set([...before.keys(), ...after.keys()].map(timeless)), isWriter};
}

async function rehearsalOf(subject: Subject): Promise<Rehearsal> {
  await using stage = await stageFor(subject, () => undefined);
  return await goneThrough(subject, stage);
}

/** Bytes in a page of a small disk: no file takes less. */
const pageSize = 4096;

/** Puts the folder on a full disk, but for some pages, runs a command in it, and brings back what is there then. */
const script = `
  disk=$1 folder=$2 free=$3; shift 3
  mount -t tmpfs -o mode=700,size=4m tmpfs "$disk" && cp -a "$folder/." "$disk" || exit 99
  dd if=/dev/zero of="$disk/filler" bs=${pageSize} 2> /dev/null
  truncate -s "-$free" "$disk/filler" && mount --bind "$disk" "$folder" && cd "$folder/work" || exit 99
  "$@"
  status=$?
  cd / && rm "$folder/filler" && mkdir "$disk.kept" && cp -a "$folder/." "$disk.kept" || exit 99
  exit $status`;

async function onFullDisk(subject: Subject, {folder, circumstances}: Stage, pages: number): Promise<Ended> {
  const disk = `${folder}-disk`;
  mkdirSync(disk);
  const words = [
    '-rm',
    'sh',
    '-c',
    script,
    'sh',
    disk,
    folder,
    String(pages * pageSize),
    ...program,
    ...wordsOf(subject),
    '--retries',
    '0',
  ];
  const ended = await startProgram('unshare', words, circumstances).ended;
  // From here on there is space.
  rmSync(folder, {recursive: true});
  cpSync(`${disk}.kept`, folder, {recursive: true});
  for (const each of [disk, `${disk}.kept`]) rmSync(each, {recursive: true});
  return ended;
}

function isReadable(name: string, content: string): boolean {
  if (!name.endsWith('.json')) return true;
  try {
    JSON.parse(content);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with the files that a run left, whether they were there before or not. */
function damageIn(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const torn = [...after].filter(([name, content]) => !isReadable(name, content)).map(([name]) => `${name} is torn`);
  const emptied = [...before].filter(([name, content]) => content !== '' && after.get(name) === '').map(([name]) => `${name} is empty`);
  return [...torn, ...emptied];
}

/** A journal that the disk cuts off in the middle of a run of writes, none of which may act twice. */
const longRun: Subject = {
  ...subjectOf('batch'),
  stdin: Array.from({length: 60}, (_, index) => `dm send ${conversation('bob').id} 'Message ${index}'\n`).join(''),
};
const nameOf = (subject: Subject): string => (subject === longRun ? 'batch of 60 messages' : subject.command);

const rows: FullDiskRow[] = [];
const rehearsals = new Map<Subject, Rehearsal>();
if (canMount) for (const subject of [...subjects, longRun]) rehearsals.set(subject, await rehearsalOf(subject));
const writers = [...rehearsals].filter(([, {isWriter}]) => isWriter).map(([subject]) => subject);

/** Free pages: none, one for a lock or the beginning of a journal, and some. */
const frees = [0, 1, 2, 4];
const sample = pairwiseSampler<{readonly subject: Subject; readonly pages: number}>(({subject, pages}) => [
  hasJournal(subject) && subject !== longRun ? 'with a journal' : nameOf(subject),
  `${pages} pages`,
]);
const cases = sample(writers.flatMap((subject) => frees.map((pages) => ({subject, pages}))));

describe.skipIf(!canMount)('a full disk', () => {
  test.concurrent.each(cases.map((one) => ({...one, command: nameOf(one.subject)})))(
    'a full disk damages nothing, and what it stopped can be done later: $pages pages are left, $command',
    async ({subject, pages}) => {
      const rehearsal = rehearsals.get(subject);
      if (rehearsal === undefined) throw new Error('It was not rehearsed');
      await using stage = await stageFor(subject, () => undefined);
      const before = filesIn(stage.folder);
      const ended = await onFullDisk(subject, stage, pages);
      const told = `${subject.args.join(' ')}: ${ended.stdout}${ended.stderr}\n${sampledBy}`;
      const meeting = {ended, arrivals: [...stage.arrivals], waited: 0};
      const complaints = [
        ...complaintsAbout(subject, meeting, {isForScripts: subject.hasJson, isGoneOnWith: true}),
        ...damageIn(before, filesIn(stage.folder)),
      ];
      expect(complaints, told).toEqual([]);
      // The last write of a run may have been carried out, and nothing of it written down: it is not sent again.
      const ends = subject === longRun ? [rehearsal.status, exitStatuses.partial.status] : [rehearsal.status];
      if (ended.status !== rehearsal.status) expect(ends, told).toContain((await goneThrough(subject, stage)).status);
      expect(actedTwice({...meeting, arrivals: stage.arrivals}), told).toEqual([]);
      const left = [...filesIn(stage.folder).keys()].filter((name) => !rehearsal.names.has(timeless(name)));
      expect(left, told).toEqual([]);
      const message = (failureOf(ended.stderr)?.message ?? '').replaceAll(stage.folder, '~');
      rows.push({command: nameOf(subject), free: pages * pageSize, status: ended.status, message});
    },
  );

  test('commands write files', () => {
    expect(writers.map(({command}) => command)).toEqual(expect.arrayContaining(['apply', 'auth login', 'backup', 'dm export']));
  });
});

test.skipIf(canMount)('a full disk cannot be tried: this machine lets nobody mount one (unshare -rm)', () => {
  expect(canMount).toBe(false);
});

afterAll(async () => {
  if (canMount && rows.length === writers.length * frees.length)
    await expectSection(
      'full disk',
      fullDiskSection(
        rows,
        frees.map((pages) => pages * pageSize),
      ),
    );
});
