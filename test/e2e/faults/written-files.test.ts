/**
 * Something is wrong with a file before a command writes it: a link is planted, a pipe or a folder is in its place, it is cut or empty. Every file that any
 * command writes meets all of this, locks too. Full disks have a test of their own.
 */
import {execFileSync} from 'node:child_process';
import {once} from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {basename, dirname, join} from 'node:path';
import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {StartingFolder} from '../../contract/starting-folder.js';
import {pairwiseSampler, sampledBy} from '../../contract/sample.js';
import {start} from '../program.js';
import {complaintsAbout} from './invariants.js';
import {expectSection, writtenFilesSection, type WrittenFileRow} from './sections.js';
import {stageFor} from './stage.js';
import {damageIn, filesIn, nameOf, pathIn, runOn, wordsOf, writersOf, type Writer} from './writers.js';

/** What a file is to the one who has it. */
interface Kind {
  readonly what: string;
  readonly names: RegExp;
  /** Where a link there leads: `followed`, as people link their settings and name files with flags; `refused` (2), or `replaced` by a file; or just `not followed`. */
  readonly links: 'followed' | 'not followed' | 'refused' | 'replaced';
  /** What it is when it was damaged: `kept`, whatever can be read of it; or `made anew`, from what servers have. */
  readonly damaged: 'kept' | 'made anew';
  /** What may become of any text at its place: a flag names the file, which is `replaced`. */
  readonly others?: 'replaced';
}

