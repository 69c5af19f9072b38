/** The disk is full under the files that a command writes: profiles, journals, state, archives, backups, caches. On a small disk of its own. */
import {cpSync, mkdirSync, rmSync} from 'node:fs';
import {afterAll, describe, expect, test} from 'vitest';
import {exitStatuses} from '../../../src/lib/cli/errors.js';
import {pairwiseSampler, sampledBy} from '../../contract/sample.js';
import {canMount} from '../child-process.js';
import {program, startProgram, type Ended} from '../program.js';
import {actedTwice, complaintsAbout, failureOf} from './invariants.js';
import {steady} from './page.js';
import {expectSection, fullDiskSection, type FullDiskRow} from './sections.js';
import {stageFor, type Stage} from './stage.js';
import type {Subject} from './subjects.js';
import {damageIn, filesIn, goneThrough, hasJournal, longRun, nameOf, wordsOf, writersOf, type Writer} from './writers.js';

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

const rows: FullDiskRow[] = [];
const writers = canMount ? await writersOf() : [];

/** Free pages: none, one for a lock or the beginning of a journal, and some. */
const frees = [0, 1, 2, 4];
const sample = pairwiseSampler<Writer & {readonly pages: number}>(({subject, pages}) => [
  hasJournal(subject) && subject !== longRun ? 'with a journal' : nameOf(subject),
  `${pages} pages`,
]);
const cases = sample(writers.flatMap((writer) => frees.map((pages) => ({...writer, pages}))));

describe.skipIf(!canMount)('a full disk', () => {
  test.concurrent.each(cases.map((one) => ({...one, command: nameOf(one.subject)})))(
    'a full disk damages nothing, and what it stopped can be done later: $pages pages are left, $command',
    async ({subject, rehearsals: [rehearsal], pages}) => {
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
      const left = [...filesIn(stage.folder).keys()].filter((name) => !rehearsal.names.has(name));
      expect(left, told).toEqual([]);
      const message = steady((failureOf(ended.stderr)?.message ?? '').replaceAll(stage.folder, '~'));
      rows.push({command: nameOf(subject), free: pages * pageSize, status: ended.status, message});
    },
  );

  test('commands write files', () => {
    expect(writers.map(({subject}) => subject.command)).toEqual(expect.arrayContaining(['apply', 'auth login', 'backup', 'dm export']));
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
