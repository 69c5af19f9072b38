/** The section of `docs/reliability.md` that is made of what came of all faults. */
import {paragraphs, table} from '../../../scripts/markdown.js';
import {faults, type Fault} from './faults.js';
import type {Outcome} from './invariants.js';
import type {Rehearsal} from './meeting.js';
import {firsts, seconds} from './pairs.js';
import {expectSection} from './sections.js';
import {subjects, type Kind, type Subject} from './subjects.js';

/** What came of each command and fault. Random order of tests must not show. */
const noted = new Map<string, Outcome>();
const kinds = new Map<Subject, Kind | 'sends nothing'>();

const cellOf = (subject: Subject, ...names: readonly string[]): string => [subject.command, ...names].join(', ');

export function note(subject: Subject, fault: Fault, {main}: Rehearsal, outcome: Outcome): void {
  kinds.set(subject, main === undefined ? 'sends nothing' : subject.kind);
  // Of requests at the same time, how many are sent before time is up differs from run to run.
  const isCounted = subject.kind !== 'other' || fault.stopsTime !== true;
  noted.set(cellOf(subject, fault.name), isCounted ? outcome : {...outcome, sent: 1});
}

export function notePair(subject: Subject, first: Fault, second: Fault, outcome: Outcome): void {
  noted.set(cellOf(subject, first.name, second.name), outcome);
}

/** `7, unknown, sent 4 times` */
function shown({status, isUnknown, sent}: Outcome): string {
  return [String(status), ...(isUnknown ? ['unknown'] : []), ...(sent > 1 ? [`sent ${sent} times`] : [])].join(', ');
}

/** The most frequent of some texts. */
function usual(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].toSorted(([one, times], [other, often]) => often - times || (one < other ? -1 : 1))[0]?.[0] ?? '';
}

interface Column {
  readonly title: string;
  readonly of: readonly Subject[];
}

/** A table of what happens in a row to the commands of a column, and where single commands differ. */
function compared(rows: readonly (readonly string[])[], heads: readonly string[], columns: readonly Column[]) {
  const cell = (subject: Subject, names: readonly string[]): string => {
    const outcome = noted.get(cellOf(subject, ...names));
    return outcome === undefined ? '' : shown(outcome);
  };
  const usuals = rows.map((names) => columns.map(({of}) => usual(of.map((subject) => cell(subject, names)))));
  const exceptions = columns.flatMap(({of}, at) =>
    of.flatMap((subject) => {
      const others = new Map<string, string[]>();
      for (const [index, names] of rows.entries()) {
        const own = cell(subject, names);
        if (own !== usuals[index]?.[at]) others.set(own, [...(others.get(own) ?? []), names.join(', then ')]);
      }
      return [...others].map(([own, names]) => [`\`${subject.command}\``, own, names.join('; ')]);
    }),
  );
  return {
    text: table(
      [...heads, ...columns.map(({title}) => title)],
      rows.map((names, index) => [...names, ...(usuals[index] ?? [])]),
    ),
    exceptions,
  };
}

/** Without what differs from run to run. */
export const steady = (text: string): string =>
  text
    .replaceAll(/the proxy 127\.0\.0\.1:\d+/g, 'the proxy proxy.example')
    .replaceAll(/127\.0\.0\.1(?::|%3A)\d+/g, 'pix.example')
    .replaceAll(/(?:pix){22}\.example/g, 'pix.example')
    .replaceAll(/\b\d{15,}\b/g, 'ID');

function said(command: string): string {
  const subject = subjects.find((one) => one.command === command);
  const rows = faults.flatMap(({name}) => {
    const outcome = subject && noted.get(cellOf(subject, name));
    return outcome === undefined || outcome.message === '' ? [] : [[name, steady(outcome.message), steady(outcome.hint)]];
  });
  return table([`\`pixelctl ${command}\`, after`, 'message', 'hint'], rows);
}

const ofKind = (kind: Kind | 'sends nothing'): Subject[] => subjects.filter((subject) => kinds.get(subject) === kind);

const listed = (commands: readonly Subject[]): string => commands.map(({command}) => `\`${command}\``).join(', ');

function page(): string {
  const reads: Column = {title: 'reads', of: ofKind('read')};
  const writes: readonly Column[] = [
    {title: 'writes that may be repeated', of: ofKind('repeatable write')},
    {title: 'writes that act twice', of: ofKind('write that acts twice')},
  ];
  const single = compared(
    faults.map(({name}) => [name]),
    ['fault'],
    [reads, ...writes],
  );
  const several = compared(
    faults.map(({name}) => [name]),
    ['fault'],
    [{title: 'other commands', of: ofKind('other')}],
  );
  const local = compared(
    faults.map(({name}) => [name]),
    ['fault'],
    [{title: 'commands that send nothing', of: ofKind('sends nothing')}],
  );
  const pairs = compared(
    firsts.flatMap((first) => seconds.map((second) => [first.name, second.name])),
    ['first', 'then'],
    writes,
  );
  const exceptions = (rows: readonly (readonly string[])[]): string =>
    rows.length === 0 ? 'No command differs.' : paragraphs('Where a command differs:', table(['command', 'ends with', 'after'], rows));
  return paragraphs(
    `What ${subjects.length} commands do when something goes wrong: each of ${faults.length} faults, and two in a row. This page is made by a run of all of them, ` +
      'which fails when something else happens than before.',
    'A cell is the [exit status](reference/exit-status.md), whether the error says that the outcome of a write is unknown (`"fate": "unknown"`), and how ' +
      'often the request was sent, if more than once. A fault lasts, unless it says otherwise. In every run, a write that acts twice is sent again only where the server ' +
      'said that it did not carry it out, standard output is empty or whole, and standard error says what happened and what to do.',
    '## Commands of one request',
    ...writes.map(({title, of}) => `${title[0]?.toUpperCase()}${title.slice(1)}: ${listed(of)}.`),
    single.text,
    exceptions(single.exceptions),
    '## Commands of several requests',
    `The fault happens to the first write, or else to the last read: ${listed(ofKind('other'))}.`,
    several.text,
    exceptions(several.exceptions),
    '## Commands that send nothing',
    `${listed(ofKind('sends nothing'))}.`,
    exceptions(local.exceptions),
    '## Two faults in a row',
    'The answer to a write is lost, and the next attempt meets something else. Writes that act twice have no next attempt.',
    pairs.text,
    exceptions(pairs.exceptions),
    '## What is said',
    said('filters list'),
    said('dm send'),
    said('dm mute'),
  );
}

/** Whether nothing was left out: of a part of the matrix no page is made. */
function isWhole(): boolean {
  const writes = [...kinds].filter(([, kind]) => kind === 'repeatable write' || kind === 'write that acts twice').length;
  return noted.size === subjects.length * faults.length + writes * firsts.length * seconds.length;
}

/** Writes the section after a run of the whole matrix. */
export async function expectPage(): Promise<void> {
  if (isWhole()) await expectSection('faults', page());
}