const kinds: readonly Kind[] = [
  {what: 'profiles', names: /^config\/profiles\.json$/, links: 'followed', damaged: 'kept'},
  {what: 'tokens', names: /^config\/secrets\.json$/, links: 'followed', damaged: 'kept'},
  {what: 'journals', names: /^work\/journal$/, links: 'followed', damaged: 'kept'},
  {what: 'states of restores', names: /^work\/saved\/.*\.state\.ndjson$/, links: 'refused', damaged: 'kept'},
  {what: 'other states', names: /\.state\.ndjson$/, links: 'followed', damaged: 'kept'},
  {what: 'records of changes', names: /^work\/changes\.ndjson$/, links: 'followed', damaged: 'kept'},
  {what: 'reports', names: /^work\/(?:plan|report)\.\w+$/, links: 'followed', damaged: 'made anew', others: 'replaced'},
  {what: 'logs of archives', names: /\/log\.ndjson$/, links: 'refused', damaged: 'kept'},
  {what: 'sums of logs', names: /\/log\.sum$/, links: 'refused', damaged: 'kept'},
  {what: 'other files of backups', names: /^work\/new-backup\/[^/]+$/, links: 'refused', damaged: 'made anew'},
  {
    what: 'what is made from logs',
    names: /\/(?:index|conversations|messages|page|README)\.(?:html|md|ndjson)$/,
    links: 'refused',
    damaged: 'made anew',
  },
  {what: 'whose archives and backups are', names: /\/(?:archive|backup)\.json$/, links: 'refused', damaged: 'kept'},
  {what: 'lists of backups', names: /^work\/new-backup\/lists\//, links: 'refused', damaged: 'kept'},
];
/** Of files that are there only while a run is under way. */
const fleeting: readonly Kind[] = [
  {what: 'locks in archives and backups', names: /\/\.lock$/, links: 'refused', damaged: 'made anew'},
  {what: 'other locks', names: /\.lock$/, links: 'replaced', damaged: 'made anew'},
];

const kindOf = (name: string): Kind => {
  const kind = [...fleeting, ...kinds].find(({names}) => names.test(name));
  if (kind === undefined) throw new Error(`Nothing is said of ${name}: add it to the kinds of files`);
  return kind;
};

/** What is beside a file while a run writes it. */
function besides(name: string): readonly string[] {
  if (name === 'config/profiles.json') return ['config/profiles.lock'];
  if (/^work\/policy\.yml\..*\.state\.ndjson$/.test(name)) return [`${name}.lock`];
  if (/\/(?:archive|backup)\.json$/.test(name)) return [join(dirname(name), '.lock')];
  return name === 'work/journal' ? [`${name}.lock`] : [];
}

const mine = 'mine, without a line break';

interface Planting {
  /** Where the file is. */
  readonly path: string;
  /** A file of the user that pixelctl has nothing to do with. */
  readonly outside: string;
}

interface Damage {
  readonly what: string;
  /** Whether it can only happen to a file that is there. */
  readonly needsFile?: true;
  readonly plant: (planting: Planting) => unknown;
}

function inPlace(plant: (planting: Planting) => unknown): Damage['plant'] {
  return async (planting) => {
    rmSync(planting.path, {recursive: true, force: true});
    await plant(planting);
  };
}

const damages: readonly Damage[] = [
  {
    what: 'a link to where it is now',
    needsFile: true,
    plant({path, outside}) {
      const moved = join(dirname(outside), basename(path));
      renameSync(path, moved);
      symlinkSync(moved, path);
    },
  },
  {what: 'a link to a file of the user', plant: inPlace(({path, outside}) => symlinkSync(outside, path))},
  {what: 'a link to nothing', plant: inPlace(({path, outside}) => symlinkSync(join(dirname(outside), 'nothing'), path))},
  {what: 'a named pipe', plant: inPlace(({path}) => execFileSync('mkfifo', ['-m', '600', path]))},
  {
    what: 'a socket',
    plant: inPlace(async ({path}) => {
      // The path of a socket may not be long.
      const place = process.cwd();
      process.chdir(dirname(path));
      const server = createServer().listen('.s');
      await once(server, 'listening');
      renameSync('.s', path);
      process.chdir(place);
      onTestFinished(() => void server.close());
    }),
  },
  {
    what: 'a folder',
    plant: inPlace(({path}) => {
      mkdirSync(path);
      writeFileSync(join(path, 'note'), mine);
    }),
  },
  {what: 'cut in the middle', needsFile: true, plant: ({path}) => truncateSync(path, Math.floor(statSync(path).size / 2))},
  {what: 'empty', plant: inPlace(({path}) => writeFileSync(path, '', {mode: 0o600}))},
];

/** The writer of each file. */
const written = new Map<string, Writer>();
for (const writer of await writersOf())
  for (const name of writer.rehearsals.flatMap((one) => one.written)) {
    // Of conversations, and of those in backups, one is enough.
    const isOther = /\d{15,}/.test(name) && !name.startsWith('work/archive/1029249430941045799/');
    if (isOther || name.startsWith('work/new-backup/messages/') || !writer.rehearsals[0].names.has(name)) continue;
    for (const each of [name, ...besides(name)]) if (!written.has(each)) written.set(each, writer);
  }

interface Case {
  readonly name: string;
  readonly writer: Writer;
  readonly damage: Damage;
}

/** Each file once, each damage of files that are treated alike, and each kind of file as a link, cut and as something else. */
const sample = pairwiseSampler<Case>(({name, damage: {what, needsFile}}) => {
  const kind = kindOf(name);
  const sort = what.startsWith('a link') ? 'a link' : needsFile ? 'cut' : 'something else';
  return [`${kind.links} and ${kind.damaged}: ${what}`, `${kind.what}: ${sort}`, name];
});
const all = [...written].flatMap(([name, writer]) =>
  damages
    .filter(({needsFile}) => needsFile === undefined || !fleeting.includes(kindOf(name)))
    .map((damage): Case => ({name, writer, damage})),
);
const cases = sample(all);
const rows: WrittenFileRow[] = [];

/** The writers of all kinds of files, each once. */
const atOnce = [...new Set(kinds.flatMap(({what}) => [...written].find(([name]) => kindOf(name).what === what)?.[1] ?? []))].map(
  (writer) => ({writer}),
);

/** What is in a folder's files that are next to each other, whatever their names. */
const textsBeside = (path: string): string[] =>
  readdirSync(dirname(path), {withFileTypes: true})
    .filter((one) => one.isFile())
    .map(({name}) => readFileSync(join(dirname(path), name), 'latin1'));

/** Statuses of runs that did what they are for. */
const isDone = (status: number | null): boolean => status === 0 || status === 10;

function lossIn({name, damage}: Case, {path, outside}: Planting, left: string, status: number | null): string[] {
  const kind = kindOf(name);
  const complaints: string[] = [];
  const complain = (isWrong: boolean, text: string) => void (isWrong && complaints.push(text));
  const text = readFileSync(outside, 'utf8');
  complain(text !== mine && kind.others !== 'replaced', 'the file of the user is another one now');
  const isLink = lstatSync(path, {throwIfNoEntry: false})?.isSymbolicLink() === true;
  if (damage.what.startsWith('a link')) {
    complain(kind.links === 'refused' && status !== 2, `a link is not refused but ends with ${status}`);
    const isUsable = damage.what === 'a link to where it is now';
    complain(kind.links === 'replaced' && (status === 9 || (isLink && !isUsable)), 'the link is not replaced');
  }
  if (damage.what === 'a link to where it is now') {
    complain(kind.links !== 'refused' && !isDone(status), `a link of people is not followed but ends with ${status}`);
    complain(kind.links === 'followed' && !isLink, 'the link is gone');
    const moved = join(dirname(outside), basename(path));
    complain(!existsSync(moved) || (left !== '' && readFileSync(moved, 'latin1') === ''), 'what the link leads to is empty');
  }
  if (damage.what === 'a folder') complain(readFileSync(join(path, 'note'), 'utf8') !== mine, 'what was in the folder is gone');
  if (damage.what === 'cut in the middle' && kind.damaged === 'kept') {
    // A run that goes on may leave out the line that is not whole.
    const whole = isDone(status) ? left.slice(0, left.lastIndexOf('\n') + 1) : left;
    complain(!textsBeside(path).some((text) => text.includes(whole)), `what was left of it is gone, and the run ends with ${status}`);
  }
  return complaints;
}

describe.skipIf(process.platform === 'win32')('a file that a command writes', () => {
  test.each(cases.map((one) => ({...one, what: one.damage.what, command: nameOf(one.writer.subject)})))(
    '$name: $what is an error with nothing lost, or works, of $command',
    async (one) => {
      const {name, writer, damage} = one;
      const {subject, rehearsals} = writer;
      await using stage = await stageFor(subject, () => undefined);
      await runOn(subject, stage);
      const start = new StartingFolder(stage.folder);
      onTestFinished(() => rmSync(`${stage.folder}-before`, {recursive: true, force: true}));
      const aside = `${stage.folder}-aside`;
      mkdirSync(aside, {mode: 0o700});
      onTestFinished(() => rmSync(aside, {recursive: true, force: true}));
      const planting = {path: pathIn(stage.folder, name), outside: join(aside, 'outside')};
      writeFileSync(planting.outside, mine, {mode: 0o600});
      chmodSync(aside, 0o700);
      await damage.plant(planting);
      const left = lstatSync(planting.path).isFile() ? readFileSync(planting.path, 'latin1') : '';
      const arrived = stage.arrivals.length;
      const ended = await runOn(subject, stage);
      const told = `${subject.args.join(' ')}: ${ended.stdout}${ended.stderr}\n${sampledBy}`;
      const meeting = {ended, arrivals: stage.arrivals.slice(arrived), waited: 0};
      const complaints = [
        ...complaintsAbout(subject, meeting, {isForScripts: subject.hasJson, isGoneOnWith: true}),
        ...lossIn(one, planting, left, ended.status),
      ];
      expect(complaints, told).toEqual([]);
      rows.push({
        what: kindOf(name).what,
        name,
        damage: damage.what,
        status: ended.status,
      });
      start.restore();
      expect(
        rehearsals.map(({status}) => status),
        told,
      ).toContain((await runOn(subject, stage)).status);
      const names = new Set(rehearsals.flatMap((each) => [...each.names]));
      expect(
        [...filesIn(stage.folder).keys()].filter((file) => !names.has(file)),
        told,
      ).toEqual([]);
    },
  );

  test.concurrent.each(atOnce.map((one) => ({...one, command: nameOf(one.writer.subject)})))(
    'two runs at once of $command damage nothing, and the second does what it is for, or says that another one is under way',
    async ({writer: {subject, rehearsals}}) => {
      await using stage = await stageFor(subject, () => undefined);
      const before = filesIn(stage.folder);
      const both = await Promise.all([1, 2].map(() => start(wordsOf(subject), stage.circumstances).ended));
      const told = both.map(({status, stdout, stderr}) => `${status}: ${stdout}${stderr}`).join('');
      const statuses = rehearsals.map(({status}) => status);
      for (const {status, stderr} of both)
        if (!statuses.includes(status)) expect([status, stderr], told).toEqual([9, expect.stringContaining('Another pixelctl')]);
      expect(damageIn(before, filesIn(stage.folder)), told).toEqual([]);
      expect(statuses, told).toContain((await runOn(subject, stage)).status);
      const names = new Set(rehearsals.flatMap((each) => [...each.names]));
      expect(
        [...filesIn(stage.folder).keys()].filter((file) => !names.has(file)),
        told,
      ).toEqual([]);
    },
  );

  test('is of every kind that is known', () => {
    expect(new Set([...written.keys()].map((name) => kindOf(name).what))).toEqual(new Set([...kinds, ...fleeting].map(({what}) => what)));
  });
});

afterAll(async () => {
  if (rows.length < all.length) return;
  const names = ({what}: {readonly what: string}): string => what;
  await expectSection('written files', writtenFilesSection(rows, [...kinds, ...fleeting].map(names), damages.map(names)));
});
