/** The sections of `docs/reliability.md`, of which each is made by another file of tests. */
import {readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect} from 'vitest';
import {paragraphs, table} from '../../../scripts/markdown.js';
import {acquireLock} from '../../../src/lib/files/lock.js';
import {root} from '../program.js';

const file = join(root, 'docs/reliability.md');

/** Milliseconds that another file of tests may take to write its section. */
const patience = 60_000;

/** Writes a section of the page after a whole run; fails where it says something else than before. */
export async function expectSection(name: 'faults' | 'full disk' | 'signals' | 'written files', text: string): Promise<void> {
  using _ = await acquireLock(join(tmpdir(), 'reliability.lock'), {patience});
  const before = readFileSync(file, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [start, stop] = [before.indexOf(begin), before.indexOf(end)];
  if (start === -1 || stop === -1) throw new Error(`docs/reliability.md has no place for the section ${name}: ${begin} ${end}`);
  const made = `${before.slice(0, start)}${begin}\n\n${text}\n\n${before.slice(stop)}`;
  if (made !== before) writeFileSync(file, made);
  expect(made, 'docs/reliability.md was out of date, and is written now: read the difference').toBe(before);
}

const listed = (commands: readonly string[]): string => commands.map((command) => `\`${command}\``).join(', ');

/** Commands for which all cells are the same share a row. */
function sharedRows(cellsOf: ReadonlyMap<string, readonly string[]>): string[][] {
  const rows = new Map<string, {readonly commands: string[]; readonly cells: readonly string[]}>();
  for (const [command, cells] of [...cellsOf].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const row = rows.get(cells.join('|')) ?? {commands: [], cells};
    row.commands.push(command);
    rows.set(cells.join('|'), row);
  }
  return [...rows.values()].map(({commands, cells}) => [listed(commands), ...cells]);
}

export interface SignalRow {
  readonly command: string;
  readonly signal: string;
  readonly moment: string;
  /** As a shell shows it. */
  readonly status: number;
  readonly isUnknown: boolean;
  /** The status of the same command again, with the journal that the first one left. */
  readonly again: number | null | undefined;
}

const shownEnd = ({status, isUnknown, again}: SignalRow): string =>
  `${status}${isUnknown ? ', unknown' : ''}${again === undefined ? '' : `; then ${again}`}`;

/** @param moments in the order of columns */
export function signalsSection(rows: readonly SignalRow[], signals: readonly string[], moments: readonly string[]): string {
  const columns = signals.flatMap((signal) => moments.map((moment) => ({signal, moment})));
  const cells = Map.groupBy(rows, ({command}) => command);
  const cellsOf = [...cells].map(([command, of]): [string, string[]] => [
    command,
    columns.map(({signal, moment}) =>
      of
        .filter((row) => row.signal === signal && row.moment === moment)
        .map(shownEnd)
        .join(),
    ),
  ]);
  return paragraphs(
    '## Signals',
    'Ten commands as processes, each interrupted, ended or killed while the server has only read its request, or when it has carried it out; no answer comes. ' +
      'A cell is the exit status as a shell shows it, and whether the error says that the outcome is unknown. Commands with a journal run again with it: `then` is how that ends. ' +
      'In no run a write that acts twice is sent twice. The same commands meet all faults above as processes, and all of this holds for the single executable as well.',
    table(['commands', ...columns.map(({signal, moment}) => `${signal} ${moment}`)], sharedRows(new Map(cellsOf))),
  );
}

export interface FullDiskRow {
  readonly command: string;
  /** Bytes. */
  readonly free: number;
  readonly status: number | null;
  readonly message: string;
}

/** @param frees in the order of columns */
export function fullDiskSection(rows: readonly FullDiskRow[], frees: readonly number[]): string {
  const cellsOf = [...Map.groupBy(rows, ({command}) => command)].map(([command, of]): [string, string[]] => [
    command,
    frees.map((free) => String(of.find((row) => row.free === free)?.status)),
  ]);
  const said = rows.flatMap(({command, free, message}): [string, [string]][] =>
    free === 0 && message !== '' ? [[command, [message]]] : [],
  );
  return paragraphs(
    '## A full disk',
    'All commands that write files, where the disk with their home, settings, caches and working folder has so much space left, and the exit status. ' +
      'Caches do without space. No file that was there is damaged, and the same command ends as it should once there is space; what it left is gone then.',
    table(['commands', ...frees.map((free) => (free === 0 ? 'no space' : `${free / 1024} KiB`))], sharedRows(new Map(cellsOf))),
    table(['without space', 'message'], sharedRows(new Map(said))),
  );
}

export interface WrittenFileRow {
  /** Which kind of file. */
  readonly what: string;
  readonly name: string;
  readonly damage: string;
  readonly status: number | null;
}

/**
 * @param kinds in the order of rows
 * @param damages in the order of columns
 */
export function writtenFilesSection(rows: readonly WrittenFileRow[], kinds: readonly string[], damages: readonly string[]): string {
  const cellOf = (kind: string, damage: string) => {
    const statuses = rows.filter((row) => row.what === kind && row.damage === damage).map(({status}) => Number(status));
    return [...new Set(statuses)].toSorted((one, other) => one - other).join(', ');
  };
  const cellsOf = kinds.map((kind) => [kind, ...damages.map((damage) => cellOf(kind, damage))]);
  return paragraphs(
    '## Files that are written',
    'Every file that a command writes, where something else is in its place, or a part of it is gone, and the exit status of the same command then. No run waits for a pipe, ' +
      'no file of the user is written to that a link leads to, unless people link their settings or a flag names the file, and what can be read of a damaged file stays. ' +
      'What caches, indexes and pages had is made anew, and `auth login` renames damaged profiles and tokens before it writes new ones. Once the file is as it was, the command ends as it should.',
    table(['file', ...damages], cellsOf),
  );
}
