/** Every command meets every fault. `npm test` tries a sample; `npm run test:matrix` all of them, and writes what came of them down. */
import {describe, expect, test} from 'vitest';
import {pairwiseSampler, sampledBy} from '../../contract/sample.js';
import {faults, type Fault} from './faults.js';
import {complaintsAbout, complaintsAboutEnd} from './invariants.js';
import {meet, rehearsed, striking} from './meeting.js';
import {sandboxToken} from '../../endpoints/table.js';
import {subjects, type Subject} from './subjects.js';

interface Case {
  readonly subject: Subject;
  readonly fault: Fault;
  readonly form: 'for people' | 'for scripts';
}

const cases = subjects.flatMap((subject) =>
  faults.flatMap((fault) => (['for people', 'for scripts'] as const).map((form): Case => ({subject, fault, form}))),
);

const sample = pairwiseSampler<Case>(({subject: {command, kind}, fault: {name, write}, form}) => [
  `${name} of a ${kind}`,
  `${name} ${form}`,
  `${command} ${form}`,
  `${command}: ${write}`,
]);

const wanted = sample(cases);

describe.each(faults)('$name', (fault) => {
  test.each(wanted.filter((one) => one.fault === fault).map(({subject, form}) => ({subject, form, command: subject.command})))(
    `${fault.name}: $command, $form`,
    async ({subject, form}) => {
      const isForScripts = form === 'for scripts' && subject.hasJson;
      const flags = isForScripts ? ['--json'] : [];
      const rehearsal = await rehearsed(subject, flags);
      const meeting = await meet(subject, flags, striking(fault, rehearsal.main), fault);
      const secrets = [sandboxToken(subject.args)];
      const complaints = [
        ...complaintsAbout(meeting, {isForScripts, mayPrint: subject.kind === 'other', secrets}),
        ...(isForScripts ? complaintsAboutEnd(subject, fault, rehearsal, meeting) : []),
      ];
      expect(complaints, `${subject.args.join(' ')}: ${meeting.ended.stdout}${meeting.ended.stderr}\n${sampledBy}`).toEqual([]);
    },
  );
});
