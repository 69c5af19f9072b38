import {describe, expect, test} from 'vitest';
import {Failure} from '../../../src/lib/client/failure.js';
import {failureOfPrinting} from '../../../src/lib/cli/print-result.js';

type End = Parameters<typeof failureOfPrinting>[0];

const full = new Failure('local', 'The disk is full', {hint: 'make room'});

describe('the failure of a run and its printing', () => {
  const inEffect = 'requests that were carried out remain in effect';
  const lost = new Failure('local', 'The disk is full', {path: '/disk', hint: 'make room'});
  const interrupted = new Failure('interrupted', 'Interrupted after 3 of 4');
  const filtered = {failure: 'it is no number', failedOn: '{"target": "3"}'};
  const wholeOf = (end: Partial<End>) =>
    failureOfPrinting({failure: undefined, lost: undefined, filter: {}, done: '3 of 4 done', hasJournal: false, ...end});

  test('says nothing when all is printed', () => {
    expect(wholeOf({})).toBeUndefined();
  });

  test.each<[string, Partial<End>, object]>([
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
      {failure: full, filter: filtered},
      {code: 'local', message: 'The disk is full', details: {body: filtered.failedOn}},
    ],
    [
      'a filter that failed',
      {filter: filtered},
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
