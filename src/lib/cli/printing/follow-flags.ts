/** The flags of lists that can be followed. */
import {Flags} from '@oclif/core';
import {Failure} from '../../client/failure.js';
import {timerFlag} from '../flags.js';
import type {Session} from '../session.js';

const usualInterval = 30;
const leastInterval = 1;

export const followFlags = {
  follow: Flags.boolean({description: 'print what comes from now on, oldest first, until interrupted'}),
  interval: timerFlag(
    {description: `with --follow: seconds between two looks, ${usualInterval} by default`, helpValue: 'SECONDS'},
    {least: leastInterval, unit: 1000},
  ),
  'since-file': Flags.string({
    description: 'with --follow: keep the id of the last printed item in this file, and go on from it when run again',
    helpValue: 'FILE',
  }),
};

export interface Following {
  /** Seconds. */
  readonly interval: number;
  readonly sinceFile: string | undefined;
  /** Items at the most. */
  readonly most: number;
}

/** What makes no sense of a list that is watched. */
const others = ['all', 'resume-from', 'max-id', 'since-id'];

/**
 * Undefined when the list is not to be followed.
 * @throws Failure `usage` for what does not go together
 */
export function following(flags: Readonly<Record<string, unknown>>, {format}: Session): Following | undefined {
  const {follow, interval, max, 'since-file': sinceFile} = flags;
  if (follow !== true) {
    const lone = ['interval', 'since-file'].find((name) => flags[name] !== undefined);
    if (lone !== undefined) throw new Failure('usage', `--${lone} is for --follow`);
    return undefined;
  }
  const other = others.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new Failure('usage', `--follow and --${other} do not go together`);
  if (format === 'json') {
    throw new Failure('usage', 'A list that is followed has no end, and so is no JSON document', {
      hint: 'give --output ndjson: one item a line',
    });
  }
  return {
    interval: typeof interval === 'number' ? interval : usualInterval,
    sinceFile: typeof sinceFile === 'string' ? sinceFile : undefined,
    most: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  };
}
