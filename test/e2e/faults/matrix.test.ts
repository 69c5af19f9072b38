/**
 * Every command meets every fault, and every write two in a row. `npm test` tries a sample; `npm run test:matrix` all of them, and
 * writes what came of them to `docs/reliability.md`.
 */
import {afterAll, describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy} from '../../contract/sample.js';
import {hasFlag} from '../every-command.js';
import {faults, type Fault} from './faults.js';
import {actedTwice, complaintsAbout, complaintsAboutEnd, complaintsAboutPair, outcomeOf} from './invariants.js';
import {meet, rehearsed, striking, type Meeting} from './meeting.js';
import {expectPage, note, notePair} from './page.js';
import {isOtherProgram} from '../program.js';
import {firsts, inTurn, seconds} from './pairs.js';
import {subjects, type Subject} from './subjects.js';

afterAll(() => expectPage());

const told = ({args}: Subject, {ended}: Meeting): string => `${args.join(' ')}: ${ended.stdout}${ended.stderr}\n${sampledBy}`;

interface Case {
  readonly subject: Subject;
  readonly fault: Fault;
  readonly form: 'for people' | 'for scripts';
}

const single = pairwiseSampler<Case>(({subject: {command, kind}, fault: {name}, form}) => [
  `${name} of a ${kind}`,
  `${name} ${form}`,
  command,
]);

const cases = single(
  subjects.flatMap((subject) =>
    faults.flatMap((fault) => (['for people', 'for scripts'] as const).map((form): Case => ({subject, fault, form}))),
  ),
);

describe.skipIf(isOtherProgram).each(faults)('$name', (fault) => {
  const own = cases.filter((one) => one.fault === fault).map((one) => ({...one, command: one.subject.command}));
  test.each(own)(`${fault.name}: $command, $form`, async ({subject, form}) => {
    const isForScripts = form === 'for scripts' && subject.hasJson;
    const flags = isForScripts ? ['--json'] : [];
    // What is told people may take more requests; which one the command is for is the same.
    const rehearsal = await rehearsed(subject, subject.hasJson ? ['--json'] : []);
    const meeting = await meet(subject, striking(fault, rehearsal.main), {faults: [fault], runs: [flags]});
    const complaints = [
      ...complaintsAbout(subject, meeting, {isForScripts}),
      ...(isForScripts ? complaintsAboutEnd(subject, fault, rehearsal, meeting) : []),
    ];
    expect(complaints, told(subject, meeting)).toEqual([]);
    if (form === 'for scripts') note(subject, fault, rehearsal, outcomeOf(meeting, rehearsal));
  });
});

interface PairCase {
  readonly subject: Subject;
  readonly first: Fault;
  readonly second: Fault;
  /** Whether the second fault meets another attempt of the same run, or a run that goes on with the journal of the first. */
  readonly way: 'in one run' | 'in a second run';
}

const pair = pairwiseSampler<PairCase>(({subject: {command, kind}, first, second, way}) => [
  `${first.name}, then ${second.name} ${way}`,
  `${second.name} of a ${kind} ${way}`,
  `${command} ${way}`,
]);

const writes = subjects.filter(({kind}) => kind === 'repeatable write' || kind === 'write that acts twice');

const pairs = pair(
  writes.flatMap((subject) =>
    firsts.flatMap((first) =>
      seconds.flatMap((second) => [
        {subject, first, second, way: 'in one run' as const},
        ...(hasFlag(subject.command.replaceAll(' ', ':'), 'journal') ? [{subject, first, second, way: 'in a second run' as const}] : []),
      ]),
    ),
  ),
);

describe.skipIf(isOtherProgram).each(firsts)('$name, and then', (first) => {
  const own = pairs.filter((one) => one.first === first).map((one) => ({...one, command: one.subject.command, next: one.second.name}));
  test.each(own)(`${first.name}, and then $next: $command, $way`, async ({subject, second, way}) => {
    const {main} = await rehearsed(subject, ['--json']);
    const runs = way === 'in one run' ? [['--json']] : [1, 2].map(() => ['--json', '--retries', '0', '--journal', 'journal']);
    const meeting = await meet(subject, inTurn(first, second, main), {faults: [first, second], runs});
    const complaints = [
      ...complaintsAbout(subject, meeting, {isForScripts: true, isGoneOnWith: way === 'in a second run'}),
      ...actedTwice(meeting),
      ...(way === 'in one run' ? complaintsAboutPair(subject, first, second, meeting, main) : []),
    ];
    expect(complaints, told(subject, meeting)).toEqual([]);
    if (way === 'in one run') notePair(subject, first, second, outcomeOf(meeting, {...meeting, main}));
  });
});
