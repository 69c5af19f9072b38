/** Commands of lists that can be followed. */
import {Flags} from '@oclif/core';
import type {Endpoint} from '../api/endpoint.js';
import {Failure} from '../client/failure.js';
import {requestFor} from '../client/request.js';
import {resolved} from '../operations/operation.js';
import {connect} from './connection.js';
import type {Description} from './spec.js';
import {Drafting} from './request-input.js';
import {endpointCommand, type EndpointCommand} from './endpoint-command.js';
import type {Typed} from './command.js';
import {timerFlag} from './flags.js';
import type {Following} from './follow.js';
import {isPaged} from './pages.js';
import {printingOf, warnOfFields} from './printing.js';
import type {Session} from './session.js';

const usualInterval = 30;
const leastInterval = 1;

const followFlags = {
  follow: Flags.boolean({description: 'print new items as they come, oldest first, until interrupted'}),
  interval: timerFlag(
    {description: `with --follow: seconds between two requests, ${usualInterval} by default`, helpValue: 'SECONDS'},
    {least: leastInterval, unit: 1000},
  ),
  'since-file': Flags.string({
    description: 'with --follow: keep the id of the last printed item in this file, and continue from there',
    helpValue: 'FILE',
  }),
};

/** Flags that cannot be combined with --follow. */
const others = ['all', 'resume-from', 'max-id', 'since-id'];

/**
 * @returns undefined without `--follow`
 * @throws Failure `usage` for flags that cannot be combined
 */
function following(flags: Readonly<Record<string, unknown>>, {format}: Session): Following | undefined {
  const {follow, interval, max, 'since-file': sinceFile} = flags;
  if (follow !== true) {
    const lone = ['interval', 'since-file'].find((name) => flags[name] !== undefined);
    if (lone !== undefined) throw new Failure('usage', `--${lone} is for --follow`);
    return undefined;
  }
  const other = others.find((name) => flags[name] !== undefined);
  if (other !== undefined) throw new Failure('usage', `--follow and --${other} do not go together`);
  if (format === 'json') {
    throw new Failure('usage', '--follow cannot print one JSON document: the list has no end', {
      hint: 'use --output ndjson, which prints one item a line',
    });
  }
  return {
    interval: typeof interval === 'number' ? interval : usualInterval,
    sinceFile: typeof sinceFile === 'string' ? sinceFile : undefined,
    most: typeof max === 'number' ? max : Number.POSITIVE_INFINITY,
  };
}

const about = `With --follow the command does not end: it asks the server every --interval seconds and prints new items, oldest first, each once. \
It begins with items that are newer than the run, or newer than --min-id. With --since-file it continues where the last run stopped: no item is \
left out between two runs, and only the items that were being printed when a run was killed can appear twice.`;

/** The command of a list, which `--follow` watches. */
export function followingCommand<E extends Endpoint>(description: Description<E>): typeof EndpointCommand {
  const listing = endpointCommand({
    ...description,
    description: `${description.description}\n\n${about}`,
    ownFlags: {...description.ownFlags, ...followFlags},
  });
  return class extends listing {
    protected override async execute(typed: Typed, session: Session): Promise<void> {
      const chosen = following(typed.flags, session);
      const {endpoint} = this.described;
      if (chosen === undefined || !isPaged(endpoint)) return super.execute(typed, session);
      const {printFollowed} = await import('./follow.js');
      const printing = await printingOf(session);
      const drafting = new Drafting(this.described, this.words);
      const draft = drafting.complete(drafting.convertCommon(await this.draft(typed)), undefined);
      const connection = await connect(session);
      try {
        const input = await resolved(endpoint, draft, connection);
        await warnOfFields(printing, {of: 'answers', endpoint}, session);
        const names = this.names(input, connection);
        await printFollowed(requestFor(endpoint, input), {endpoint, printing, connection, names}, chosen);
      } finally {
        await connection.close();
      }
    }
  };
}
