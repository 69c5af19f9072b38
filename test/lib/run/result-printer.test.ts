import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {failureOfPrinting, failureOfRun, type PrintingEnd, type RunEnd} from '../../../src/lib/run/result-printer.js';
import {Run, type Reply, type Step} from '../../../src/lib/run/run.js';

const looked = 'the results show which ones and why';
const journaled = 'to continue, run the same command with the same journal';

/** A run of one step that ended in this way. */
async function endOf(
  failure: Failure,
  own: Partial<RunEnd<Reply>> & {readonly repeat?: Step<Reply>['repeat']} = {},
): Promise<RunEnd<Reply>> {
  const {repeat = 'harmless', ...rest} = own;
  const steps: Step<Reply>[] = [{target: '1', repeat, run: () => Promise.reject(new Failure('refused', 'It was refused'))}];
  const run = new Run(steps, {concurrency: 1, total: 1});
  for await (const {kind} of run) expect(kind).toBe('failed');
  if (failure.code !== 'partial') run.stop(failure);
  return {run, hasUnknown: false, hasJournal: false, unknownHint: undefined, ...rest};
}

const partial = new Failure('partial', '');
const full = new Failure('local', 'The disk is full', {hint: 'make room'});

describe('the failure of a run', () => {
  test('says nothing when all is done', async () => {
    const run = new Run<Reply>([], {concurrency: 1, total: 0});
    expect(failureOfRun({run, hasUnknown: false, hasJournal: false, unknownHint: undefined})).toBeUndefined();
  });

  const interruptions = (['interrupted', 'terminated'] as const).map((code) => new Failure(code, 'Ended', {hint: 'as it says'}));
  test.each([
    ['some failed', partial, {}, looked],
    ['some failed, with a journal', partial, {hasJournal: true}, looked],
    [
      'some may have been done',
      partial,
      {hasUnknown: true},
      expect.stringContaining('check whether the requests with an unknown outcome were carried out'),
    ],
    ['some may have been done, and there is advice', partial, {hasUnknown: true, unknownHint: 'look there'}, 'look there'],
    ['there is advice for what may have been done, and nothing may', partial, {unknownHint: 'look there'}, looked],
    ['it could not go on', full, {hasJournal: true}, 'make room'],
    ...interruptions.flatMap((failure): [string, Failure, Parameters<typeof endOf>[1], string][] => [
      [`it was ${failure.code}`, failure, {}, 'as it says'],
      [`it was ${failure.code}, with a journal`, failure, {hasJournal: true, repeat: 'never'}, journaled],
      [
        `it was ${failure.code}, and acts twice`,
        failure,
        {repeat: 'never'},
        'the results show what was done; the same command would do some of it twice',
      ],
    ]),
  ])('says what to do when %s', async (_, failure, own, hint) => {
    expect(failureOfRun(await endOf(failure, own))).toMatchObject({code: failure.code, details: {hint}});
  });
});

describe('the failure of a run and its printing', () => {
  const inEffect = 'requests that were carried out remain in effect';
  const lost = new Failure('local', 'The disk is full', {path: '/disk', hint: 'make room'});
  const interrupted = new Failure('interrupted', 'Interrupted after 3 of 4');
  const filtered = {failure: 'it is no number', failedOn: '{"target": "3"}'};
  const wholeOf = (end: Partial<PrintingEnd>) =>
    failureOfPrinting({failure: undefined, lost: undefined, ending: {}, done: '3 of 4 done', hasJournal: false, ...end});

  test('says nothing when all is printed', () => {
    expect(wholeOf({})).toBeUndefined();
  });

  test.each<[string, Partial<PrintingEnd>, object]>([
    [
      'results that were not printed',
      {lost},
      {code: 'local', message: 'The disk is full; 3 of 4 done', details: {path: '/disk', hint: inEffect}},
    ],
    [
      'results that a journal has',
      {lost, hasJournal: true},
      {details: {hint: expect.stringMatching(/^run the same command with the same journal/)}},
    ],
    ['results that were not printed of steps that failed', {lost, failure: full}, {message: 'The disk is full; 3 of 4 done'}],
    [
      'an interruption, which ends the printing, too',
      {lost, failure: interrupted},
      {code: 'interrupted', message: 'Interrupted after 3 of 4'},
    ],
    [
      'steps that failed',
      {failure: full, ending: filtered},
      {code: 'local', message: 'The disk is full', details: {body: filtered.failedOn}},
    ],
    [
      'a filter that failed',
      {ending: filtered},
      {
        code: 'local',
        message: '--jq failed on the results: it is no number; 3 of 4 done',
        details: {body: filtered.failedOn, hint: inEffect},
      },
    ],
  ])('tells of %s', (_, end, failure) => {
    expect(wholeOf(end)).toMatchObject(failure);
  });
});
