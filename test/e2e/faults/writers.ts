/** The commands that write files, found by running each: which files they write, and how they end where nothing is in the way. */
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {SkippingClock} from '../../loopback-server.js';
import {account} from '../demo-world.js';
import {hasFlag} from '../every-command.js';
import {run} from '../in-process.js';
import type {Ended} from '../program.js';
import {stageFor, type Stage} from './stage.js';
import {subjectOf, subjects, type Subject} from './subjects.js';

/** Flags with which commands write more than without them. */
const writing: Readonly<Record<string, readonly string[]>> = {
  plan: ['--report', 'markdown=plan.md'],
  audit: ['--report', 'json=report.json'],
};

export const hasJournal = ({command}: Subject): boolean => hasFlag(command.replaceAll(' ', ':'), 'journal');

export const wordsOf = (subject: Subject): readonly string[] => [
  ...subject.args,
  ...(subject.hasJson ? ['--json'] : []),
  ...(hasJournal(subject) ? ['--journal', 'journal'] : []),
  ...(writing[subject.command] ?? []),
];

/** Caches are named after their servers, and each run has one at another port; the lists of backups are named after the time. */
const anyName = (name: string): string => name.replace(/127\.0\.0\.1%3A\d+/, 'pix.example').replace(/\d{4}-\d\d-\d\dT\d{6}Z/, 'TIME');

/** The files in a folder, with what is in them. Where they are is {@link pathIn}. */
export function filesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, {recursive: true, withFileTypes: true}).filter((one) => one.isFile());
  const paths = files.map(({parentPath, name}) => join(parentPath, name));
  return new Map(paths.toSorted().map((path) => [anyName(path.slice(folder.length + 1)), readFileSync(path, 'latin1')]));
}

/** Where a file of {@link filesIn} is; for one that is not there, where it would be. */
export function pathIn(folder: string, name: string): string {
  const there = readdirSync(folder, {recursive: true, encoding: 'utf8'});
  const found = there.find((one) => anyName(one) === name);
  if (found !== undefined) return join(folder, found);
  // The lock of a state, which has the port of the server in its name.
  const beside = there.find((one) => anyName(one) !== one && name.startsWith(`${anyName(one)}.`));
  return join(folder, beside === undefined ? name : beside + name.slice(anyName(beside).length));
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
export function damageIn(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const torn = [...after].filter(([name, content]) => !isReadable(name, content)).map(([name]) => `${name} is torn`);
  const emptied = [...before].filter(([name, content]) => content !== '' && after.get(name) === '').map(([name]) => `${name} is empty`);
  return [...torn, ...emptied];
}

/** How a command goes where nothing is in the way. */
export interface Rehearsal {
  readonly status: number | null;
  /** What there is afterwards. */
  readonly names: ReadonlySet<string>;
  /** What it wrote, changed or removed. */
  readonly written: readonly string[];
}

export const runOn = (subject: Subject, {circumstances}: Stage): Promise<Ended> =>
  // Nobody presses Tab where CI is set, and nothing is kept for it.
  run(wordsOf(subject), {...circumstances, env: {...circumstances.env, CI: ''}, clock: new SkippingClock()});

export async function goneThrough(subject: Subject, stage: Stage): Promise<Rehearsal> {
  const before = filesIn(stage.folder);
  const {status} = await runOn(subject, stage);
  const after = filesIn(stage.folder);
  const names = new Set([...before.keys(), ...after.keys()]);
  return {status, names, written: [...names].filter((name) => before.get(name) !== after.get(name))};
}

const correspondents = new Map([
  [0, account('bob')],
  [40, account('lena')],
]);

/** A journal that something cuts off in the middle of a run of writes, none of which may act twice. */
export const longRun: Subject = {
  ...subjectOf('thread unmute'),
  // Somebody with whom there is a conversation, among many with whom there is none.
  args: ['thread', 'unmute', ...Array.from({length: 60}, (_, index) => correspondents.get(index) ?? String(index + 1))],
};

/** Command lines that write what the usual words of no command write. */
const furtherLines: readonly (readonly string[])[] = [
  ['dm', 'start', '@bob', '--profile', 'ana'],

  ['users', 'update', '@bob', '--unlisted', '--save', 'changes.ndjson', '--yes'],
];

const further = furtherLines.map((args): Subject => ({
  command: args.join(' '),
  kind: 'other',
  row: undefined,
  hasJson: true,
  args,
}));

export const nameOf = (subject: Subject): string => (subject === longRun ? 'thread unmute of 60 people' : subject.command);

export interface Writer {
  readonly subject: Subject;
  /** The first run of the command, and the next ones after it. */
  readonly rehearsals: readonly [Rehearsal, ...Rehearsal[]];
}

let known: Promise<Writer[]> | undefined;

/** All commands that write files, each rehearsed three times in a row. */
export const writersOf = (): Promise<Writer[]> => (known ??= findWriters());

async function findWriters(): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (const subject of [...subjects, longRun, ...further]) {
    await using stage = await stageFor(subject, () => undefined);
    const first = await goneThrough(subject, stage);
    if (first.written.length === 0) continue;
    const next: Rehearsal[] = [];
    while (next.length < 2) next.push(await goneThrough(subject, stage));
    writers.push({subject, rehearsals: [first, ...next]});
  }
  return writers;
}
