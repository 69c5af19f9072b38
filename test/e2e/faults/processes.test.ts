/** The executable meets faults, and is interrupted and killed: ten commands as processes of their own. */
import type {ChildProcess} from 'node:child_process';
import {existsSync} from 'node:fs';
import {afterAll, describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy} from '../../contract/sample.js';
import {hasFlag} from '../every-command.js';
import {start, startShell, type Ended} from '../program.js';
import {faults, type Fault, type Strike} from './faults.js';
import {actedTwice, complaintsAbout, complaintsAboutEnd, failureOf} from './invariants.js';
import {placeOf, rehearsed, striking, type Meeting} from './meeting.js';
import {expectSection, signalsSection, type SignalRow} from './sections.js';
import {stageFor, type Stage} from './stage.js';
import {subjectOf, type Subject} from './subjects.js';

const commands = [
  'apply',
  'blocks list',
  'dm list',
  'dm mute',
  'dm send',
  'domain-blocks add',
  'filters create',
  'filters delete',
  'notifications list',
  'report',
].map(subjectOf);

const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');

/** Where standard output goes that cannot be written. */
const outputs = {EPIPE: '>&-', ENOSPC: '> /dev/full'} as const;

/** Waits are short, because the time of a process is that of the machine. */
const quick = ['--json', '--retries', '1', '--max-wait', '2'];

async function met(subject: Subject, fault: Fault, main: string | undefined): Promise<Meeting> {
  const place = await placeOf(fault);
  await using stage = await stageFor(subject, striking(fault, main), place);
  const {circumstances, arrivals} = stage;
  const env = {...circumstances.env, ...place.processEnv};
  const words = [...subject.args, ...(place.flags ?? []), ...quick, ...(fault.stopsTime === true ? ['--timeout', '1'] : [])];
  const running =
    place.outputError === undefined
      ? start(words, {...circumstances, env})
      : startShell(`pixelctl ${quoted(words)} ${outputs[place.outputError]}`, {...circumstances, env});
  return {ended: await running.ended, arrivals: [...arrivals], waited: 0};
}

const told = ({args}: Subject, {stdout, stderr}: Ended): string => `${args.join(' ')}: ${stdout}${stderr}\n${sampledBy}`;

const sample = pairwiseSampler<{readonly subject: Subject; readonly fault: Fault}>(({subject, fault}) => [subject.command, fault.group]);

const possible = faults.filter(({name}) => existsSync('/dev/full') || name !== 'full disk at standard output');
const cases = sample(commands.flatMap((subject) => possible.map((fault) => ({subject, fault}))));

describe('a process', () => {
  test.concurrent.each(cases.map((one) => ({...one, command: one.subject.command, name: one.fault.name})))(
    'a process meets a fault: $name, $command',
    async ({subject, fault}) => {
      const rehearsal = await rehearsed(subject, ['--json']);
      const meeting = await met(subject, fault, rehearsal.main);
      const complaints = [
        ...complaintsAbout(subject, meeting, {isForScripts: true}),
        ...complaintsAboutEnd(subject, fault, rehearsal, meeting),
      ];
      expect(complaints, told(subject, meeting.ended)).toEqual([]);
    },
  );
});

/** When a signal comes: while the server has only read the request, or when it has carried it out. */
const moments: Readonly<Record<string, Strike>> = {
  'before the request is carried out': async ({read}) => void (await read()),
  'after the request was carried out': async ({carryOut}) => void (await carryOut()),
};

interface Signalled {
  readonly subject: Subject;
  readonly signal: 'SIGINT' | 'SIGKILL' | 'SIGTERM';
  readonly moment: string;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGKILL'] as const;
const signalSample = pairwiseSampler<Signalled>(({signal, moment}) => [`${signal} ${moment}`]);

const signalled = signalSample(
  commands.flatMap((subject) => signals.flatMap((signal) => Object.keys(moments).map((moment) => ({subject, signal, moment})))),
);

const statusAfter = {SIGINT: 130, SIGTERM: 143, SIGKILL: 137};

/** Seconds that a run waits for the answer that never comes, where it waits for it in spite of the signal. */
const patience = '10';

const rows: SignalRow[] = [];

/** Runs a command that gets a signal at its own request, which is never answered. */
async function interrupted({signal, moment}: Signalled, words: readonly string[], stage: (strike: Strike) => Promise<Stage>) {
  let child: ChildProcess | undefined;
  const made = await stage(async (struck) => {
    await moments[moment]?.(struck);
    child?.kill(signal);
  });
  const running = start(words, made.circumstances);
  child = running.child;
  return {stage: made, ended: await running.ended};
}

describe('a signal', () => {
  test.concurrent.each(signalled.map((one) => ({...one, command: one.subject.command})))(
    'a signal makes no write act twice: $signal $moment, $command',
    async (one) => {
      const {subject, signal} = one;
      const {main} = await rehearsed(subject, ['--json']);
      const hasJournal = hasFlag(subject.command.replaceAll(' ', ':'), 'journal');
      const words = [...subject.args, '--json', '--timeout', patience, ...(hasJournal ? ['--journal', 'journal'] : [])];
      const {stage, ended} = await interrupted(one, words, (strike) =>
        stageFor(subject, (line, count) => (line === main && count === 1 ? {...silence, strike} : undefined)),
      );
      await using _ = stage;
      // A shell shows 128 and the number of the signal.
      const status = ended.signal === signal ? statusAfter[signal] : ended.status;
      expect(status, told(subject, ended)).toBe(statusAfter[signal]);
      expect(stage.arrivals.filter(({line}) => line === main)).toHaveLength(1);
      const meeting = {ended, arrivals: stage.arrivals, waited: 0};
      if (ended.signal === null)
        expect(complaintsAbout(subject, meeting, {isForScripts: true, isGoneOnWith: true}), told(subject, ended)).toEqual([]);
      const row = {command: subject.command, signal, moment: one.moment, status: statusAfter[signal]};
      const isUnknown = failureOf(ended.stderr)?.fate === 'unknown';
      if (!hasJournal) return void rows.push({...row, isUnknown, again: undefined});
      const again = await start(words, stage.circumstances).ended;
      rows.push({...row, isUnknown, again: again.status});
      expect([0, 11], told(subject, again)).toContain(again.status);
      expect(actedTwice({...meeting, ended: again}), told(subject, again)).toEqual([]);
    },
  );
});

/** Of the request at which the signal comes. */
const silence: Fault = {name: 'a signal', group: 'machine', ends: 'interrupted', write: 'unknown'};

afterAll(async () => {
  const momentNames = Object.keys(moments);
  if (rows.length === commands.length * signals.length * momentNames.length)
    await expectSection('signals', signalsSection(rows, signals, momentNames));
});
